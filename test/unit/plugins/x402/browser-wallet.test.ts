/** Which offer the wallet of a page's visitor signs. */
import { afterEach, expect, it, vi } from 'vitest'
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
const payWithWallet = (response: Response) => {
  vi.stubGlobal('ethereum', { request })
  return pay(response, undefined, () => undefined)
}

afterEach(() => {
  vi.unstubAllGlobals()
  request.mockClear()
})

it('signs the offer of an EVM network, whichever stands first', async () => {
  const headers = await payWithWallet(unpaid(solana, evm))
  expect(JSON.parse(atob(headers['payment-signature']!))).toMatchObject({ accepted: evm })
})

it('is not asked where no offer is of an EVM network', async () => {
  await expect(payWithWallet(unpaid(solana))).rejects.toThrow('nothing that a wallet can sign')
  expect(request).not.toHaveBeenCalled()
})
