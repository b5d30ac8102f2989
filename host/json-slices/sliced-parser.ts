/**
 * JSON.parse in slices, for texts of many MiB. A scan finds where members end; runs of members that
 * take a millisecond or two are handed to JSON.parse, which decides alone what they are, and their
 * values are put into the container that is being built. So every value comes out as JSON.parse
 * makes it, and a text passes only if each of its runs does.
 */
import { FINITE_DIGITS, type JsonFault, type Sliced } from '#kernel/host'
import { LongString } from './long-string.ts'
import { parsed, Stopped } from './parsed.ts'

/** Roughly nanoseconds: a short string is looked up and kept, a long one is copied or unescaped. */
const STRING_WEIGHT = 400
const CHARACTER_WEIGHT = 20
/** How many tokens or pieces go by between two looks at the clock. */
const TOKENS_PER_LOOK = 512

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const LETTER_E = 0x65

/** By character code: what ends a number, a literal or white space. */
const ENDS_OTHER: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  [QUOTE, COMMA, COLON, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT].includes(code),
)

export type SlicedValue = { ok: true; value: unknown } | ({ ok: false } & JsonFault)

/** A container whose end was not met yet. */
interface Frame {
  isArray: boolean
  /** Where it opens. */
  openAt: number
  /** The first character that no run holds yet. */
  from: number
  /** Behind the last comma, or behind its opening. */
  memberAt: number
  /** Weight of all that was scanned before `from`. */
  fromWeight: number
  /** In an object: whether the name of the present member is over. */
  isNamed: boolean
  /** A value was just added on its own: only a comma or the end may follow. */
  isAfterValue: boolean
  /** A number that may be beyond a double stands behind `from`. */
  isSuspect: boolean
  /** Made when the first run is parsed; until then the container is part of its parent's run. */
  value: unknown[] | Record<string, unknown> | null
}

export interface ParserRules {
  maxDepth: number
  /** A run is parsed when it weighs this much, roughly in nanoseconds. */
  runWeight: number
  /** Longer strings are unescaped piece by piece; longer member names are refused. At least 8. */
  pieceCharacters: number
  /** The only members that the text's own object may have; null: any. */
  knownMembers: ReadonlySet<string> | null
  /** Pointer below a parsed run of the first number that is beyond a double; null without one. */
  overflowIn(value: unknown): string | null
  escape(token: string): string
}

/** Parses one text; the value is as JSON.parse gives it. */
export class SlicedParser implements Sliced<SlicedValue> {
  readonly #text: string
  readonly #rules: ParserRules
  /** The text itself is the only member of the first. */
  readonly #frames: Frame[] = [frameAt(-1, true, 0)]
  #at = 0
  #weight = 0
  /** A string under way: where it opened. */
  #stringAt: number | null = null
  #stringLook = 0
  #long: LongString | null = null
  /** A run was parsed: it may have taken the whole slice. */
  #isLookDue = false

  constructor(text: string, rules: ParserRules) {
    this.#text = text
    this.#rules = rules
  }

