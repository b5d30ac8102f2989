/** The limits of a key: as text, as fields of a form, and from what was typed. */
import { numberText, plainNumber } from '../../../shared/pages/amount.ts'
import { InputError } from '../../../shared/pages/api.ts'
import { givenIn, type Field } from '../../../shared/pages/dialog.ts'
import type { Key } from '../wire/accounts.ts'

export const LIMIT_FIELDS: readonly Field[] = [
  { name: 'rpmLimit', label: 'Calls a minute', hint: 'Empty: the default of the gateway' },
  { name: 'burstLimit', label: 'Calls at once', hint: 'Empty: the default of the gateway' },
]

type Limits = Pick<Key, 'rpmLimit' | 'burstLimit'>

export function limitsText({ rpmLimit, burstLimit }: Limits): string {
  const parts = [
    rpmLimit !== null && `${numberText(rpmLimit)} a minute`,
    burstLimit !== null && `${numberText(burstLimit)} at once`,
  ].filter(Boolean)
  return parts.join(', ') || 'default'
}

/**
 * The body's limits, of those fields that are given; the gateway says what is wrong with a number, we
 * only with what is none.
 */
export function limitsOf(values: Readonly<Record<string, string>>): Partial<Limits> {
  return givenIn(LIMIT_FIELDS, values, limitOf)
}

function limitOf(text: string, label: string): number | null {
  const typed = plainNumber(text)
  if (typed === '') return null
  if (/^\d{1,15}$/.test(typed)) return Number(typed)
  throw new InputError(`${label} must be a whole number.`)
}
