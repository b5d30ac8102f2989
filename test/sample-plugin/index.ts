/** A third-party plugin as a stranger would write it from specs/plugin-guide.md. */
import { definePlugin, defineSkill, fail, repeat, type Background } from '@coinop/gateway'
import { Type } from 'typebox'

const count = defineSkill({
  id: 'words.count',
  tools: [{ name: 'words.count' }],
  title: 'Count words',
  description: 'How many words a text has; refuses texts with a forbidden word.',
  input: Type.Object({ text: Type.String({ maxLength: 10_000 }) }, { additionalProperties: false }),
  output: Type.Object({ words: Type.Integer(), times: Type.Integer() }),
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  example: { input: { text: 'two words' }, output: { words: 2, times: 1 } },
  check(_ctx, input) {
    return input.text.trim() === '' ? fail('INVALID_INPUT', 'The text is empty') : undefined
  },
  async handler(ctx, input) {
    if (input.text.includes('explode')) throw new Error('this text never leaves the plugin')
    const [row] = await ctx.db.query<{ times: number }>(
      `INSERT INTO counted (text) VALUES ($1)
       ON CONFLICT (text) DO UPDATE SET times = counted.times + 1 RETURNING times`,
      [input.text],
    )
    return { ok: true, output: { words: input.text.trim().split(/\s+/).length, times: row!.times } }
  },
})

export default definePlugin({
  id: 'words',
  version: '1.0.0',
  kernel: '^1.0.0',
  config: Type.Object({ language: Type.String({ default: 'en' }) }),
  migrations: [
    {
      id: '1-counted',
      up: 'CREATE TABLE counted (text text PRIMARY KEY, times integer NOT NULL DEFAULT 1)',
    },
  ],
  setup(env) {
    let texts = 0
    let counting: Background | undefined
    const countTexts = async (): Promise<void> => {
      const [row] = await env.db.query<{ texts: number }>(
        'SELECT count(*)::int AS texts FROM counted',
      )
      texts = row!.texts
    }
    return {
      skills: [count],
      routes: [
        {
          method: 'GET',
          path: '/v1/words/texts', // below the product's base_path
          auth: 'public',
          summary: 'How many texts were counted',
          handler: async () => Response.json({ texts }),
        },
      ],
      gauges: [{ name: 'words_texts', help: 'Texts that were counted', read: () => texts }],
      async ready() {
        const everyMs = 10_000
        counting = repeat({ name: 'words', everyMs, atOnce: true, log: env.log }, countTexts)
      },
      stop: async () => counting?.stop(),
    }
  },
})