  step(isOver: () => boolean): { done: true; value: SlicedValue } | { done: false } {
    try {
      if (!this.#scan(isOver)) return { done: false }
      return { done: true, value: { ok: true, value: this.#end() } }
    } catch (error) {
      if (error instanceof Stopped) return { done: true, value: { ok: false, ...error.reason } }
      throw error
    }
  }

  /** False when the slice is over before the text is. */
  #scan(isOver: () => boolean): boolean {
    const text = this.#text
    let tokens = 0
    while (this.#at < text.length) {
      if (this.#isLookDue || ++tokens % TOKENS_PER_LOOK === 0) {
        this.#isLookDue = false
        if (isOver()) return false
      }
      if (this.#long) {
        this.#isLookDue = true
        this.#unescape(this.#long)
        continue
      }
      if (this.#stringAt !== null) {
        this.#string(this.#stringAt)
        continue
      }
      const code = text.charCodeAt(this.#at)
      switch (code) {
        case QUOTE:
          this.#stringAt = this.#at
          this.#stringLook = this.#at + 1
          break
        case OPEN_ARRAY:
        case OPEN_OBJECT:
          // The first frame is none of the text's own levels.
          if (this.#frames.length > this.#rules.maxDepth) throw new Stopped({ fault: 'depth' })
          this.#frames.push(frameAt(this.#at, code === OPEN_ARRAY, this.#weight))
          this.#passed(this.#at + 1)
          break
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          this.#close(code === CLOSE_ARRAY)
          break
        case COMMA:
          this.#comma()
          break
        case COLON:
          this.#top.isNamed = true
          this.#passed(this.#at + 1)
          break
        default:
          this.#other()
      }
    }
    return this.#long === null && this.#stringAt === null
  }

  get #top(): Frame {
    return this.#frames.at(-1)!
  }

  #passed(to: number): void {
    this.#weight += (to - this.#at) * CHARACTER_WEIGHT
    this.#at = to
  }

  /** Numbers, literals, white space: up to the next character that matters here. */
  #other(): void {
    const text = this.#text
    // A very long one is passed in pieces.
    const longest = Math.min(text.length, this.#at + this.#rules.pieceCharacters)
    let end = this.#at + 1
    let hasExponent = false
    while (end < longest && !ENDS_OTHER[text.charCodeAt(end)]) {
      if ((text.charCodeAt(end) | 0x20) === LETTER_E && isDigit(text.charCodeAt(end - 1))) {
        hasExponent = true
      }
      end++
    }
    const isCut = end === longest
    if (isCut) this.#isLookDue = true
    if (hasExponent || isCut || end - this.#at > FINITE_DIGITS) this.#top.isSuspect = true
    this.#passed(end)
  }

  /** Looks for the end of the string that opened at `start`, one quote at a time. */
  #string(start: number): void {
    const text = this.#text
    const quote = text.indexOf('"', this.#stringLook)
    if (quote === -1) throw new Stopped({ fault: 'syntax' })
    let backslashes = 0
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++
    this.#stringLook = quote + 1
    if (backslashes % 2 === 1) return
    this.#stringAt = null
    this.#weight += STRING_WEIGHT
    const top = this.#top
    const isLong = quote - start > this.#rules.pieceCharacters
    if (isLong && !top.isArray && !top.isNamed) throw new Stopped({ fault: 'name' })
    if (isLong) this.#long = new LongString(text, start + 1, quote, this.#rules.pieceCharacters)
    else this.#passed(quote + 1)
  }

  /** One piece of a long string; the last one puts the whole where it belongs. */
  #unescape(long: LongString): void {
    if (!long.next()) return
    const start = this.#at
    this.#long = null
    this.#at = long.end + 1
    this.#put(this.#top, start, long.value())
  }

  #comma(): void {
    const top = this.#top
    const isTaken = top.isAfterValue || this.#weight - top.fromWeight > this.#rules.runWeight
    if (isTaken) this.#rest(top, this.#at)
    this.#passed(this.#at + 1)
    top.memberAt = this.#at
    top.isNamed = false
    if (isTaken) this.#begin(top)
  }

  #close(isArray: boolean): void {
    const frame = this.#top
    if (this.#frames.length === 1 || frame.isArray !== isArray) {
      throw new Stopped({ fault: 'syntax' })
    }
    if (frame.value !== null) this.#rest(frame, this.#at)
    this.#frames.pop()
    this.#passed(this.#at + 1)
    const parent = this.#top
    if (frame.value !== null) this.#put(parent, frame.openAt, frame.value)
    else if (frame.isSuspect) parent.isSuspect = true
  }

  /** The value of the whole text. */
  #end(): unknown {
    const root = this.#frames[0]!
    if (this.#frames.length !== 1) throw new Stopped({ fault: 'syntax' })
    if (root.value === null) this.#run(root, this.#text.length)
    else this.#rest(root, this.#text.length)
    const values = root.value as unknown as unknown[]
    if (values.length !== 1) throw new Stopped({ fault: 'syntax' })
    return values[0]
  }

