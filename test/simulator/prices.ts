/** The measured prices of simulated calls, and what each costs, written down once more apart from the meter. */
import type { MeasureSource, PriceRule } from '../../kernel/pricing/rule.ts'

/** The most that a simulated call costs, and what one of a flat price costs. */
export const PRICE_ATOMIC = 10_000n

/** Where the pages of a call are counted; every two of them beyond the first cost the same. */
export type PagesFrom = 'said' | 'answer' | 'header'
export const PAGES_FROM: readonly PagesFrom[] = ['said', 'answer', 'header']
export const PAGES_HEADER = 'x-pages'

const SOURCES: Readonly<Record<PagesFrom, MeasureSource>> = {
  said: { kind: 'units' },
  answer: { kind: 'pointer', pointers: ['/pages'] },
  header: { kind: 'header', name: PAGES_HEADER },
}

/** A price by the page. An answer without the number costs the maximum where the skill says it. */
export function pagePrice(from: PagesFrom): PriceRule {
  return {
    baseAtomic: 1000n,
    baseTiers: null,
    per: [
      { unit: 'page', source: SOURCES[from], unitAtomic: 3000n, tiers: null, first: 1n, step: 2n },
    ],
    maxAtomic: PRICE_ATOMIC,
    free: null,
    missing: from === 'said' ? 'max' : 'base',
  }
}

/** What so many pages cost; null: the work did not say how many. */
export function costOfPages(from: PagesFrom, pages: number | null): bigint {
  if (pages === null) return from === 'said' ? PRICE_ATOMIC : 1000n
  const sum = 1000n + 3000n * BigInt(Math.ceil(Math.max(0, pages - 1) / 2))
  return sum < PRICE_ATOMIC ? sum : PRICE_ATOMIC
}

/** Streams are charged by their bytes, or by the last number of tokens that their events name. */
export type StreamUnit = 'byte' | 'token'
export const STREAM_UNITS: readonly StreamUnit[] = ['byte', 'token']
export const STREAM_MAX_ATOMIC = 200n

const perUnit = { tiers: null, first: 0n } as const
export const STREAM_PRICES: Readonly<Record<StreamUnit, PriceRule>> = {
  byte: {
    baseAtomic: 100n,
    baseTiers: null,
    per: [{ unit: 'byte', source: { kind: 'bytes' }, unitAtomic: 10n, step: 100n, ...perUnit }],
    maxAtomic: STREAM_MAX_ATOMIC,
    free: null,
    missing: 'base',
  },
  token: {
    baseAtomic: 20n,
    baseTiers: null,
    per: [
      {
        unit: 'token',
        source: { kind: 'pointer', pointers: ['/usage/tokens'] },
        unitAtomic: 3n,
        step: 10n,
        ...perUnit,
      },
    ],
    maxAtomic: STREAM_MAX_ATOMIC,
    free: null,
    missing: 'max',
  },
}

/**
 * What a stream costs that gave so many units; null: it gave none that count. Without its number of
 * tokens a stream costs the maximum if it came to its end or its reader left, so that leaving early
 * saves nothing; one that broke off costs the base.
 */
export function costOfStream(unit: StreamUnit, units: number | null, isDelivered: boolean): bigint {
  if (unit === 'token' && units === null) return isDelivered ? STREAM_MAX_ATOMIC : 20n
  const [baseAtomic, unitAtomic, step] = unit === 'byte' ? [100n, 10n, 100] : [20n, 3n, 10]
  const sum = baseAtomic + unitAtomic * BigInt(Math.ceil((units ?? 0) / step))
  return sum < STREAM_MAX_ATOMIC ? sum : STREAM_MAX_ATOMIC
}
