/**
 * The mounted rails and the choice among them: a presented payment has precedence over a key, a key
 * alone pays from prepaid credits, and a call without either gets the 402 with the offers of every
 * available rail. Calls to rails are limited in time, because a rail waits for foreign networks and
 * must not hang its callers for good. After the limit its work goes on, so the outcome for the
 * money is unknown: callers must treat it like a throw, never like a refusal.
 */
import { assert, type Failure } from '../errors.ts'
import type { Logger } from '../log/logger.ts'
import { Seldom } from '../log/seldom.ts'
import { reserveHeaders } from '../net/reserved-headers.ts'
import type { Offer } from './offer-contract.ts'
import type { Quote, Rail } from './contract.ts'
import { isSameList } from '../work/same-list.ts'
import { within } from '../work/timeout.ts'
import { freshParts, type FreshPart, type UnpaidCall } from './fresh.ts'
import type { CredentialSource, Identity } from '../auth/contract.ts'

/** The kernel's own rail: it needs an account, so documents name the others as alternatives. */
export const CREDITS_RAIL_ID = 'credits'

/** A rail's name for people. */
export function titleOf({ id, title = id }: Pick<Rail, 'id' | 'title'>): string {
  return title
}

/** Ids of rails, which become part of the names of ledger accounts, reports and routes. */
export const RAIL_ID = /^[a-z][a-z0-9-]{0,39}$/

type Availability = ReturnType<Rail['available']>
const FAILING: Availability = { ok: false, reason: 'it fails when it is asked' }
/** A 402 costs its caller nothing, so failures of its parts are logged at most this often. */
const PART_LOG_MS = 60_000
/** The time limit for asking a rail how a hold ended; after it, the outcome counts as unknown. */
const STATE_MS = 30_000

/** The registry of rails. A rail that throws is left out, and the others go on selling. */
export class RailRegistry {
  readonly #log: Pick<Logger, 'error'> | null
  #own: readonly Rail[] = []
  #ofPlugins: readonly Rail[] = []
  #rails: readonly Rail[] = []
  /** The rail behind each offer that has fresh parts. */
  readonly #railOf = new WeakMap<Offer, Rail>()
  /** Rails that failed to make their fresh parts. */
  readonly #partFailures = new WeakMap<Rail, Seldom>()

  constructor(log: Pick<Logger, 'error'> | null = null) {
    this.#log = log
  }

  /** Adds a rail and returns a function that removes it; throws if its id is invalid or taken. */
  add(rail: Rail): () => void {
    assert(RAIL_ID.test(rail.id), `a rail id like ${RAIL_ID.source}, got '${rail.id}'`)
    if (this.get(rail.id)) throw new Error(`A rail named '${rail.id}' exists already`)
    this.#set([...this.#own, rail], this.#ofPlugins)
    return () => {
      const others = this.#own.filter((known) => known !== rail)
      this.#set(others, this.#ofPlugins)
    }
  }

