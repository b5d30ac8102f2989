/** Budgets as JSON: credits by the day, the month and the call; null does not limit. */
import { creditsToAtomic, invalid, type Failure, type Issue, type SpendLimits } from '#kernel'
import { Type, type Static } from 'typebox'

/** The budget of a grant, and so of every form here. */
const MOST_CREDITS = 1_000_000_000
const Credits = Type.Optional(
  Type.Union([Type.Number({ minimum: 0, maximum: MOST_CREDITS }), Type.Null()]),
)

export const LIMITS = { day: Credits, month: Credits, call: Credits }
export const PRODUCTS = Type.Optional(
  Type.Union([
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 200 }),
    Type.Null(),
  ]),
)
const Limits = Type.Object(LIMITS)

/** Limits in atomic units; members left out stay as they are. */
export function limitsOf(
  said: Static<typeof Limits>,
): { ok: true; limits: Partial<SpendLimits> } | Failure {
  const issues: Issue[] = []
  const limits: Partial<SpendLimits> = {}
  for (const name of ['day', 'month', 'call'] as const) {
    const credits = said[name]
    if (credits === undefined) continue
    const parsed = credits === null ? null : creditsToAtomic(credits)
    if (parsed?.ok === false) issues.push({ path: `/${name}`, message: parsed.message })
    else limits[`${name}Atomic`] = parsed === null ? null : parsed.amountAtomic
  }
  return issues.length > 0 ? invalid(issues) : { ok: true, limits }
}
