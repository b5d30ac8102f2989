/** What `/ready` says when the clocks of a gateway and of its database differ. */
import { expect, it } from 'vitest'
import { clockCheck } from '../../../host/status/clock-check.ts'

const NOON = Date.parse('2026-11-29T12:00:00Z')

/** The check of a machine whose clock shows `sent` and `heard` around an answer of noon. */
function probe(sentMs: number, heardMs: number) {
  const shown = [sentMs, heardMs]
  const check = clockCheck(
    async () => new Date(NOON),
    () => NOON + shown.shift()!,
  )
  return check.probe(new AbortController().signal)
}

it.each([
  [-3_600_000, "this machine's clock is 3600 s behind the database's: set both by NTP"],
  [11_000, "this machine's clock is 11 s ahead of the database's: set both by NTP"],
])('a clock that is off by %i ms degrades it', async (offMs, detail) => {
  expect(await probe(offMs, offMs)).toEqual({ state: 'degraded', detail })
})

it.each([
  [0, 0],
  [-9000, -9000],
  [9000, 9000],
  // The answer took a minute.
  [-30_000, 30_000],
])('%i ms before the answer and %i ms after it are no difference', async (sentMs, heardMs) => {
  expect(await probe(sentMs, heardMs)).toEqual({ state: 'ok' })
})
