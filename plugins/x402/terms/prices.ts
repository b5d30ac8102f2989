/**
 * The prices that a payment may have been signed for: the quote's own, and those of its place (route
 * or tool) that were sent out before the price changed. These are honoured until nobody can still
 * hold a signature made from them. Prices are in millionths of a dollar, and a token counts units of
 * its own: a dollar token with 6 decimals has one unit for each, others have more or fewer.
 */
import type { PluginDb, Quote, QuoteBook } from '#kernel'
import { databaseTime } from '../../shared/storage/database-time.ts'
import { maxTimeoutSeconds } from './window.ts'

/** A price that a payment may have been signed for, in millionths of a dollar. */
export interface AcceptedPrice {
  amountAtomic: bigint
  priceVersion: number
}

/** The prices of a skill that were in force within a time, for quotes that other instances gave. */
export type OlderPrices = (skillId: string, withinMs: number) => Promise<readonly AcceptedPrice[]>

/** Older prices by the database, whose clock says since when a price is in force. */
export function olderPricesOf(
  db: Pick<PluginDb, 'query'>,
  quotes: Pick<QuoteBook, 'pricesSince'>,
): OlderPrices {
  return async (skillId, withinMs) => {
    const now = await databaseTime(db)
    return quotes.pricesSince(skillId, new Date(now.getTime() - withinMs))
  }
}

/** Whether a price is what so many units of a token of `decimals` pay. */
export function isPaidBy(units: bigint, decimals: number): (price: AcceptedPrice) => boolean {
  return ({ amountAtomic }) => unitsOf(decimals, amountAtomic) === units
}

/** The price, among those that another instance may have offered within the last seconds. */
export async function olderPrice(
  olderPrices: OlderPrices | undefined,
  quote: Quote,
  isPaid: (price: AcceptedPrice) => boolean,
): Promise<AcceptedPrice | null> {
  const older = await olderPrices?.(quote.skillId, maxTimeoutSeconds(quote.timeoutMs) * 1000)
  return older?.find(isPaid) ?? null
}

interface Place {
  current: Quote
  /** `retiredAtMs` is by the clock of `performance.now()`: a clock that is set back honours nothing longer. */
  older: { quote: Quote; retiredAtMs: number }[]
}

export class Prices {
  readonly #places = new Map<string, Place>()
  readonly #noted = new WeakSet<Quote>()

  /** The quote is offered from now on. */
  note(quote: Quote): void {
    // A price that one buyer chose is nobody else's, so it has no place to be remembered at.
    if (quote.hasOwnPrice || this.#noted.has(quote)) return
    this.#noted.add(quote)
    const key = placeOf(quote)
    const place = this.#places.get(key)
    if (!place) {
      this.#places.set(key, { current: quote, older: [] })
    } else if (quote.priceVersion >= place.current.priceVersion) {
      if (quote.amountAtomic !== place.current.amountAtomic) {
        place.older.unshift({ quote: place.current, retiredAtMs: performance.now() })
      }
      place.current = quote
    }
  }

  /** The quote's own price and those of its place that are still honoured at `nowMs`, newest first. */
  of(quote: Quote, nowMs = performance.now()): AcceptedPrice[] {
    this.note(quote)
    if (quote.hasOwnPrice) return [priceOf(quote)]
    const place = this.#places.get(placeOf(quote))
    if (!place) return [priceOf(quote)]
    place.older = place.older.filter(
      ({ quote: older, retiredAtMs }) =>
        nowMs <= retiredAtMs + maxTimeoutSeconds(older.timeoutMs) * 1000,
    )
    return [quote, place.current, ...place.older.map(({ quote: older }) => older)].map(priceOf)
  }
}

function placeOf(quote: Quote): string {
  return `${quote.skillId} ${quote.transport} ${quote.method} ${quote.path}`
}

function priceOf({ amountAtomic, priceVersion }: Quote): AcceptedPrice {
  return { amountAtomic, priceVersion }
}

const PRICE_DECIMALS = 6

/** Units of a token with so many decimals for a price in millionths of a dollar, rounded up. */
export function unitsOf(decimals: number, amountAtomic: bigint): bigint {
  if (decimals >= PRICE_DECIMALS) return amountAtomic * 10n ** BigInt(decimals - PRICE_DECIMALS)
  const size = 10n ** BigInt(PRICE_DECIMALS - decimals)
  return (amountAtomic + size - 1n) / size
}

/** Millionths of a dollar that so many units of the token are, rounded down. */
export function amountOfUnits(decimals: number, units: bigint): bigint {
  return decimals >= PRICE_DECIMALS
    ? units / 10n ** BigInt(decimals - PRICE_DECIMALS)
    : units * 10n ** BigInt(PRICE_DECIMALS - decimals)
}
