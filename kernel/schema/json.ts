/**
 * JSON from untrusted callers, with a depth limit before it is parsed: JSON.parse takes a million
 * levels, and JSON.stringify then overflows.
 */
import { invalid, type Failure, type Issue } from '../errors.ts'
import { FairTurns } from '../work/fair-turns.ts'
import { inSlices, nextTurn } from './slices.ts'
import { FINITE_DIGITS, SlicedParser, type ParserRules } from './sliced-parser.ts'
import { escapePointer, MAX_ISSUES, UNKNOWN_MEMBER } from './issues.ts'

/** Levels of arrays and objects accepted anywhere. */
const MAX_JSON_DEPTH = 128

/** Long texts that are parsed at the same time. */
const LONG_TEXTS_AT_ONCE = 2

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
function overflowIn(value: unknown, pointer = ''): string | null {
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
 * The value of a JSON text, or INVALID_INPUT: not UTF-8, not JSON, deeper than 128 levels, or with a
 * number that no double holds. For short texts; bodies of callers go through `readJson`.
 */
export function parseJson(bytes: Uint8Array | string): ParsedJson {
  let text: string
  try {
    text = typeof bytes === 'string' ? bytes : utf8.decode(bytes)
  } catch {
    return notUtf8()
  }
  const { isTooDeep, mayOverflow } = shapeOf(text, MAX_JSON_DEPTH)
  if (isTooDeep) return tooDeep()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return notJson()
  }
  const overflow = mayOverflow ? overflowIn(value) : null
  return overflow === null ? { ok: true, value } : tooLargeNumber(overflow)
}

/** Parsing more than this takes longer than a short request has to wait for another one. */
const SLICED_ABOVE_BYTES = 65_536
const DECODED_AT_ONCE_BYTES = 1_048_576

const RULES: Omit<ParserRules, 'knownMembers'> = {
  maxDepth: MAX_JSON_DEPTH,
  runWeight: 1_000_000,
  pieceCharacters: 131_072,
  overflowIn,
  escape: escapePointer,
}

/**
 * As `parseJson`, at once for a short text; a long one is parsed in slices between which other
 * requests are answered. Few long texts are parsed at a time, and those of one `share` (see
 * `shareOf`) one after the other, so nobody's texts hold up those of others. With `knownMembers` a
 * long object that has others is refused at the first of them, before the rest is looked at.
 */
export function readJson(
  bytes: Uint8Array,
  share: string,
  knownMembers: ReadonlySet<string> | null = null,
): ParsedJson | Promise<ParsedJson> {
  if (bytes.byteLength <= SLICED_ABOVE_BYTES) return parseJson(bytes)
  return longTexts.run(share, () => parseInSlices(bytes, knownMembers))
}

const longTexts = new FairTurns(LONG_TEXTS_AT_ONCE)

async function parseInSlices(
  bytes: Uint8Array,
  knownMembers: ReadonlySet<string> | null,
): Promise<ParsedJson> {
  const text = await decodeInSlices(bytes)
  if (text === null) return notUtf8()
  const parsed = await inSlices(new SlicedParser(text, { ...RULES, knownMembers }))
  if (parsed.ok) return parsed
  switch (parsed.fault) {
    case 'depth':
      return tooDeep()
    case 'syntax':
      return notJson()
    case 'name':
      return refused(`must not have a member name of more than ${RULES.pieceCharacters} characters`)
    case 'unknown':
      return invalid(parsed.names.slice(0, MAX_ISSUES).map(unknownMember))
    case 'number':
      return tooLargeNumber(parsed.pointer)
  }
}

/** The text, or null for bytes that are no UTF-8. */
async function decodeInSlices(bytes: Uint8Array): Promise<string | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const pieces: string[] = []
  try {
    for (let at = 0; at < bytes.byteLength; at += DECODED_AT_ONCE_BYTES) {
      const piece = bytes.subarray(at, at + DECODED_AT_ONCE_BYTES)
      pieces.push(decoder.decode(piece, { stream: true }))
      await nextTurn()
    }
    pieces.push(decoder.decode())
  } catch {
    return null
  }
  return pieces.join('')
}

function unknownMember(name: string): Issue {
  return { path: `/${escapePointer(name)}`, message: UNKNOWN_MEMBER }
}

function refused(message: string, path = ''): Failure {
  return invalid([{ path, message }])
}

const tooLargeNumber = (pointer: string): Failure => refused('is too large a number', pointer)

const notUtf8 = (): Failure => refused('must be UTF-8 text')
const notJson = (): Failure => refused('must be JSON')
const tooDeep = (): Failure => refused(`must not nest deeper than ${MAX_JSON_DEPTH} levels`)

/** Whether a JSON value is an object: no array, no null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
