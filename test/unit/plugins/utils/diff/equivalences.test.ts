import { expect, test } from 'vitest'
import { compareDocuments } from '../../../../../plugins/utils/diff/compare.ts'
import { validate } from '../../../../../plugins/utils/schema/validate.ts'
import { EQUIVALENCES } from './cases/equivalences.ts'

function isBreaking(before: unknown, after: unknown, direction: 'request' | 'response'): boolean {
  const outcome = compareDocuments({ before, after, direction, format: 'json-schema', now: 0 })
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  return outcome.breaking
}

function accepts(schema: unknown, value: unknown): boolean {
  const outcome = validate(schema, value)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  return outcome.valid
}

for (const { name, one, other, witness } of EQUIVALENCES) {
  test(`${name}: ${witness ? 'found to differ' : 'the same in other words'}`, () => {
    const verdicts = [isBreaking(one, other, 'request'), isBreaking(other, one, 'request')]
    const reversed = [isBreaking(other, one, 'response'), isBreaking(one, other, 'response')]
    expect(reversed).toEqual(verdicts)
    if (!witness) {
      expect(verdicts).toEqual([false, false])
      return
    }
    const taken = [one, other].map((schema) => accepts(schema, witness.value))
    expect(taken.filter(Boolean)).toHaveLength(1)
    // What the first accepts and the second refuses breaks on the way from the first to the second.
    expect(verdicts[taken[0] ? 0 : 1]).toBe(true)
  })
}
