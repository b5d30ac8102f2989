/** One simulated gateway: the real meter, rails, idempotency and sweeper over the simulated storage. */
import { Type } from 'typebox'
import type { Authenticator, Identity, RateLimiter } from '../../kernel/auth/contract.ts'
import { Operators } from '../../kernel/auth/operators.ts'
import { unauthorized } from '../../kernel/auth/unauthorized.ts'
import { newId } from '../../kernel/ids.ts'
import { startSweeper } from '../../kernel/ledger/sweeper.ts'
import type { MeterCall } from '../../kernel/metering/call.ts'
import { IdempotencyStore } from '../../kernel/metering/idempotency.ts'
import { Meter } from '../../kernel/metering/meter.ts'
import { Quotes } from '../../kernel/metering/quotes.ts'
import type { MountedSkill } from '../../kernel/plugins/catalog.ts'
import type { ForwardRequest } from '../../kernel/plugins/skill.ts'
import type { Settlements } from '../../kernel/plugins/services.ts'
import { creditsRail } from '../../kernel/rails/credits/rail.ts'
import type { PriceRule } from '../../kernel/pricing/rule.ts'
import { RailRegistry } from '../../kernel/rails/registry.ts'
import type { SqlClient } from '../../kernel/storage/contract.ts'
import { voucherCalls } from '../sample-rail/calls.ts'
import { Claims } from '../sample-rail/claims.ts'
import { VoucherRail } from '../sample-rail/rail.ts'
import { silentLog } from '../support/log.ts'
import { mount } from '../support/metering.ts'
import type { Disk } from './disk.ts'
import type { MemoryStore } from './memory-store.ts'
import type { Owner } from './world.ts'

export const PRICE_ATOMIC = 10_000n
export const TIMEOUT_MS = 5000
export const VOUCHER_SECRET = 'of the simulator, with more than 32 characters'
const SWEEP_EVERY_MS = 30_000

export interface Tenant {
  accountId: string
  keyId: string
}
/** What a call asks of the work. */
export interface WorkInput {
  text: string
  kind: 'ok' | 'fail' | 'throw' | 'slow' | 'flaky'
}
/** Does the work; called where the meter calls a skill. */
export type Work = (
  gateway: SimulatedGateway,
  call: { requestId: string; keyId: string | null },
  input: WorkInput,
) => Promise<{ ok: true; output: unknown } | { ok: false }>

/** Starts the stream of a call. */
export type Upstream = (gateway: SimulatedGateway, requestId: string) => Response

/** By the byte, so that what was seen decides. */
export const STREAM_PRICE = {
  baseAtomic: 100n,
  baseTiers: null,
  per: [
    {
      unit: 'byte',
      source: { kind: 'bytes' },
      unitAtomic: 10n,
      tiers: null,
      first: 0n,
      step: 100n,
    },
  ],
  maxAtomic: 200n,
  free: null,
  missing: 'base',
} as const satisfies PriceRule
const STREAM_TIMEOUT_MS = 20_000

const PASSED = { allowed: true, limit: 1, burst: 1, remaining: 1, retryAfterMs: 0 }
const limiter: RateLimiter = { take: async () => PASSED }
const Input = Type.Object({ text: Type.String(), kind: Type.String() })
const Output = Type.Unknown()

export class SimulatedGateway implements Owner {
  isAlive = true
  readonly name: string
  readonly #meter: Meter
  readonly #mounted: MountedSkill
  readonly #streaming: MountedSkill
  readonly #quotes = new Quotes('http://localhost')

