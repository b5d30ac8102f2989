/**
 * What a client may do: `mcp` lists and calls free tools, `spend` pays for the others inside the
 * budget. `offline_access` is taken and means nothing, because refresh tokens are always given.
 */
export const SCOPES = ['mcp', 'spend'] as const
export type Scope = (typeof SCOPES)[number]
export const ALL_SCOPES = SCOPES.join(' ')

/**
 * The scopes in a request, in one order. Unknown ones are dropped, because hosts send names of their
 * own; none that is known means all, and `mcp` comes with every other.
 */
export function scopesIn(text: string | null): readonly Scope[] {
  const asked = new Set(text?.split(' ') ?? [])
  const known = SCOPES.filter((scope) => asked.has(scope))
  if (known.length === 0) return SCOPES
  return SCOPES.filter((scope) => scope === 'mcp' || known.includes(scope))
}

/** The scopes of a refresh: those asked of the granted ones; null: more than was granted. */
export function narrowed(granted: string, asked: string | null): string | null {
  if (asked === null || asked.trim() === '') return granted
  const had = granted.split(' ')
  const known = SCOPES.filter((scope) => asked.split(' ').includes(scope))
  if (known.length === 0) return granted
  return known.every((scope) => had.includes(scope)) ? scopesIn(known.join(' ')).join(' ') : null
}

export function maySpend(scope: string): boolean {
  return scope.split(' ').includes('spend')
}
