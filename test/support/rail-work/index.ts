/** What the rail suite sells: work that it can hold up, make fail and count, by files of a folder. */
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { definePlugin, defineSkill, fail, PURE } from '@coinop/gateway'
import { Type } from 'typebox'

const Input = Type.Object({ text: Type.String({ minLength: 1 }) }, { additionalProperties: false })
const Output = Type.Object({ length: Type.Integer(), token: Type.String() })

const run = defineSkill<typeof Input, typeof Output, { folder: string }>({
  id: 'work.run',
  tools: [{ name: 'work.run' }],
  title: 'Work',
  description: 'Says how long a text is.',
  input: Input,
  output: Output,
  annotations: PURE,
  example: { input: { text: 'hi' }, output: { length: 2, token: 'of this run' } },
  fromHttp({ headers, body }) {
    return { ...JSON.parse(new TextDecoder().decode(body)), text: seen(headers, body) }
  },
  async handler(ctx, input) {
    const file = (name: string): string => join(ctx.config.folder, name)
    appendFileSync(file('runs'), `${input.text}\n`)
    while (existsSync(file('hold'))) await Bun.sleep(10)
    if (existsSync(file('fail'))) return fail('PROCESSING_FAILURE', 'The work failed')
    return { ok: true, output: { length: input.text.length, token: crypto.randomUUID() } }
  },
})

/** The text of the body; a body that asks for headers gets a text that lists their names. */
function seen(headers: Headers, body: Uint8Array): unknown {
  const { text } = JSON.parse(new TextDecoder().decode(body)) as { text?: unknown }
  return text === 'headers' ? `headers ${[...headers.keys()].join(' ')}` : text
}

export default definePlugin({
  id: 'work',
  version: '1.0.0',
  kernel: '^1.0.0',
  config: Type.Object({ folder: Type.String() }),
  setup: () => ({ skills: [run] }),
})
