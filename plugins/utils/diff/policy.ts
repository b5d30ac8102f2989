/** What a caller says of levels: other ones for some checks, changes to leave out, what fails. */
import type { Change, Level } from './types.ts'

/** Which changes are left out; every field that is given must fit. */
export interface IgnoreRule {
  id?: string
  operation?: string
  location?: string
}
export interface PolicyOrder {
  /** Level by check id; 'none' leaves the check out. */
  severity?: Readonly<Record<string, Level | 'none'>>
  /** Check ids, or rules; `*` stands for any text. */
  ignore?: readonly (string | IgnoreRule)[]
  /** Which changes make `breaking` true: 'error' only breaking ones, 'warn' (default) warnings too. */
  fail_on?: 'error' | 'warn'
}

export class Policy {
  readonly #levels: ReadonlyMap<string, Level | 'none'>
  readonly #rules: readonly ((change: Change) => boolean)[]
  readonly #failOn: 'error' | 'warn'

  constructor({ severity, ignore, fail_on }: PolicyOrder = {}) {
    this.#levels = new Map(Object.entries(severity ?? {}))
    this.#rules = (ignore ?? []).map(matcherOf)
    this.#failOn = fail_on ?? 'warn'
  }

  /** The level of a check, or null when it is left out. */
  level(id: string, level: Level): Level | null {
    const own = this.#levels.get(id) ?? level
    return own === 'none' ? null : own
  }

  /** Whether a rule of the caller leaves the change out. */
  ignores(change: Change): boolean {
    return this.#rules.some((fits) => fits(change))
  }

  /** Whether changes in these numbers are what the caller calls breaking. */
  fails({ breaking, warning }: { breaking: number; warning: number }): boolean {
    return breaking > 0 || (this.#failOn === 'warn' && warning > 0)
  }
}

function matcherOf(rule: string | IgnoreRule): (change: Change) => boolean {
  const { id, operation, location } = typeof rule === 'string' ? { id: rule } : rule
  const tests = [wildcard(id), wildcard(operation), wildcard(location)] as const
  return (change) =>
    tests[0](change.id) && tests[1](change.operation ?? '') && tests[2](change.location)
}

/** A test for text with `*` for any; linear, whatever the pattern. */
function wildcard(pattern: string | undefined): (text: string) => boolean {
  if (pattern === undefined) return () => true
  const parts = pattern.split('*')
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (parts.length === 1) return (text) => text === pattern
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last)) return false
    let at = first.length
    for (const part of parts.slice(1, -1)) {
      const found = text.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return at <= text.length - last.length
  }
}
