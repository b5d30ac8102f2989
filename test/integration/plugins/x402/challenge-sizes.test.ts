/**
 * The headers of a 402 in every combination of what may stand in it: networks, schemes, approvals that
 * are sponsored, payment flow, channels, sign-in, signed offers, MPP, skills of every size. Clients
 * echo the challenge, and must take 4 KiB of one header and 8 KiB of all.
 */
import { parsePaymentRequired } from '@x402/core/schemas'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import type { CallPlace } from '../../../../kernel/auth/contract.ts'
import type { Quote } from '../../../../kernel/rails/contract.ts'
import { freshParts } from '../../../../kernel/rails/fresh.ts'
import type { Offer } from '../../../../kernel/rails/offer-contract.ts'
import { Challenges } from '../../../../plugins/mpp/challenges.ts'
import { methodsOf } from '../../../../plugins/mpp/charge/methods.ts'
import { Offers as MppOffers } from '../../../../plugins/mpp/offers.ts'
import { idKey } from '../../../../plugins/mpp/wire/challenge.ts'
import { SignedOffers } from '../../../../plugins/receipts/offers.ts'
import { JwsSigner, keyOf } from '../../../../plugins/receipts/signer.ts'
import { chainsOf, OffersOfSecond } from '../../../../plugins/wallet/offer.ts'
import { ChannelOffers } from '../../../../plugins/x402/channels/offers.ts'
import type { EntryOffers } from '../../../../plugins/x402/entries/contract.ts'
import type { ExtensionsFor } from '../../../../plugins/x402/offers/answer-extensions.ts'
import { resolveAsset, type Asset } from '../../../../plugins/x402/terms/asset.ts'
import { challengeOf, refusedOffer } from '../../../../plugins/x402/offers/challenge.ts'
import { EvmOffers, type PaymentKind } from '../../../../plugins/x402/evm/offers.ts'
import { paymentFailed } from '../../../../plugins/x402/payment/problem.ts'
import { SPONSORINGS } from '../../../../plugins/x402/payment/sponsoring.ts'
import { SolanaOffers } from '../../../../plugins/x402/solana/offers.ts'
import { tokenOn } from '../../../support/x402/networks.ts'

const CLIENTS_TAKE = { header: 4095, all: 8191 }
/** What else the gateway puts into a 402: request id, price, date, CORS, links. */
const OWN_HEADERS = 1000

const PAY_TO = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const HOST = 'api.a-rather-long-name-of-a-host.example.com'
const resolved = resolveAsset('eip155:8453', null)
if (!resolved.ok) throw new Error(resolved.reason)
const usdc: Asset = resolved.asset

const BOTH: readonly PaymentKind[] = [
  { scheme: 'exact', method: 'permit2' },
  { scheme: 'upto', method: 'permit2', facilitator: '0x402085c248EeA27D92E8b30b2C58ed07f9E20001' },
]
const KINDS: Record<string, readonly PaymentKind[]> = {
  'one scheme': [],
  permit2: BOTH.slice(0, 1),
  upto: BOTH.slice(1),
  'permit2 and upto': BOTH,
}

/** The offers of so many EVM networks, the first of them Base. */
function evms(
  count: number,
  kinds: readonly PaymentKind[],
  isSponsored: boolean,
  isUpfront: boolean,
) {
  return Array.from({ length: count }, (_, at) => {
    const asset = at === 0 ? usdc : tokenOn(7000 + at, 18)
    const offers = new EvmOffers(asset, PAY_TO, () => {}, isUpfront)
    offers.offerKinds(kinds, [], isSponsored ? SPONSORINGS : [])
    return offers
  })
}

function channelsOf({ token, asset }: EvmOffers): ChannelOffers {
  const terms = {
    receiverAuthorizer: PAY_TO,
    withdrawDelay: 86_400,
    name: asset.name,
    version: '2',
  }
  return new ChannelOffers(token, terms, 1_000_000n)
}

function solana(): EntryOffers {
  const token = {
    kind: 'solana',
    network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    networkV1: 'solana',
    chainId: null,
    asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    decimals: 6,
    domain: null,
    payTo: 'CKPKJWNdJEqa81x7CkZ14BVPiY6y16Sxs7owznqtWYp5',
  } as const
  return new SolanaOffers(token, () => '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4')
}

const quotes: Quote[] = [
  quoteOf({ inputSchema: Type.Object({ message: Type.String() }) }),
  quoteOf({ method: 'GET', path: '/v1/paid/{id}/thing' }),
  quoteOf({ isCeiling: true, description: 'é'.repeat(400) }),
  quoteOf({ description: 'd'.repeat(5000), inputSchema: wide(60, 'field', 200) }),
  quoteOf({ inputSchema: wide(24, 'x'.repeat(300), 10) }),
  quoteOf({ transport: 'mcp', tool: 'paid.echo', path: 'mcp://tool/paid.echo' }),
]

