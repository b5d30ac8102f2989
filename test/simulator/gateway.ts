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
import type { Settlements } from '../../kernel/plugins/money-services.ts'
import { creditsRail } from '../../kernel/rails/credits/rail.ts'
import { RailRegistry } from '../../kernel/rails/registry.ts'
import type { SqlClient } from '../../kernel/storage/contract.ts'
import { voucherCalls } from '../sample-rail/calls.ts'
import { Claims } from '../sample-rail/claims.ts'
import { VoucherRail } from '../sample-rail/rail.ts'
import { silentLog } from '../support/log.ts'
import { mount } from '../support/metering.ts'
import type { Disk } from './disk.ts'
import type { MemoryStore } from './memory-store.ts'
import {
  PAGES_FROM,
  PAGES_HEADER,
  pagePrice,
  PRICE_ATOMIC,
  STREAM_PRICES,
  STREAM_UNITS,
  type PagesFrom,
  type StreamUnit,
} from './prices.ts'
import type { Owner } from './world.ts'

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
  /** Where its pages are counted; null: its price is flat. */
  pagesFrom: PagesFrom | null
}
export type Worked =
  /** `pages` is null where the work does not say how many. */
  { ok: true; output: Record<string, unknown>; pages: number | null } | { ok: false }
/** Does the work; called where the meter calls a skill. */
export type Work = (
  gateway: SimulatedGateway,
  call: { requestId: string; keyId: string | null },
  input: WorkInput,
) => Promise<Worked>

/** Starts the stream of a call. */
export type Upstream = (gateway: SimulatedGateway, requestId: string) => Response

const STREAM_TIMEOUT_MS = 20_000

const PASSED = { allowed: true, limit: 1, burst: 1, remaining: 1, retryAfterMs: 0 }
const limiter: RateLimiter = { take: async () => PASSED }
const Input = Type.Object({}, { additionalProperties: true })
const Output = Type.Unknown()

export class SimulatedGateway implements Owner {
  isAlive = true
  readonly name: string
  readonly #meter: Meter
  readonly #flat: MountedSkill
  readonly #byPage: ReadonlyMap<PagesFrom, MountedSkill>
  readonly #streaming: ReadonlyMap<StreamUnit, MountedSkill>
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
    const handler = (pagesFrom: PagesFrom | null): Parameters<typeof mount>[0]['handler'] => {
      return async (ctx, input) => {
        const call = { requestId: ctx.requestId, keyId: ctx.caller.keyId ?? null }
        const done = await work(this, call, input as unknown as WorkInput)
        return done.ok
          ? answerOf(done, pagesFrom)
          : {
              ok: false as const,
              code: 'PROCESSING_FAILURE' as const,
              message: 'failed',
              retryable: false,
            }
      }
    }
    const schemas = { input: Input, output: Output }
    const limits = { rails: ['credits', 'vouchers'], timeoutMs: TIMEOUT_MS }
    this.#flat = mount(
      { ...schemas, handler: handler(null) },
      { ...limits, amountAtomic: PRICE_ATOMIC },
    )
    this.#byPage = new Map(
      PAGES_FROM.map((from) => [
        from,
        mount(
          { id: `t.pages_${from}`, ...schemas, handler: handler(from) },
          { ...limits, rails: ['credits'], price: pagePrice(from) },
        ),
      ]),
    )
    this.#streaming = new Map(
      STREAM_UNITS.map((unit) => [
        unit,
        mount(
          {
            handler: async () => ({ ok: true as const, output: {} }),
            forward: async ({ requestId }) => ({
              ok: true as const,
              response: upstream!(this, requestId),
            }),
          },
          { price: STREAM_PRICES[unit], timeoutMs: STREAM_TIMEOUT_MS },
        ),
      ]),
    )
    startSweeper(ledger, silentLog, SWEEP_EVERY_MS)
  }

  /** Runs a call as the HTTP route does once it has read the request. */
  call(
    headers: Readonly<Record<string, string>>,
    input: WorkInput,
    requestId = newId(),
  ): ReturnType<Meter['run']> {
    const read: MeterCall['read'] = async () => ({ ok: true, input })
    const { pagesFrom } = input
    const mounted = pagesFrom === null ? this.#flat : this.#byPage.get(pagesFrom)!
    return this.#run(mounted, headers, requestId, read)
  }

  /** Begins a stream, charged at its end. */
  stream({ keyId }: Tenant, requestId: string, unit: StreamUnit): ReturnType<Meter['run']> {
    const forward = { method: 'GET', path: '/x' } as ForwardRequest
    const read: MeterCall['read'] = async () => ({ ok: true, forward, fingerprint: 'f' })
    return this.#run(this.#streaming.get(unit)!, { 'x-api-key': keyId }, requestId, read)
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

/** The answer of the work, with its pages where the price looks for them. */
function answerOf({ output, pages }: Worked & { ok: true }, from: PagesFrom | null) {
  if (from === null || pages === null) return { ok: true as const, output }
  if (from === 'said') return { ok: true as const, output, bill: { units: pages } }
  if (from === 'answer') return { ok: true as const, output: { ...output, pages } }
  const headers = new Headers({ [PAGES_HEADER]: String(pages) })
  return { ok: true as const, output, source: { headers, body: new Uint8Array() } }
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
    operators: new Operators(null, silentLog),
  }
}
