/** Refunds and disputes of card top-ups: what is left is taken back once, the rest is flagged. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyLedger } from '../../host/reporting/verify.ts'
import { ownAccount } from '../support/accounts.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { program } from '../support/program.ts'
import {
  deliver,
  startProviderA,
  startProviderB,
  type EventOptions,
  type SignedEvent,
  type TestProvider,
} from '../support/topup.ts'

let database: TestDatabase
let gateway: GatewayProcess
let providers: Record<TestProvider['id'], TestProvider>

beforeAll(async () => {
  database = await testDatabase()
  providers = { provider_a: startProviderA(), provider_b: startProviderB() }
  gateway = await startGateway({
    DATABASE_URL: database.url,
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    COINOP_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    PREPAID_FIAT: 'true',
    // All callbacks of this file come from one address, within a few seconds.
    RATE_LIMIT_BURST: '1000',
    ...providers.provider_a.env,
    ...providers.provider_b.env,
  })
})
afterAll(async () => {
  expect(await verifyLedger(database.db.sql)).toMatchObject({ ok: true, violations: [] })
  await gateway.stop()
  await Promise.all([providers.provider_a.stop(), providers.provider_b.stop()])
  await database.close()
})

const started = async (id: TestProvider['id']) => {
  const key = await gateway.key(0)
  const order = { apiKeyId: key.id, amountUsd: 7.5, provider: id }
  const answer = await gateway.admin('POST', '/v1/credits/topup/initialize', order)
  expect(answer.status, answer.text).toBe(200)
  return { key, reference: answer.json.reference as string }
}
/** A key with the 750 credits of a paid checkout, less `spent`. */
async function credited(id: TestProvider['id'], wire: EventOptions, spent = 0) {
  const { key, reference } = await started(id)
  const provider = providers[id]
  await deliver(gateway, id, provider.event(provider.pay(reference), wire))
  if (spent > 0) {
    const headers = { 'x-api-key': key.key }
    const body = { requestId: 'spent', skill: 'any', amountCredits: spent }
    const hold = await gateway.call('POST', '/v1/credits/authorize', { headers, body })
    const { authorizationId } = hold.json
    await gateway.call('POST', '/v1/credits/capture', { headers, body: { authorizationId } })
  }
  expect(await creditsOf(key.id)).toBe(750 - spent)
  return { key, reference, provider }
}
const creditsOf = async (keyId: string): Promise<number> =>
  (await gateway.admin('GET', `/v1/keys/${keyId}`)).json.balance.credits
const flagsOf = async (reference: string): Promise<any[]> => {
  const { json } = await gateway.admin('GET', '/v1/admin/topup/flagged')
  return json.rows.filter((row: { reference: string }) => row.reference === reference).toReversed()
}
const reasonOf = async (id: TestProvider['id'], event: SignedEvent): Promise<string> => {
  const answer = await deliver(gateway, id, event)
  expect(answer.status, answer.text).toBe(200)
  expect(answer.json).toMatchObject({ received: true, credited: false })
  return answer.json.reason
}

const wires: [TestProvider['id'], EventOptions][] = [
  ['provider_a', {}],
  ['provider_b', { version: 'v4' }],
  ['provider_b', { version: 'v3' }],
]

