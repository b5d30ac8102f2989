/** `coinop openapi`: the OpenAPI document of a running gateway, printed or written to a file. */
import type { Command } from '../command.ts'
import { EXIT } from '../../plugins/command.ts'
import { say, warn } from '../output.ts'

export const documentCommands: readonly Command[] = [
  {
    name: 'openapi',
    usage: 'openapi [--write FILE]',
    summary: 'print the OpenAPI document of the running gateway',
    options: { write: { type: 'string' } },
    async run({ config, options }) {
      const response = await fetch(`${config.publicUrl}/openapi.json`).catch(() => null)
      if (!response?.ok) {
        warn(`No gateway answers at ${config.publicUrl}: start one first`)
        return EXIT.unavailable
      }
      const text = `${JSON.stringify(await response.json(), null, 2)}\n`
      if (typeof options['write'] === 'string') await Bun.write(options['write'], text)
      else say(text.trimEnd())
      return EXIT.ok
    },
  },
]
