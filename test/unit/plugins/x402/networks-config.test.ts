import { expect, it } from 'vitest'
import { compileSchema } from '../../../../kernel/schema/json.ts'
import { entriesOfConfig, networkProblems, X402Config } from '../../../../plugins/x402/config.ts'

const KEY = `0x${'59'.repeat(32)}`
const RPC = 'https://rpc.example.com/with-a-key'
const usdc = {
  network: 'eip155:8453',
  pay_to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  rpc: RPC,
  signer: KEY,
}
const own = {
  ...usdc,
  network: 'eip155:777018',
  asset: '0x1212121212121212121212121212121212121212',
  decimals: 18,
  name: 'Dollar',
  version: '1',
}
const solana = {
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  decimals: 6,
  pay_to: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  rpc: RPC,
  facilitators: [{ url: 'https://facilitator.example.com', auth: 'Bearer abc' }],
}

/** Pointers of what is wrong. */
function wrongIn(...networks: object[]): string[] {
  const unfit = compileSchema(X402Config).issues({ networks })
  const issues = unfit.length > 0 ? unfit : networkProblems({ networks } as X402Config)
  for (const { message } of issues) expect(message).not.toMatch(/with-a-key|5959|Bearer abc/)
  return issues.map(({ path }) => path)
}

it('takes networks of every kind', () => {
  expect(wrongIn(usdc, own, solana)).toEqual([])
  const settings = entriesOfConfig({ networks: [usdc, own, solana] })!
  expect(settings.map(({ kind }) => kind)).toEqual(['evm', 'evm', 'solana'])
  expect(settings[1]).toMatchObject({ token: { decimals: 18 }, signerKey: KEY, rpcUrl: RPC })
  expect(settings[2]).toMatchObject({ facilitators: [{ auth: 'Bearer abc' }], rpcUrl: RPC })
  expect(entriesOfConfig({})).toBeNull()
})

it.each<[string, object[], string]>([
  ['nothing in it', [], '/networks'],
  ['seven of them', Array.from({ length: 7 }, () => usdc), '/networks'],
  ['a member nobody knows', [{ ...usdc, colour: 1 }], '/networks/0/colour'],
  ['another kind of network', [{ ...usdc, network: 'bip122:1' }], '/networks/0/network'],
  ['no receiver', [{ ...usdc, pay_to: undefined }], '/networks/0/pay_to'],
  [
    'a mistyped receiver',
    [{ ...usdc, pay_to: usdc.pay_to.replace('BC', 'Bc') }],
    '/networks/0/pay_to',
  ],
  ['a token nobody knows', [{ ...own, decimals: undefined }], '/networks/0'],
  ['a bent token', [{ ...own, asset: '0x12' }], '/networks/0/asset'],
  ['a bent key', [{ ...usdc, signer: '0x12' }], '/networks/0/signer'],
  ['a key without a node', [{ ...usdc, rpc: undefined }], '/networks/0/signer'],
  ['nobody who settles', [{ ...usdc, signer: undefined }], '/networks/0'],
  ['a node that is no URL', [{ ...usdc, rpc: 'ftp://x' }], '/networks/0/rpc'],
  ['one token twice', [usdc, { ...usdc }], '/networks/1'],
  [
    'a fee payer on an EVM network',
    [{ ...usdc, fee_payer: solana.pay_to }],
    '/networks/0/fee_payer',
  ],
  ['a domain on Solana', [{ ...solana, name: 'USDC' }], '/networks/0/name'],
  [
    'an order of payment on Solana',
    [{ ...solana, payment_flow: 'upfront' }],
    '/networks/0/payment_flow',
  ],
  ['no mint', [{ ...solana, asset: undefined }], '/networks/0'],
  [
    'a bent credential',
    [{ ...solana, facilitators: [{ url: 'https://a', auth: 'abc' }] }],
    '/networks/0/facilitators/0/auth',
  ],
])('refuses %s', (_, networks, place) => {
  expect(wrongIn(...networks.map((network) => JSON.parse(JSON.stringify(network))))).toContain(
    place,
  )
})
