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

interface Letter {
  text: string
  /** Steps of the output. */
  first: number
  last: number
  confidence: number
}

/** Letters of one line; `steps` rows of likelihoods, one per class. */
function lettersOf(
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

/**
 * What parts words where no space was read: how much farther two letters stand from each other than
 * usual, and how much more paper is between them, in usual distances. A letter's place is known to a
 * step only, which alone makes up to 0.5; narrow letters of a typewriter face make as much paper.
 */
const APART = 0.75

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

/**
 * The words of a line. `lineSteps` are those that the line itself takes of `steps`; `paper` says of
 * each of its pixel columns whether it is without ink.
 */
export function wordsOf(
  output: Float32Array,
  steps: number,
  lineSteps: number,
  alphabet: Alphabet,
  withHan: boolean,
  paper: Uint8Array,
): ReadWord[] {
  const letters = lettersOf(output, steps, alphabet, withHan)
  const centre = (letter: Letter): number => (letter.first + letter.last + 1) / 2
  const pitches = letters
    .slice(1)
    .map((letter, i) => ({ gap: centre(letter) - centre(letters[i]!), a: letters[i]!, b: letter }))
    .filter(({ a, b }) => a.text !== ' ' && b.text !== ' ')
    .map(({ gap }) => gap)
  const pitch = Math.max(median(pitches), 1)
  const columns = paper.length / lineSteps
  const between = (a: Letter, b: Letter): number =>
    longestRun(paper, centre(a) * columns, centre(b) * columns) / columns
  const runs = letters
    .slice(1)
    .map((letter, i) => between(letters[i]!, letter))
    .filter((_, i) => letters[i]!.text !== ' ' && letters[i + 1]!.text !== ' ')
  const usual = median(runs)
  const groups: Letter[][] = [[]]
  for (const [i, letter] of letters.entries()) {
    const before = letters[i - 1]
    if (letter.text === ' ') {
      groups.push([])
      continue
    }
    if (before && before.text !== ' ') {
      const farther = (centre(letter) - centre(before)) / pitch - 1
      const emptier = (between(before, letter) - usual) / pitch
      if (farther + emptier > APART) groups.push([])
    }
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
