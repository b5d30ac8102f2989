/**
 * JSON from strangers: a depth limit before parsing (JSON.parse takes a million levels and
 * JSON.stringify then overflows) and a canonical form for fingerprints.
 */
import { createHash } from 'node:crypto'
import type { Failure } from '../errors.ts'
import { invalid } from '../errors.ts'
import { escapePointer } from './validator.ts'

/** Levels of arrays and objects accepted anywhere. */
const MAX_JSON_DEPTH = 128

const utf8 = new TextDecoder('utf-8', { fatal: true })
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Whether the text nests deeper than `limit`; strings are skipped by `indexOf`, so it is cheap. */
function isTooDeep(text: string, limit: number): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x5b || code === 0x7b) {
      if (++depth > limit) return true
    } else if (code === 0x5d || code === 0x7d) {
      depth--
    } else if (code === QUOTE) {
      i = endOfString(text, i)
      if (i === -1) return false
    }
  }
  return false
}

/** Index of the quote that ends the string opened at `start`; -1 when it never ends. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return -1
}

/** Texts in which a number may stand that is beyond a double; most have none. Hex digits are no numbers. */
const MAY_OVERFLOW = /(?:^|[\s:,[-])\d+(?:\.\d+)?[eE]\+?\d{3}|\d{200}/

/** JSON pointer of a number that became infinite (it would come back as null); null without one. */
function overflowIn(value: unknown, pointer = ''): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : pointer
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    const found = overflowIn(member, `${pointer}/${escapePointer(name)}`)
    if (found !== null) return found
  }
  return null
}

/**
 * The value of a JSON text, or INVALID_INPUT: not UTF-8, not JSON, deeper than 128 levels, or with a
 * number that no double holds.
 */
export function parseJson(bytes: Uint8Array | string): { ok: true; value: unknown } | Failure {
  let text: string
  try {
    text = typeof bytes === 'string' ? bytes : utf8.decode(bytes)
  } catch {
    return invalid([{ path: '', message: 'must be UTF-8 text' }])
  }
  if (isTooDeep(text, MAX_JSON_DEPTH)) {
    return invalid([{ path: '', message: `must not nest deeper than ${MAX_JSON_DEPTH} levels` }])
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return invalid([{ path: '', message: 'must be JSON' }])
  }
  const overflow = MAY_OVERFLOW.test(text) ? overflowIn(value) : null
  if (overflow !== null) return invalid([{ path: overflow, message: 'is too large a number' }])
  return { ok: true, value }
}

/** Whether a JSON value is an object: no array, no null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON text with object members sorted by name, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (member === null || typeof member !== 'object' || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** SHA-256 of the parts, in hex; a separator keeps ('ab','c') and ('a','bc') apart. */
export function fingerprintOf(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) {
    hash.update(`${part.length}:`)
    hash.update(part)
  }
  return hash.digest('hex')
}