function quoteOf(members: Partial<Quote>): Quote {
  const path = members.path ?? '/v1/paid/echo'
  return {
    skillId: 'paid.echo',
    productId: 'paid',
    title: 'Echo',
    description: 'Returns the JSON object it was sent.',
    method: 'POST',
    path,
    resourceUrl: path.startsWith('mcp') ? path : `https://${HOST}${path}`,
    transport: 'http',
    amountAtomic: 100_000n,
    priceVersion: 1,
    timeoutMs: 15_000,
    ...members,
  }
}

function wide(count: number, name: string, descriptionCharacters: number) {
  const description = 'y'.repeat(descriptionCharacters)
  const members = Array.from({ length: count }, (_, at) => [
    `${at}${name}`,
    Type.String({ description, minLength: 1 }),
  ])
  return Type.Object(Object.fromEntries(members))
}

const nowMs = Date.UTC(2026, 10, 27)
const settings = { domain: HOST, key: Buffer.alloc(32, 7), ttlMs: 300_000 }
const jws = new JwsSigner(`did:web:${HOST}`, keyOf(Buffer.alloc(32, 9)))
const signedOffers = new SignedOffers(jws, () => new Date(nowMs))

/** What other plugins put into each answer. */
function extensionsOf(entries: readonly EntryOffers[], names: readonly string[]): ExtensionsFor {
  const chains = chainsOf(entries.map(({ token }) => token))
  return (place, quote, accepts) => {
    const uri = `https://${HOST}${place.target}`
    const texts: Record<string, string | null> = {
      'sign-in-with-x': new OffersOfSecond(settings, uri, chains, nowMs).nextText(),
      'offer-receipt': signedOffers.textFor(place, quote, accepts),
    }
    return names.flatMap((name) => (texts[name] ? [`"${name}":${texts[name]}`] : []))
  }
}

const FRESH: readonly (readonly string[])[] = [
  [],
  ['sign-in-with-x'],
  ['sign-in-with-x', 'offer-receipt'],
]

const issuer = new Challenges({ realm: HOST, keys: [idKey(Buffer.alloc(32, 5))] })
/** MPP for the first network of the entries and for Tempo. */
function mppOf(entries: readonly EntryOffers[], quote: Quote): Offer | null {
  const tempo = {
    kind: 'tempo',
    network: 'eip155:4217',
    chainId: 4217,
    asset: usdc.address,
    decimals: 6,
    domain: null,
    payTo: PAY_TO,
  } as const
  const networks = [...entries.map(({ token }) => token), tempo].map((one) => ({
    ...one,
    isOpen: true,
  }))
  const payments = {
    networks: () => networks,
    nowMs: () => Date.now(),
    amountOn: () => 100_000n,
    validForSeconds: () => 60,
  } as never
  const methods = methodsOf(['evm/charge', 'tempo/charge'])
  return new MppOffers(() => issuer, methods).of(quote, payments)
}

const source = { header: () => null } as never
const sum = (headers: Iterable<readonly [string, string]>): number =>
  [...headers].reduce((total, [name, value]) => total + name.length + value.length + 4, 0)

/** The lengths of an answer's challenge and of all headers; the offers are as the kernel joins them. */
function sizesOf(offers: readonly Offer[], place: CallPlace) {
  const left: unknown[] = []
  const parts = freshParts(offers, { place, source }, undefined, (_, error) => left.push(error))
  const headers = new Map<string, string>()
  for (const offer of offers)
    for (const [name, value] of Object.entries(offer.headers)) headers.set(name, value)
  for (const { part } of parts)
    for (const [name, value] of Object.entries<string>(part.replacedHeaders ?? {}))
      headers.set(name, value)
  const more = parts.flatMap(({ part }) => part.headers)
  return { header: headers.get('payment-required')!, all: sum(headers) + sum(more), left, more }
}

const targets = (quote: Quote): string[] =>
  quote.transport === 'mcp' ? [quote.path] : [quote.path, `${quote.path}?q=${'a'.repeat(2500)}`]

