/**
 * JSON as pages write it: comments, raw control characters, single quotes, bare names, stray or
 * missing commas, quotes inside of strings, an end that is missing. A strict parser refuses a block
 * whole for one of these.
 */

/** What pages put around a script so that old readers skip it. */
const WRAPPERS = ['<!--', '-->', '<![CDATA[', ']]>']
const DEPTH_MAX = 100
const ESCAPES: { [letter: string]: string } = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
/** What may stand behind the closing quote of a string, in a list or an object. */
const AFTER_STRING = /\s*(?:[:}\]]|,\s*(?:["'{[}\],\w$@-]|\/[/*])|;?\s*$|\/[/*]|-->)/y

class LenientReader {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  /** Every value of the text; several documents in one block come one after the other. */
  all(): unknown[] {
    const values: unknown[] = []
    for (this.#skip(); this.#at < this.#source.length; this.#skip()) {
      const char = this.#source[this.#at]!
      if (char === '{' || char === '[') values.push(this.#value(0))
      else this.#at += 1
    }
    return values
  }

  /** White space, comments and the marks that wrap scripts. */
  #skip(): void {
    const source = this.#source
    while (this.#at < source.length) {
      const char = source[this.#at]!
      const wrapper = WRAPPERS.find((mark) => source.startsWith(mark, this.#at))
      if (wrapper) this.#at += wrapper.length
      else if (char === '/' && source[this.#at + 1] === '*') {
        const end = source.indexOf('*/', this.#at + 2)
        this.#at = end === -1 ? source.length : end + 2
      } else if (char === '/' && source[this.#at + 1] === '/') {
        const end = source.indexOf('\n', this.#at)
        this.#at = end === -1 ? source.length : end + 1
      } else if (char <= ' ' || char === '\ufeff' || char === '\u00a0' || char === ';')
        this.#at += 1
      else return
    }
  }

  #value(depth: number): unknown {
    this.#skip()
    const char = this.#source[this.#at]
    if (char === '{') return this.#object(depth)
    if (char === '[') return this.#list(depth)
    if (char === '"' || char === "'") return this.#string(char)
    return this.#word()
  }

  #object(depth: number): { [name: string]: unknown } {
    const object: { [name: string]: unknown } = {}
    this.#at += 1
    for (;;) {
      this.#skip()
      const char = this.#source[this.#at]
      if (char === undefined || char === '}' || (char === ']' && depth > 0)) {
        if (char === '}') this.#at += 1
        return object
      }
      const from = this.#at
      if (char === ',' || char === ':') {
        this.#at += 1
        continue
      }
      const name = char === '"' || char === "'" ? this.#string(char) : this.#name()
      this.#skip()
      if (this.#source[this.#at] === ':') {
        this.#at += 1
        this.#skip()
        const next = this.#source[this.#at]
        const isMissing = next === undefined || next === ',' || next === '}'
        if (!isMissing && depth < DEPTH_MAX && name !== '__proto__')
          object[name] = this.#value(depth + 1)
      }
      if (this.#at === from) this.#at += 1
    }
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = []
    this.#at += 1
    for (;;) {
      this.#skip()
      const char = this.#source[this.#at]
      if (char === undefined || char === ']' || (char === '}' && depth > 0)) {
        if (char === ']') this.#at += 1
        return list
      }
      const from = this.#at
      if (char === ',') this.#at += 1
      else if (depth < DEPTH_MAX) list.push(this.#value(depth + 1))
      if (this.#at === from) this.#at += 1
    }
  }

  #string(quote: string): string {
    const source = this.#source
    let text = ''
    this.#at += 1
    while (this.#at < source.length) {
      const char = source[this.#at]!
      if (char === '\\') text += this.#escape()
      else if (char === quote && this.#isEnd()) {
        this.#at += 1
        return text
      } else {
        text += char
        this.#at += 1
      }
    }
    return text
  }

  /** Whether the quote here ends its string, or is one of the text that nobody escaped. */
  #isEnd(): boolean {
    AFTER_STRING.lastIndex = this.#at + 1
    return AFTER_STRING.test(this.#source)
  }

  #escape(): string {
    const next = this.#source[this.#at + 1] ?? ''
    const code = /^[\da-f]{4}$/i.exec(this.#source.slice(this.#at + 2, this.#at + 6))?.[0]
    if (next === 'u' && code) {
      this.#at += 6
      return String.fromCharCode(Number.parseInt(code, 16))
    }
    this.#at += 2
    return ESCAPES[next] ?? ('"\'\\/'.includes(next) ? next : `\\${next}`)
  }

  /** A name without quotes. */
  #name(): string {
    const name = /[^\s:,{}[\]"']+/y
    name.lastIndex = this.#at
    const found = name.exec(this.#source)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  /** A number, true, false, null, or bare text up to the next mark. */
  #word(): unknown {
    const word = /[^,}\]\n\r]*/y
    word.lastIndex = this.#at
    const found = word.exec(this.#source)?.[0] ?? ''
    this.#at += found.length
    const text = found.replace(/(?:\/\/.*|\/\*.*)$/, '').trim()
    if (text === 'true' || text === 'false') return text === 'true'
    if (text === 'null' || text === 'undefined' || text === '') return null
    return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : text
  }
}

/** The objects and lists of a text that is meant as JSON; what cannot be read is left out. */
export function readLenientJson(source: string): unknown[] {
  return new LenientReader(source).all()
}
