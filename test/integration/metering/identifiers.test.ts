/** Credentials of plugins: they stand for keys, and one that is good for one call buys one. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CredentialSource, Identifier } from '../../../kernel/auth/contract.ts'
import { unauthorized } from '../../../kernel/auth/unauthorized.ts'
import { fail } from '../../../kernel/errors.ts'
import { withoutCredentials } from '../../../kernel/http/incoming.ts'
import { newId } from '../../../kernel/ids.ts'
import { verifyLedger } from '../../../host/reporting/verify.ts'
import type { MeterCall, MeterOutcome } from '../../../kernel/metering/call.ts'
import type { Rail } from '../../../kernel/rails/contract.ts'
import { accountServices, type AccountServices } from '../../support/account-services.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { meterOver, mount } from '../../support/metering.ts'

type World = Awaited<ReturnType<typeof meterOver>>

let database: TestDatabase
let world: World
let second: World
let services: AccountServices
/** Nonces that some call has had; one set stands for the table that instances share. */
const used = new Set<string>()
let taken: string[] = []
let places: string[] = []

/** Reads `x-proof: <key id> <nonce>`; 'junk' and 'stale' are refused, 'other' is not for it. */
const proofs: Identifier = {
  requestHeaders: [{ name: 'X-Proof', description: 'A proof' }],
  presents: (source) =>
    source.header('x-proof') !== null || source.header('authorization') === 'Bearer other',
  async identify(source, place) {
    places.push(`${place.transport} ${place.method} ${place.target}`)
    const proof = source.header('x-proof')
    if (proof === null) return { ok: true, found: null }
    if (proof === 'junk') return { ok: false, failure: unauthorized('no proof'), offer: true }
    if (proof === 'down') {
      return {
        ok: false,
        failure: fail('INTERNAL_ERROR', 'no node', { status: 503 }),
        offer: false,
      }
    }
    const [keyId = '', nonce = ''] = proof.split(' ')
    return {
      ok: true,
      found: {
        keyId,
        takeOnce: async () => {
          taken.push(nonce)
          if (used.has(nonce)) return fail('PAYMENT_REQUIRED', 'The proof was used')
          used.add(nonce)
          return null
        },
      },
    }
  },
}
const coins: Rail = {
  id: 'coins',
  precedence: 5,
  available: () => ({ ok: true }),
  presented: (source) => source.header('x-coins') !== null,
  offer: () => ({ headers: { 'x-coins': 'wanted' }, body: { coins: 1 } }),
  authorize: async () => ({
    outcome: 'authorized',
    authorization: { railId: 'coins', amountAtomic: 10_000n, state: null },
  }),
  capture: async () => ({
    outcome: 'captured',
    receipt: { rail: 'coins', chargedAtomic: 10_000n, ledgerId: null, headers: {} },
  }),
  release: async () => {},
  stateOf: async () => 'none',
}

let runs = 0
const sold = mount(
  {
    handler: async () => {
      runs += 1
      return { ok: true, output: { runs } }
    },
  },
  { rails: ['coins', 'credits'] },
)

beforeAll(async () => {
  database = await testDatabase()
  world = await meterOver(database.db)
  second = await meterOver(database.open())
  services = accountServices(database.db)
  for (const each of [world, second]) {
    each.identifiers.set([proofs])
    each.rails.add(coins)
  }
})
afterAll(async () => {
  expect((await verifyLedger(database.db.sql)).violations).toEqual([])
  await world.close()
  await second.close()
  await database.close()
})
beforeEach(() => {
  taken = []
  places = []
})

/** An account with this balance and a grant on it. */
async function grant(
  balanceAtomic: bigint,
  limits: { dayAtomic?: bigint } = {},
  products: readonly string[] | null = null,
): Promise<{ accountId: string; keyId: string }> {
  const { accountId } = await services.accounts.open({ name: 'wallet', mode: 'test' })
  const made = await services.accountKeys.createGrant(accountId, {
    name: 'app',
    parentKeyId: null,
    products,
    limits: { dayAtomic: 1_000_000n, ...limits },
  })
  if ('ok' in made) throw new Error('no grant')
  if (balanceAtomic > 0n) {
    const reference = newId()
    const order = { accountId, amountAtomic: balanceAtomic, source: 'sandbox', reference }
    await services.ledger.credit({ ...order, kind: 'grant' })
  }
  return { accountId, keyId: made.record.id }
}

