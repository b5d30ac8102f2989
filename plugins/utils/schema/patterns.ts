/** Patterns of callers' schemas: a verdict is sold, so one that the engine may have given up on is none. */
import { LinearRegExp, linearPatterns } from '#patterns'

/** The engine gives up after hundreds of milliseconds; honest patterns need one or two for a million characters. */
const DECIDED_MS = 50

/** A pattern whose `test` throws where the answer is not sure. */
class DecidedRegExp extends LinearRegExp {
  override test(value: string): boolean {
    if (!this.mayGiveUp) return super.test(value)
    const startMs = performance.now()
    if (super.test(value)) return true
    if (performance.now() - startMs < DECIDED_MS) return false
    // The machine may have stood still meanwhile: what the engine computes is what tells.
    const before = process.cpuUsage()
    if (super.test(value)) return true
    if (process.cpuUsage(before).user / 1000 < DECIDED_MS) return false
    const shown = this.source.length > 100 ? `${this.source.slice(0, 100)}…` : this.source
    throw new Error(`the pattern ${shown} backtracks too much for a value to be decided`)
  }
}

/** Runs work in which each `new RegExp` is linear and decided, or throws; see `linearPatterns`. */
export const decidedPatterns = () => linearPatterns(DecidedRegExp)
