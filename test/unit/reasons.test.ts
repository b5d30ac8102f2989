/** The tables of reasons and specs/errors.md, which is written from them. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { defineReasons, errorBody, fail, quotedReason, reasonTableOf } from '../../kernel/errors.ts'
import { REASONS } from '../../kernel/reasons.ts'
import { ERRORS_FILE, withTables } from '../../specs/errors-doc.ts'

it('specs/errors.md is what the tables say (bun run errors-doc writes it)', async () => {
  const committed = readFileSync(ERRORS_FILE, 'utf8')
  expect(await withTables(committed)).toBe(committed)
})

it('a reason is its own name on the wire', () => {
  const mine = defineReasons({
    cup_lost: { code: 'PROCESSING_FAILURE', meaning: 'The cup is lost.', fix: 'Try again.' },
  })
  const failure = fail('PROCESSING_FAILURE', 'Lost', { details: { reason: mine.cup_lost } })
  expect(errorBody(failure, 'r').error.details).toEqual({ reason: 'cup_lost' })
  expect(reasonTableOf(mine)?.['cup_lost']?.code).toBe('PROCESSING_FAILURE')
})

it('fail takes only reasons of a table, with a code that the table gives them', () => {
  // @ts-expect-error a text is of no table
  fail('TIMEOUT', 'late', { details: { reason: 'slow_upload' } })
  // @ts-expect-error slow_upload comes with TIMEOUT
  fail('INVALID_INPUT', 'late', { details: { reason: REASONS.slow_upload } })
  fail('INVALID_INPUT', 'gone', { details: { reason: REASONS.aborted } })
  fail('TIMEOUT', 'gone', { details: { reason: REASONS.aborted } })
  const quoted = fail('PAYMENT_FAILED', 'no', { details: { reason: quotedReason('theirs') } })
  expect(quoted.details).toEqual({ reason: 'theirs' })
})
