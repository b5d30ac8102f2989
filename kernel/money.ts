/**
 * Money at the edge of the gateway. Inside, every amount is a `bigint` of USDC atomic units
 * (10⁻⁶ USDC); credits and dollars exist only in JSON. No float ever takes part in a sum.
 */

/** One credit in atomic units: USD 0.01. The global peg of the service. */
export const ATOMIC_PER_CREDIT = 10_000n
const ATOMIC_PER_CREDIT_NUMBER = Number(ATOMIC_PER_CREDIT)
/** One US dollar in atomic units. */
export const ATOMIC_PER_USD = 1_000_000n
/** The largest amount accepted anywhere: 10¹⁵ atomic (one thousand million USD), far below 2⁵³. */
export const MAX_AMOUNT_ATOMIC = 1_000_000_000_000_000n

/** Why an amount was refused; the text is fit for `details.issues[].message`. */
export type AmountProblem = { ok: false; message: string }
export type Amount = { ok: true; amountAtomic: bigint }

/**
 * Atomic units of a JSON number of `unitAtomic`-sized units, exactly. Refuses NaN, infinities,
 * negatives, fractions of an atomic unit, and amounts over
 * MAX_AMOUNT_ATOMIC. Reads the decimal digits that JSON would print, so 0.0001 is 1, not 0.99.
 */
function parseDecimal(
  value: unknown,
  unitAtomic: bigint,
  unitName: string,
): Amount | AmountProblem {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return { ok: false, message: `must be a number of ${unitName}` }
  }
  if (value < 0) return { ok: false, message: 'must not be negative' }
  if (value > Number(MAX_AMOUNT_ATOMIC / unitAtomic)) return { ok: false, message: 'is too large' }
  const decimals = unitAtomic.toString().length - 1
  const [mantissa = '0', exponentText = '0'] = value.toString().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const shift = decimals + Number(exponentText) - fraction.length
  const digits = BigInt(whole + fraction)
  if (shift >= 0) return { ok: true, amountAtomic: digits * 10n ** BigInt(shift) }
  const divisor = 10n ** BigInt(-shift)
  if (digits % divisor !== 0n) {
    return {
      ok: false,
      message: `must be a whole number of atomic units (at most ${decimals} decimals)`,
    }
  }
  return { ok: true, amountAtomic: digits / divisor }
}

/** Atomic units of a JSON number of credits (at most 4 decimals), or why it is refused. */
export function creditsToAtomic(credits: unknown): Amount | AmountProblem {
  return parseDecimal(credits, ATOMIC_PER_CREDIT, 'credits')
}

/** Atomic units of a JSON number of US dollars (at most 6 decimals), or why it is refused. */
export function usdToAtomic(usd: unknown): Amount | AmountProblem {
  return parseDecimal(usd, ATOMIC_PER_USD, 'US dollars')
}

/** Atomic units of a JSON integer or a string of digits of atomic units, or why it is refused. */
export function parseAtomic(value: unknown): Amount | AmountProblem {
  const isInteger = typeof value === 'number' && Number.isSafeInteger(value)
  const isDigits = typeof value === 'string' && /^(0|[1-9]\d{0,18})$/.test(value)
  if (!isInteger && !isDigits)
    return { ok: false, message: 'must be a whole number of USDC atomic units' }
  const amountAtomic = BigInt(value as number | string)
  if (amountAtomic < 0n) return { ok: false, message: 'must not be negative' }
  if (amountAtomic > MAX_AMOUNT_ATOMIC) return { ok: false, message: 'is too large' }
  return { ok: true, amountAtomic }
}

/** The smaller of two amounts or counts. */
export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** What is left of a cap, which may have been lowered below what is spent. */
export const leftOf = (capAtomic: bigint, spentAtomic: bigint): bigint =>
  capAtomic > spentAtomic ? capAtomic - spentAtomic : 0n

/** Credits as a JSON number with at most 4 decimals; exact for every amount we accept. */
export function atomicToCredits(amountAtomic: bigint): number {
  return Number(amountAtomic) / ATOMIC_PER_CREDIT_NUMBER
}

/** US dollars as a JSON number with at most 6 decimals. */
export function atomicToUsd(amountAtomic: bigint): number {
  return Number(amountAtomic) / Number(ATOMIC_PER_USD)
}

/** US dollars as plain decimal text, at least two decimals ("0.10", "0.0001"). */
export function formatUsd(amountAtomic: bigint): string {
  const sign = amountAtomic < 0n ? '-' : ''
  const absolute = amountAtomic < 0n ? -amountAtomic : amountAtomic
  const fraction = (absolute % ATOMIC_PER_USD)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '')
  return `${sign}${absolute / ATOMIC_PER_USD}.${fraction}`
}
