/** RFC 6901 pointers and small guards over parsed JSON. */
import { cutText } from '../../shared/cut-text.ts'
import { escapePointer } from '../../shared/json-pointer.ts'

export type JsonMap = Record<string, unknown>

/** True for a JSON object (not an array, not null). */
export function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `pointer` extended by keys, each escaped. */
export function join(pointer: string, ...keys: (string | number)[]): string {
  return keys.reduce<string>((path, key) => `${path}/${escapePointer(String(key))}`, pointer)
}

/** Deep equality of JSON values; the order of object keys does not matter. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => equal(item, b[i]))
  }
  if (!isMap(a) || !isMap(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]))
  )
}

/** One text for all values that are `equal`: their JSON with sorted keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isMap(value)) return JSON.stringify(value) ?? 'undefined'
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`
}

/** Those of `values` that `others` lack; as fast for long lists as for short ones. */
export function without(values: readonly unknown[], others: readonly unknown[]): unknown[] {
  const known = new Set(others.map(canonical))
  return values.filter((value) => !known.has(canonical(value)))
}

/** The value as an object, or an empty one. */
export function mapOf(value: unknown): JsonMap {
  return isMap(value) ? value : {}
}

/** The strings of a list; anything else is left out. */
export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Text of a value for a message, shortened. */
export function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none')
  return text.length > 120 ? `\`${cutText(text, 117)}...\`` : `\`${text}\``
}
