/**
 * JSON from untrusted callers, with a depth limit that is checked before parsing: JSON.parse
 * accepts a million levels, on which JSON.stringify overflows. Also validates inputs, outputs and
 * route bodies by JSON Schemas, which come from operators and plugin authors, never from callers.
 */
import Schema, { type XSchema } from 'typebox/schema'
import { type Issue, invalid, type Failure } from '../errors.ts'
import { issuesOf, escapePointer, MAX_ISSUES, unknownMember } from './issues.ts'
import { linearPatterns } from './patterns.ts'

/** Levels of arrays and objects accepted anywhere. */
export const MAX_JSON_DEPTH = 128

/** A long text may have no member name of more characters: it would be read at once. */
export const MAX_NAME_CHARACTERS = 131_072

/** So many digits and no exponent are always a finite number. */
export const FINITE_DIGITS = 300

const utf8 = new TextDecoder('utf-8', { fatal: true })
const QUOTE = 0x22
const BACKSLASH = 0x5c

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

/**
 * What one look at each character tells before parsing: whether the text nests deeper than `limit`,
 * and whether a number may stand in it that is beyond a double. Strings are skipped by `indexOf`.
 */
function shapeOf(text: string, limit: number): { isTooDeep: boolean; mayOverflow: boolean } {
  let depth = 0
  let digits = 0
  let mayOverflow = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x30 && code <= 0x39) {
      if (++digits > FINITE_DIGITS) mayOverflow = true
      continue
    }
    // An exponent stands behind a digit; the letters of true and false do not.
    if (digits > 0 && (code === 0x65 || code === 0x45)) mayOverflow = true
    digits = 0
    if (code === 0x5b || code === 0x7b) {
      if (++depth > limit) return { isTooDeep: true, mayOverflow }
    } else if (code === 0x5d || code === 0x7d) {
      depth--
    } else if (code === QUOTE) {
      i = endOfString(text, i)
      if (i === -1) break
    }
  }
  return { isTooDeep: false, mayOverflow }
}

/** JSON pointer of a number that became infinite (it would come back as null); null without one. */
export function overflowIn(value: unknown, pointer = ''): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : pointer
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    const found = overflowIn(member, `${pointer}/${escapePointer(name)}`)
    if (found !== null) return found
  }
  return null
}

export type ParsedJson = { ok: true; value: unknown } | Failure

/**
 * The value of a JSON text, or INVALID_INPUT: not UTF-8, not JSON, deeper than 128 levels, or with
 * a number that no double holds. For short texts; bodies of callers go through `readJson`.
 */
export function parseJson(bytes: Uint8Array | string): ParsedJson {
  let text: string
  try {
    text = typeof bytes === 'string' ? bytes : utf8.decode(bytes)
  } catch {
    return jsonRefusal({ fault: 'utf8' })
  }
  const { isTooDeep, mayOverflow } = shapeOf(text, MAX_JSON_DEPTH)
  if (isTooDeep) return jsonRefusal({ fault: 'depth' })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return jsonRefusal({ fault: 'syntax' })
  }
  const overflow = mayOverflow ? overflowIn(value) : null
  if (overflow !== null) return jsonRefusal({ fault: 'number', pointer: overflow })
  return { ok: true, value }
}

/**
 * What `parseJson` gives for a long text, parsed in slices between which other requests are
 * answered: those of one `share` (see `shareOf`) one after the other. With `knownMembers` an object
 * that has others may be refused before the rest is looked at. `host/json-slices` does it.
 */
export type ReadLongJson = (
  bytes: Uint8Array,
  share: string,
  knownMembers: ReadonlySet<string> | null,
) => Promise<ParsedJson>

/** Parsing more than this takes longer than a short request has to wait for another one. */
const LONG_ABOVE_BYTES = 65_536

/** The value of a body, or INVALID_INPUT as of `parseJson`: at once for a short one. */
export function readJson(
  bytes: Uint8Array,
  share: string,
  readLong: ReadLongJson | undefined,
  knownMembers: ReadonlySet<string> | null = null,
): ParsedJson | Promise<ParsedJson> {
  if (bytes.byteLength <= LONG_ABOVE_BYTES || readLong === undefined) return parseJson(bytes)
  return readLong(bytes, share, knownMembers)
}

/** What a text is instead of a value. */
export type JsonFault =
  | { fault: 'utf8' }
  | { fault: 'depth' }
  | { fault: 'syntax' }
  /** A member name of more than MAX_NAME_CHARACTERS. */
  | { fault: 'name' }
  /** The object that the text is has members which are not among those that are known. */
  | { fault: 'unknown'; names: readonly string[]; known: readonly string[] }
  /** A number that no double holds stands at the pointer. */
  | { fault: 'number'; pointer: string }

/** INVALID_INPUT that says what is wrong with a text. */
export function jsonRefusal(found: JsonFault): Failure {
  switch (found.fault) {
    case 'utf8':
      return refused('must be UTF-8 text, not compressed')
    case 'depth':
      return refused(`must not nest deeper than ${MAX_JSON_DEPTH} levels`)
    case 'syntax':
      return refused('must be JSON')
    case 'name':
      return refused(`must not have a member name of more than ${MAX_NAME_CHARACTERS} characters`)
    case 'unknown':
      return invalid(
        found.names
          .slice(0, MAX_ISSUES)
          .map((name) => unknownMember(`/${escapePointer(name)}`, found.known)),
      )
    case 'number':
      return refused('is too large a number', found.pointer)
  }
}

function refused(message: string, path = ''): Failure {
  return invalid([{ path, message }])
}

/** Whether a JSON value is an object: no array, no null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export interface CompiledSchema {
  check(value: unknown): boolean
  /**
   * Every bad field (at most 20) with its RFC 6901 pointer; empty when the value is valid. A large
   * value costs little more than its check, however much is wrong with it.
   */
  issues(value: unknown): Issue[]
}

const compiled = new WeakMap<object, CompiledSchema>()

/** The compiled form of `schema`, made on first use. Throws for a schema that cannot compile. */
export function compileSchema(schema: object): CompiledSchema {
  const known = compiled.get(schema)
  if (known) return known
  const linear = linearPatterns()
  const validator = linear(() => Schema.Compile(schema as XSchema))
  const made: CompiledSchema = {
    check: (value) => validator.Check(value),
    issues: (value) => linear(() => issuesOf(validator, value)),
  }
  compiled.set(schema, made)
  return made
}
