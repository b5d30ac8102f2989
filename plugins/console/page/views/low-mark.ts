/** The mark of an account below which an event is sent, from what was typed. */
import { parseCredits } from '../../../shared/pages/amount.ts'
import { InputError } from '../../../shared/pages/api.ts'

/** Credits, or null for an empty text. Throws an InputError for a text that is not an amount. */
export function markOf(text: string | undefined): number | null {
  if (text === undefined || text.trim() === '') return null
  const parsed = parseCredits(text)
  if (!parsed.ok) throw new InputError(`Low mark ${parsed.why}.`)
  return parsed.credits
}
