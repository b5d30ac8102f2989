/** Skills of the unit tests: they count how often they ran. */
import { Type } from 'typebox'
import { fail } from '../../../../kernel/errors.ts'
import type { MountedSkill } from '../../../../kernel/plugins/catalog.ts'
import { mount } from '../../../support/metering.ts'

export interface Counted {
  runs: number
}

/** `work.echo` (10,000 atomic) and friends. */
export function skills(counted: Counted): MountedSkill[] {
  const input = Type.Object({ text: Type.String() }, { additionalProperties: false })
  const echo = mount({
    id: 'work.echo',
    title: 'Echo',
    input,
    output: Type.Object({ text: Type.String() }),
    example: { input: { text: 'hi' } },
    handler: async (_ctx, { text }: { text: string }) => {
      counted.runs++
      return { ok: true, output: { text } }
    },
  })
  const broken = mount({
    id: 'work.broken',
    handler: async () => {
      counted.runs++
      return fail('UPSTREAM_FAILURE', 'The upstream is down', { headers: { 'retry-after': '7' } })
    },
  })
  const image = mount({
    id: 'work.image',
    output: Type.Object({ image_base64: Type.String(), content_type: Type.String() }),
    handler: async () => ({
      ok: true,
      output: { image_base64: 'aGk=', content_type: 'image/png', width: 1 },
    }),
  })
  const slow = mount({
    id: 'work.slow',
    handler: async (ctx) => {
      const steps =
        counted.runs === -2 ? Array.from({ length: 5000 }, (_, i) => i + 1) : [1, 2, 2, 3]
      for (const progress of steps) ctx.progress({ progress, total: 3, message: 'page' })
      if (!ctx.signal.aborted && counted.runs === -1) {
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
      }
      return { ok: true, output: { done: true } }
    },
  })
  const named = (mounted: MountedSkill, name: string): MountedSkill => ({
    ...mounted,
    tools: [{ name }],
  })
  return [
    named(echo, 'work.echo'),
    named(broken, 'work.broken'),
    named(image, 'work.image'),
    named(slow, 'work.slow'),
  ]
}
