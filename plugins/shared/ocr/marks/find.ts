/** Marks and signs of a line that the recogniser's alphabet lacks, found in its pixels. */
import { readFileSync } from 'node:fs'
import type { Letter } from '../decode.ts'
import type { Planes } from '../pixels.ts'
import { composed } from './letters.ts'
import {
  emptyActivations,
  forward,
  MARKS,
  weightsOf,
  type Activations,
  type Mark,
  type Weights,
} from './network.ts'
import { columnOf, inkOf, isMarkable, patchAt, unreadRuns } from './patches.ts'

/** A mark that seems to stand on a letter, or a sign where none was read. */
export interface FoundMark {
  mark: Mark
  /** 0..1 */
  likelihood: number
  /** Place of the letter on its line; for a sign, of the letter that it precedes. */
  at: number
  /** The letter with its mark, or the sign. */
  text: string
  /** Where a sign stands that is no letter yet, in steps. */
  step: number | null
}

const SIGNS: Readonly<Partial<Record<Mark, string>>> = { euro: '€', pound: '£' }
/** What a sign may have been read as. */
const READ_AS: Readonly<Partial<Record<Mark, RegExp>>> = {
  euro: /^[€ECceGO¢6Q]$/,
  pound: /^[£EfLtF]$/,
}
/** Less likely ones are not worth keeping. */
const LEAST = 0.5

let loaded: { weights: Weights; activations: Activations } | null = null

function network(): { weights: Weights; activations: Activations } {
  loaded ??= {
    weights: weightsOf(new Uint8Array(readFileSync(new URL('./marks.bin', import.meta.url)))),
    activations: emptyActivations(),
  }
  return loaded
}

/** What the network takes a patch for. */
function seen(patch: Float32Array): { mark: Mark; likelihood: number } {
  const { weights, activations } = network()
  forward(weights, patch, activations)
  const { last } = activations
  let best = 0
  for (let at = 1; at < last.length; at++) if (last[at]! > last[best]!) best = at
  return { mark: MARKS[best]!, likelihood: last[best]! }
}

/** Marks of one line; `width` is that of the line itself in `planes`, which may be padded. */
export function findMarks(
  planes: Planes,
  width: number,
  letters: readonly Letter[],
  lineSteps: number,
): FoundMark[] {
  if (letters.length === 0) return []
  const columns = width / lineSteps
  const ink = inkOf(planes, width)
  const found: FoundMark[] = []
  for (const [at, letter] of letters.entries()) {
    if (!isMarkable(letter)) continue
    const { mark, likelihood } = seen(patchAt(ink, width, columnOf(letter, columns)))
    if (mark === 'none' || likelihood < LEAST) continue
    const text = SIGNS[mark]
      ? READ_AS[mark]!.test(letter.text)
        ? SIGNS[mark]!
        : null
      : composed(letter.text, mark)
    if (text !== null && text !== letter.text)
      found.push({ mark, likelihood, at, text, step: null })
  }
  for (const column of unreadRuns(ink, width, letters, columns)) {
    const { mark, likelihood } = seen(patchAt(ink, width, column))
    const text = SIGNS[mark]
    if (!text || likelihood < LEAST) continue
    const next = letters.findIndex((letter) => columnOf(letter, columns) > column)
    const at = next === -1 ? letters.length : next
    found.push({ mark, likelihood, at, text, step: Math.floor(column / columns) })
  }
  return found
}

/** The letters of a line with those marks that are at least so likely. */
export function withMarks(
  letters: readonly Letter[],
  marks: readonly FoundMark[],
  isSure: (mark: FoundMark) => boolean,
): Letter[] {
  const sure = marks.filter((mark) => isSure(mark))
  const changed = letters.flatMap((letter, at) => {
    const own = sure.find((mark) => mark.at === at && mark.step === null)
    const signs = sure.filter((mark) => mark.at === at && mark.step !== null).map(signOf)
    return [...signs, own ? { ...letter, text: own.text } : letter]
  })
  const behind = sure.filter((mark) => mark.at === letters.length && mark.step !== null)
  return [...changed, ...behind.map(signOf)]
}

const signOf = ({ text, step, likelihood }: FoundMark): Letter => ({
  text,
  first: step!,
  last: step!,
  confidence: likelihood,
})
