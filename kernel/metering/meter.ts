/**
 * The one path of every metered call (specs/contract.md, "Rails and selection"): credentials → rail
 * → rate limit → input → slot → plan (Idempotency-Key, authorize) → skill → settle (capture or
 * release). HTTP routes and MCP tools both come through here, so a number reported is the number
 * enforced. No plugin can reorder the phases.
 */
import { fail, GatewayError, unavailable, type Failure } from '../errors.ts'
import type { Authenticator, RateLimiter, Identity, IdentityRefusal } from '../auth/contract.ts'
import type { Quote, Rail } from '../rails/contract.ts'
import type { Offer } from '../rails/offer-contract.ts'
import { purchaseRefusal } from '../rails/credits/budget-refusals.ts'
import { CREDITS_RAIL_ID, inRailTime } from '../rails/registry.ts'
import { compileSchema } from '../schema/json.ts'
import type { MeterCall, MeterOutcome, ReadOutcome } from './call.ts'
import {
  badInput,
  keyRequired,
  paymentRequired,
  shuttingDown,
  tooBusy,
  tooManyCalls,
} from './failures.ts'
import type { Background } from '../work/background.ts'
import { isSameList } from '../work/same-list.ts'
import { ConcurrencySlots } from './concurrency.ts'
import type { AccountTerms } from './quotes.ts'
import { Payments, type PaymentOptions } from './payment.ts'
import type { Plan } from './plan.ts'
import {
  callerView,
  refusedBy,
  shareOfCall,
  stop,
  stopUnpaid,
  type Progress,
  type Stop,
} from './call-outcome.ts'
import { callLimits, rateHeaders, shareOf } from './shares.ts'
import { checkInput, identifyBySkill, runSkill, type SkillCall } from './skill-runner.ts'

export interface MeterOptions extends PaymentOptions {
  auth: Authenticator
  limiter: RateLimiter
  defaults: { rpm: number; burst: number }
  sandbox: boolean
  /** Absent: every account pays the list price and has the configured limits. */
  accountTerms?: AccountTerms
  /** Counts a call as using the rail that pays for it; the function returned ends that. */
  enterRail?(rail: Rail): () => void
}

/** All payers behind one address share a limit this many times that of one payer. */
const PAYERS_PER_ADDRESS = 10

const NO_HEADERS: Record<string, string> = {}

/** A cached failure of unpaid calls, with the offers of the rails that it names. */
interface Required402 {
  offers: readonly Offer[]
  failure: Failure
}

export class Meter {
  readonly #options: MeterOptions
  readonly #payments: Payments
  readonly #slots = new ConcurrencySlots()
  /** One failure per quote, so that its JSON is serialised once. */
  readonly #required = new WeakMap<Quote, Required402>()
  /** Ends the wait for each skill that runs. */
  readonly #running = new Set<(failure: Failure) => void>()
  /** Calls that have no outcome yet. */
  #underWay = 0
  #stopping = false
  readonly #ending = new AbortController()

  constructor(options: MeterOptions) {
    this.#options = options
    this.#payments = new Payments({ ...options, ending: this.#ending.signal })
  }

  /** Aborts when streams that still go out are cut off. */
  get ending(): AbortSignal {
    return this.#ending.signal
  }

  /** Calls whose skill runs at this moment. */
  running(): number {
    return this.#slots.total()
  }

  /** Gives back the charges that dead processes owed, now and periodically. */
  followGiveBacks(): Background {
    return this.#payments.followGiveBacks()
  }

  /** Refuses new calls from now on; running ones finish. */
  stop(): void {
    this.#stopping = true
  }

