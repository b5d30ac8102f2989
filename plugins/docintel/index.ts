/** Document intelligence: receipts and invoices to JSON. Loaded by products that name it. */
import { Type } from 'typebox'
import { definePlugin } from '#kernel'
import { docintelSkills, type DocintelConfig } from './skills.ts'

export default definePlugin({
  id: 'docintel',
  version: '0.1.0',
  kernel: '^1.0.0',
  config: Type.Object(
    {
      ocr: Type.Optional(
        Type.Enum(['auto', 'embedded', 'off'], {
          default: 'auto',
          description: 'auto: the tesseract program where it is on PATH, else the embedded engine.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  secrets: ['ENRICHMENT_URL', 'ENRICHMENT_API_KEY', 'ENRICHMENT_MODEL'],
  setup(env) {
    const url = env.secret('ENRICHMENT_URL')
    const model = env.secret('ENRICHMENT_MODEL')
    const settings =
      url && model ? { url, model, apiKey: env.secret('ENRICHMENT_API_KEY') ?? null } : null
    return { skills: docintelSkills(settings) }
  },
})
export type { DocintelConfig }
