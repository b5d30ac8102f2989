/**
 * Patterns of untrusted callers, run in linear time: `re2js` instead of the engine's backtracking RegExp,
 * which needs minutes for a pattern such as `(a+)+$` or gives up and answers wrongly.
 */
import { RE2JS } from 're2js'

const NATIVE = globalThis.RegExp

/** Unicode general categories by long name (ECMA-262 table 70); RE2 knows the short ones only. */
const CATEGORIES: Readonly<Record<string, string>> = {
  Letter: 'L',
  Lowercase_Letter: 'Ll',
  Uppercase_Letter: 'Lu',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Number: 'N',
  Decimal_Number: 'Nd',
  digit: 'Nd',
  Letter_Number: 'Nl',
  Punctuation: 'P',
  punct: 'P',
  Symbol: 'S',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Other: 'C',
  Control: 'Cc',
}
/** What `\s` means in ECMA-262: RE2's `\s` has the ASCII ones only. */
const SPACES =
  '\\t\\n\\x{0B}\\f\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}'

/** The same pattern in RE2 syntax, where the two dialects name a thing differently. */
function toRe2(source: string): string {
  const named = source.replaceAll(
    /\\([pP])\{(?:General_Category=|gc=)?([A-Za-z_]+)\}/g,
    (whole, letter: string, name: string) =>
      CATEGORIES[name] ? `\\${letter}{${CATEGORIES[name]}}` : whole,
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
    out += char
  }
  return RE2JS.translateRegExp(out)
}

function compileLinear(source: string): RE2JS | null {
  try {
    return RE2JS.compile(toRe2(source))
  } catch {
    // Lookaround and back-references have no linear form; the job's time limit bounds those.
    return null
  }
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
 * The engine answers "no match" after a hundred million steps, which take it hundreds of milliseconds;
 * honest patterns need one or two for a million characters.
 */
const DECIDED_MS = 50

/** Whether the value matches; throws where the engine may have given up. */
function testNative(test: () => boolean, source: string): boolean {
  const startMs = performance.now()
  if (test()) return true
  if (performance.now() - startMs < DECIDED_MS) return false
  // The machine may have stood still meanwhile: what the engine computes is what tells.
  const before = process.cpuUsage()
  if (test()) return true
  if (process.cpuUsage(before).user / 1000 < DECIDED_MS) return false
  const shown = source.length > 100 ? `${source.slice(0, 100)}…` : source
  throw new Error(`the pattern ${shown} backtracks too much for a value to be decided`)
}

/**
 * A RegExp whose `test` is linear in the value's length wherever RE2 can express the pattern. Of other
 * patterns it throws where the answer is not sure.
 */
export class LinearRegExp extends NATIVE {
  readonly #linear: RE2JS | null

  constructor(pattern: string | RegExp, flags?: string) {
    super(pattern, usableFlags(pattern, flags))
    this.#linear = compileLinear(this.source)
  }

  override test(value: string): boolean {
    if (this.#linear !== null) return this.#linear.matcher(value).find()
    return testNative(() => super.test(value), this.source)
  }
}

/**
 * Runs `work` with `RegExp` meaning `LinearRegExp`, and returns its result. The validation library
 * makes its matchers with `new RegExp` and offers no other way in; `work` must be synchronous, so
 * nothing else runs meanwhile.
 */
export function withLinearRegExp<T>(work: () => T): T {
  globalThis.RegExp = LinearRegExp as unknown as RegExpConstructor
  try {
    return work()
  } finally {
    globalThis.RegExp = NATIVE
  }
}