  /**
   * Ends the running calls uncharged, whose late work is dropped, and the streams that still go out, as
   * if their upstream had; whether some calls are not over yet.
   */
  cutOff(): boolean {
    this.#ending.abort()
    for (const end of this.#running) end(shuttingDown())
    return this.#underWay > 0
  }

  /**
   * How the call ended; synchronous if the call carries nothing to pay with. Never throws or
   * rejects because of what a skill, a rail or a caller does.
   */
  run(call: MeterCall): MeterOutcome | Promise<MeterOutcome> {
    const bringsKey = call.as !== undefined || this.#options.auth.presents(call.source)
    const progress: Progress = {
      call,
      bringsKey,
      identity: null,
      payer: null,
      listed: null,
      rail: null,
      rateHeaders: NO_HEADERS,
      workStartedMs: 0,
    }
    call.seen = progress
    if (this.#stopping) return stop(progress, shuttingDown())
    try {
      const isUnpaid = !bringsKey && this.#bringsNothing(call)
      if (isUnpaid && !this.#bindsBody(call)) return this.#unpaid(progress)
      const ending = isUnpaid ? this.#unpaidForBody(progress) : this.#phases(progress)
      return ending.catch((error: unknown) => this.#failed(progress, error))
    } catch (error) {
      return this.#failed(progress, error)
    }
  }

  #failed(progress: Progress, error: unknown): Stop {
    // The caller's own errors, such as an aborted upload, are not logged as the gateway's.
    if (error instanceof GatewayError) return stop(progress, error.failure)
    const { requestId } = progress.call
    this.#options.log.error({ err: error, requestId }, 'metered call failed')
    return stop(progress, unavailable('The gateway failed; nothing was charged for this answer'))
  }

  /** True if a paid call has neither key nor payment: of `#phases`, only the 402 would apply. */
  #bringsNothing(call: MeterCall): boolean {
    const { metered, skill } = call.mounted
    return metered && !skill.identify && !this.#isPaid(call)
  }

  /** Whether the call carries a payment, whoever made it. */
  #isPaid({ mounted, source, quote }: MeterCall): boolean {
    const { rails } = this.#options
    return mounted.metered && rails.presented(mounted.rails, source, null, quote) !== null
  }

  async #phases(progress: Progress): Promise<MeterOutcome> {
    const { call } = progress
    const { mounted } = call
    const identified = await this.#identify(progress)
    if (!identified.ok) {
      const { offer = false } = identified
      return this.#refused(progress, { failure: identified, offer })
    }
    progress.identity = identified.identity

    const rail = mounted.metered
      ? this.#options.rails.presented(mounted.rails, call.source, progress.identity, call.quote)
      : null
    if (mounted.metered && !rail) return this.#unpaidForBody(progress)
    this.#applyOwnPrice(progress, rail)
    const leave = rail && this.#options.enterRail?.(rail)
    let charging: Promise<unknown> | undefined
    this.#underWay += 1
    try {
      const outcome = await this.#withRail(progress, rail)
      if (outcome.kind === 'stream') charging = outcome.charging
      return outcome
    } finally {
      this.#underWay -= 1
      // The call uses its rail until the charge is made, which for some streams is at their end.
      if (charging) void charging.finally(() => leave?.())
      else leave?.()
    }
  }