  constructor(
    name: string,
    store: MemoryStore,
    disk: Disk,
    tenants: readonly Tenant[],
    work: Work,
    upstream: Upstream | null = null,
  ) {
    this.name = name
    const ledger = store.ledgerOf(this)
    const rails = new RailRegistry()
    rails.add(creditsRail({ ledger, holdTtlMs: 900_000 }))
    const db = store.voucherDbOf(this)
    const claims = new Claims(db, store.settlements as Settlements)
    rails.add(
      new VoucherRail({ secret: VOUCHER_SECRET, claims, calls: voucherCalls(db), log: silentLog }),
    )
    const idempotency = new IdempotencyStore(
      store.idempotencySqlOf(this) as unknown as SqlClient,
      rails,
    )
    const auth = authenticatorOf(tenants)
    const defaults = { rpm: 1e9, burst: 1e9 }
    this.#meter = new Meter({
      auth,
      limiter,
      rails,
      idempotency,
      defaults,
      sandbox: true,
      giveBackJournal: disk.journalOf(this),
      log: silentLog,
    })
    this.#meter.followGiveBacks()
    this.#mounted = mount(
      {
        input: Input,
        output: Output,
        handler: async (ctx, input) => {
          const call = { requestId: ctx.requestId, keyId: ctx.caller.keyId ?? null }
          const done = await work(this, call, input as WorkInput)
          return done.ok
            ? { ok: true as const, output: done.output }
            : {
                ok: false as const,
                code: 'PROCESSING_FAILURE' as const,
                message: 'failed',
                retryable: false,
              }
        },
      },
      { amountAtomic: PRICE_ATOMIC, rails: ['credits', 'vouchers'], timeoutMs: TIMEOUT_MS },
    )
    this.#streaming = mount(
      {
        handler: async () => ({ ok: true as const, output: {} }),
        forward: async ({ requestId }) => ({
          ok: true as const,
          response: upstream!(this, requestId),
        }),
      },
      { price: STREAM_PRICE, timeoutMs: STREAM_TIMEOUT_MS },
    )
    startSweeper({ ledger, log: silentLog, intervalMs: SWEEP_EVERY_MS })
  }

  /** Runs a call as the HTTP route does once it has read the request. */
  call(
    headers: Readonly<Record<string, string>>,
    input: WorkInput,
    requestId = newId(),
  ): ReturnType<Meter['run']> {
    const read: MeterCall['read'] = async () => ({ ok: true, input })
    return this.#run(this.#mounted, headers, requestId, read)
  }

  /** Begins a stream, charged at its end. */
  stream({ keyId }: Tenant, requestId: string): ReturnType<Meter['run']> {
    const forward = { method: 'GET', path: '/x' } as ForwardRequest
    const read: MeterCall['read'] = async () => ({ ok: true, forward, fingerprint: 'f' })
    return this.#run(this.#streaming, { 'x-api-key': keyId }, requestId, read)
  }

  #run(
    mounted: MountedSkill,
    headers: Readonly<Record<string, string>>,
    requestId: string,
    read: MeterCall['read'],
  ): ReturnType<Meter['run']> {
    return this.#meter.run({
      mounted,
      quote: this.#quotes.http(mounted),
      requestId,
      source: { header: (name) => headers[name] ?? null },
      place: { transport: 'http', method: 'POST', target: '/v1/t/run' },
      idempotencyKey: headers['idempotency-key'] ?? null,
      acquisition: null,
      clientAddress: '127.0.0.1',
      signal: new AbortController().signal,
      read,
      parts: async () => null,
    })
  }
}

/** Who calls is not what is tried here: the key's id is its secret. */
function authenticatorOf(tenants: readonly Tenant[]): Authenticator {
  const rest = {
    name: 'simulated',
    mode: 'test',
    rpmLimit: null,
    burstLimit: null,
    via: 'key',
  } as const
  const known = new Map<string, Identity>(
    tenants.map((tenant) => [tenant.keyId, { ...tenant, ...rest }]),
  )
  return {
    presents: (source) => source.header('x-api-key') !== null,
    identify: async (source) => ({
      ok: true,
      identity: known.get(source.header('x-api-key') ?? '') ?? null,
    }),
    identityOf: async (keyId) => known.get(keyId) ?? null,
    identifyAs: async (keyId) => {
      const identity = known.get(keyId)
      return identity ? { ok: true, identity } : unauthorized('The API key is unknown')
    },
    operators: new Operators(
      { requireAdmin: () => null, isAdmin: () => true },
      { error() {}, warn() {} },
    ),
  }
}
