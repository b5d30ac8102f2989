/** A plugin that fails at the step its configuration names, and tells what was called. */
import { Type } from 'typebox'
import { definePlugin, defineSkill, type Plugin } from '../../../kernel/index.ts'

/** Calls in their order: 'setup', 'ready', 'stop' with the tag of the configuration. */
export function misbehaving(calls: string[]): Plugin {
  const skill = defineSkill({
    id: 'odd.work',
    tools: [{ name: 'odd.work' }],
    title: 'Work',
    description: 'Works.',
    input: Type.Object({}),
    output: Type.Object({}),
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    handler: async () => ({ ok: true, output: {} }),
  })
  return definePlugin({
    id: 'odd',
    version: '1.0.0',
    kernel: '^1.0.0',
    config: Type.Object(
      {
        fails: Type.Optional(Type.Enum(['setup', 'ready', 'stop'])),
        tag: Type.String({ default: 'untagged' }),
      },
      { additionalProperties: false },
    ),
    setup({ config }) {
      const step = (name: 'setup' | 'ready' | 'stop'): void => {
        calls.push(`${name} ${config.tag}`)
        if (config.fails === name) throw new Error(`refuses to ${name}`)
      }
      step('setup')
      return {
        skills: [skill],
        ready: async () => step('ready'),
        stop: async () => step('stop'),
      }
    },
  }) as unknown as Plugin
}

/** A spec of it. */
export function odd(config: string, changes = ''): string {
  return `product_id: odd
plugin: odd
config: ${config}
${changes}
skills:
  - { skill: odd.work, route: POST /work, price: { credits: 1 } }
`
}
