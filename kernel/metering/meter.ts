/**
 * The one path of every metered call (decisions 2): credentials → rate limit → input → idempotency
 * → rail → authorize → skill → output schema → capture or release. HTTP routes and MCP tools both
 * come through here, so a number reported is the number enforced. No plugin can reorder the phases.
 */
import { callLimits } from '../auth/call-limits.ts'
import { fail, GatewayError, type Failure } from '../errors.ts'
import type { Authenticator, RateLimiter } from '../auth/contract.ts'
import type { Logger } from '../log/logger.ts'
import type { Quote, Rail, Receipt } from '../rails/contract.ts'
import type { Identity } from '../auth/contract.ts'
import type { RailRegistry } from '../rails/registry.ts'
import { compileSchema } from '../schema/validator.ts'
import type { MeterCall, MeterOutcome, ReadOutcome } from './call.ts'
import {
  badInput,
  keyRequired,
  paymentRequired,
  shuttingDown,
  tooBusy,
  tooManyCalls,
} from './failures.ts'
import { ConcurrencySlots } from './concurrency.ts'
import { skillContext } from './context.ts'
import type { IdempotencyStore } from './idempotency.ts'
import { PaidPath } from './paid.ts'
import {
  callerView,
  finish,
  refusedBy,
  shareOfCall,
  stop,
  type Progress,
  type Stop,
} from './call-outcome.ts'
import { rateHeaders } from './rate-headers.ts'
import { refusalOf } from './result.ts'
import { runWork } from './run.ts'
import { shareOf } from './share.ts'
import { workOf } from './work.ts'

export interface MeterOptions {
  auth: Authenticator
  limiter: RateLimiter
  rails: RailRegistry
  idempotency: IdempotencyStore
  defaults: { rpm: number; burst: number }
  sandbox: boolean
  log: Logger
}

/** So many times the limit of one payer is the limit of all payers behind one address. */
const PAYERS_PER_ADDRESS = 10

const NO_HEADERS: Record<string, string> = {}

/** The failure of an unpaid call, and what it was made for. */
interface Required402 {
  openRails: number
  mounted: readonly Rail[]
  failure: Failure
}

export class Meter {
  readonly #options: MeterOptions
  readonly #paid: PaidPath
  readonly #slots = new ConcurrencySlots()
  /** One object per quote, so that its text is made once. */
  readonly #required = new WeakMap<Quote, Required402>()
  #stopping = false

  constructor(options: MeterOptions) {
    this.#options = options
    this.#paid = new PaidPath(options)
  }

  /** Calls whose skill runs at this moment. */
  running(): number {
    return this.#slots.total()
  }

  /** From now on new calls are refused; those under way finish. */
  stop(): void {
    this.#stopping = true
  }

  /**
   * How the call ended, at once when it brings nothing to pay with. Never throws or rejects for what
   * a skill, a rail or a caller does.
   */
  run(call: MeterCall): MeterOutcome | Promise<MeterOutcome> {
    const bringsKey = this.#options.auth.presents(call.source)
    const progress: Progress = {
      call,
      bringsKey,
      identity: null,
      payer: null,
      rail: null,
      rateHeaders: NO_HEADERS,
    }
    if (this.#stopping) return stop(progress, shuttingDown())
    try {
      if (!bringsKey && this.#bringsNothing(call)) return this.#unpaid(progress)
    } catch (error) {
      return this.#failed(progress, error)
    }
    return this.#phases(progress).catch((error: unknown) => this.#failed(progress, error))
  }

  #failed(progress: Progress, error: unknown): Stop {
    // What a caller's own doing ended, such as an upload it broke off, is no failure of ours.
    if (error instanceof GatewayError) return stop(progress, error.failure)
    const { requestId } = progress.call
    this.#options.log.error({ err: error, requestId }, 'metered call failed')
    return stop(
      progress,
      fail('INTERNAL_ERROR', 'The gateway failed; nothing was charged for this answer', {
        status: 503,
        headers: { 'retry-after': '1' },
      }),
    )
  }

  /** No key and no payment of any kind for what costs money: nothing of `#phases` but the 402 would follow. */
  #bringsNothing({ mounted, quote, source }: MeterCall): boolean {
    const { rails } = this.#options
    if (!mounted.metered || mounted.skill.identify) return false
    return rails.presented(mounted.rails, source, null, quote) === null
  }

  async #phases(progress: Progress): Promise<MeterOutcome> {
    const { call } = progress
    const { mounted } = call
    const identified = await this.#identify(progress)
    if (!identified.ok) return stop(progress, identified)
    progress.identity = identified.identity

