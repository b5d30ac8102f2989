/**
 * The relay on real kernel parts over a test database: ledger, keys, vault, guarded outbound, meter.
 * Only the clock, the resolver and the plugin's config are a test's own.
 */
import { createFunds } from '../../host/plugin-services/funds.ts'
import { openCreditNotifications } from '../../host/account-events/credit-notifications.ts'
import { createBilling } from '../../host/plugin-services/billing.ts'
import { createKeyDirectory } from '../../host/plugin-services/key-directory.ts'
import { createVault } from '../../host/secrets/vault.ts'
import { inputOf } from '../../kernel/http/body.ts'
import { serveRoute } from '../../kernel/http/route-adapter.ts'
import { newId } from '../../kernel/ids.ts'
import { readableLedger } from './ledger-rows.ts'
import { verifyLedger } from '../../host/reporting/verify.ts'
import type { MeterOutcome } from '../../kernel/metering/call.ts'
import type { Catalog, MountedSkill } from '../../kernel/plugins/catalog.ts'
import { allowList } from '../../host/outbound/allow-list.ts'
import { createOutbound } from '../../host/outbound/index.ts'
import type { Resolver } from '../../host/outbound/options.ts'
import type { Instance, PluginEnv } from '../../kernel/plugins/contract.ts'
import type { Route } from '../../kernel/plugins/route.ts'
import type { HttpParts, Skill } from '../../kernel/plugins/skill.ts'
import type { KernelServices } from '../../kernel/plugins/services.ts'
import type { Database, PluginDb } from '../../kernel/storage/contract.ts'
import { migratePlugin, pluginDb } from '../../kernel/storage/plugin-db.ts'
import type { RelayConfig } from '../../plugins/webinfra/config.ts'
import webinfra from '../../plugins/webinfra/index.ts'
import { Default } from 'typebox/value'
import { silentLog } from './log.ts'
import { meterOver } from './metering.ts'
import { flatPrice } from '../../kernel/pricing/rule.ts'
import { ownAccount } from './accounts.ts'

export const INGRESS = 'webinfra.webhook_ingress'
export const REPLAY = 'webinfra.webhook_replay'

/** Milliseconds instead of hours, so that a schedule runs to its end within a test. */
export const QUICK: Partial<RelayConfig> = {
  scheduleMs: [30, 30, 30],
  pollMs: 10,
  fundsPollMs: 3_600_000,
  // However slow the machine is, nobody takes over what is still worked on; tests advance the clock.
  leaseMarginMs: 30_000,
  // However slow the machine is, the first attempt is in the answer.
  answerWithinMs: 30_000,
}

export interface Sent {
  status: number
  json: any
  chargedAtomic: bigint
  kind: MeterOutcome['kind']
}

export interface RelayOptions {
  config?: Partial<RelayConfig>
  resolver?: Resolver
  /** Milliseconds ahead of the real clock; may change during the test. */
  clock?: { aheadMs: number }
  amountAtomic?: bigint
  /** What the plugin's tables are reached through; default: as they are. */
  through?: (db: PluginDb) => PluginDb
  /** Rate limits of the meter; a bench lifts them. */
  limits?: { rpm: number; burst: number }
}

export type RelayHarness = Awaited<ReturnType<typeof relayOver>>

