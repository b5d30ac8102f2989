/** Kinds of environment variables, for the table of config-variables.ts. */
import { parseDurationMs } from '../units.ts'

export type Parsed<T> = { ok: true; value: T } | { ok: false }
export const good = <T>(value: T): Parsed<T> => ({ ok: true, value })
export const bad: { ok: false } = { ok: false }

/** One variable: what it expects, an example, its value when unset, and how its text is read. */
export interface Field<T> {
  expected: string
  example: string
  secret?: boolean
  fallback: T | ((env: Environment) => T)
  /** The fallback as an operator would write it, where its value does not read like that. */
  fallbackText?: string
  parse(text: string): Parsed<T>
}
export type Environment = Readonly<Record<string, string | undefined>>

export const text = (expected: string, example: string, fallback: string): Field<string> => ({
  expected,
  example,
  fallback,
  parse: good,
})
export const optional = (
  expected: string,
  example: string,
  accepts: (value: string) => boolean = () => true,
  secret = false,
): Field<string | null> => ({
  expected,
  example,
  secret,
  fallback: null,
  parse: (value) => (accepts(value) ? good(value) : bad),
})
export const integer = (
  min: number,
  max: number,
  fallback: number,
  example: string,
): Field<number> => ({
  expected: `a whole number from ${min} to ${max}`,
  example,
  fallback,
  parse: (value) => {
    const parsed = Number(value)
    return /^\d+$/.test(value) && parsed >= min && parsed <= max ? good(parsed) : bad
  },
})
export const flag = (fallback: Field<boolean>['fallback']): Field<boolean> => ({
  expected: 'true or false',
  example: 'true',
  fallback,
  parse: (value) => {
    const known: Record<string, boolean> = { true: true, '1': true, false: false, '0': false }
    const parsed = known[value.toLowerCase()]
    return parsed === undefined ? bad : good(parsed)
  },
})
export const list = (
  expected: string,
  example: string,
  accepts: (value: string) => boolean,
): Field<string[]> => ({
  expected,
  example,
  fallback: [],
  parse: (value) => {
    const items = value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
    return items.every(accepts) ? good(items) : bad
  },
})
export const duration = (fallback: number, example: string): Field<number> => ({
  expected: 'a duration of at least one second, such as 30s, 15m or 2h',
  example,
  fallback,
  fallbackText: example,
  parse: (value) => {
    const parsed = parseDurationMs(value)
    return parsed !== null && parsed >= 1000 ? good(parsed) : bad
  },
})
export const oneOf = <const T extends string>(
  values: readonly T[],
  fallback: T | ((env: Environment) => T),
): Field<T> => ({
  expected: `one of ${values.join(', ')}`,
  example: values[0]!,
  fallback,
  parse: (value) => (values.includes(value as T) ? good(value as T) : bad),
})

export const isHttpUrl = (value: string): boolean => {
  const url = URL.canParse(value) ? new URL(value) : null
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
}
/** An http or https URL that names an origin and no more; port 0 is none. */
export const isOrigin = (value: string): boolean => {
  if (!isHttpUrl(value)) return false
  const { origin, href, port } = new URL(value)
  return href === `${origin}/` && port !== '0'
}
export const isAddress = (value: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(value)