  /** Applies the account's own price, if it has one and pays from its balance. */
  #applyOwnPrice(progress: Progress, rail: Rail | null): void {
    const { identity, call } = progress
    if (rail?.id !== CREDITS_RAIL_ID || !identity) return
    const own = this.#options.accountTerms?.of(identity.accountId, call)
    if (!own) return
    progress.listed = call.quote
    // Free calls and tiers of an account's own plan are for it, whoever opened the account.
    progress.identity = { ...identity, isPayersOwn: false }
    call.mounted = own.mounted
    call.quote = own.quote
  }

  /** The phases after the choice of the rail; `rail` is null for a free call. */
  async #withRail(progress: Progress, rail: Rail | null): Promise<MeterOutcome> {
    const { call, identity } = progress
    const { mounted } = call
    progress.rail = rail?.id ?? null
    if (mounted.skill.payer === 'key' && !identity)
      return stop(progress, keyRequired(this.#options.rails.list()))
    const isKeys = rail?.id === CREDITS_RAIL_ID || mounted.product.spec['visibility'] === 'private'
    const wanted = { productId: mounted.product.id, skillId: mounted.skill.id }
    const notAllowed = isKeys && identity ? purchaseRefusal(identity, wanted) : null
    if (notAllowed) return stop(progress, notAllowed)

    const refused = await (rail?.precheck ? this.#precheck(progress, rail) : this.#limit(progress))
    if (refused) return refused

    // Also for a rail that does not need the digest: its refusal carries the offers of all rails.
    if (rail && this.#bindsBody(call)) await call.digestBody!()
    const read = await this.#readInput(progress)
    if (!read.ok) return stop(progress, read)

    const entered = this.#slots.enter(mounted, shareOfCall(progress), call)
    const slot = entered instanceof Promise ? await entered : entered
    if (!slot.ok) return stop(progress, tooBusy(slot.limit, mounted.limits.concurrency))
    const { promise, resolve, reject } =
      Promise.withResolvers<Awaited<ReturnType<typeof runSkill>>>()
    try {
      const plan = await this.#payments.plan(progress, rail, read)
      if (plan.kind === 'ended') return plan.outcome
      progress.workStartedMs = performance.now()
      this.#running.add(resolve)
      runSkill(mounted, read, this.#skillCall(progress, plan)).then(resolve, reject)
      return await this.#payments.settle(progress, plan, await promise)
    } finally {
      this.#running.delete(resolve)
      slot.release()
    }
  }

  async #identify(
    progress: Progress,
  ): Promise<{ ok: true; identity: Identity | null } | IdentityRefusal> {
    const { call } = progress
    const { auth } = this.#options
    if (call.as) {
      const { keyId, via, isOwner = false } = call.as
      return auth.identifyAs(keyId, via, isOwner ? null : call.clientAddress)
    }
    const found = await auth.identify(call.source, call.place)
    // With an invalid credential, a payment beside it still pays for the call.
    if (!found.ok && found.offer && this.#isPaid(call)) return { ok: true, identity: null }
    if (!found.ok || found.identity || !call.mounted.skill.identify) return found
    const parts = await call.parts(shareOf(null, null, call))
    if (parts === null) return found
    if ('ok' in parts) return parts
    const own = await identifyBySkill(call.mounted, parts, this.#skillCall(progress))
    if (own === null) return found
    if (!own.ok) return own
    return { ok: true, identity: await this.#options.auth.identityOf(own.keyId, 'skill') }
  }

  #bindsBody({ mounted, digestBody }: MeterCall): boolean {
    return digestBody !== undefined && this.#options.rails.bindsBody(mounted.rails)
  }

  /** Like `#unpaid`, after digesting the body for the rails whose offers are bound to it. */
  async #unpaidForBody(progress: Progress): Promise<Stop> {
    const { call } = progress
    if (this.#bindsBody(call)) await call.digestBody!()
    return this.#unpaid(progress)
  }

  /** Ends a call refused before its body was read, which offers may need to be bound to. */
  async #refused(progress: Progress, refusal: { failure: Failure; offer: boolean }): Promise<Stop> {
    const { call } = progress
    if (refusal.offer && this.#bindsBody(call)) await call.digestBody!()
    return refusedBy(this.#options.rails, progress, refusal)
  }

  /** The 402 with the offers of every available rail; 503 if none can sell. */
  #unpaid(progress: Progress): Stop {
    const { mounted, quote } = progress.call
    // Without the key that this skill requires, a payment by another rail would end in a 401.
    const isKeyMissing = mounted.skill.payer === 'key' && progress.identity === null
    const sellers = isKeyMissing
      ? mounted.rails.filter((id) => id === CREDITS_RAIL_ID)
      : mounted.rails
    const { rails } = this.#options
    const offers = rails.offers(sellers, quote)
    if (offers.length === 0) {
      const closed = 'No way to pay for this call is open right now'
      const failure = isKeyMissing
        ? keyRequired(rails.list())
        : fail('INTERNAL_ERROR', closed, { status: 503 })
      return stop(progress, failure)
    }
    let known = this.#required.get(quote)
    if (!known || !isSameList(known.offers, offers)) {
      const failure = paymentRequired(quote.amountAtomic, rails.sellers(sellers, quote))
      known = { offers, failure }
      this.#required.set(quote, known)
    }
    return stopUnpaid(rails, progress, known.failure, offers)
  }

  /**
   * Judges the call's credential before its body is read. A verified payer counts against its own
   * rate limit, anything else against the caller's address, so that nobody uses up another's limit.
   */
  async #precheck(progress: Progress, rail: Rail): Promise<Stop | null> {
    const { call, identity } = progress
    const { requestId, quote, acquisition } = call
    const deadline = new Date(Date.now() + call.mounted.limits.timeoutMs)
    const early = {
      requestId,
      quote,
      identity,
      acquisition,
      deadline,
      get place() {
        return call.place
      },
    }
    const checked = await inRailTime(rail, 'precheck', rail.precheck!(early, call.source))
    if (checked.outcome === 'ok') progress.payer = checked.payer
    const limited = await this.#limit(progress)
    if (limited) return limited
    if (checked.outcome === 'refused') return this.#refused(progress, checked)
    const resting = checked.rest?.()
    const proven = resting && (await inRailTime(rail, 'precheck', resting))
    if (!proven) return null
    if (proven.outcome === 'refused') return this.#refused(progress, proven)
    progress.payer = proven.payer
    return null
  }

  /** Counts the call against its rate limits; returns a refusal if one is exceeded. */
  async #limit(progress: Progress): Promise<Stop | null> {
    const { call, identity, payer } = progress
    const { defaults, limiter } = this.#options
    const own = identity && this.#options.accountTerms?.limitsOf(identity.accountId)
    const limits = callLimits(identity, own ?? defaults)
    // Wallets are free to create, so all payers of one address share a limit as well.
    const isShared = !identity && payer !== null
    const [decision, ofAddress] = await Promise.all([
      limiter.take(shareOf(identity, payer, call), limits),
      isShared &&
        limiter.take(`payers of ${shareOf(null, null, call)}`, {
          rpm: limits.rpm * PAYERS_PER_ADDRESS,
          burst: limits.burst * PAYERS_PER_ADDRESS,
        }),
    ])
    progress.rateHeaders = rateHeaders(limits, decision)
    const refusal = [decision, ofAddress].find((taken) => taken && !taken.allowed)
    return refusal ? stop(progress, tooManyCalls(limits, refusal.retryAfterMs)) : null
  }

  async #readInput(progress: Progress): Promise<(ReadOutcome & { ok: true }) | Failure> {
    const { call, identity } = progress
    const read = await call.read(shareOf(identity, null, call))
    if (!read.ok || 'forward' in read) return read
    const schema = compileSchema(call.mounted.skill.input)
    if (!schema.check(read.input)) return badInput(schema, read.input)
    if (!call.mounted.skill.check) return read
    return (await checkInput(call.mounted, read.input, this.#skillCall(progress))) ?? read
  }

  /** The call as its skill sees it; without `plan`, nothing pays for it yet. */
  #skillCall(progress: Progress, plan?: Exclude<Plan, { kind: 'ended' }>): SkillCall {
    const { requestId, signal, client } = progress.call
    const rail = plan === undefined ? 'none' : plan.kind === 'free' ? 'free' : plan.rail.id
    // Where the rail keeps answers, the work runs to completion after a disconnect.
    const isHeld = plan?.kind === 'held'
    const isOrder = isHeld && plan.rail.keepsAnswers
    return {
      requestId,
      caller: callerView(progress, { rail, isHeld }, this.#options.sandbox),
      signal: isOrder ? null : signal,
      ...(client && { client }),
    }
  }
}
