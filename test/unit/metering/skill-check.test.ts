import { expect, it } from 'vitest'
import { fail, GatewayError } from '../../../kernel/errors.ts'
import { checkInput, type SkillCall } from '../../../kernel/metering/skill-runner.ts'
import type { MountedSkill } from '../../../kernel/plugins/catalog.ts'
import type { Skill } from '../../../kernel/plugins/skill.ts'

const CALL = { requestId: 'one', caller: {}, signal: null } as SkillCall

/** What a call is told whose skill has this check, and what the log has of it. */
async function told(check: NonNullable<Skill['check']>) {
  const logged: unknown[] = []
  const log = { error: (_facts: object, message: string) => void logged.push(message) }
  const skill = { id: 'odd.work', check }
  const mounted = { skill, env: { log }, limits: { timeoutMs: 1000 } } as unknown as MountedSkill
  return { told: await checkInput(mounted, {}, CALL), logged }
}

it.each([
  [
    'throws',
    () => {
      throw new Error('no')
    },
  ],
  ['rejects', () => Promise.reject(new Error('no'))],
])('a check that %s is a failure of the skill', async (_how, check) => {
  expect(await told(check)).toEqual({
    told: fail('INTERNAL_ERROR', 'The skill failed unexpectedly; nothing was charged'),
    logged: ['skill threw'],
  })
})

it('a refusal that a check throws is the answer, whether it is thrown at once or later', async () => {
  const refusal = new GatewayError(fail('INVALID_INPUT', 'Taken'))
  const atOnce = await told(() => {
    throw refusal
  })
  const later = await told(() => Promise.reject(refusal))
  expect(atOnce).toEqual({ told: refusal.failure, logged: [] })
  expect(later).toEqual(atOnce)
})