describe.each(wires)('%s %o', (id, wire) => {
  it('takes back what is left of a refunded top-up, once, and flags what is still owed', async () => {
    const { key, reference, provider } = await credited(id, wire, 700)
    const event = provider.reversalEvent(provider.reverse(reference, 'refund'), wire)
    const reasons = await Promise.all(Array.from({ length: 8 }, () => reasonOf(id, event)))
    expect(reasons.toSorted()).toEqual([...Array(7).fill('already'), 'taken'])
    expect(await creditsOf(key.id)).toBe(0)
    expect(await flagsOf(reference)).toMatchObject([
      { reason: 'refunded', owedCredits: 700, creditedAt: null },
    ])
    const { json } = await gateway.admin('GET', `/v1/ledger?apiKeyId=${key.id}&kind=adjustment`)
    expect(json.rows).toMatchObject([
      { amountCredits: 50, debit: `${ownAccount(key.id)}:available`, credit: `topup:${id}` },
    ])
    // Later money of the key is its own.
    await gateway.admin('POST', '/v1/sandbox/topup', { apiKeyId: key.id, amount: 10 })
    expect(await reasonOf(id, event)).toBe('already')
    expect(await creditsOf(key.id)).toBe(10)
  })

  it('takes partial refunds one by one, and never more than was credited', async () => {
    const { key, reference, provider } = await credited(id, wire)
    const refund = (amountMinor: number) =>
      provider.reversalEvent(provider.reverse(reference, 'refund', { amountMinor }), wire)
    for (const [amountMinor, left] of [
      [200, 550],
      [300, 250],
      [400, 0],
    ] as const) {
      expect(await reasonOf(id, refund(amountMinor))).toBe('taken')
      expect(await creditsOf(key.id)).toBe(left)
    }
    expect((await flagsOf(reference)).map(({ owedCredits }) => owedCredits)).toEqual([0, 0, 0])
    expect(await reasonOf(id, refund(751))).not.toBe('taken')
  })

  it('takes nothing for what the provider does not confirm', async () => {
    const { key, reference, provider } = await credited(id, wire)
    for (const kind of ['refund', 'dispute'] as const) {
      const unknown = provider.reverse(reference, kind)
      provider.reversals.delete(unknown.id)
      const event = provider.reversalEvent(unknown, wire)
      expect(await reasonOf(id, event)).toBe(`${kind}_not_confirmed`)
    }
    const pending = provider.reverse(reference, 'refund', { status: 'pending' })
    expect(await reasonOf(id, provider.reversalEvent(pending, wire))).toBe('pending')
    const more = provider.reverse(reference, 'dispute', { amountMinor: 751 })
    expect(await reasonOf(id, provider.reversalEvent(more, wire))).toBe('dispute_wrong_amount')
    expect(await creditsOf(key.id)).toBe(750)
  })

  it('waits for a provider that cannot be asked', async () => {
    const { key, reference, provider } = await credited(id, wire)
    const event = provider.reversalEvent(provider.reverse(reference, 'refund'), wire)
    for (const outage of [500, 'html'] as const) {
      provider.outages.push(outage)
      const answer = await deliver(gateway, id, event)
      expect([answer.status, answer.json.error.code]).toEqual([503, 'UPSTREAM_FAILURE'])
    }
    expect(await creditsOf(key.id)).toBe(750)
    expect(await reasonOf(id, event)).toBe('taken')
    expect(await creditsOf(key.id)).toBe(0)
  })

  it('gives back once what a dispute took that the merchant won, also for late callbacks', async () => {
    const { key, reference, provider } = await credited(id, wire, 250)
    const dispute = provider.reverse(reference, 'dispute')
    const opened = provider.reversalEvent(dispute, wire)
    expect(await reasonOf(id, opened)).toBe('taken')
    expect(await creditsOf(key.id)).toBe(0)
    const won =
      id === 'provider_a' ? { status: 'resolved', resolution: 'declined' } : { status: 'won' }
    Object.assign(dispute, won)
    const name = id === 'provider_a' ? 'charge.dispute.resolve' : 'chargeback.updated'
    const ended = provider.reversalEvent(dispute, { ...wire, name })
    const reasons = await Promise.all(Array.from({ length: 4 }, () => reasonOf(id, ended)))
    expect(reasons.toSorted()).toEqual(['already', 'already', 'already', 'returned'])
    expect(await creditsOf(key.id)).toBe(500)
    expect(await reasonOf(id, opened)).toBe('already')
    expect(await creditsOf(key.id)).toBe(500)
    expect(await flagsOf(reference)).toMatchObject([
      { reason: 'disputed', owedCredits: 250 },
      { reason: 'dispute_won', owedCredits: 0 },
    ])
  })

  it('tells an operator of a dispute that stands again after it was won, once', async () => {
    const { key, reference, provider } = await credited(id, wire)
    const dispute = provider.reverse(reference, 'dispute')
    const before = { ...dispute }
    const told = provider.reversalEvent(dispute, wire)
    expect(await reasonOf(id, told)).toBe('taken')
    const won =
      id === 'provider_a' ? { status: 'resolved', resolution: 'declined' } : { status: 'won' }
    Object.assign(dispute, won)
    expect(await reasonOf(id, told)).toBe('returned')
    Object.assign(dispute, before)
    for (let times = 0; times < 2; times++) expect(await reasonOf(id, told)).toBe('already')
    expect(await creditsOf(key.id)).toBe(750)
    expect((await flagsOf(reference)).map(({ reason }) => reason)).toEqual([
      'disputed',
      'dispute_won',
      'dispute_opened_again',
    ])
  })

  it('gives back what a dispute took to a key that was revoked and an account that was closed', async () => {
    const { key, reference, provider } = await credited(id, wire)
    const { accountId } = (await gateway.admin('GET', `/v1/keys/${key.id}`)).json
    const dispute = provider.reverse(reference, 'dispute')
    expect(await reasonOf(id, provider.reversalEvent(dispute, wire))).toBe('taken')
    await gateway.admin('POST', `/v1/keys/${key.id}/revoke`)
    await gateway.admin('POST', `/v1/accounts/${accountId}/close`)
    const [won, name] =
      id === 'provider_a'
        ? [{ status: 'resolved', resolution: 'declined' }, 'charge.dispute.resolve']
        : [{ status: 'won' }, 'chargeback.updated']
    const ended = provider.reversalEvent(Object.assign(dispute, won), { ...wire, name })
    expect(await reasonOf(id, ended)).toBe('returned')
    expect(await creditsOf(key.id)).toBe(750)
    const { json } = await gateway.admin('GET', `/v1/ledger?apiKeyId=${key.id}&kind=adjustment`)
    expect(json.rows).toMatchObject([
      { amountCredits: 750, debit: `topup:${id}`, credit: `${accountId}:available` },
      { amountCredits: 750, debit: `${accountId}:available`, credit: `topup:${id}` },
    ])
  })

  it('takes back a refund that is told before its payment', async () => {
    const { key, reference } = await started(id)
    const provider = providers[id]
    const paid = provider.event(provider.pay(reference), wire)
    const refunded = provider.reversalEvent(provider.reverse(reference, 'refund'), wire)
    provider.outages.push(502)
    expect((await deliver(gateway, id, refunded)).status).toBe(503)
    expect(await reasonOf(id, refunded)).toBe('taken')
    expect(await reasonOf(id, paid)).toBe('duplicate')
    expect(await reasonOf(id, refunded)).toBe('already')
    expect(await creditsOf(key.id)).toBe(0)
    expect(await flagsOf(reference)).toMatchObject([{ reason: 'refunded', owedCredits: 0 }])
  })

  it('flags refunds of what was not started or not credited here', async () => {
    const { provider } = await credited(id, wire)
    const { key, reference } = await started(id)
    const early = provider.reversalEvent(provider.reverse(reference, 'refund'), wire)
    expect(await reasonOf(id, early)).toMatch(
      id === 'provider_a' ? 'refund_not_credited' : 'refund_unknown_reference',
    )
    expect(await creditsOf(key.id)).toBe(0)
    const charge = { ...provider.charges.get(reference)!, id: 1, reference: 'a\u0000b' }
    const foreign = { ...provider.reverse(reference, 'dispute'), charge }
    expect(await reasonOf(id, provider.reversalEvent(foreign, wire))).toBe(
      'dispute_unknown_reference',
    )
  })
})

