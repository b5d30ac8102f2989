/** Card and mobile top-ups from outside: credited exactly once or not at all, never a 500. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { verifyLedger } from '../../host/reporting/verify.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { program } from '../support/program.ts'
import {
  deliver,
  startProviderA,
  startProviderB,
  type Charge,
  type EventOptions,
  type TestProvider,
} from '../support/topup.ts'
import { PATIENT } from '../support/patience.ts'

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
let database: TestDatabase
let gateway: GatewayProcess
let providers: Record<TestProvider['id'], TestProvider>
const opened: (() => Promise<unknown>)[] = []

const gatewayWith = (env: Record<string, string> = {}): Promise<GatewayProcess> =>
  startGateway({
    DATABASE_URL: database.url,
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    COINOP_MASTER_KEY: MASTER_KEY,
    PREPAID_FIAT: 'true',
    LOG_LEVEL: 'info',
    ...providers.provider_a.env,
    ...providers.provider_b.env,
    ...env,
  })

beforeAll(async () => {
  database = await testDatabase()
  providers = { provider_a: startProviderA(), provider_b: startProviderB() }
  gateway = await gatewayWith()
})
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})
afterAll(async () => {
  expect(await verifyLedger(database.db.sql)).toMatchObject({ ok: true, violations: [] })
  await gateway.stop()
  await Promise.all([providers.provider_a.stop(), providers.provider_b.stop()])
  await database.close()
})

async function started(id: TestProvider['id'], amountUsd = 7.5, at = gateway) {
  const key = await at.key(0)
  const order = { apiKeyId: key.id, amountUsd, provider: id, email: 'buyer@example.com' }
  const answer = await at.admin('POST', '/v1/credits/topup/initialize', order)
  expect(answer.status, answer.text).toBe(200)
  return { key, ...(answer.json as { reference: string; authorizationUrl: string }) }
}
const creditsOf = async (keyId: string): Promise<number> =>
  (await gateway.admin('GET', `/v1/keys/${keyId}`)).json.balance.credits
const flagsOf = async (reference: string): Promise<{ reason: string; creditedAt: unknown }[]> => {
  const { json } = await gateway.admin('GET', '/v1/admin/topup/flagged')
  return json.rows.filter((row: { reference: string }) => row.reference === reference)
}
const logged = (reference: string): string[] =>
  gateway
    .output()
    .split('\n')
    .filter((line) => line.includes(reference))

const wires: [TestProvider['id'], EventOptions][] = [
  ['provider_a', {}],
  ['provider_b', { version: 'v4' }],
  ['provider_b', { version: 'v3' }],
]

describe.each(wires)('%s %o', (id, wire) => {
  it('credits a paid checkout once, however often and wherever it is told', async () => {
    const { key, reference, authorizationUrl } = await started(id)
    expect(authorizationUrl).toContain(reference)
    expect(providers[id].charges.get(reference)).toMatchObject({
      amountMinor: 750,
      currency: 'USD',
    })
    const event = providers[id].event(providers[id].pay(reference), wire)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => deliver(gateway, id, event, i % 2 ? '/v1' : '')),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(answers.filter(({ json }) => json.credited)).toHaveLength(1)
    expect(await creditsOf(key.id)).toBe(750)
    expect((await deliver(gateway, id, event, '')).json).toMatchObject({
      credited: false,
      reason: 'duplicate',
    })
    const rows = await gateway.admin('GET', `/v1/ledger?apiKeyId=${key.id}`)
    expect(rows.json.rows).toMatchObject([
      { kind: 'topup', amountUsdcAtomic: 7_500_000, debit: `topup:${id}` },
    ])
    expect(await flagsOf(reference)).toEqual([])
  })

  const bends: [string, Partial<Charge>][] = [
    ['wrong_amount', { amountMinor: 749 }],
    ['wrong_amount', { amountMinor: 75_000 }],
    ['wrong_currency', { currency: 'NGN' }],
  ]
  it.each(bends)('flags %s %o and credits nothing', async (reason, bend) => {
    const { key, reference } = await started(id)
    const event = providers[id].event(providers[id].pay(reference, bend), wire)
    for (let i = 0; i < 2; i++) {
      const answer = await deliver(gateway, id, event)
      expect(answer.status).toBe(200)
      expect(answer.json).toMatchObject({ credited: false, reason })
    }
    expect(await creditsOf(key.id)).toBe(0)
    expect(await flagsOf(reference)).toMatchObject([{ reason, creditedAt: null }])
    await expect
      .poll(() => logged(reference).filter((line) => line.includes(reason)), PATIENT)
      .toHaveLength(1)
  })

  it('believes the verification and not the event: unpaid stays unpaid', async () => {
    const { key, reference } = await started(id)
    const charge = providers[id].charges.get(reference)!
    const event = providers[id].event({ ...charge, status: 'success' }, wire)
    expect((await deliver(gateway, id, event)).json).toMatchObject({
      credited: false,
      reason: 'not_paid',
    })
    expect(await creditsOf(key.id)).toBe(0)
    providers[id].pay(reference)
    expect((await deliver(gateway, id, event)).json.credited).toBe(true)
    expect(await creditsOf(key.id)).toBe(750)
  })

  it('funds the key of the stored top-up, whatever the metadata says', async () => {
    const { key, reference } = await started(id)
    const thief = await gateway.key(0)
    const metadata = { apiKeyId: thief.id, reference: 'x', amountUsd: 10_000 }
    const event = providers[id].event(providers[id].pay(reference, { metadata }), wire)
    expect((await deliver(gateway, id, event)).json.credited).toBe(true)
    expect(await creditsOf(key.id)).toBe(750)
    expect(await creditsOf(thief.id)).toBe(0)
  })

  it('flags a genuine charge that nobody started here', async () => {
    const stranger = `stranger_${id}_${wire.version}`
    for (const reference of [stranger, `topup_${'0'.repeat(32)}`, 'a\u0000b', 'x'.repeat(5000)]) {
      const charge = { ...providers[id].charges.values().next().value!, reference }
      const answer = await deliver(gateway, id, providers[id].event(charge, wire))
      expect(answer.status).toBe(200)
      expect(answer.json).toMatchObject({ credited: false, reason: 'unknown_reference' })
    }
    expect(await flagsOf(stranger)).toMatchObject([{ reason: 'unknown_reference' }])
  })

  it('asks for the callback again while the provider cannot verify, then credits', async () => {
    const { key, reference } = await started(id)
    const event = providers[id].event(providers[id].pay(reference), wire)
    for (const outage of [500, 401, 429, 'html'] as const) {
      providers[id].outages.push(outage)
      const answer = await deliver(gateway, id, event)
      expect(answer.status).toBe(503)
      expect(answer.json.error).toMatchObject({ code: 'UPSTREAM_FAILURE', retryable: true })
      expect(answer.headers.get('retry-after')).toBe('60')
    }
    expect(await creditsOf(key.id)).toBe(0)
    expect((await deliver(gateway, id, event)).json.credited).toBe(true)
    expect(await creditsOf(key.id)).toBe(750)
  })

  it('ignores other events and shrugs at garbage that is signed', async () => {
    const { reference } = await started(id)
    const charge = providers[id].pay(reference)
    const other = providers[id].event(charge, { ...wire, name: 'transfer.success' })
    expect((await deliver(gateway, id, other)).json.reason).toBe('ignored_event')
    expect(await flagsOf(reference)).toEqual([])
  })

  it('refuses a forged, cut, empty or missing signature with 401', async () => {
    const { key, reference } = await started(id)
    const event = providers[id].event(providers[id].pay(reference), wire)
    const [[name, text]] = Object.entries(event.headers) as [[string, string]]
    const forged: Record<string, string>[] = [
      {},
      { [name]: '' },
      { [name]: 'zz' },
      { [name]: text.slice(0, -2) },
      { [name]: `${text}00` },
      { [name]: `${text}, ${text}` },
      { [name]: Buffer.alloc(64).toString('hex') },
    ]
    for (const headers of forged) {
      const answer = await deliver(gateway, id, { ...event, headers })
      expect(answer.status, JSON.stringify(headers)).toBe(401)
      expect(answer.json.error.details.reason).toBe('invalid_signature')
    }
    expect(await creditsOf(key.id)).toBe(0)
    const answer = await deliver(gateway, id, { ...event, body: `${event.body} ` })
    // The static hash of v3 binds no bytes: there the verification decides, and this was paid.
    expect(answer.status).toBe(wire.version === 'v3' ? 200 : 401)
    expect(await creditsOf(key.id)).toBe(wire.version === 'v3' ? 750 : 0)
  })
})

it('never takes the static secret in the place of a signature', async () => {
  const { reference } = await started('provider_b')
  const b = providers.provider_b
  const { body, headers } = b.event(b.pay(reference), { version: 'v3' })
  const secret = headers['verif-hash']!
  const confused = { 'flutterwave-signature': secret }
  expect((await deliver(gateway, 'provider_b', { body, headers: confused })).status).toBe(401)
  const both = { ...confused, 'verif-hash': secret }
  expect((await deliver(gateway, 'provider_b', { body, headers: both })).status).toBe(401)
  const foreign = { 'x-paystack-signature': secret }
  expect((await deliver(gateway, 'provider_b', { body, headers: foreign })).status).toBe(401)
})

it('one provider cannot pay the top-up of the other', async () => {
  const { key, reference } = await started('provider_a')
  const charge = providers.provider_a.charges.get(reference)!
  providers.provider_b.charges.set(reference, { ...charge, status: 'success' })
  const event = providers.provider_b.event(charge)
  expect((await deliver(gateway, 'provider_b', event)).json.reason).toBe('unknown_reference')
  expect(await creditsOf(key.id)).toBe(0)
})

it('a live charge never funds a sandbox', async () => {
  const { key, reference } = await started('provider_a')
  const a = providers.provider_a
  const event = a.event(a.pay(reference, { domain: 'live' }))
  expect((await deliver(gateway, 'provider_a', event)).json.reason).toBe('live_domain')
  expect(await creditsOf(key.id)).toBe(0)
})

it('finds in the background what a lost callback did not tell', async () => {
  const { key, reference } = await started('provider_a')
  const abandoned = await started('provider_b')
  providers.provider_a.pay(reference)
  providers.provider_b.charges.delete(abandoned.reference)
  await database.db.sql`UPDATE plugin_topup.intent SET created_at = now() - interval '1 hour'
    WHERE reference IN (${reference}, ${abandoned.reference})`
  const second = await gatewayWith()
  opened.push(() => second.stop())
  while ((await creditsOf(key.id)) === 0) await Bun.sleep(50)
  expect(await creditsOf(key.id)).toBe(750)
  expect(await flagsOf(abandoned.reference)).toEqual([])
  const late = providers.provider_a.event(providers.provider_a.charges.get(reference)!)
  expect((await deliver(gateway, 'provider_a', late)).json.reason).toBe('duplicate')
  expect(await creditsOf(key.id)).toBe(750)
})

it('keeps its secrets out of the log', async () => {
  for (const { env } of Object.values(providers))
    for (const [name, value] of Object.entries(env))
      if (!name.endsWith('_URL')) expect(gateway.output()).not.toContain(value)
})

it('the page after a payment is a page like the others: in no frame, kept nowhere', async () => {
  const { status, headers } = await gateway.call('GET', '/v1/credits/topup/success?reference=a')
  const policy = headers.get('content-security-policy')
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
    expect(policy).toContain(part)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
})

describe('initialize', () => {
  const initialize = (body: object, at = gateway) =>
    at.admin('POST', '/v1/credits/topup/initialize', body)

  it('names every wrong field, and starts nothing', async () => {
    const key = await gateway.key(0)
    const calls = providers.provider_a.initializes
    const wrong: [object, string][] = [
      [{ apiKeyId: key.id, amountUsd: 4.99 }, '/amountUsd'],
      [{ apiKeyId: key.id, amountUsd: 5.001 }, '/amountUsd'],
      [{ apiKeyId: key.id, amountUsd: -5 }, '/amountUsd'],
      [{ apiKeyId: key.id, amountUsd: '5' }, '/amountUsd'],
      [{ apiKeyId: key.id, amountUsd: 10_001 }, '/amountUsd'],
      [{ apiKeyId: key.id, amountUsd: 5, provider: 'sandbox' }, '/provider'],
      [{ apiKeyId: key.id, amountUsd: 5, email: 'nobody' }, '/email'],
      [{ apiKeyId: key.id, amountUsd: 5, callbackUrl: 'javascript:alert(1)' }, '/callbackUrl'],
      [{ amountUsd: 5 }, '/apiKeyId'],
    ]
    for (const [body, path] of wrong) {
      const answer = await initialize(body)
      expect(answer.status, JSON.stringify(body)).toBe(400)
      expect(answer.json.error.details.issues).toMatchObject([{ path }])
    }
    expect((await initialize({ apiKeyId: 'key_unknown', amountUsd: 5 })).status).toBe(404)
    expect(providers.provider_a.initializes).toBe(calls)
    const unsigned = await gateway.call('POST', '/v1/credits/topup/initialize', {
      body: { apiKeyId: key.id, amountUsd: 5 },
    })
    expect(unsigned.status).toBe(401)
  })

  it('is 403 while PREPAID_FIAT is off; a secret that is not set closes its webhook', async () => {
    const closed = await gatewayWith({ PREPAID_FIAT: 'false', SANDBOX: 'false', ...noSecrets })
    opened.push(() => closed.stop())
    const key = await closed.key(0)
    const answer = await initialize({ apiKeyId: key.id, amountUsd: 5 }, closed)
    expect(answer.status).toBe(403)
    expect(answer.json.error.details.reason).toBe('prepaid_fiat_closed')
    for (const id of ['provider_a', 'provider_b'] as const) {
      const event = providers[id].event(providers[id].charges.values().next().value!)
      for (const prefix of ['/v1', ''])
        expect((await deliver(closed, id, event, prefix)).status).toBe(401)
    }
    const rehearsal = { event: 'charge.success', apiKeyId: key.id }
    expect((await closed.admin('POST', '/v1/sandbox/trigger', rehearsal)).status).toBe(403)
  })

  it('a test charge never funds a live key', async () => {
    const live = await gatewayWith({ SANDBOX: 'false' })
    opened.push(() => live.stop())
    for (const id of ['provider_a', 'provider_b'] as const) {
      const { key, reference } = await started(id, 5, live)
      const event = providers[id].event(providers[id].pay(reference))
      expect((await deliver(live, id, event)).json.reason).toBe('test_domain')
      expect(await creditsOf(key.id)).toBe(0)
    }
    const test = await gateway.key(0)
    expect((await initialize({ apiKeyId: test.id, amountUsd: 5 }, live)).status).toBe(400)
  })
})

const noSecrets = {
  PROVIDER_A_SECRET_KEY: '',
  PROVIDER_B_SECRET_KEY: '',
  PROVIDER_B_WEBHOOK_HASH: '',
}

describe('coinop trigger', () => {
  async function coinop(at: GatewayProcess, ...args: string[]) {
    const child = Bun.spawn([...program(), ...args], {
      env: {
        PATH: process.env['PATH'] ?? '',
        PUBLIC_URL: at.url,
        ADMIN_TOKEN: at.adminToken,
      },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    return { code: await child.exited, out, err }
  }

  it('rehearses a whole top-up, with PREPAID_FIAT off too', async () => {
    const rehearsal = await gatewayWith({ PREPAID_FIAT: 'false', ...noSecrets })
    opened.push(() => rehearsal.stop())
    const key = await rehearsal.key(0)
    const told = await coinop(rehearsal, 'trigger', 'charge.success', '--key', key.id, '--usd', '6')
    expect(told.err).toBe('')
    const shown = JSON.parse(told.out)
    expect(shown).toMatchObject({ apiKeyId: key.id, credited: true, credits: 600 })
    expect(await creditsOf(key.id)).toBe(600)
    const again = await coinop(
      rehearsal,
      'trigger',
      'charge.success',
      '--reference',
      shown.reference,
    )
    expect(JSON.parse(again.out)).toMatchObject({ credited: false, reason: 'duplicate' })
    const other = await coinop(rehearsal, 'trigger', 'charge.completed')
    expect(JSON.parse(other.out)).toMatchObject({ credited: true, balanceCredits: 500 })
    expect((await coinop(rehearsal, 'trigger', 'charge.refused')).code).toBe(64)
    const low = await coinop(rehearsal, 'trigger', 'charge.success', '--usd', '1')
    expect(low.code).toBe(1)
    expect(low.err).toContain('/amountUsd')
  })

  it('says what to do where real secrets are set', async () => {
    const refused = await coinop(gateway, 'trigger', 'charge.success')
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('409')
  })
})
