/** Builders of the usual kinds of environment variables. */
import { parseDurationMs } from '../units.ts'
import type { Parsed, Variable } from './variable.ts'

const good = <T>(value: T): Parsed<T> => ({ ok: true, value })
const bad: { ok: false } = { ok: false }
const accepted =
  (accepts: Described['accepts'] = () => true) =>
  (value: string): Parsed<string> =>
    accepts(value) ? good(value) : bad

/** Options of every kind of variable. */
type Options = Pick<
  Variable,
  'fallbackText' | 'isSecret' | 'isOpenToProducts' | 'endsSandbox' | 'after'
>
interface Described extends Options {
  expected: string
  example: string
  accepts?: (text: string) => boolean
}

/** Any accepted text, with a default. */
export function text(
  name: string,
  { accepts, ...about }: Described & { fallback: string },
): Variable<string> {
  return { name, ...about, parse: accepted(accepts) }
}

/** Any accepted text; null if it is not set. */
export function optional(name: string, { accepts, ...about }: Described): Variable<string | null> {
  return { name, ...about, fallback: null, parse: accepted(accepts) }
}

/** An http or https URL; null when it is not set. */
export function optionalUrl(
  name: string,
  example: string,
  options: Options = {},
): Variable<string | null> {
  return optional(name, {
    expected: 'an http or https URL',
    example,
    accepts: isHttpUrl,
    ...options,
  })
}

/** A whole number from `min` to `max`, both included. */
export function integer(
  name: string,
  { min, max, fallback, ...options }: Options & { min: number; max: number; fallback: number },
): Variable<number> {
  return {
    name,
    expected: `a whole number from ${min} to ${max}`,
    example: String(fallback),
    fallback,
    ...options,
    parse: (value) => {
      const parsed = Number(value)
      return /^\d+$/.test(value) && parsed >= min && parsed <= max ? good(parsed) : bad
    },
  }
}

/** true, false, 1 or 0. */
export function flag(name: string, fallback: boolean, options: Options = {}): Variable<boolean> {
  return {
    name,
    expected: 'true or false',
    example: 'true',
    fallback,
    ...options,
    parse: (value) => {
      const text = value.toLowerCase()
      if (text === 'true' || text === '1') return good(true)
      return text === 'false' || text === '0' ? good(false) : bad
    },
  }
}

/** Texts separated by commas; empty when it is not set. */
export function list(
  name: string,
  { accepts, ...about }: Described & { accepts: (item: string) => boolean },
): Variable<string[]> {
  return {
    name,
    ...about,
    fallback: [],
    parse: (value) => {
      const items = value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
      return items.every(accepts) ? good(items) : bad
    },
  }
}

/** A duration in milliseconds from a second to `most`, which is as an operator writes it ('15m'), as `fallback`. */
export function duration(name: string, fallback: string, most = '3650d'): Variable<number> {
  return {
    name,
    expected: `a duration from 1s to ${most}, such as 30s, 15m or 2h`,
    example: fallback,
    fallback: parseDurationMs(fallback)!,
    fallbackText: fallback,
    parse: (value) => {
      const parsed = parseDurationMs(value) ?? 0
      return parsed >= 1000 && parsed <= parseDurationMs(most)! ? good(parsed) : bad
    },
  }
}

/** One of `values`, spelled exactly. */
export function oneOf<const T extends string>(
  name: string,
  values: readonly T[],
  fallback: T,
): Variable<T> {
  return {
    name,
    expected: `one of ${values.join(', ')}`,
    example: values[0]!,
    fallback,
    parse: (value) => (values.includes(value as T) ? good(value as T) : bad),
  }
}

/** Whether it is an absolute URL of http or https. */
export function isHttpUrl(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : null
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
}

/** Whether it is an http or https URL of an origin and no more; port 0 does not count as one. */
export function isOrigin(value: string): boolean {
  if (!isHttpUrl(value)) return false
  const { origin, href, port } = new URL(value)
  return href === `${origin}/` && port !== '0'
}
