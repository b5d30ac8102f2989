/** The log says once that the clocks of a gateway and of its database differ. */
import { expect, test } from 'vitest'
import { notingOffset } from '../../../host/reporting/usage/clock-watch.ts'

test('clocks that differ are noted once, a slow answer is not, and a new difference is', async () => {
  let ownMs = 1_000_000
  let databaseMs = ownMs
  let answerMs = 0
  const noted: number[] = []
  const log = {
    warn: (facts: object) => noted.push((facts as { aheadSeconds: number }).aheadSeconds),
  }
  const look = notingOffset(
    async () => {
      const read = new Date(databaseMs)
      ownMs += answerMs
      return read
    },
    log as never,
    () => ownMs,
  )
  await look()
  answerMs = 60_000
  await look()
  answerMs = 0
  expect(noted).toEqual([])
  databaseMs = ownMs + 86_400_000
  await look()
  await look()
  expect(noted).toEqual([-86_400])
  databaseMs = ownMs
  await look()
  databaseMs = ownMs - 11_000
  await look()
  expect(noted).toEqual([-86_400, 11])
})
