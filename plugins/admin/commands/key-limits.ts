/** Limits and terms of a key as the options of commands have them. */
import {
  type BudgetCaps,
  isProductId,
  type KeyTerms,
  type PluginCommand,
  type PluginCommandContext,
} from '#kernel'
import { limitIn, OptionError } from './credits-option.ts'
import { termsIn } from './key-terms-options.ts'

export const BAD_NAME =
  'The name of a key is 1 to 128 characters, not all blank, without control characters'

export const LIMIT_OPTIONS: NonNullable<PluginCommand['options']> = {
  call: { type: 'string' },
  day: { type: 'string' },
  month: { type: 'string' },
  products: { type: 'string' },
}

export type Limits =
  | {
      ok: true
      budget: BudgetCaps
      products: string[] | null | undefined
      terms: Partial<KeyTerms>
    }
  | { ok: false; message: string }

/** The budget, products, end, networks and notes that the options name. */
export function limitsIn({ options }: PluginCommandContext): Limits {
  const { products, product } = options
  try {
    const limits = ['call', 'day', 'month'].map((name) => [name, limitIn(options, name)] as const)
    const ids = typeof products === 'string' && products !== 'all' ? idsIn(products) : null
    const wrong = [...(ids ?? []), product].find((id) => typeof id === 'string' && !isProductId(id))
    if (wrong !== undefined) return { ok: false, message: `${String(wrong)} is no id of a product` }
    return {
      ok: true,
      budget: Object.fromEntries(limits.filter(([, cap]) => cap !== undefined)),
      products: products === undefined ? undefined : ids,
      terms: termsIn(options),
    }
  } catch (error) {
    if (error instanceof OptionError) return { ok: false, message: error.message }
    throw error
  }
}

function idsIn(text: string): string[] {
  return text.split(',').flatMap((id) => id.trim() || [])
}
