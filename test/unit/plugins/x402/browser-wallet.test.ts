/** Which offer the wallet of a page's visitor signs. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pay } from '../../../../plugins/x402/browser/wallet.ts'

const evm = {
  scheme: 'exact',
  network: 'eip155:84532',
  amount: '10000',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  payTo: '0x0000000000000000000000000000000000000001',
  maxTimeoutSeconds: 60,
  extra: { name: 'USDC', version: '2' },
}
const solana = {
  ...evm,
  network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  asset: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
  extra: { feePayer: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4' },
}

const unpaid = (...accepts: object[]): Response => {
  const challenge = { x402Version: 2, resource: {}, accepts }
  return new Response(null, {
    status: 402,
    headers: { 'payment-required': btoa(JSON.stringify(challenge)) },
  })
}
const request = vi.fn(async ({ method }: { method: string }): Promise<unknown> => {
  if (method === 'eth_requestAccounts') return [evm.payTo]
  return method === 'eth_chainId' ? '0x14a34' : '0x1234'
})
const chosen = vi.fn(async (_question: string, options: readonly string[]) => options.length - 1)
const body = { problem: { details: { priceUsdcAtomic: '10000' } } }
const payHere = (response: Response, say = (_step: string) => {}) =>
  pay(response, body, say, chosen)
const payWithWallet = (response: Response, say?: (step: string) => void) => {
  vi.stubGlobal('ethereum', { request })
  return payHere(response, say)
}

/** Wallets that announce themselves when a page asks (EIP-6963), one after the other. */
function announce(...wallets: { uuid: string; name: string; provider: object }[]): void {
  for (const { uuid, name, provider } of wallets) {
    const detail = { info: { uuid, name }, provider }
    page.addEventListener('eip6963:requestProvider', () =>
      page.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail })),
    )
  }
}

let page: EventTarget
beforeEach(() => {
  page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page))
})

afterEach(() => {
  vi.unstubAllGlobals()
  request.mockClear()
  chosen.mockClear()
})

it('signs the offer of an EVM network, whichever stands first', async () => {
  const headers = await payWithWallet(unpaid(solana, evm))
  expect(JSON.parse(atob(headers['payment-signature']!))).toMatchObject({ accepted: evm })
})

it('says the price in dollars, whatever decimals the token has, and when it is transferred', async () => {
  const said: string[] = []
  const extra = { ...evm.extra, paymentFlow: 'upfront' }
  await payWithWallet(unpaid({ ...evm, amount: '10000000000000000', extra }), (step) => {
    said.push(step)
  })
  expect(said[0]).toContain('Asked: 0.01 USDC on')
  expect(said.at(-1)).toContain('it precedes the work')
})

it('is not asked where no offer is of an EVM network', async () => {
  await expect(payWithWallet(unpaid(solana))).rejects.toThrow('nothing that a wallet can sign')
  expect(request).not.toHaveBeenCalled()
})

it('finds a wallet that only announces itself, once however often it does', async () => {
  const provider = { request }
  announce({ uuid: 'a', name: 'One', provider }, { uuid: 'b', name: 'One', provider })
  await payHere(unpaid(evm))
  expect(chosen).not.toHaveBeenCalled()
  expect(request).toHaveBeenCalled()
})

it('asks which of several wallets pays, and no other one', async () => {
  const other = vi.fn()
  announce(
    { uuid: 'a', name: 'Other', provider: { request: other } },
    { uuid: 'b', name: 'Mine', provider: { request } },
  )
  await payHere(unpaid(evm))
  expect(chosen).toHaveBeenCalledWith('With which wallet?', ['Other', 'Mine'])
  expect(request).toHaveBeenCalled()
  expect(other).not.toHaveBeenCalled()
})

it.each([
  [{ code: 4001, message: 'User rejected' }, 'You said no in the wallet.'],
  [{ code: 4902 }, 'does not know this network'],
  [{ code: -32603, data: { originalError: { code: 4902 } } }, 'does not know this network'],
  [{ code: -32002, message: 'already pending' }, 'The wallet refused: already pending'],
])('says in words what a wallet refuses with %j', async (refusal, words) => {
  request.mockRejectedValueOnce(refusal)
  await expect(payWithWallet(unpaid(evm))).rejects.toThrow(words)
})
