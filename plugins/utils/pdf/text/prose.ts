/** Whether lines are running text, for those who keep it out of columns and tables. */
import type { Line } from './lines.ts'

interface Figures {
  /** Characters of a line on average. */
  characters: number
  /** Lines that fill the width of all of them. */
  full: number
  /** Lines that go on in small letters. */
  goesOn: number
}

/** `share` of the width makes a line full. */
function figuresOf(lines: readonly Line[], share: number): Figures {
  const width = Math.max(...lines.map((l) => l.u1)) - Math.min(...lines.map((l) => l.u0))
  return {
    characters: lines.reduce((n, l) => n + l.text.length, 0) / lines.length,
    full: lines.filter((l) => l.u1 - l.u0 > share * width).length,
    goesOn: lines.slice(1).filter((l) => /^["'(“‘]?\p{Ll}/u.test(l.text)).length,
  }
}

/** Long lines that fill the width of their block: a column of prose. */
export function isProse(lines: readonly Line[]): boolean {
  const { characters, full } = figuresOf(lines, 0.75)
  return characters >= 22 && full >= 0.6 * lines.length
}

/** Running text: at least five full lines that mostly go on in small letters. */
export function isRunning(lines: readonly Line[]): boolean {
  if (lines.length < 5) return false
  const { characters, full, goesOn } = figuresOf(lines, 0.7)
  return characters >= 18 && full >= 0.6 * lines.length && goesOn >= 0.5 * (lines.length - 1)
}

/** Running text, or a paragraph of three or four lines that is plainly one: no rows of a table. */
export function isParagraph(lines: readonly Line[]): boolean {
  if (lines.length < 3) return false
  if (isRunning(lines)) return true
  const { characters, full, goesOn } = figuresOf(lines, 0.7)
  const isSure = lines.length >= 4 || goesOn === lines.length - 1
  return (
    isSure && characters >= 28 && full >= 0.6 * lines.length && goesOn >= 0.4 * (lines.length - 1)
  )
}
