/** What a text says, to hold a model's answer against: whole words and whole numbers only. */

/** Scripts written without spaces: every character may begin and end a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const TOKEN = /\p{N}+(?:[.,]\p{N}+)*|\p{L}+/gu
/** One number, grouped or not; dates, versions and addresses have more points than a number has. */
const ONE_NUMBER = /^\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?$|^\d+[.,]\d+$/
const NUMBER_RUN = /\d[\d.,'’ \u00a0\u202f]*\d|\d/g

export interface Ground {
  /** Whether the text has these words one after the other; case, accents and punctuation aside. */
  hasText(wanted: string): boolean
  /** Whether the number is written in the text, in either decimal convention, its sign aside. */
  hasNumber(value: number): boolean
}

/** The ground of `text`. Looking up takes time in proportion to the text. */
export function groundOf(text: string): Ground {
  const said = squash(text)
  const numbers = numbersIn(text)
  return {
    hasText: (wanted) => occurs(squash(wanted).letters, said),
    hasNumber: (value) => numbers.has(Math.abs(value)),
  }
}

/** Letters and digits alone, and at which of their positions a word begins or ends. */
interface Squashed {
  letters: string
  edges: ReadonlySet<number>
}

function squash(text: string): Squashed {
  const folded = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const edges = new Set<number>()
  let letters = ''
  for (const [token] of folded.matchAll(TOKEN)) {
    edges.add(letters.length)
    const isWhole = ONE_NUMBER.test(token)
    for (const part of token.split(/[.,]/)) {
      if (!isWhole) edges.add(letters.length)
      if (UNSPACED.test(part))
        for (let at = 0; at < part.length; at++) edges.add(letters.length + at)
      letters += part
      if (!isWhole) edges.add(letters.length)
    }
    edges.add(letters.length)
  }
  return { letters, edges }
}

function occurs(wanted: string, { letters, edges }: Squashed): boolean {
  if (wanted === '') return false
  for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1))
    if (edges.has(at) && edges.has(at + wanted.length)) return true
  return false
}

function numbersIn(text: string): Set<number> {
  const numbers = new Set<number>()
  const add = (digits: string): void => {
    const value = Number(digits)
    if (digits !== '' && Number.isFinite(value)) numbers.add(value)
  }
  for (const [run] of text.matchAll(NUMBER_RUN)) {
    const tight = run.replaceAll(/['’ \u00a0\u202f]/g, '')
    add(tight.replaceAll(',', ''))
    add(tight.replaceAll('.', '').replace(',', '.'))
    add(run.replaceAll(/\D/g, ''))
    for (const part of run.split(/[ \u00a0\u202f]/))
      if (/^\d+(?:\.\d+)?$/.test(part)) add(part)
      else if (!ONE_NUMBER.test(part)) for (const group of part.split(/[.,'’]/)) add(group)
  }
  return numbers
}
