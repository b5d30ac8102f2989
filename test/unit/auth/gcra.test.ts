import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Gcra } from '../../../kernel/auth/gcra.ts'

describe('GCRA', () => {
  it('allows a burst at once and then one call per interval', () => {
    const bucket = new Gcra(100, 3)
    expect([1, 2, 3, 4].map(() => bucket.take(0))).toEqual([true, true, true, false])
    expect(bucket.waitMs(0)).toBe(100)
    expect(bucket.remaining(0)).toBe(0)
    expect(bucket.take(99)).toBe(false)
    expect(bucket.take(100)).toBe(true)
    expect(bucket.take(100)).toBe(false)
    expect(bucket.remaining(10_000)).toBe(3)
  })

  it('never allows more than burst + elapsed / interval in any window', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 200 }),
        (intervalMs, burst, gaps) => {
          const bucket = new Gcra(intervalMs, burst)
          let nowMs = 0
          const allowedAt: number[] = []
          for (const gap of gaps) {
            nowMs += gap
            const couldTake = bucket.remaining(nowMs) > 0
            const waitMs = bucket.waitMs(nowMs)
            expect(couldTake).toBe(waitMs === 0)
            if (bucket.take(nowMs)) allowedAt.push(nowMs)
          }
          allowedAt.forEach((startMs, first) => {
            allowedAt.slice(first).forEach((endMs, more) => {
              expect(more + 1).toBeLessThanOrEqual(
                burst + Math.floor((endMs - startMs) / intervalMs),
              )
            })
          })
        },
      ),
    )
  })
})
