/** The program of the tests themselves: without its compiled form each of its starts takes longer. */
import { existsSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { PATIENT } from '../../support/patience.ts'
import { program, SOURCE_PROGRAM } from '../../support/program.ts'

it('has its compiled form beside it, where Bun looks for it', async () => {
  // Another file's worker may be making it.
  await vi.waitUntil(() => program()[1] !== SOURCE_PROGRAM, PATIENT)
  expect(existsSync(`${program()[1]}.jsc`)).toBe(true)
})