/** One instance of the relay; several over one database share its work. */
export async function relayOver(db: Database, options: RelayOptions = {}) {
  const plain = await meterOver(db, options.limits)
  const vault = createVault(Buffer.alloc(32, 7))
  const notifications = await openCreditNotifications(db)
  const ledger = readableLedger(db, notifications)
  const mounted: MountedSkill[] = []
  const catalog = { current: () => ({ skills: mounted }) } as unknown as Catalog
  const keys = createKeyDirectory(db.sql, plain.keys)
  const services: Partial<KernelServices> = {
    billing: createBilling({
      ledger,
      catalog,
      accountOf: plain.keys.accountOf,
      identityOf: (keyId) => plain.auth.identityOf(keyId, 'key'),
      onFunded: notifications.onFunded,
    }),
    funds: createFunds(ledger, plain.keys, true, db.sql),
    keys,
    vault,
    outbound: createOutbound({
      allowPrivate: allowList(['127.0.0.0/8']),
      userAgent: 'Coinop/test',
      ...(options.resolver && { resolver: options.resolver }),
    }),
  }
  await migratePlugin(db, 'webinfra', webinfra.migrations ?? [])
  const clock = options.clock ?? { aheadMs: 0 }
  const env = {
    config: Default(webinfra.config, { ...QUICK, ...options.config }),
    product: {
      id: 'webinfra',
      title: '',
      description: '',
      basePath: '/v1/webinfra',
      spec: {},
    },
    log: silentLog,
    db: (options.through ?? ((plain) => plain))(pluginDb(db, 'webinfra')),
    publicUrl: 'http://localhost',
    sandbox: true,
    now: () => new Date(Date.now() + clock.aheadMs),
    service: (name: keyof KernelServices) => services[name],
  } as unknown as PluginEnv<RelayConfig>
  const instance = (await webinfra.setup(env)) as Instance
  for (const skill of instance.skills ?? []) {
    mounted.push(mountedSkill(skill, env, options.amountAtomic ?? 100n))
  }
  await instance.ready?.()

  async function run(
    skillId: string,
    source: { apiKey?: string; idempotencyKey?: string },
    parts: HttpParts | null,
    input: unknown,
  ): Promise<Sent> {
    const skill = mounted.find((known) => known.skill.id === skillId)!
    const outcome = await plain.meter.run(
      plain.call(skill, input, {
        ...(source.apiKey !== undefined && { apiKey: source.apiKey }),
        idempotencyKey: source.idempotencyKey ?? null,
        parts: async () => parts,
        ...(parts && { read: async () => inputOf(skill.skill, parts, 'address:127.0.0.1') }),
      }),
    )
    return sentOf(outcome)
  }

  function ingress(
    endpointId: string,
    request: {
      body?: string | Uint8Array
      headers?: Record<string, string>
      apiKey?: string
      idempotencyKey?: string
    },
  ): Promise<Sent> {
    const { body = '{}', headers = {}, ...source } = request
    const parts: HttpParts = {
      method: 'POST',
      params: { id: endpointId },
      query: new URLSearchParams(),
      headers: new Headers({ 'content-type': 'application/json', ...headers }),
      body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    }
    return run(INGRESS, source, parts, undefined)
  }

  async function admin(method: string, path: string, body?: unknown) {
    const url = new URL(`/v1/admin/webinfra${path}`, 'http://localhost')
    const { route, params } = routeOf(instance.routes ?? [], method, url.pathname)
    const response = await serveRoute(
      { ...route, auth: 'public' },
      {
        request: new Request(url, {
          method,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
        params,
        search: url.search,
        requestId: newId(),
        clientAddress: '127.0.0.1',
      },
      { auth: plain.auth, log: silentLog },
    )
    const bytes = new Uint8Array(await response.arrayBuffer())
    let json: any
    try {
      json = JSON.parse(new TextDecoder().decode(bytes))
    } catch {
      json = undefined
    }
    return { status: response.status, headers: response.headers, json, bytes }
  }

  return {
    db: env.db,
    vault,
    clock,
    ledger,
    key: plain.key,
    keys: plain.keys,
    admin,
    ingress,
    replay: (deliveryId: string, apiKey?: string, idempotencyKey?: string) => {
      const source = {
        ...(apiKey !== undefined && { apiKey }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      }
      return run(REPLAY, source, null, { id: deliveryId })
    },
    /** A tool call: no HTTP request behind it. */
    tool: (skillId: string, input: unknown, apiKey?: string) =>
      run(skillId, { ...(apiKey !== undefined && { apiKey }) }, null, input),
    /** An endpoint to these URLs, made through the admin route; secrets are in the answer. */
    async endpoint(urls: string[], fields: Record<string, unknown> = {}): Promise<any> {
      const made = await admin('POST', '/endpoints', {
        name: 'test',
        verification: { scheme: 'none' },
        destinations: urls.map((url) => ({ url })),
        ...fields,
      })
      if (made.status !== 201) throw new Error(JSON.stringify(made.json))
      return made.json
    },
    async delivery(id: string): Promise<any> {
      return (await admin('GET', `/deliveries/${id}`)).json
    },
    /** The delivery once it has one of these statuses. */
    async settled(id: string, statuses = ['forwarded', 'partial', 'failed']): Promise<any> {
      for (;;) {
        const delivery = (await admin('GET', `/deliveries/${id}`)).json
        if (statuses.includes(delivery.status)) return delivery
        await Bun.sleep(5)
      }
    },
    async balance(keyId: string): Promise<{ available: bigint; held: bigint }> {
      const balance = (await ledger.balance(ownAccount(keyId)))!
      return { available: balance.availableAtomic, held: balance.heldAtomic }
    },
    async books(): Promise<unknown[]> {
      await ledger.drain()
      return [...(await verifyLedger(db.sql)).violations, ...(await env.db.query(WRONG_SUMS))]
    },
    credit: (keyId: string, amountAtomic: bigint) =>
      services.funds!.credit({ keyId, amountAtomic, source: 'sandbox', reference: newId() }),
    stopWorker: (withinMs = 60_000) => instance.stop?.(new Date(Date.now() + withinMs)),
    async close() {
      await instance.stop?.(new Date(Date.now() + 5000))
      await ledger.drain()
      await notifications.stop()
      await plain.close()
    },
  }
}

/** Sums of stored bytes that differ from the payloads which no destination has taken. */
const WRONG_SUMS = `
WITH v AS (
  SELECT d.endpoint_id, d.payer_key_id, d.size_bytes + 1024 AS bytes FROM delivery d
  WHERE d.body IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM forward f WHERE f.delivery_id = d.id AND f.state = 'succeeded')),
wanted AS (
  SELECT subject, sum(bytes) AS bytes FROM (
    SELECT 'endpoint:' || endpoint_id AS subject, bytes FROM v
    UNION ALL SELECT 'key:' || payer_key_id, bytes FROM v WHERE payer_key_id IS NOT NULL) AS x
  GROUP BY subject)
SELECT COALESCE(s.subject, w.subject) AS subject, s.bytes::text, w.bytes::text AS wanted
FROM stored s FULL JOIN wanted w ON w.subject = s.subject COLLATE "C"
WHERE COALESCE(s.bytes, 0) <> COALESCE(w.bytes, 0)`

function mountedSkill(skill: Skill, env: PluginEnv, amountAtomic: bigint): MountedSkill {
  return {
    skill,
    env,
    product: env.product,
    route: { method: 'POST', path: `/v1/webinfra/${skill.id}` },
    tools: skill.tools,
    metered: true,
    amountAtomic,
    price: flatPrice(amountAtomic),
    isMeasured: false,
    priceVersion: 1,
    rails: ['credits'],
    limits: {
      timeoutMs: skill.limits?.timeoutMs ?? 30_000,
      bodyBytes: skill.limits?.bodyBytes ?? 1_048_576,
      concurrency: skill.limits?.concurrency ?? 64,
    },
  }
}

function sentOf(outcome: MeterOutcome): Sent {
  if (outcome.kind === 'stream') throw new Error('the relay answers in memory')
  if (outcome.kind === 'failure') {
    const { failure } = outcome
    return {
      kind: outcome.kind,
      status: failure.status ?? { PAYMENT_REQUIRED: 402 }[failure.code as string] ?? 400,
      json: failure,
      chargedAtomic: 0n,
    }
  }
  return {
    kind: outcome.kind,
    status: outcome.answer.status,
    json: JSON.parse(new TextDecoder().decode(outcome.answer.body)),
    chargedAtomic: outcome.receipt.chargedAtomic,
  }
}

function routeOf(routes: readonly Route[], method: string, pathname: string) {
  for (const route of routes) {
    const pattern = route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    const found = new RegExp(`^${pattern}$`).exec(pathname)
    if (route.method === method && found) return { route, params: { ...found.groups } }
  }
  throw new Error(`no route ${method} ${pathname}`)
}
