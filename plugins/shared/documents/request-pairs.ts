/** Members of an input as the pairs of a query or a form, as a part of a path, and as a header. */
import { isObject } from '#kernel'
import type { Style } from './request-places.ts'

const SEPARATOR = { comma: ',', space: ' ', pipe: '|' } as const

/** Adds a member to a query or a form as its style says. Null is not sent. */
export function addPairs(
  target: URLSearchParams,
  name: string,
  value: unknown,
  style: Style | null,
): void {
  if (value === undefined || value === null) return
  if (style === 'deepObject') return addDeep(target, name, value)
  if (style === 'members' && isObject(value)) {
    for (const [member, one] of Object.entries(value)) addPairs(target, member, one, null)
    return
  }
  if (style !== null && style !== 'members' && typeof value === 'object') {
    const words = Array.isArray(value) ? value : Object.entries(value).flat()
    target.append(name, words.map(textOf).join(SEPARATOR[style]))
    return
  }
  for (const one of Array.isArray(value) ? value : [value])
    if (one !== undefined && one !== null) target.append(name, textOf(one))
}

/** `a[b]=1`; a list is `a[]=1`, and `a[0][b]=1` where its items have members, which must stay together. */
function addDeep(target: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return
  if (Array.isArray(value)) {
    const isNested = value.some((one) => typeof one === 'object' && one !== null)
    for (const [index, one] of value.entries())
      addDeep(target, `${name}[${isNested ? index : ''}]`, one)
    return
  }
  if (!isObject(value)) return target.append(name, textOf(value))
  for (const [member, one] of Object.entries(value)) addDeep(target, `${name}[${member}]`, one)
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * A value as it stands in a path, of a list each item between commas (OpenAPI's style `simple`); null
 * for what has no text there.
 */
export function pathText(value: unknown): string | null {
  const text = simpleText(value, encodeURIComponent)
  return text === '' ? null : text
}

/** A value as a header has it, in the same style; null for what no header can hold (RFC 9110, 5.5). */
export function headerText(value: unknown): string | null {
  const text = simpleText(value, (word) => word)
  return text !== null && /^[\t -~]*$/.test(text) ? text : null
}

function simpleText(value: unknown, written: (word: string) => string): string | null {
  const words: unknown[] = Array.isArray(value) ? value : [value]
  const areTexts = words.every((word) => /^(?:string|number|boolean)$/.test(typeof word))
  return areTexts ? words.map((word) => written(String(word))).join(',') : null
}
