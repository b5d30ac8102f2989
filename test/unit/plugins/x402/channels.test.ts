/** Channels as @x402/evm hashes and signs them, and their payload as untrusted callers send it. */
import { BATCH_SETTLEMENT_ADDRESS, BATCH_SETTLEMENT_DOMAIN, refundTypes } from '@x402/evm'
import { BatchSettlementEvmScheme, computeChannelId } from '@x402/evm/batch-settlement/client'
import fc from 'fast-check'
import { hashTypedData, zeroAddress, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { networkProblems } from '../../../../plugins/x402/config.ts'
import { decodeVoucher } from '../../../../plugins/x402/payment/channel-decode.ts'
import { channelResponse } from '../../../../plugins/x402/channels/receipt.ts'
import {
  channelIdOf,
  chargedBefore,
  contractSeparator,
  depositDigest,
  placeNonce,
  refundDigest,
  voucherDigest,
} from '../../../../plugins/x402/payment/channel.ts'
import { domainSeparator } from '../../../../plugins/x402/payment/digests.ts'
import { resolveAsset } from '../../../../plugins/x402/terms/asset.ts'
import { recoverSigner } from '../../../../plugins/shared/signing/ethereum.ts'

const buyer = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const [payTo, authorizer] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`]
const resolved = resolveAsset('eip155:8453', null)
if (!resolved.ok) throw new Error(resolved.reason)
const { asset } = resolved
const offer = {
  scheme: 'batch-settlement',
  network: 'eip155:8453',
  amount: '10000',
  asset: asset.address,
  payTo,
  maxTimeoutSeconds: 90,
  extra: { receiverAuthorizer: authorizer, withdrawDelay: 86_400, name: 'USD Coin', version: '2' },
} as const

/** A deposit with its voucher, as the client of the package makes it. */
async function deposited(): Promise<any> {
  const scheme = new BatchSettlementEvmScheme(buyer)
  return (await scheme.createPaymentPayload(2, offer as never, {} as never)).payload
}

describe('what the package signs', () => {
  it('is read, and hashed to the same ids and digests', async () => {
    const payload = await deposited()
    const read = decodeVoucher(payload)
    if (!read.ok) throw new Error(read.problem.message)
    const { signed } = read
    const separator = contractSeparator(8453)
    const id = channelIdOf(separator, signed.channel)
    expect(id).toBe(computeChannelId(payload.channelConfig, 'eip155:8453'))
    expect(channelIdOf(contractSeparator(1), signed.channel)).not.toBe(id)
    const digest = voucherDigest(separator, id, signed.ceiling)
    const account = buyer.address.toLowerCase()
    expect(await recoverSigner(digest, signed.signature)).toBe(account)
    const { channel, channelId, deposit } = signed
    if (!deposit) throw new Error('no deposit')
    const depositing = depositDigest(domainSeparator(asset), { channel, channelId, deposit })
    expect(await recoverSigner(depositing, deposit.signature)).toBe(account)
  })

  it('is a refund under the same digest, for each number and amount', () => {
    const channelId: Hex = `0x${'7c'.repeat(32)}`
    const separator = contractSeparator(8453)
    for (const [number, amount] of [
      [0n, 1n],
      [1n, 1n],
      [2n ** 256n - 1n, 2n ** 128n - 1n],
    ] as const) {
      const signed = hashTypedData({
        domain: {
          ...BATCH_SETTLEMENT_DOMAIN,
          chainId: 8453,
          verifyingContract: BATCH_SETTLEMENT_ADDRESS,
        },
        types: refundTypes,
        primaryType: 'Refund',
        message: { channelId, nonce: number, amount },
      })
      expect(refundDigest(separator, channelId, { number, amount })).toBe(signed)
    }
  })

  it('is refused by every member that is missing or of another type', async () => {
    const payload = await deposited()
    const places: string[][] = []
    const walk = (value: any, path: string[]): void => {
      if (path.length > 0) places.push(path)
      if (typeof value === 'object') {
        for (const [name, inner] of Object.entries(value)) walk(inner, [...path, name])
      }
    }
    walk(payload, [])
    const junk = fc.constantFrom(undefined, null, -1, 1.5, '', 'x', '0x', [], {}, zeroAddress + '0')
    fc.assert(
      fc.property(fc.constantFrom(...places), junk, (path, value) => {
        const bent = structuredClone(payload)
        let at = bent
        for (const name of path.slice(0, -1)) at = at[name]
        at[path.at(-1)!] = value
        const read = decodeVoucher(bent)
        expect(read.ok).toBe(false)
        if (!read.ok) expect(read.problem.field).toMatch(/^payload/)
      }),
      { seed: 8, numRuns: 300 },
    )
  })
})

it('names a place of a channel by the sum charged before it', () => {
  const id: Hex = `0x${'07'.repeat(32)}`
  expect(chargedBefore(placeNonce(id, 2n ** 127n))).toBe(2n ** 127n)
  expect(placeNonce(id, 10n)).not.toBe(placeNonce(id, 11n))
})

it('says what was charged of a ceiling, and no amount where nothing was deposited', async () => {
  const { channelConfig, voucher } = await deposited()
  const signed = {
    version: 2,
    payer: buyer.address,
    requirements: { ...offer, extra: {} },
    payload: { channelConfig, voucher: { ...voucher, maxClaimableAmount: '30000' } },
    before: { balance: '100000', totalClaimed: '5000', withdrawRequestedAt: 0, refundNonce: '1' },
  } as never
  expect(channelResponse(signed, 700n)).toEqual({
    payer: buyer.address,
    amount: '',
    extra: {
      chargedAmount: '700',
      channelState: {
        channelId: voucher.channelId,
        balance: '100000',
        totalClaimed: '5000',
        withdrawRequestedAt: 0,
        refundNonce: '1',
        chargedCumulativeAmount: '20700',
      },
    },
  })
})

describe('the settings of channels', () => {
  const network = {
    network: 'eip155:8453',
    pay_to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    rpc: 'http://localhost:8545',
    signer: `0x${'22'.repeat(32)}`,
  }
  const problemsOf = (given: object) => networkProblems({ networks: [{ ...network, ...given }] })

  it('are good without a word', () => {
    expect(problemsOf({ channels: {} })).toEqual([])
  })
  it.each([
    ['no signer', { signer: undefined, facilitators: [{ url: 'http://f' }], channels: {} }],
    ['claims too late', { channels: { withdraw_delay_hours: 1, claim_after_minutes: 60 } }],
  ])('are refused with %s', (_, given) => {
    expect(problemsOf(given).map(({ path }) => path)).toContain('/networks/0/channels')
  })
})
