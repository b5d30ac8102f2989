/** The graphics and text state that operators change and that q and Q keep (ISO 32000-1 8.4, 9.3). */
import type { FontView } from './fonts.ts'
import type { Matrix } from './matrix.ts'

export interface State {
  ctm: Matrix
  font: FontView | null
  fontName: string
  size: number
  charSpacing: number
  wordSpacing: number
  scale: number
  leading: number
  rise: number
  lineWidth: number
}
export const INITIAL: Omit<State, 'ctm'> = {
  font: null,
  fontName: '',
  size: 0,
  charSpacing: 0,
  wordSpacing: 0,
  scale: 1,
  leading: 0,
  rise: 0,
  lineWidth: 1,
}

/** A finite number, or the fallback for whatever else a file puts in its place. */
export function num(value: unknown, fallback = 0): number {
  const n = Number(value)
  return Number.isFinite(n) ? n : fallback
}
