/**
 * What tells one request from another: a hash of the input's canonical JSON. That of a large input
 * is made in slices, and is the same.
 */
import { createHash } from 'node:crypto'
import { isSmall } from './issues.ts'
import { canonicalJson, fingerprintOf } from './json.ts'
import { inSlices, nextTurn, type Sliced } from './slices.ts'

/** Text hashed between two turns of the event loop. */
const HASHED_AT_ONCE_CHARACTERS = 1_048_576
const PIECE_CHARACTERS = 131_072

/** `fingerprintOf(scope, canonicalJson(input))`; a large input does not hold the event loop. */
export async function inputFingerprint(scope: string, input: unknown): Promise<string> {
  if (isSmall(input) && !hasLongText(input)) return fingerprintOf(scope, canonicalJson(input))
  const pieces = await inSlices(new CanonicalPieces(input))
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

/** The text of `canonicalJson`, in pieces. */
class CanonicalPieces implements Sliced<string[]> {
  readonly #pieces: string[] = []
  readonly #open: Open[] = []

  constructor(value: unknown) {
    this.#write(value)
  }

  step(isOver: () => boolean): { done: true; value: string[] } | { done: false } {
    let members = 0
    for (let top = this.#open.at(-1); top; top = this.#open.at(-1)) {
      if (++members % 32 === 0 && isOver()) return { done: false }
      this.#member(top)
    }
    return { done: true, value: this.#pieces }
  }

  #member(top: Open): void {
    const { value, names } = top
    const count = names ? names.length : (value as readonly unknown[]).length
    if (top.next >= count) {
      this.#pieces.push(names ? '}' : ']')
      this.#open.pop()
      return
    }
    const name = names ? names[top.next]! : top.next
    top.next++
    const member = (value as Record<string | number, unknown>)[name]
    if (names && isLeftOut(member)) return
    const comma = top.isFirst ? '' : ','
    top.isFirst = false
    this.#pieces.push(names ? `${comma}${JSON.stringify(name)}:` : comma)
    this.#write(isLeftOut(member) ? null : member)
  }

  #write(value: unknown): void {
    if (typeof value === 'string' && value.length > PIECE_CHARACTERS) this.#text(value)
    else if (!isContainer(value) || (isSmall(value) && !hasLongText(value))) {
      this.#pieces.push(canonicalJson(value))
    } else {
      const names = Array.isArray(value) ? null : sortedNames(value as Record<string, unknown>)
      this.#pieces.push(names ? '{' : '[')
      this.#open.push({ value, names, next: 0, isFirst: true })
    }
  }

  #text(text: string): void {
    this.#pieces.push('"')
    for (let at = 0; at < text.length;) {
      let end = Math.min(text.length, at + PIECE_CHARACTERS)
      // The two halves of a pair are one character; a half by itself is escaped.
      if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++
      this.#pieces.push(JSON.stringify(text.slice(at, end)).slice(1, -1))
      at = end
    }
    this.#pieces.push('"')
  }
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