it('gives back what a dispute took beyond the part that the merchant accepted, once', async () => {
  const { key, reference, provider } = await credited('provider_a', {}, 250)
  const dispute = provider.reverse(reference, 'dispute')
  expect(await reasonOf('provider_a', provider.reversalEvent(dispute))).toBe('taken')
  expect(await creditsOf(key.id)).toBe(0)
  const accepted = { status: 'resolved', resolution: 'merchant-accepted', amountMinor: 300 }
  const event = provider.reversalEvent(Object.assign(dispute, accepted))
  const reasons = await Promise.all([1, 2, 3].map(() => reasonOf('provider_a', event)))
  expect(reasons.toSorted()).toEqual(['already', 'already', 'returned'])
  expect(await creditsOf(key.id)).toBe(200)
  expect((await flagsOf(reference)).map((row) => [row.reason, row.owedCredits])).toEqual([
    ['disputed', 250],
    ['dispute_reduced', 0],
  ])
})

it('gives back what a dispute took that the merchant won, which is of nothing then', async () => {
  const { key, reference, provider } = await credited('provider_a', {})
  const dispute = provider.reverse(reference, 'dispute')
  expect(await reasonOf('provider_a', provider.reversalEvent(dispute))).toBe('taken')
  Object.assign(dispute, { status: 'resolved', resolution: 'declined', amountMinor: 0 })
  expect(await reasonOf('provider_a', provider.reversalEvent(dispute))).toBe('returned')
  expect(await creditsOf(key.id)).toBe(750)
})

