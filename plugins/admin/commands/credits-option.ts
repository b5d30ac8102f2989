/** Amounts and limits in credits as somebody types them. */
import { creditsToAtomic } from '#kernel'

/** Atomic units of a positive amount, or why the text is none. */
export function amountIn(
  text: string,
): { ok: true; amountAtomic: bigint } | { ok: false; message: string } {
  const amount = creditsToAtomic(text.trim() === '' ? NaN : Number(text))
  if (!amount.ok)
    return { ok: false, message: `${text} is no amount of credits: it ${amount.message}` }
  return amount.amountAtomic === 0n
    ? { ok: false, message: `${text} is no amount of credits` }
    : amount
}

/**
 * Atomic units of a limit (0 allows nothing), null for 'none', undefined for an option that was not
 * given; a text that is no limit is an OptionError.
 */
export function limitIn(
  options: Readonly<Record<string, unknown>>,
  name: string,
): bigint | null | undefined {
  const text = options[name]
  if (typeof text !== 'string') return undefined
  if (text === 'none') return null
  const amount = creditsToAtomic(text.trim() === '' ? NaN : Number(text))
  if (amount.ok) return amount.amountAtomic
  throw new OptionError(`--${name} must be credits or 'none', got ${text}`)
}

/** Atomic units of --low-mark, null for none or 0, or why the text is no limit. */
export function lowMarkIn(
  options: Readonly<Record<string, unknown>>,
): { ok: true; lowMarkAtomic: bigint | null } | { ok: false; message: string } {
  try {
    return { ok: true, lowMarkAtomic: limitIn(options, 'low-mark') || null }
  } catch (error) {
    if (error instanceof OptionError) return { ok: false, message: error.message }
    throw error
  }
}

/** An option that cannot be used; the message is for people. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
}
