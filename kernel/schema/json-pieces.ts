/**
 * Writes JSON and its canonical form, and hashes it. Values of many MiB are written in slices: what is
 * small is written natively, and the event loop has its turns in between.
 */
import { runSliced, type Sliced, nextTurn } from './slices.ts'
import { createHash } from 'node:crypto'

const PIECE_CHARACTERS = 131_072
const PARTS_PER_PIECE = 1024
const ITEMS_AT_ONCE = 256

/** `JSON.stringify(value)` of JSON; a large value does not hold the event loop. */
export async function jsonText(value: unknown): Promise<string> {
  if (isBrief(value)) return JSON.stringify(value)
  const pieces = await runSliced(new JsonPieces(value, { canonical: false }))
  return pieces.join('')
}

/** Values (members and items at any depth) that are checked, written and hashed in one go. */
const SMALL_VALUES = 2000
/** Containers that were found to be large: naming all their members again would take long. */
const large = new WeakSet<object>()

/** Whether a value holds at most SMALL_VALUES values; looks at no more of it. */
export function isSmall(value: unknown): boolean {
  let left = SMALL_VALUES
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    if (large.has(next)) return false
    if (Array.isArray(next)) {
      if ((left -= next.length) < 0) return false
      for (const item of next) waiting.push(item)
    } else {
      for (const name in next) {
        if (--left < 0) {
          large.add(next)
          return false
        }
        waiting.push((next as Record<string, unknown>)[name])
      }
    }
  }
  return true
}

/** Whether writing the value takes no longer than a short request may wait for another. */
export function isBrief(value: unknown): boolean {
  return isSmall(value) && !hasLongText(value)
}

/** Whether a small value holds a text that takes long to escape. */
function hasLongText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > PIECE_CHARACTERS
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(hasLongText)
}

interface Open {
  value: Record<string, unknown> | readonly unknown[]
  /** Sorted member names; null for an array. */
  names: readonly string[] | null
  next: number
  isFirst: boolean
}

/** The JSON text of a value, in pieces that follow each other; `canonical`: of `canonicalJson`. */
class JsonPieces implements Sliced<string[]> {
  readonly #canonical: boolean
  readonly #pieces: string[] = []
  /** Short texts that will be one piece. */
  #parts: string[] = []
  readonly #open: Open[] = []

  constructor(value: unknown, { canonical }: { canonical: boolean }) {
    this.#canonical = canonical
    this.#write(value)
  }

  step(isOver: () => boolean): { done: true; value: string[] } | { done: false } {
    let members = 0
    for (let top = this.#open.at(-1); top; top = this.#open.at(-1)) {
      if (++members % 32 === 0 && isOver()) return { done: false }
      this.#member(top)
    }
    this.#join()
    return { done: true, value: this.#pieces }
  }

  #member(top: Open): void {
    const { value, names } = top
    const count = names ? names.length : (value as readonly unknown[]).length
    if (top.next >= count) {
      this.#add(names ? '}' : ']')
      this.#open.pop()
      return
    }
    const name = names ? names[top.next]! : top.next
    if (!names && this.#scalars(top)) return
    top.next++
    const member = (value as Record<string | number, unknown>)[name]
    if (names && isLeftOut(member)) return
    const comma = top.isFirst ? '' : ','
    top.isFirst = false
    this.#add(names ? `${comma}${JSON.stringify(name)}:` : comma)
    this.#write(isLeftOut(member) ? null : member)
  }

  #add(part: string): void {
    if (this.#parts.push(part) >= PARTS_PER_PIECE) this.#join()
  }

  #join(): void {
    this.#pieces.push(this.#parts.join(''))
    this.#parts = []
  }

  /** Writes the numbers and the like that come next in an array; false when there are none. */
  #scalars(top: Open): boolean {
    const all = top.value as readonly unknown[]
    if (!isScalar(all[top.next])) return false
    const items = all.slice(top.next, top.next + ITEMS_AT_ONCE)
    if (!items.every(isScalar)) return false
    this.#add(`${top.isFirst ? '' : ','}${JSON.stringify(items).slice(1, -1)}`)
    top.isFirst = false
    top.next += items.length
    return true
  }

  #write(value: unknown): void {
    if (typeof value === 'string' && value.length > PIECE_CHARACTERS) this.#text(value)
    else if (!isContainer(value) || isBrief(value)) {
      this.#add(this.#canonical ? canonicalJson(value) : JSON.stringify(value))
    } else {
      const names = Array.isArray(value) ? null : this.#names(value as Record<string, unknown>)
      this.#add(names ? '{' : '[')
      this.#open.push({ value, names, next: 0, isFirst: true })
    }
  }

  #names(value: Record<string, unknown>): readonly string[] {
    return this.#canonical ? sortedNames(value) : Object.keys(value)
  }

  #text(text: string): void {
    this.#add('"')
    for (let at = 0; at < text.length;) {
      let end = Math.min(text.length, at + PIECE_CHARACTERS)
      // The two halves of a pair are one character; a half by itself is escaped.
      if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++
      this.#add(JSON.stringify(text.slice(at, end)).slice(1, -1))
      at = end
    }
    this.#add('"')
  }
}

/** A number, true, false or what is written as null. */
function isScalar(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'string')
}

/** Plain objects and arrays; anything else is written as JSON.stringify does it. */
function isContainer(value: unknown): value is Record<string, unknown> | readonly unknown[] {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol'
}

/** In the order of `canonicalJson`, which an object gives its integer names first. */
function sortedNames(value: Record<string, unknown>): readonly string[] {
  return Object.keys(
    Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((name) => [name, null]),
    ),
  )
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

/** Text hashed between two turns of the event loop. */
const HASHED_AT_ONCE_CHARACTERS = 1_048_576

/**
 * What tells one request from another: `fingerprintOf(scope, canonicalJson(input))`. A large input
 * does not hold the event loop.
 */
export async function inputFingerprint(scope: string, input: unknown): Promise<string> {
  if (isBrief(input)) return fingerprintOf(scope, canonicalJson(input))
  const pieces = await runSliced(new JsonPieces(input, { canonical: true }))
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const hash = createHash('sha256').update(`${scope.length}:${scope}${length}:`)
  let sinceTurn = 0
  for (const piece of pieces) {
    hash.update(piece)
    sinceTurn += piece.length
    if (sinceTurn < HASHED_AT_ONCE_CHARACTERS) continue
    sinceTurn = 0
    await nextTurn()
  }
  return hash.digest('hex')
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
