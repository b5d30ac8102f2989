/**
 * The offers of an EVM entry: `exact` in its token's own way, and what else is known to be settled; and
 * the ways a payment can be made that they name.
 */
import { getAddress, type Address } from 'viem'
import type { Quote } from '#kernel'
import { type Asset, tokenOf } from '../terms/asset.ts'
import type { Sponsoring } from '../payment/sponsoring.ts'
import type { EvmPayment, PaymentRequirements } from '../payment/wire.ts'
import type { TransferMethod, Token } from '../terms/token.ts'
import type { EntryOffers } from '../entries/contract.ts'
import { unitsOf } from '../terms/prices.ts'
import { maxTimeoutSeconds } from '../terms/window.ts'

export class EvmOffers implements EntryOffers {
  readonly token: Token
  readonly asset: Asset
  readonly #changed: () => void
  readonly #isUpfront: boolean
  readonly #kinds = new PaymentKinds()
  #sponsorings: readonly Sponsoring[] = []
  #byQuote = new WeakMap<Quote, readonly PaymentRequirements[]>()

  /**
   * `changed` is called when `of` gives something else than before; with `isUpfront` payments of scheme
   * `exact` are settled before the work.
   */
  constructor(asset: Asset, payTo: string, changed: () => void = () => {}, isUpfront = false) {
    this.#isUpfront = isUpfront
    this.token = tokenOf(asset, payTo)
    this.asset = asset
    this.#changed = changed
  }

  /** Approvals that somebody brings to the chain with a payment by Permit2. */
  get sponsorings(): readonly Sponsoring[] {
    return this.#sponsorings
  }

  /** Version 1 knows neither Permit2 nor upto. */
  get speaksV1(): boolean {
    return this.asset.method === 'eip3009'
  }