it('an operator lists what was not given back, and gives it back by its name', async () => {
  const { key, reference, provider } = await credited('provider_a', {})
  const dispute = provider.reverse(reference, 'dispute')
  expect(await reasonOf('provider_a', provider.reversalEvent(dispute))).toBe('taken')
  const name = { provider: 'provider_a', kind: 'dispute', id: String(dispute.id) }
  const giveBack = (body: object) => gateway.admin('POST', '/v1/admin/topup/return', body)
  expect((await giveBack(name)).status).toBe(409)
  expect((await giveBack({ ...name, id: 'none' })).status).toBe(404)
  const wrong = await giveBack({ ...name, kind: 'gift' })
  expect([wrong.status, wrong.json.error.details.issues]).toEqual([
    400,
    [{ path: '/kind', message: 'must be one of "refund", "dispute"' }],
  ])
  // As the version before marked it, whose credit to a revoked key was refused.
  await database.db.sql`
    UPDATE plugin_topup.reversal SET state = 'returned' WHERE id = ${name.id} AND kind = 'dispute'`
  const owed = { ...name, reference, apiKeyId: key.id, credits: 750, isRetried: false }
  const coinop = (...args: string[]) => {
    const ran = Bun.spawnSync([...program(), ...args, '--url', gateway.url], {
      env: { PATH: process.env['PATH'] ?? '', COINOP_TOKEN: gateway.adminToken },
    })
    expect(ran.exitCode, ran.stderr.toString()).toBe(0)
    return JSON.parse(ran.stdout.toString())
  }
  expect(coinop('topup', 'owed')).toMatchObject([owed])
  const given = { ...name, apiKeyId: key.id, credits: 750 }
  expect(coinop('topup', 'return', 'provider_a', 'dispute', name.id)).toEqual({
    ...given,
    duplicate: false,
  })
  expect((await giveBack(name)).json).toEqual({ ...given, duplicate: true })
  expect(await creditsOf(key.id)).toBe(750)
  expect((await gateway.admin('GET', '/v1/admin/topup/owed')).json).toEqual({ rows: [] })
  expect(await flagsOf(reference)).toMatchObject([
    { reason: 'disputed' },
    { reason: 'dispute_returned' },
  ])
})

