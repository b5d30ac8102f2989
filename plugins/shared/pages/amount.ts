/** Amounts as text. Inside the page too they are bigints of USDC atomic units, never floats. */

const PER_CREDIT = 10_000n
const PER_USD = 1_000_000n

/** Atomic units of what the API tells: digits, or a JSON number that is exact. Throws for any other. */
export function atomicOf(value: number | string): bigint {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(`${value} is not an exact amount`)
  }
  return BigInt(value)
}

/** Atomic units of a JSON number of credits, which has at most 4 decimals. */
export function atomicOfCredits(credits: number): bigint {
  return BigInt(credits.toFixed(4).replace('.', ''))
}

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 4 })

/** '1,234.5' whatever the language of the browser: its '1.234' would be another sum beside ours. */
export function numberText(value: number): string {
  return numbers.format(value)
}

/** '1,234.5 credits', '1 credit'. */
export function creditsText(amountAtomic: bigint): string {
  const digits = decimalText(amountAtomic, PER_CREDIT, 0)
  return `${digits} ${digits === '1' ? 'credit' : 'credits'}`
}

/** '$12.345', at least two decimals. */
export function usdText(amountAtomic: bigint): string {
  const digits = decimalText(amountAtomic, PER_USD, 2)
  return digits.startsWith('-') ? `-$${digits.slice(1)}` : `$${digits}`
}

/** Every decimal there is, at least `decimals`, with thousands apart. */
function decimalText(amountAtomic: bigint, unitAtomic: bigint, decimals: number): string {
  const absolute = amountAtomic < 0n ? -amountAtomic : amountAtomic
  const width = unitAtomic.toString().length - 1
  const whole = (absolute / unitAtomic).toString().replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const fraction = (absolute % unitAtomic)
    .toString()
    .padStart(width, '0')
    .replace(/0+$/, '')
    .padEnd(decimals, '0')
  return `${amountAtomic < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/**
 * A typed number without what stands between its thousands. '12,5' keeps its comma, because it is
 * twelve and a half to many.
 */
export function plainNumber(text: string): string {
  return text.trim().replaceAll(/[ _]|(?<=\d),(?=\d{3}(?!\d))/g, '')
}

/**
 * The JSON number of credits that a person typed, or why it is refused: at most 4 decimals, more than
 * zero. A number of so few digits comes out of JSON as it went in.
 */
export function parseCredits(
  text: string,
): { ok: true; credits: number } | { ok: false; why: string } {
  const typed = plainNumber(text)
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(typed)) {
    return { ok: false, why: 'must be a number of credits with at most 4 decimals, such as 12.5' }
  }
  const credits = Number(typed)
  return credits > 0 ? { ok: true, credits } : { ok: false, why: 'must be more than zero' }
}
