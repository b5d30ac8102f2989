/** What an operator is told to do when the embedded server does not start. */
import { expect, test } from 'vitest'
import { notStarted } from '../../../host/embedded-postgres/server.ts'
import type { Place } from '../../../host/embedded-postgres/place.ts'

const place = { logFile: '/data/postgres.log' } as Place

test('a cluster of another major version is not to be waited for', () => {
  const exit = 'FATAL:  database files are incompatible with server'
  expect(notStarted(exit, place).fix).toMatch(/version of Coinop that made this DATA_DIR/)
  expect(notStarted('it was not ready within 60 s', place).fix).toMatch(/start again later/)
})