  of(quote: Quote): readonly PaymentRequirements[] {
    const known = this.#byQuote.get(quote)
    if (known) return known
    const made = [mainWay(this.asset), ...this.#kinds.offered]
      .filter((way) => suits(way, quote))
      .map((way) => this.#made(quote, way, quote.amountAtomic))
    this.#byQuote.set(quote, made)
    return made
  }

  /**
   * The requirements of a payment made in this way at `amountAtomic`, in millionths of a dollar: the
   * offer's own object, whose JSON text is cached, for all but rare payments.
   */
  requirementsOf(quote: Quote, way: PaymentKind, amountAtomic: bigint): PaymentRequirements {
    if (isMainWay(way, this.asset) && amountAtomic === quote.amountAtomic) {
      const [main] = this.of(quote)
      if (main && main.scheme === way.scheme) return main
    }
    return this.#made(quote, way, amountAtomic)
  }

  /**
   * Offers these ways beside the main one from now on; `taken` are honoured without being offered.
   * False when that changes no offer; else they are made anew.
   */
  offerKinds(
    others: readonly PaymentKind[],
    taken: readonly PaymentKind[] = [],
    sponsorings: readonly Sponsoring[] = [],
  ): boolean {
    const isSponsoredAnew = sponsorings.join() !== this.#sponsorings.join()
    this.#sponsorings = sponsorings
    const isNew = this.#kinds.set(others, taken) || isSponsoredAnew
    if (isNew) {
      this.#byQuote = new WeakMap()
      this.#changed()
    }
    return isNew
  }

  /** Whether a payment made in this way is for an offer of `quote` that is still honoured. */
  takes(way: PaymentKind, quote: Quote, nowMs = performance.now()): boolean {
    if (!suits(way, quote)) return false
    if (isMainWay(way, this.asset)) return true
    return this.#kinds.takes(way, maxTimeoutSeconds(quote.timeoutMs) * 1000, nowMs)
  }

  #made(quote: Quote, way: PaymentKind, amountAtomic: bigint): PaymentRequirements {
    const { network, asset, payTo, decimals } = this.token
    // What is sold once (credits, a plan) is handed over by its request, which must not run again.
    const isUpfront = this.#isUpfront && quote.hasOwnPrice !== true
    return {
      scheme: way.scheme,
      network,
      amount: unitsOf(decimals, amountAtomic).toString(),
      asset,
      payTo,
      maxTimeoutSeconds: maxTimeoutSeconds(quote.timeoutMs),
      extra: extraOf(this.asset, way, this.#sponsorings, isUpfront),
    }
  }
}

/**
 * A way a payment can be made that an offer names: the scheme, how the money is moved, and for `upto`
 * who alone may settle it.
 */
export type PaymentKind =
  | { scheme: 'exact'; method: TransferMethod }
  | { scheme: 'upto'; method: 'permit2'; facilitator: Address }

/** No quote is honoured that long. */
const FORGOTTEN_AFTER_MS = 86_400_000

/** The way of every offer for an asset, first in `accepts`. */
export function mainWay(asset: Asset): PaymentKind {
  return { scheme: 'exact', method: asset.method }
}

/** Whether `way` is the one of every offer for `asset`. */
export function isMainWay({ scheme, method }: PaymentKind, asset: Asset): boolean {
  return scheme === 'exact' && method === asset.method
}

/**
 * Whether a quote can be paid in this way. `exact` takes all of it, which a skill that may bill less
 * must not; and of an amount that the buyer chose nothing less than all can be taken.
 */
export function suits({ scheme }: PaymentKind, { isCeiling, hasOwnPrice }: Quote): boolean {
  return scheme === 'upto' ? !hasOwnPrice : !isCeiling
}

/** The way of a decoded payment; its scheme is `exact` or `upto`. */
export function wayOf({ scheme, method, authorization }: EvmPayment): PaymentKind {
  const facilitator = 'facilitator' in authorization ? authorization.facilitator : null
  return scheme === 'upto' && method === 'permit2' && facilitator !== null
    ? { scheme: 'upto', method, facilitator: getAddress(facilitator) }
    : { scheme: 'exact', method }
}

/** Of x402 (`extra.paymentFlow`): settled before the work, and not after it. */
const UPFRONT = 'upfront'

/** Whether a payment for these requirements is settled before the work. */
export function isUpfront({ extra }: Pick<PaymentRequirements, 'extra'>): boolean {
  return extra['paymentFlow'] === UPFRONT
}

/**
 * `extra` of the requirements: what a client needs to sign, and no more. With `upfront` payments of
 * scheme `exact` say that they are settled before the work; what `upto` takes is known only after it.
 */
export function extraOf(
  asset: Asset,
  way: PaymentKind,
  sponsorings: readonly Sponsoring[] = [],
  upfront = false,
): Record<string, unknown> {
  const flow = upfront && way.scheme === 'exact' ? { paymentFlow: UPFRONT } : {}
  if (way.method === 'eip3009') return { name: asset.name, version: asset.version, ...flow }
  return {
    assetTransferMethod: 'permit2',
    ...flow,
    // Of the token's own domain, in which a permit (EIP-2612) is signed.
    ...(sponsorings.includes('eip2612GasSponsoring') && {
      name: asset.name,
      version: asset.version,
    }),
    ...(way.scheme === 'upto' && { facilitatorAddress: way.facilitator }),
  }
}

/**
 * The ways offered besides the main one, and how long those no longer offered are still taken:
 * as long as somebody may hold a signature made from such an offer.
 */
export class PaymentKinds {
  #offered: readonly PaymentKind[] = []
  /** Until when a way counts as offered, by the clock of `performance.now()`; Infinity now. */
  readonly #heard = new Map<string, number>()

  /** Besides the main one, in the order of `accepts`. */
  get offered(): readonly PaymentKind[] {
    return this.#offered
  }

  /** Offers these from now on; `taken` are honoured without being offered. False: nothing changed. */
  set(
    offered: readonly PaymentKind[],
    taken: readonly PaymentKind[] = [],
    nowMs = performance.now(),
  ): boolean {
    const keys = new Set([...offered, ...taken].map(keyOf))
    for (const [key, until] of this.#heard) {
      if (until === Infinity && !keys.has(key)) this.#heard.set(key, nowMs)
      if (until < nowMs - FORGOTTEN_AFTER_MS) this.#heard.delete(key)
    }
    for (const key of keys) this.#heard.set(key, Infinity)
    const isSame =
      offered.length === this.#offered.length &&
      offered.every((way, index) => keyOf(way) === keyOf(this.#offered[index]!))
    if (!isSame) this.#offered = offered
    return !isSame
  }

  /** Whether `way` was offered within the `windowMs` before `nowMs`. */
  takes(way: PaymentKind, windowMs: number, nowMs: number): boolean {
    const until = this.#heard.get(keyOf(way))
    return until !== undefined && nowMs <= until + windowMs
  }
}

function keyOf(way: PaymentKind): string {
  return way.scheme === 'upto'
    ? `upto ${way.facilitator.toLowerCase()}`
    : `${way.scheme} ${way.method}`
}