it('a refund that settles a dispute takes nothing a second time', async () => {
  const { key, reference, provider } = await credited('provider_a', {})
  const lost = provider.reverse(reference, 'dispute', { amountMinor: 300 })
  expect(await reasonOf('provider_a', provider.reversalEvent(lost))).toBe('taken')
  Object.assign(lost, { status: 'resolved', resolution: 'merchant-accepted' })
  const name = 'charge.dispute.resolve'
  expect(await reasonOf('provider_a', provider.reversalEvent(lost, { name }))).toBe('already')
  const refund = provider.reverse(reference, 'refund', { amountMinor: 300, dispute: lost.id })
  expect(await reasonOf('provider_a', provider.reversalEvent(refund))).toBe('already')
  expect(await creditsOf(key.id)).toBe(450)
})

it('a dispute takes nothing a second time after the refund that settles it', async () => {
  const { key, reference, provider } = await credited('provider_a', {})
  // The callbacks of the dispute failed, and come after that of its refund.
  const lost = provider.reverse(reference, 'dispute', {
    amountMinor: 300,
    status: 'resolved',
    resolution: 'merchant-accepted',
  })
  const refund = provider.reverse(reference, 'refund', { amountMinor: 300, dispute: lost.id })
  expect(await reasonOf('provider_a', provider.reversalEvent(refund))).toBe('taken')
  expect(await reasonOf('provider_a', provider.reversalEvent(lost))).toBe('already')
  expect(await reasonOf('provider_a', provider.reversalEvent(refund))).toBe('already')
  expect(await creditsOf(key.id)).toBe(450)
  expect(await flagsOf(reference)).toMatchObject([{ reason: 'refunded', owedCredits: 0 }])
})

it('an operator rehearses refunds and disputes on a simulated provider', async () => {
  const rehearsal = await startGateway({ SANDBOX: 'true', SANDBOX_CHAIN: 'false' })
  const trigger = async (body: object) => {
    const { status, json } = await rehearsal.admin('POST', '/v1/sandbox/trigger', body)
    return [status, json.reason, json.reference]
  }
  const left = async (keyId: string) =>
    (await rehearsal.admin('GET', `/v1/keys/${keyId}`)).json.balance.credits
  for (const [refund, open, won] of [
    ['refund.processed', 'charge.dispute.create', 'charge.dispute.resolve'],
    ['refund.completed', 'chargeback.created', 'chargeback.updated'],
  ]) {
    const { id: apiKeyId } = await rehearsal.key(0)
    const [status, reason, reference] = await trigger({ event: open, apiKeyId, amountUsd: 6 })
    expect([status, reason, await left(apiKeyId)]).toEqual([200, 'taken', 0])
    expect(await trigger({ event: won, reference })).toEqual([200, 'returned', reference])
    expect(await left(apiKeyId)).toBe(600)
    expect(await trigger({ event: refund, reference })).toEqual([200, 'taken', reference])
    expect(await left(apiKeyId)).toBe(0)
    expect((await trigger({ event: won, apiKeyId, amountUsd: 6 }))[0]).toBe(404)
  }
  await rehearsal.stop()
})

it('unsigned callbacks are limited per address, and fill no log', async () => {
  const limited = await startGateway({
    SANDBOX_CHAIN: 'false',
    LOG_LEVEL: 'info',
    RATE_LIMIT_RPM: '1',
    RATE_LIMIT_BURST: '3',
    ...providers.provider_a.env,
  })
  const statuses: number[] = []
  for (let count = 0; count < 5; count++) {
    const answer = await deliver(limited, 'provider_a', { body: '{}', headers: {} })
    statuses.push(answer.status)
    if (answer.status === 429) expect(answer.headers.get('retry-after')).not.toBeNull()
  }
  expect(statuses).toEqual([401, 401, 401, 429, 429])
  await limited.stop()
  const lines = limited.output().split('\n')
  expect(lines.filter((line) => line.includes('callback without a valid'))).toHaveLength(1)
})

it('an unsigned refund is refused', async () => {
  const { key, reference, provider } = await credited('provider_a', {})
  const { body } = provider.reversalEvent(provider.reverse(reference, 'refund'))
  const answer = await deliver(gateway, 'provider_a', { body, headers: {} })
  expect(answer.status).toBe(401)
  expect(await creditsOf(key.id)).toBe(750)
})