  /** What stands between the last comma or value and the end of the container. */
  #rest(frame: Frame, end: number): void {
    if (frame.isAfterValue) this.#blank(frame, end)
    else this.#run(frame, end)
  }

  /** Parses the members from `frame.from` to `end`, of which there must be one at least. */
  #run(frame: Frame, end: number): void {
    const text = this.#text.slice(frame.from, end)
    if (frame.isArray) {
      const members = parsed(`[${text}]`) as unknown[]
      if (members.length === 0) throw new Stopped({ fault: 'syntax' })
      const target = (frame.value ??= []) as unknown[]
      if (frame.isSuspect) this.#checkNumbers(members, target.length)
      for (const member of members) target.push(member)
    } else {
      const members = parsed(`{${text}}`) as Record<string, unknown>
      if (frame.isSuspect) this.#checkNumbers(members, 0)
      const target = (frame.value ??= {}) as Record<string, unknown>
      const names = Object.keys(members)
      if (names.length === 0) throw new Stopped({ fault: 'syntax' })
      this.#checkNames(names)
      for (const name of names) setMember(target, name, members[name])
    }
    frame.isSuspect = false
    this.#isLookDue = true
  }

  /** The next run begins here. */
  #begin(frame: Frame): void {
    frame.from = this.#at
    frame.fromWeight = this.#weight
  }

  /** Adds a value that was parsed on its own to its container. */
  #put(frame: Frame, start: number, value: unknown): void {
    if (frame.isAfterValue) throw new Stopped({ fault: 'syntax' })
    if (frame.from < frame.memberAt) this.#run(frame, frame.memberAt - 1)
    const prefix = this.#text.slice(frame.memberAt, start)
    if (frame.isArray) {
      if ((parsed(`[${prefix}null]`) as unknown[])[0] !== null) {
        throw new Stopped({ fault: 'syntax' })
      }
      const target = (frame.value ??= []) as unknown[]
      target.push(value)
    } else {
      const target = (frame.value ??= {}) as Record<string, unknown>
      const name = nameIn(prefix)
      this.#checkNames([name])
      setMember(target, name, value)
    }
    frame.isAfterValue = true
    this.#begin(frame)
  }

  /** Nothing but white space may stand between a value that was put in and `end`. */
  #blank(frame: Frame, end: number): void {
    const members = parsed(`[null${this.#text.slice(frame.from, end)}]`) as unknown[]
    if (members.length !== 1 || members[0] !== null) throw new Stopped({ fault: 'syntax' })
    frame.isAfterValue = false
  }

  /** Stops at members that the text's own object may not have: what follows is not looked at. */
  #checkNames(names: readonly string[]): void {
    const known = this.#rules.knownMembers
    if (known === null || this.#frames.length !== 2) return
    const unknown = names.filter((name) => !known.has(name))
    if (unknown.length > 0)
      throw new Stopped({ fault: 'unknown', names: unknown, known: [...known] })
  }

  /** Stops at a number that became infinite; the first member of an array has the index `offset`. */
  #checkNumbers(members: unknown[] | Record<string, unknown>, offset: number): void {
    const found = this.#rules.overflowIn(members)
    if (found === null) return
    const [, first = '', ...below] = found.split('/')
    const token = Array.isArray(members) ? String(Number(first) + offset) : first
    // The text itself is the only member of the first frame and has no name.
    const pointer = [...this.#names(), token, ...below].slice(1)
    throw new Stopped({
      fault: 'number',
      pointer: pointer.map((name) => `/${name}`).join(''),
    })
  }

  /** Escaped names of the containers that are open, from the first frame's member on. */
  #names(): string[] {
    return this.#frames.slice(0, -1).map((frame, depth) => {
      const child = this.#frames[depth + 1]!
      if (!frame.isArray) {
        const prefix = this.#text.slice(frame.memberAt, child.openAt)
        return this.#rules.escape(nameIn(prefix))
      }
      const known = (frame.value as unknown[] | null)?.length ?? 0
      if (frame.from >= frame.memberAt) return String(known)
      const before = parsed(`[${this.#text.slice(frame.from, frame.memberAt - 1)}]`) as unknown[]
      return String(known + before.length)
    })
  }
}

function frameAt(openAt: number, isArray: boolean, weight: number): Frame {
  return {
    isArray,
    openAt,
    from: openAt + 1,
    memberAt: openAt + 1,
    fromWeight: weight,
    isNamed: false,
    isAfterValue: false,
    isSuspect: false,
    value: null,
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** The member name in the text between a comma and a value: `"name" :`. */
function nameIn(prefix: string): string {
  const member = parsed(`{${prefix}null}`) as Record<string, unknown>
  const [name] = Object.keys(member)
  if (name === undefined || member[name] !== null) throw new Stopped({ fault: 'syntax' })
  return name
}

/** As JSON.parse sets it: also `__proto__` is an own member like any other. */
function setMember(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  } else target[name] = value
}
