import type { Turn } from '../read/marks.ts'

/**
 * A run of glyphs without a gap. `u` runs along the writing and `v` across it, downwards seen by
 * the reader, so that lines of every turn are built alike; `box` is on the upright page.
 */
export interface Word {
  text: string
  u0: number
  u1: number
  /** Baseline. */
  v: number
  size: number
  turn: Turn
  vertical: boolean
  font: string
  /** Start of each glyph along u, and its text; ends at u1. */
  starts: number[]
  parts: string[]
}
