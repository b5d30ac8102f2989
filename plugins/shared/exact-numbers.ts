/**
 * Numbers that a double does not hold, 64-bit ids above all. Parsing rounds them without a word, and the
 * work would be done, and charged, for another id. Where an input is only passed on, their digits are
 * kept beside it.
 */

/** A number that parsing changed: its digits, and the members and indexes that lead to it. */
export interface Rounded {
  keys: readonly string[]
  digits: string
}
/** With a second argument since ECMAScript 2026, which the compiler's library does not have yet. */
type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown
const { parse, rawJSON } = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown
  rawJSON(text: string): unknown
}

/** Going over every number of a longer text would hold everybody else. */
const LONG_BYTES = 65_536

const utf8 = new TextDecoder()

/** Whether a number of the JSON text may be one that parsing changes. */
export function mayRound(json: string): boolean {
  return /\d{16}/.test(json)
}

/** The integers of a JSON text that parsing changes; none of a text of more than 64 KiB. */
export function roundedIn(bytes: Uint8Array): Rounded[] {
  if (bytes.byteLength > LONG_BYTES) return []
  const json = utf8.decode(bytes)
  if (!mayRound(json)) return []
  class Digits {
    constructor(readonly text: string) {}
  }
  const found: Rounded[] = []
  const collect = (value: unknown, keys: readonly string[]): void => {
    if (value instanceof Digits) found.push({ keys, digits: value.text })
    else if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) collect(member, [...keys, key])
  }
  collect(
    parse(json, (_, value, { source }) =>
      source !== undefined && isChanged(value, source) ? new Digits(source) : value,
    ),
    [],
  )
  return found
}

function isChanged(value: unknown, source: string): boolean {
  return typeof value === 'number' && /^-?\d+$/.test(source) && BigInt(source) !== BigInt(value)
}

const keptOf = new WeakMap<object, readonly Rounded[]>()

/** Keeps the digits for `withDigits(input, …)` of the same object. */
export function keepDigits(input: object, rounded: readonly Rounded[]): void {
  if (rounded.length > 0) keptOf.set(input, rounded)
}

/**
 * The input with the digits that were kept for it, as texts or as JSON that is written as it stands;
 * the input itself if there are none.
 */
export function withDigits(
  input: Readonly<Record<string, unknown>>,
  as: 'text' | 'json',
): Readonly<Record<string, unknown>> {
  const kept = keptOf.get(input)
  if (kept === undefined) return input
  const copy: Record<string, unknown> = structuredClone(input)
  for (const { keys, digits } of kept) {
    let holder: unknown = copy
    for (const key of keys.slice(0, -1)) holder = memberOf(holder, key)
    const last = keys.at(-1)!
    // Members that are null where they may be absent were left out; a number is not among them.
    if (typeof memberOf(holder, last) === 'number')
      (holder as Record<string, unknown>)[last] = as === 'text' ? digits : rawJSON(digits)
  }
  return copy
}

function memberOf(holder: unknown, key: string): unknown {
  const isHolder = typeof holder === 'object' && holder !== null
  return isHolder && Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined
}
