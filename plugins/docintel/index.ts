/** Document intelligence: receipts and invoices to JSON. Loaded by products that name it. */
import { Type } from 'typebox'
import { definePlugin } from '#kernel'
import { MODEL_VARIABLES, modelSettings } from '#skillkit'
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
  variables: MODEL_VARIABLES,
  setup: (env) => ({ skills: docintelSkills(modelSettings(env)) }),
})
export type { DocintelConfig }
