/** Strings of many MiB, such as a file in base64, that are unescaped in pieces. */
import { parsed, Stopped } from './parsed.ts'

const BACKSLASH = 0x5c

/** What a string may not hold as it is; the quote that ends it is not among its characters. */
// oxlint-disable-next-line no-control-regex
const NOT_PLAIN = /[\\\u0000-\u001f]/

/** A long string without its quotes, unescaped piece by piece. */
export class LongString {
  readonly #text: string
  readonly end: number
  readonly #pieceCharacters: number
  readonly #start: number
  readonly #pieces: string[] = []
  #isPlain = true
  #at: number

  constructor(text: string, start: number, end: number, pieceCharacters: number) {
    this.#text = text
    this.#start = start
    this.end = end
    this.#at = start
    this.#pieceCharacters = pieceCharacters
  }

  /** Unescapes one piece; true after the last one. */
  next(): boolean {
    const end = this.#pieceEnd()
    const written = this.#text.slice(this.#at, end)
    const isPlain = !NOT_PLAIN.test(written)
    const piece = isPlain ? written : parsed(`"${written}"`)
    if (typeof piece !== 'string') throw new Stopped({ fault: 'syntax' })
    this.#isPlain &&= isPlain
    this.#pieces.push(piece)
    this.#at = end
    return end === this.end
  }

  value(): string {
    // A part of a text shares its memory: a file in base64 is not copied.
    return this.#isPlain ? this.#text.slice(this.#start, this.end) : this.#pieces.join('')
  }

  /** The end of a piece that cuts no escape in two. */
  #pieceEnd(): number {
    const end = this.#at + this.#pieceCharacters
    if (end >= this.end) return this.end
    // An escape is \u and four hex digits at most; one that is not whole begins behind this.
    for (let at = end - 1; at > end - 6; at--) {
      if (this.#text.charCodeAt(at) !== BACKSLASH) continue
      let before = 0
      while (at - before > this.#at && this.#text.charCodeAt(at - before - 1) === BACKSLASH)
        before++
      // After an odd number of backslashes this one is escaped itself and the escape is over.
      const escapeAt = before % 2 === 1 ? at - 1 : at
      const length = this.#text.charCodeAt(escapeAt + 1) === 0x75 ? 6 : 2
      return escapeAt + length > end ? escapeAt : end
    }
    return end
  }
}