describe.each(Object.entries(KINDS))('the 402 of networks with %s', (_, kinds) => {
  it.each([1, 2, 3, 6])('%d at most keeps to 4 KiB and 8 KiB, whatever else is on', (count) => {
    let seen = 0
    const shown = new Set<string>()
    for (const isSponsored of [false, true])
      for (const isUpfront of [false, true])
        for (const solanaAt of ['nowhere', 'first', 'last'])
          for (const hasChannels of [false, true]) {
            const evm = evms(
              solanaAt === 'nowhere' ? count : count - 1,
              kinds,
              isSponsored,
              isUpfront,
            )
            const entries: EntryOffers[] = [...evm]
            if (solanaAt === 'first') entries.unshift(solana())
            if (solanaAt === 'last') entries.push(solana())
            const main = entries[0]!
            const all = hasChannels ? [...entries, ...evm.map(channelsOf)] : entries
            for (const quote of quotes)
              for (const names of FRESH) {
                const made = challengeOf(quote, all, 'Coinop', main, extensionsOf(entries, names))
                if (made.required.accepts.length === 0) continue
                const mpp = mppOf(entries, quote)
                const offers = mpp ? [made.offer, mpp] : [made.offer]
                for (const target of targets(quote)) {
                  const { transport, method } = quote
                  const {
                    header,
                    all: sizeAll,
                    left,
                    more,
                  } = sizesOf(offers, { transport, method, target })
                  expect(left).toEqual([])
                  expect(header.length).toBeLessThanOrEqual(CLIENTS_TAKE.header)
                  for (const [, value] of more)
                    expect(value.length).toBeLessThanOrEqual(CLIENTS_TAKE.header)
                  expect(sizeAll).toBeLessThanOrEqual(CLIENTS_TAKE.all - OWN_HEADERS)
                  const parsed = parsePaymentRequired(
                    JSON.parse(Buffer.from(header, 'base64').toString()),
                  )
                  expect(parsed.error).toBeUndefined()
                  const { extensions, accepts } = parsed.data as any
                  for (const name of Object.keys(extensions)) shown.add(name)
                  for (const { scheme } of accepts) shown.add(scheme)
                  if (more.length > 0) shown.add('mpp')
                  seen++
                }
              }
          }
    expect(seen).toBeGreaterThan(300)
    const expected = ['bazaar', 'payment-identifier', 'sign-in-with-x', 'exact', 'mpp']
    // Beside six networks there is no room for a signed offer.
    if (count < 6) expected.push('offer-receipt')
    expect([...shown]).toEqual(expect.arrayContaining(expected))
    expect(shown.has('batch-settlement')).toBe(true)
    expect(shown.has('upto')).toBe(kinds.some(({ scheme }) => scheme === 'upto'))
  })
})

describe('the 402 that refuses a payment', () => {
  const details = {
    reason: 'invalid_exact_evm_payload_authorization_value_mismatch',
    field: 'payload.authorization.value',
    expected: '1'.repeat(128),
    got: '2'.repeat(128),
  }
  const channel = {
    network: 'eip155:8453',
    asset: usdc.address,
    channelState: {
      channelId: `0x${'ab'.repeat(32)}`,
      balance: String(2n ** 127n),
      totalClaimed: String(2n ** 126n),
      withdrawRequestedAt: 1_800_000_000,
      refundNonce: '123456',
      chargedCumulativeAmount: String(2n ** 126n),
    },
    voucherState: { signedMaxClaimable: String(2n ** 127n), signature: `0x${'cd'.repeat(65)}` },
  }

  it.each([
    ['with both sides of what disagrees', details],
    ['with the state of a channel', { reason: details.reason, channel }],
  ])('keeps to 4 KiB %s', (_, told) => {
    for (const count of [1, 3, 6]) {
      const evm = evms(count, BOTH, true, false)
      const all = [...evm, ...evm.map(channelsOf)]
      for (const quote of quotes) {
        const challenge = challengeOf(quote, all, 'Coinop', all[0], extensionsOf(evm, FRESH[2]!))
        const offer = refusedOffer(challenge, paymentFailed({ ...told, message: 'no' }))
        const { transport, method } = quote
        const { header } = sizesOf([offer], { transport, method, target: quote.path })
        expect(header.length).toBeLessThanOrEqual(CLIENTS_TAKE.header)
        const { error, accepts } = JSON.parse(Buffer.from(header, 'base64').toString())
        expect(error).toMatch(/^invalid_exact|^Payment required$/)
        if ('channel' in told) {
          const corrected = accepts.filter(({ extra }: any) => extra.channelState !== undefined)
          expect(corrected).toMatchObject([
            { scheme: 'batch-settlement', network: channel.network },
          ])
          expect(corrected[0].extra).toMatchObject({
            channelState: channel.channelState,
            voucherState: channel.voucherState,
          })
        }
      }
    }
  })
})