  /**
   * Replaces all rails of plugins in one step, so that a new revision of a rail leaves no moment
   * without it. Returns the rails that are not used because an earlier one has the same id.
   */
  setOfPlugins(rails: readonly Rail[]): readonly Rail[] {
    const taken = new Set(this.#own.map(({ id }) => id))
    const used: Rail[] = []
    const refused: Rail[] = []
    for (const rail of new Set(rails)) {
      if (taken.has(rail.id)) refused.push(rail)
      else used.push(rail)
      taken.add(rail.id)
    }
    if (!isSameList(used, this.#ofPlugins)) this.#set(this.#own, used)
    return refused
  }

  #set(own: readonly Rail[], ofPlugins: readonly Rail[]): void {
    for (const { requestHeaders = [], answerHeaders = [] } of [...own, ...ofPlugins]) {
      const names = (headers: readonly { name: string }[]) => headers.map(({ name }) => name)
      reserveHeaders(names(requestHeaders), names(answerHeaders))
    }
    this.#own = own
    this.#ofPlugins = ofPlugins
    this.#rails = [...own, ...ofPlugins].sort((a, b) => a.precedence - b.precedence)
  }

  get(id: string): Rail | undefined {
    return this.#rails.find((rail) => rail.id === id)
  }

  /** By precedence; the same array until a rail comes or goes. */
  list(): readonly Rail[] {
    return this.#rails
  }

  /** Whether a rail can take money now; the reason is meant for operators. */
  available(id: string): Availability {
    const rail = this.get(id)
    if (!rail) return { ok: false, reason: `no rail named '${id}' is open` }
    return this.#availabilityOf(rail)
  }

  /** The allowed rails that offer this quote now, by precedence. */
  sellers(allowed: readonly string[], quote: Quote): Rail[] {
    return this.#open(allowed).filter((rail) => this.#offerOf(rail, quote) !== null)
  }

  /**
   * The allowed rail whose credential is presented, by precedence; null if there is none. Rethrows
   * the error of a rail whose credential may be present: another must not be charged in its place.
   */
  presented(
    allowed: readonly string[],
    source: CredentialSource,
    identity: Identity | null,
    quote: Quote,
  ): Rail | null {
    for (const rail of this.#rails) {
      if (allowed.includes(rail.id) && this.#isPresented(rail, source, identity, quote)) return rail
    }
    return null
  }

  #isPresented(
    rail: Rail,
    source: CredentialSource,
    identity: Identity | null,
    quote: Quote,
  ): boolean {
    const mayBeThere = rail.id === CREDITS_RAIL_ID || mayPresent(rail, source)
    if (!mayBeThere && rail.requestHeaders?.length) return false
    try {
      return rail.presented(source, identity, quote)
    } catch (error) {
      if (mayBeThere) throw error
      return this.#failed(rail, error, false)
    }
  }

  /** Whether an offer of one of these rails is bound to the body of its call. */
  bindsBody(allowed: readonly string[]): boolean {
    return this.#rails.some(({ bindsBody, id }) => bindsBody === true && allowed.includes(id))
  }

  /** The offers of a 402, by precedence; `refusal` is that of the presented credential. */
  offers(allowed: readonly string[], quote: Quote, refusal?: Failure): Offer[] {
    const offers: Offer[] = []
    for (const rail of this.#open(allowed)) {
      const offer = this.#offerOf(rail, quote, refusal)
      if (offer) offers.push(offer)
    }
    return offers
  }

  /**
   * The parts of the `offers` that are made for this call alone, by precedence. A part that its
   * rail fails to make, or that is too long, is left out, and the rest of the offer stays.
   */
  fresh(offers: readonly Offer[], call: UnpaidCall, refusal?: Failure): readonly FreshPart[] {
    return freshParts(offers, call, refusal, (offer, error) => this.#partFailed(offer, error))
  }

  /**
   * How a hold or claim ended (see `Rail.stateOf`). 'open' while its rail is not mounted: only the
   * rail knows the outcome, and paid work must neither run nor be charged again.
   */
  async stateOf(railId: string, holdId: string): Promise<'captured' | 'open' | 'none'> {
    const rail = this.get(railId)
    if (!rail) return 'open'
    return within(rail.stateOf(holdId), STATE_MS, () => 'open' as const)
  }

  /** See `Rail.giveBack`; false if the rail cannot do it now. */
  async giveBack(railId: string, holdId: string): Promise<boolean> {
    const rail = this.get(railId)
    if (!rail?.giveBack) return false
    await rail.giveBack(holdId)
    return true
  }

  #open(allowed: readonly string[]): Rail[] {
    return this.#rails.filter((rail) => allowed.includes(rail.id) && this.#availabilityOf(rail).ok)
  }

  #availabilityOf(rail: Rail): Availability {
    try {
      return rail.available()
    } catch (error) {
      return this.#failed(rail, error, FAILING)
    }
  }

  #offerOf(rail: Rail, quote: Quote, refusal?: Failure): Offer | null {
    try {
      const offer = rail.offer(quote, refusal)
      if (offer?.fresh) this.#railOf.set(offer, rail)
      return offer
    } catch (error) {
      return this.#failed(rail, error, null)
    }
  }

  #partFailed(offer: Offer, error: unknown): void {
    const rail = this.#railOf.get(offer)!
    const failures = this.#partFailures.get(rail) ?? new Seldom(PART_LOG_MS)
    this.#partFailures.set(rail, failures)
    if (failures.note() === null) return
    const facts = { err: error, rail: rail.id }
    this.#log?.error(facts, "a rail's offer goes out without its fresh part")
  }

  #failed<T>({ id }: Rail, error: unknown, instead: T): T {
    this.#log?.error({ err: error, rail: id }, 'a rail failed when it was asked; it sells nothing')
    return instead
  }
}

/**
 * Whether the header may carry a rail's credential in this request. Authorization is shared: keys
 * use the scheme Bearer, and any other scheme may belong to a rail.
 */
export function isPayingBy(source: { header(name: string): string | null }, name: string): boolean {
  const value = source.header(name)
  if (value === null) return false
  return name.toLowerCase() !== 'authorization' || !/^\s*bearer(?:\s|$)/i.test(value)
}

/**
 * Whether a request may carry the rail's credential: in one of its headers, as the id of a call
 * that was paid in advance, or in the `_meta` of MCP.
 */
function mayPresent({ requestHeaders = [] }: Rail, source: CredentialSource): boolean {
  return (
    requestHeaders.some(({ name }) => isPayingBy(source, name.toLowerCase())) ||
    source.header('x-request-id') !== null ||
    (source.meta !== undefined && Object.keys(source.meta).length > 0)
  )
}

/** Longer than any built-in rail waits for a settlement. */
const LIMIT_MS = 90_000

/** A rail did not answer in time; the requested action may still happen. */
export class RailLate extends Error {
  override readonly name = 'RailLate'
  constructor(rail: string, asked: string) {
    super(`Rail ${rail} gave no answer to ${asked} within ${LIMIT_MS} ms`)
  }
}

/** The result of `work`, an action of the rail; throws RailLate if it takes too long. */
export function inRailTime<T>(
  { id }: Pick<Rail, 'id'>,
  asked: 'precheck' | 'inspect' | 'authorize' | 'capture' | 'release' | 'keepReceipt' | 'delivered',
  work: Promise<T>,
): Promise<T> {
  return within(work, LIMIT_MS, () => {
    throw new RailLate(id, asked)
  })
}
