/** Words of tilted lines as upright boxes of a level page. */
import type { BoxedWord } from './contract.ts'
import { halfTurn } from './boxes.ts'
import type { ReadWord } from './decode.ts'
import type { TextBox } from './pixels.ts'

export interface LevelPage {
  words: BoxedWord[]
  width: number
  height: number
}

interface Line {
  box: TextBox
  words: ReadWord[]
}

/** Lines of fewer heights say little about the slope. */
const LONG = 4

/**
 * The page turned by `direction`, so that its text runs to the right. What tilt is left changes
 * linearly over a page seen in perspective, and is taken out of the words' heights.
 */
export function level(
  lines: readonly Line[],
  direction: number,
  page: { width: number; height: number },
): LevelPage {
  const cos = Math.cos(direction)
  const sin = Math.sin(direction)
  const width = Math.abs(page.width * cos) + Math.abs(page.height * sin)
  const height = Math.abs(page.width * sin) + Math.abs(page.height * cos)
  const placed = lines.map(({ box, words }) => {
    const dx = box.cx - page.width / 2
    const dy = box.cy - page.height / 2
    return {
      words,
      box,
      cx: dx * cos + dy * sin,
      cy: dy * cos - dx * sin,
      slope: Math.tan(halfTurn(box.angle - direction)),
    }
  })
  const slopeAt = slopesOf(
    placed
      .filter(({ box }) => box.width > LONG * box.height)
      .map(({ cy, slope, box }) => ({ at: cy, slope, weight: box.width })),
  )
  const words: BoxedWord[] = []
  for (const { words: own, box, cx, cy } of placed) {
    const middle = cy - slopeAt(cy) * cx + height / 2
    for (const word of own)
      words.push({
        text: word.text,
        x0: cx + (word.from - 0.5) * box.width + width / 2,
        x1: cx + (word.to - 0.5) * box.width + width / 2,
        y0: middle - box.height / 2,
        y1: middle + box.height / 2,
        confidence: word.confidence,
      })
  }
  return { words, width: Math.round(width), height: Math.round(height) }
}

interface Sample {
  at: number
  slope: number
  weight: number
}

/** Weighted least squares of slopes over the height of the page; 0 where nothing tells. */
function slopesOf(samples: readonly Sample[]): (at: number) => number {
  const total = samples.reduce((sum, s) => sum + s.weight, 0)
  if (samples.length < 3) return () => 0
  const meanAt = samples.reduce((sum, s) => sum + s.at * s.weight, 0) / total
  const meanSlope = samples.reduce((sum, s) => sum + s.slope * s.weight, 0) / total
  const spread = samples.reduce((sum, s) => sum + s.weight * (s.at - meanAt) ** 2, 0)
  const joint = samples.reduce(
    (sum, s) => sum + s.weight * (s.at - meanAt) * (s.slope - meanSlope),
    0,
  )
  const change = spread > 0 && samples.length >= 6 ? joint / spread : 0
  return (at) => meanSlope + change * (at - meanAt)
}
