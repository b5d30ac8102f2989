import { describe, expect, test } from 'vitest'
import { compareDocuments } from '../../../../../plugins/utils/diff/compare.ts'
import { CONTRADICTION_CASES } from './cases/contradictions.ts'
import { DOCUMENT_CASES } from './cases/documents.ts'
import { OPERATION_CASES } from './cases/operations.ts'
import { SCHEMA_CASES } from './cases/schemas.ts'
import { NEWER_OPENAPI_CASES } from './cases/newer-openapi.ts'
import { STRUCTURE_CASES } from './cases/structure.ts'

const NOW = Date.UTC(2026, 0, 1)

describe.each([
  ['schemas', SCHEMA_CASES],
  ['structure', STRUCTURE_CASES],
  ['OpenAPI 3.2', NEWER_OPENAPI_CASES],
  ['operations', OPERATION_CASES],
  ['contradictions', CONTRADICTION_CASES],
  ['documents', DOCUMENT_CASES],
])('%s', (_, cases) => {
  test.each(cases)('$name', ({ before, after, expect: expected, direction }) => {
    const outcome = compareDocuments({ before, after, direction, now: NOW })
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
    const reported = outcome.changes.map(({ level, id }) => `${level} ${id}`)
    expect(reported.sort()).toEqual([...expected].sort())
    const certain = expected.some((line) => !line.startsWith('info'))
    expect(outcome.breaking).toBe(certain)
  })

  test.each(cases)('$name, with itself: nothing', ({ before, direction }) => {
    const outcome = compareDocuments({
      before,
      after: structuredClone(before),
      direction,
      now: NOW,
    })
    expect(outcome).toMatchObject({ ok: true, breaking: false, changes: [] })
  })
})
