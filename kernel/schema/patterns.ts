/**
 * Patterns of JSON Schemas in linear time: `re2js` instead of the engine's backtracking RegExp, which a
 * pattern such as `(a+)+$` holds for a second before it gives up and answers "no match". Workers load
 * this file as `#patterns`.
 */
import './formats.ts'
import { RE2JS } from 're2js'

const NATIVE = globalThis.RegExp

/** Unicode general categories by long name (ECMA-262 table 70); RE2 knows the short ones only. */
const CATEGORIES = `Letter:L Lowercase_Letter:Ll Uppercase_Letter:Lu Titlecase_Letter:Lt Modifier_Letter:Lm
  Other_Letter:Lo Mark:M Number:N Decimal_Number:Nd digit:Nd Letter_Number:Nl Punctuation:P punct:P Symbol:S
  Separator:Z Space_Separator:Zs Other:C Control:Cc`
/** What `\s` means in ECMA-262: RE2's `\s` has the ASCII ones only. */
const SPACES =
  '\\t\\n\\x{0B}\\f\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}'

/** The same pattern in RE2 syntax, where the two dialects name a thing differently. */
function toRe2(source: string): string {
  const named = source.replaceAll(
    /(\\[pP])\{(?:General_Category=|gc=)?(\w+)\}/g,
    (whole, escape: string, name: string) => {
      const short = new NATIVE(`\\b${name}:(\\w+)`).exec(CATEGORIES)?.[1]
      return short ? `${escape}{${short}}` : whole
    },
  )
  let out = ''
  let inClass = false
  for (let at = 0; at < named.length; at++) {
    const char = named[at]!
    const next = named[at + 1]
    if (char === '\\' && next !== undefined) {
      at++
      if (next === 's') out += inClass ? SPACES : `[${SPACES}]`
      else if (next === 'S' && !inClass) out += `[^${SPACES}]`
      else out += char + next
      continue
    }
    if (char === '[') inClass = true
    if (char === ']') inClass = false
    // RE2 ends a line at \n only.
    out += char === '.' && !inClass ? '[^\\n\\r\\x{2028}\\x{2029}]' : char
  }
  return RE2JS.translateRegExp(out)
}

function compileLinear(source: string): RE2JS | null {
  try {
    return RE2JS.compile(toRe2(source))
  } catch {
    // Lookaround and back-references have no linear form.
    return null
  }
}

/** The parts of a pattern that stand for one character: escapes and classes. */
const ONE_CHARACTER = /\\(?:[pPu]\{[^}]*\}|[^1-9k])|\[(?:\\[^]|[^\]\\])*\]/g
/** Choices that are tried one after the other; each may double the work for a character. */
const CHOICES_MAX = 6
/** Patterns kept compiled for one schema: the format `regex` makes one of each value. */
const MADE_MAX = 1000

/**
 * Whether the engine itself needs no more than a constant for each character: few choices, no loop over
 * a group, and one loop at most, of a pattern that is tried at the first character only.
 */
function isSurelyLinear(source: string): boolean {
  const bones = source.replaceAll(ONE_CHARACTER, 'x').replaceAll(/([*+?}])\?/g, '$1')
  if (/\\|\(\?[^:]|\)[*+{]/.test(bones)) return false
  const loops = bones.match(/[*+]|\{\d*,\d*\}|\{\d{2,}\}/g)?.length ?? 0
  const choices = bones.match(/\||(?<!\()\?/g)?.length ?? 0
  const isAnchored = bones.startsWith('^') && !bones.includes('|')
  return loops <= (isAnchored ? 1 : 0) && choices <= CHOICES_MAX
}

/**
 * The flags under which a pattern is valid: many schemas in use escape more than `u` allows
 * (`\@`, `\_`), and mean the character.
 */
function usableFlags(pattern: string | RegExp, flags = ''): string {
  try {
    return new NATIVE(pattern, flags).flags
  } catch {
    return flags.replace('u', '')
  }
}

/**
 * A RegExp whose `test` is linear in the value's length wherever the engine or RE2 can do so. The
 * engine gives up on others after a hundred million steps, about a second, and answers "no match".
 */
export class LinearRegExp extends NATIVE {
  readonly #linear: RE2JS | null
  /** Whether `test` backtracks, for long maybe. */
  readonly mayGiveUp: boolean

  constructor(pattern: string | RegExp, flags?: string) {
    super(pattern, usableFlags(pattern, flags))
    const isSure = isSurelyLinear(this.source)
    this.#linear = isSure ? null : compileLinear(this.source)
    this.mayGiveUp = !isSure && this.#linear === null
  }

  override test(value: string): boolean {
    return this.#linear === null ? super.test(value) : this.#linear.matcher(value).find()
  }
}

/**
 * A function that runs `work` with `RegExp` meaning `Linear` and returns its result; a pattern is
 * compiled once for all its calls. The validation library makes its matchers with `new RegExp` and offers
 * no other way in; `work` must be synchronous, so nothing else runs meanwhile.
 */
export function linearPatterns(
  Linear: typeof LinearRegExp = LinearRegExp,
): <T>(work: () => T) => T {
  const made = new Map<string, RegExp>()
  // Called with `new`, which passes on the object that a function returns.
  function Made(pattern: string | RegExp, flags = ''): RegExp {
    const id = `${flags}/${String(pattern)}`
    const known = made.get(id) ?? new Linear(pattern, flags)
    if (made.size >= MADE_MAX) made.clear()
    made.set(id, known)
    return known
  }
  Made.prototype = NATIVE.prototype
  return (work) => {
    globalThis.RegExp = Made as unknown as RegExpConstructor
    try {
      return work()
    } finally {
      globalThis.RegExp = NATIVE
    }
  }
}
