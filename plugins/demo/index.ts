/** Three small paid skills: the first call a newcomer buys, and the example to copy. */
import { createHash } from 'node:crypto'
import { definePlugin, defineSkill, PURE } from '#kernel'
import { Type } from 'typebox'
import { demoCommand } from './command.ts'

const Echo = Type.Object(
  { message: Type.Optional(Type.String({ description: 'Any text' })) },
  { additionalProperties: true, description: 'Any JSON object; it comes back as it is' },
)
export const echo = defineSkill({
  id: 'demo.echo',
  tools: [{ name: 'demo.echo' }],
  title: 'Echo',
  description: 'Returns the JSON object it was sent.',
  input: Echo,
  output: Type.Object({}, { additionalProperties: true }),
  annotations: PURE,
  example: { input: { message: 'hello' }, output: { message: 'hello' } },
  handler: async (_, input) => ({ ok: true, output: input }),
})

export const hash = defineSkill({
  id: 'demo.hash',
  tools: [{ name: 'demo.hash' }],
  title: 'SHA-256',
  description: 'Returns the SHA-256 of a text (of its UTF-8 bytes), in hex.',
  input: Type.Object(
    { input: Type.String({ description: 'The text to hash' }) },
    { additionalProperties: false },
  ),
  output: Type.Object({
    algorithm: Type.Literal('sha256'),
    hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  }),
  annotations: PURE,
  example: {
    input: { input: 'hello' },
    output: {
      algorithm: 'sha256',
      hash: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    },
  },
  handler: async (_, { input }) => ({
    ok: true,
    output: {
      algorithm: 'sha256' as const,
      hash: createHash('sha256').update(input).digest('hex'),
    },
  }),
})

export const health = defineSkill({
  id: 'demo.health',
  tools: [{ name: 'demo.health' }],
  title: 'Paid ping',
  description: 'Answers that the paid path works, with the time of the gateway.',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({ status: Type.Literal('ok'), at: Type.String({ format: 'date-time' }) }),
  annotations: PURE,
  example: { input: {}, output: { status: 'ok', at: '2026-01-01T00:00:00.000Z' } },
  handler: async (ctx) => ({
    ok: true,
    output: { status: 'ok' as const, at: ctx.now().toISOString() },
  }),
})

export default definePlugin({
  id: 'demo',
  version: '1.0.0',
  kernel: '^1.0.0',
  config: Type.Object({}, { additionalProperties: false }),
  commands: [demoCommand],
  setup: () => ({ skills: [echo, hash, health] }),
})