    const rail = mounted.metered
      ? this.#options.rails.presented(mounted.rails, call.source, progress.identity, call.quote)
      : null
    if (mounted.metered && !rail) return this.#unpaid(progress)
    progress.rail = rail?.id ?? null
    if (mounted.skill.payer === 'key' && !progress.identity) {
      return stop(progress, keyRequired(this.#options.rails.list()))
    }

    const refused = await (rail?.precheck ? this.#precheck(progress, rail) : this.#limit(progress))
    if (refused) return refused

    const read = await this.#readInput(progress)
    if (!read.ok) return stop(progress, read)

    const entered = this.#slots.enter(mounted, shareOfCall(progress), call.signal)
    const slot = entered instanceof Promise ? await entered : entered
    if (!slot.ok) return stop(progress, tooBusy(slot.limit, mounted.limits.concurrency))
    try {
      return rail
        ? await this.#paid.run(progress, rail, read)
        : await this.#unmetered(progress, read)
    } finally {
      slot.release()
    }
  }

  async #identify(progress: Progress): Promise<{ ok: true; identity: Identity | null } | Failure> {
    const { call } = progress
    const found = await this.#options.auth.identify(call.source)
    const { skill } = call.mounted
    if (!found.ok || found.identity || !skill.identify) return found
    const parts = await call.parts(shareOf(null, null, call))
    if (parts === null) return found
    if ('ok' in parts) return parts
    const context = skillContext(call.mounted, {
      requestId: call.requestId,
      signal: call.signal,
      caller: callerView(progress, 'none', this.#options.sandbox),
    })
    const { env, limits } = call.mounted
    const own = await runWork(
      async () => skill.identify!(context, parts),
      limits.timeoutMs,
      call.signal,
      env.log,
    )
    if (own === null || own === undefined) return found
    if (!own.ok) return refusalOf(own, env.log, skill.id)
    return { ok: true, identity: await this.#options.auth.identityOf(own.keyId, 'skill') }
  }

  /** The 402 that offers every open rail; 503 when none can sell, because nothing is free. */
  #unpaid(progress: Progress): Stop {
    const { mounted, quote } = progress.call
    const offers = this.#options.rails.offers(mounted.rails, quote)
    if (offers.length === 0) {
      return stop(
        progress,
        fail('INTERNAL_ERROR', 'No way to pay for this call is open right now', { status: 503 }),
      )
    }
    let known = this.#required.get(quote)
    const { rails } = this.#options
    if (known?.openRails !== offers.length || known.mounted !== rails.list()) {
      known = {
        openRails: offers.length,
        mounted: rails.list(),
        failure: paymentRequired(quote.amountAtomic, rails.sellers(mounted.rails, quote)),
      }
      this.#required.set(quote, known)
    }
    return stop(progress, known.failure, offers)
  }

  /**
   * Judges what the call pays with before its body is read. A payer that is proven counts for
   * itself; anything else for the caller's address, so that nobody uses up what is another's.
   */
  async #precheck(progress: Progress, rail: Rail): Promise<Stop | null> {
    const { call, identity } = progress
    const { requestId, quote, acquisition } = call
    const deadline = new Date(Date.now() + call.mounted.limits.timeoutMs)
    const early = { requestId, quote, identity, acquisition, deadline }
    const checked = await rail.precheck!(early, call.source)
    if (checked.outcome === 'ok') progress.payer = checked.payer
    const limited = await this.#limit(progress)
    if (limited) return limited
    if (checked.outcome === 'refused') return refusedBy(this.#options.rails, progress, checked)
    const proven = await checked.rest?.()
    if (!proven) return null
    if (proven.outcome === 'refused') return refusedBy(this.#options.rails, progress, proven)
    progress.payer = proven.payer
    return null
  }

  /** Counts the call; a refusal when there were too many. */
  async #limit(progress: Progress): Promise<Stop | null> {
    const { call, identity, payer } = progress
    const { defaults, limiter } = this.#options
    const limits = callLimits(identity, defaults)
    const taking = limiter.take(shareOf(identity, payer, call), limits)
    // Wallets cost nothing: many of one address together have a limit as well.
    const all =
      identity || payer === null
        ? null
        : limiter.take(`payers of ${shareOf(null, null, call)}`, {
            rpm: limits.rpm * PAYERS_PER_ADDRESS,
            burst: limits.burst * PAYERS_PER_ADDRESS,
          })
    const decision = await taking
    progress.rateHeaders = rateHeaders(limits, decision)
    const refusal = [decision, await all].find((taken) => taken?.allowed === false)
    return refusal ? stop(progress, tooManyCalls(limits, refusal.retryAfterMs)) : null
  }

  async #readInput(progress: Progress): Promise<(ReadOutcome & { ok: true }) | Failure> {
    const { call, identity } = progress
    const read = await call.read(shareOf(identity, null, call))
    if (!read.ok || 'forward' in read) return read
    const { skill } = call.mounted
    const schema = compileSchema(skill.input)
    if (!schema.check(read.input)) return badInput(schema, read.input)
    if (!skill.check) return read
    const { env, limits } = call.mounted
    const context = skillContext(call.mounted, {
      requestId: call.requestId,
      signal: call.signal,
      caller: callerView(progress, 'none', this.#options.sandbox),
    })
    const checking = skill.check(context, read.input)
    const refused =
      checking instanceof Promise
        ? await runWork(() => checking, limits.timeoutMs, call.signal, env.log)
        : checking
    return refused === undefined || refused === null ? read : refusalOf(refused, env.log, skill.id)
  }

  async #unmetered(progress: Progress, read: ReadOutcome & { ok: true }): Promise<MeterOutcome> {
    const { mounted, requestId, signal, client } = progress.call
    const caller = callerView(progress, 'free', this.#options.sandbox)
    const result = await workOf(mounted, read, { requestId, caller, signal, client })
    if (!result.ok) return stop(progress, result)
    const receipt: Receipt = { rail: 'free', chargedAtomic: 0n, ledgerId: null, headers: {} }
    return finish(progress, result, receipt)
  }
}