const carrying = (headers: Record<string, string>): CredentialSource => ({
  header: (name) => headers[name] ?? null,
})

async function run(
  headers: Record<string, string>,
  overrides: Partial<MeterCall> = {},
  on: World = world,
): Promise<MeterOutcome> {
  return on.meter.run(on.call(sold, {}, { source: carrying(headers), ...overrides }))
}

/** Code, status and which rails offer; or the rail that was paid. */
function told(outcome: MeterOutcome): unknown {
  if (outcome.kind !== 'failure') return outcome.receipt.rail
  const { code, status } = outcome.failure
  return [code, status ?? null, outcome.offers.map((offer) => Object.keys(offer.body)[0])]
}
const UNPAID = ['PAYMENT_REQUIRED', null, ['coins', 'prepaid']]
const available = async (accountId: string) =>
  (await services.accounts.get(accountId))!.availableAtomic

describe('a credential that stands for a key', () => {
  it('pays by credits, is told where the call goes, and is taken once', async () => {
    const { accountId, keyId } = await grant(30_000n)
    const nonce = newId()
    expect(told(await run({ 'x-proof': `${keyId} ${nonce}` }))).toBe('credits')
    expect(taken).toEqual([nonce])
    expect(places).toEqual(['http POST /v1/t/run'])
    expect(await available(accountId)).toBe(20_000n)
    const again = await run({ 'x-proof': `${keyId} ${nonce}` })
    expect(told(again)).toEqual(UNPAID)
    expect(again).toMatchObject({ bringsKey: true })
    expect(await available(accountId)).toBe(20_000n)
  })

  it('buys one call for eight at once on two instances', async () => {
    const { accountId, keyId } = await grant(90_000n)
    const proof = { 'x-proof': `${keyId} ${newId()}` }
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) => run(proof, {}, n % 2 ? second : world)),
    )
    const results = outcomes.map(told)
    expect(results.filter((result) => result === 'credits')).toHaveLength(1)
    expect(results.filter((result) => result !== 'credits')).toEqual(
      Array.from({ length: 7 }, () => UNPAID),
    )
    expect(await available(accountId)).toBe(80_000n)
  })

  it('is left as it is beside a key, which counts, also when the key is no good', async () => {
    const { keyId } = await grant(30_000n)
    const { id, key } = await world.key(30_000n)
    const proof = { 'x-proof': `${keyId} ${newId()}` }
    expect(told(await run({ ...proof, 'x-api-key': key }))).toBe('credits')
    expect(told(await run({ ...proof, authorization: `Bearer ${key}` }))).toBe('credits')
    expect(
      (await world.ledger.spend({ accountId: await accountOf(id), keyId: id }))[0],
    ).toMatchObject({ spentTodayAtomic: 20_000n })
    const bad = await run({
      ...proof,
      'x-api-key': `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
    })
    expect(told(bad)).toEqual(['INVALID_INPUT', 401, []])
    expect(places).toEqual([])
    expect(taken).toEqual([])
  })

  it('is left as it is beside a payment, which pays, also when it is no good', async () => {
    const { keyId } = await grant(30_000n)
    expect(told(await run({ 'x-proof': `${keyId} ${newId()}`, 'x-coins': '1' }))).toBe('coins')
    expect(told(await run({ 'x-proof': 'junk', 'x-coins': '1' }))).toBe('coins')
    expect(taken).toEqual([])
  })

  it('is refused by a 402 that offers to pay, or as its identifier says', async () => {
    const refused = await run({ 'x-proof': 'junk' })
    expect(told(refused)).toEqual(UNPAID)
    expect(refused.kind === 'failure' && refused.failure.headers).not.toHaveProperty(
      'www-authenticate',
    )
    expect(told(await run({ 'x-proof': 'down' }))).toEqual(['INTERNAL_ERROR', 503, []])
  })

  it('leaves a bearer that is nobody’s to the keys', async () => {
    expect(told(await run({ authorization: 'Bearer other' }))).toEqual(['INVALID_INPUT', 401, []])
  })

  it('never reaches a skill or an upstream, also after its plugin has gone', () => {
    const headers = new Headers({ 'x-proof': 'secret', accept: 'text/plain' })
    expect([...withoutCredentials(headers).keys()]).toEqual(['accept'])
    second.identifiers.set([])
    expect([...withoutCredentials(headers).keys()]).toEqual(['accept'])
    second.identifiers.set([proofs])
  })

  it('without credits is a 402 with offers', async () => {
    const { keyId } = await grant(0n)
    expect(told(await run({ 'x-proof': `${keyId} ${newId()}` }))).toEqual(UNPAID)
  })

  it('gets the kept answer of its Idempotency-Key without being taken again', async () => {
    const { accountId, keyId } = await grant(30_000n)
    const idempotencyKey = newId()
    const proof = { 'x-proof': `${keyId} ${newId()}` }
    expect(told(await run(proof, { idempotencyKey }))).toBe('credits')
    const again = await run(proof, { idempotencyKey })
    expect(again).toMatchObject({ kind: 'answer', replayed: true })
    expect(taken).toHaveLength(1)
    expect(await available(accountId)).toBe(20_000n)
  })

  it('leaves the Idempotency-Key free when it was used', async () => {
    const { keyId } = await grant(30_000n)
    const nonce = newId()
    used.add(nonce)
    const idempotencyKey = newId()
    expect(told(await run({ 'x-proof': `${keyId} ${nonce}` }, { idempotencyKey }))).toEqual(UNPAID)
    expect(told(await run({ 'x-proof': `${keyId} ${newId()}` }, { idempotencyKey }))).toBe(
      'credits',
    )
  })

  it('has the budgets and products of its key', async () => {
    const poor = await grant(90_000n, { dayAtomic: 15_000n })
    const proof = () => ({ 'x-proof': `${poor.keyId} ${newId()}` })
    expect(told(await run(proof()))).toBe('credits')
    expect(told(await run(proof()))).toMatchObject(['RATE_LIMITED', null, []])
    const other = await grant(90_000n, {}, ['elsewhere'])
    expect(told(await run({ 'x-proof': `${other.keyId} ${newId()}` }))).toEqual([
      'INVALID_INPUT',
      403,
      [],
    ])
  })

  it('is nobody’s once its key was revoked, on every instance', async () => {
    const { accountId, keyId } = await grant(90_000n)
    await services.accountKeys.revoke(accountId, keyId)
    for (const each of [world, second]) {
      expect(told(await run({ 'x-proof': `${keyId} ${newId()}` }, {}, each))).toEqual([
        'INVALID_INPUT',
        401,
        [],
      ])
    }
  })
})

async function accountOf(keyId: string): Promise<string> {
  return (await world.keys.accountOf(keyId))!
}

describe('a caller that a plugin identified itself', () => {
  it('is the key it names, whatever key the request brings', async () => {
    const { accountId, keyId } = await grant(30_000n)
    const { id, key } = await world.key(30_000n)
    const as = { keyId, via: 'oauth' as const }
    const outcome = await run({ 'x-api-key': key, authorization: 'Bearer ct_live_x' }, { as })
    expect(told(outcome)).toBe('credits')
    expect(await available(accountId)).toBe(20_000n)
    expect(
      (await world.ledger.spend({ accountId: await accountOf(id), keyId: id }))[0],
    ).toMatchObject({ spentTodayAtomic: 0n })
  })

  it('still pays by what the request brings to pay with', async () => {
    const { accountId, keyId } = await grant(30_000n)
    const outcome = await run({ 'x-coins': '1' }, { as: { keyId, via: 'oauth' } })
    expect(told(outcome)).toBe('coins')
    expect(await available(accountId)).toBe(30_000n)
  })

  it('is refused when the key was revoked', async () => {
    const { accountId, keyId } = await grant(30_000n)
    await services.accountKeys.revoke(accountId, keyId)
    expect(told(await run({}, { as: { keyId, via: 'oauth' } }))).toEqual(['INVALID_INPUT', 401, []])
  })
})

describe('revoking a grant while it calls', () => {
  it('ends the call that runs as that of a revoked key, and no other begins', async () => {
    const { accountId, keyId } = await grant(90_000n)
    const { promise: began, resolve: begin } = Promise.withResolvers<void>()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const slow = mount({
      handler: async () => {
        begin()
        await mayEnd
        return { ok: true, output: {} }
      },
    })
    const as = { keyId, via: 'oauth' as const }
    const running = Promise.resolve(world.meter.run(world.call(slow, {}, { as })))
    await began
    await services.accountKeys.revoke(accountId, keyId)
    expect(told(await run({}, { as }))).toEqual(['INVALID_INPUT', 401, []])
    end()
    expect(told(await running)).toBe('credits')
    expect(await available(accountId)).toBe(80_000n)
  })
})
