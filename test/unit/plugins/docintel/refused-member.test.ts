/** A document that cannot be read is refused at the member of the request that holds it. */
import { expect, it } from 'vitest'
import type { SkillContext } from '../../../../kernel/index.ts'
import { docintelSkills } from '../../../../plugins/docintel/skills.ts'

it.each([
  ['text', { text: '<Invoice><ID>1' }],
  ['file_base64', { file_base64: btoa('%PDF-1.7') }],
])('names %s', async (member, input) => {
  const [receipt] = docintelSkills(null)
  const value = { ok: false, code: 'UNSUPPORTED_FORMAT', message: 'cannot be read' }
  const context: Partial<SkillContext> = {
    config: {},
    timeoutMs: 60_000,
    now: () => new Date(0),
    signal: new AbortController().signal,
    jobs: { run: async () => ({ ok: true, value }) as never },
  }
  expect(await receipt!.handler(context as never, input as never)).toMatchObject({
    ok: false,
    code: 'UNSUPPORTED_FORMAT',
    details: { issues: [{ path: `/${member}`, message: 'cannot be read' }] },
  })
})
