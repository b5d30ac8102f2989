/**
 * What a recogniser's output says (connectionist temporal classification): letters with their places
 * along the line, parted into words by the gaps between them.
 */

export interface ReadWord {
  text: string
  /** Shares of the line's width, 0..1. */
  from: number
  to: number
  /** Mean likelihood of the letters, 0..1. */
  confidence: number
}

export interface Alphabet {
  /** By class; 0 is the blank. */
  letters: readonly string[]
  /** Classes that are left out where the page is in Latin letters. */
  isHan: Uint8Array
}

/** The alphabet of a recogniser: a letter a line, then the space. */
export function alphabetOf(text: string): Alphabet {
  const lines = text.split('\n').map((line) => line.replace('\r', ''))
  if (lines.at(-1) === '') lines.pop()
  const letters = ['', ...lines, ' ']
  const isHan = Uint8Array.from(letters, (letter) =>
    /[\p{Script=Han}\u3000-\u303F\u30A0-\u30FF]/u.test(letter) ? 1 : 0,
  )
  return { letters, isHan }
}

/** A letter on its line. */
export interface Letter {
  text: string
  /** Steps of the output. */
  first: number
  last: number
  confidence: number
}

/** Letters of one line; `steps` rows of likelihoods, one per class. */
export function lettersOf(
  output: Float32Array,
  steps: number,
  { letters, isHan }: Alphabet,
  withHan: boolean,
): Letter[] {
  const classes = letters.length
  const found: Letter[] = []
  let previous = 0
  for (let step = 0; step < steps; step++) {
    const row = step * classes
    let best = 0
    for (let at = 1; at < classes; at++)
      if (output[row + at]! > output[row + best]! && (withHan || isHan[at] === 0)) best = at
    const last = found.at(-1)
    if (best !== 0 && best === previous && last) {
      last.last = step
      last.confidence = Math.max(last.confidence, output[row + best]!)
    } else if (best !== 0)
      found.push({
        text: letters[best]!,
        first: step,
        last: step,
        confidence: output[row + best]!,
      })
    previous = best
  }
  return found
}

const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

/** The longest run of columns without ink between two places. */
function longestRun(paper: Uint8Array, from: number, to: number): number {
  let longest = 0
  let run = 0
  for (let x = Math.max(0, Math.round(from)); x < Math.min(paper.length, to); x++) {
    run = paper[x] === 1 ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

const centre = (letter: Letter): number => (letter.first + letter.last + 1) / 2

/** Two letters that follow each other, with or without a space that was read between them. */
interface Pair {
  hasSpace: boolean
  /** From middle to middle, in steps. */
  distance: number
  /** Longest stretch of bare paper between them, in steps. */
  paper: number
}

function pairsOf(letters: readonly Letter[], paper: Uint8Array, columns: number): Pair[] {
  const pairs: Pair[] = []
  let before: Letter | null = null
  let hasSpace = false
  for (const letter of letters) {
    if (letter.text === ' ') {
      hasSpace = true
      continue
    }
    if (before) {
      const [from, to] = [centre(before), centre(letter)]
      const run = longestRun(paper, from * columns, to * columns) / columns
      pairs.push({ hasSpace, distance: to - from, paper: run })
    }
    before = letter
    hasSpace = false
  }
  return pairs
}

const pitchOf = (pairs: readonly Pair[]): number =>
  Math.max(median(pairs.filter((p) => !p.hasSpace).map((p) => p.distance)), 1)

/**
 * Without a space that was read on the line: how much farther two letters stand from each other than
 * usual, and how much more paper is between them, in usual distances. A letter's place is known to a
 * step only, which alone makes up to 0.5; narrow letters of a typewriter face make as much paper.
 */
const APART = 0.75
const EMPTIER_LEAST = 0.15
/** Between the paper of letters and that of spaces that were read, from where a gap is a space. */
const SPACE_FROM = 0.6
/** A space that was read over less paper is none, where there are others to compare with. */
const SPACE_KEPT = 0.3
const SPACES_TOLD = 3
/** Steps by which spaces that were read must be wider than the gaps of letters to say anything. */
const WIDER_LEAST = 0.4

/** Pairs of letters of which a line has at least so many to tell two kinds of gaps apart. */
const CLEFT_PAIRS = 6
/** Steps by which the narrowest of wide gaps is wider than the widest of narrow ones. */
const CLEFT_LEAST = 0.9

/** Where the gaps of a line fall into narrow and wide ones, in steps of paper; null where they do not. */
function cleftOf(pairs: readonly Pair[]): number | null {
  const papers = pairs.map(({ paper }) => paper).toSorted((a, b) => a - b)
  const half = papers.length >> 1
  const wide = papers.findIndex((own, at) => {
    const narrower = papers[at - 1] ?? own
    return at >= half && own - narrower >= CLEFT_LEAST && own > 2 * narrower
  })
  return wide === -1 || papers.length < CLEFT_PAIRS ? null : (papers[wide]! + papers[wide - 1]!) / 2
}

/** What parts words on a line: the paper of the spaces that were read there tells that of others. */
function apartOn(pairs: readonly Pair[]): (pair: Pair) => boolean {
  const usual = median(pairs.filter((p) => !p.hasSpace).map((p) => p.paper))
  const spaces = pairs.filter((p) => p.hasSpace).map((p) => p.paper)
  const wider = median(spaces) - usual
  const pitch = pitchOf(pairs)
  const cleft = cleftOf(pairs)
  if (spaces.length === 0 && cleft !== null) return ({ paper }) => paper > cleft
  if (spaces.length === 0 || wider < WIDER_LEAST)
    return ({ hasSpace, distance, paper }) => {
      const emptier = (paper - usual) / pitch
      return hasSpace || (emptier > EMPTIER_LEAST && distance / pitch - 1 + emptier > APART)
    }
  const kept = spaces.length >= SPACES_TOLD ? usual + SPACE_KEPT * wider : -1
  return ({ hasSpace, paper }) => paper > (hasSpace ? kept : usual + SPACE_FROM * wider)
}

/**
 * The words of a line. `lineSteps` are those that the line itself takes of the output; `paper` says
 * of each of its pixel columns whether it is without ink.
 */
export function wordsOf(
  letters: readonly Letter[],
  lineSteps: number,
  paper: Uint8Array,
): ReadWord[] {
  const columns = paper.length / lineSteps
  const pairs = pairsOf(letters, paper, columns)
  const isApart = apartOn(pairs)
  const pitch = pitchOf(pairs)
  const groups: Letter[][] = [[]]
  let next = 0
  for (const letter of letters) {
    if (letter.text === ' ') continue
    if (groups.at(-1)!.length > 0 && isApart(pairs[next++]!)) groups.push([])
    groups.at(-1)!.push(letter)
  }
  const clamp = (share: number): number => Math.max(0, Math.min(1, share))
  return groups
    .filter((group) => group.length > 0)
    .map((group) => ({
      text: group.map((letter) => letter.text).join(''),
      from: clamp((centre(group[0]!) - pitch / 2) / lineSteps),
      to: clamp((centre(group.at(-1)!) + pitch / 2) / lineSteps),
      confidence: group.reduce((sum, letter) => sum + letter.confidence, 0) / group.length,
    }))
}
