/**
 * `${NAME}` and `${NAME:-default}` in the values under `upstream` and `config`, where secrets
 * belong. Elsewhere a reference is refused: those values are shown to everybody. Only variables
 * that are open to products are read.
 */
import type { Variable } from '#kernel'
import {
  whyClosedToProducts,
  type Environment,
  type ReportProblem,
  type SpecPath,
} from '#kernel/host'

const REFERENCE = /\$(\$)?\{([^}]*)\}/g
const INSIDE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s
const RESOLVED_UNDER = new Set(['upstream', 'config'])

export interface ReferenceSource {
  env: Environment
  /** Variables that plugins declare. */
  variables: readonly Variable[]
}

export interface Resolved {
  value: unknown
  /** Replaces values that came from variables by the variables' names. */
  withoutValues(text: string): string
}

/** The document with every reference replaced; what cannot be resolved is reported by its path. */
export function resolveReferences(
  document: unknown,
  source: ReferenceSource,
  report: ReportProblem,
): Resolved {
  const used = new Map<string, string>()
  const walk = (value: unknown, path: SpecPath): unknown => {
    if (typeof value === 'string') return resolveText(value, path, { ...source, used }, report)
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, index]))
    if (value !== null && typeof value === 'object') {
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, walk(member, [...path, name])]),
      )
    }
    return value
  }
  return { value: walk(document, []), withoutValues: (text) => namesFor(text, used) }
}

/** Shorter values are not secrets: they occur in ordinary words. */
const SECRET_CHARACTERS = 6

/** Problems of a product are logged, and shown to operators who may not see secrets. */
function namesFor(text: string, used: ReadonlyMap<string, string>): string {
  let shown = text
  for (const [value, name] of [...used].sort(([a], [b]) => b.length - a.length)) {
    const literal = value.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    shown = shown.replaceAll(new RegExp(literal, 'gi'), () => `\${${name}}`)
  }
  return shown
}

function resolveText(
  text: string,
  path: SpecPath,
  { env, variables, used }: ReferenceSource & { used: Map<string, string> },
  report: ReportProblem,
): string {
  if (!text.includes('${')) return text
  if (!RESOLVED_UNDER.has(String(path[0]))) {
    // JSON Schema patterns and prose may hold a literal "${": only what reads as a reference
    // counts.
    const isReference = [...text.matchAll(REFERENCE)].some(
      ([, escaped, inside]) => escaped === undefined && INSIDE.test(inside!),
    )
    const isShown =
      path[0] !== 'skills' || !['input', 'output', 'example'].includes(String(path[2]))
    if (isReference && isShown) {
      report(path, 'environment references are resolved under upstream and config only')
    }
    return text
  }
  return text.replaceAll(REFERENCE, (whole, escaped: string | undefined, inside: string) => {
    if (escaped !== undefined) return whole.slice(1)
    const match = INSIDE.exec(inside)
    if (match === null) {
      report(path, `${whole} is not an environment reference: write \${NAME} or \${NAME:-default}`)
      return ''
    }
    const [, name, fallback] = match
    const closed = whyClosedToProducts(name!, env, variables)
    if (closed !== null) {
      report(path, closed)
      return ''
    }
    const value = env[name!]
    if (value !== undefined && value !== '') {
      if (value.length >= SECRET_CHARACTERS) used.set(value, name!)
      return value
    }
    if (fallback !== undefined) return fallback
    report(
      path,
      `the environment variable ${name} is not set; set it or write \${${name}:-default}`,
    )
    return ''
  })
}
