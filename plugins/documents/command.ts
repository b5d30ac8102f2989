/** `coinop openapi`: the OpenAPI document of a running gateway, printed or written to a file. */
import { EXIT, type PluginCommand } from '#kernel'
import { writeFileSync } from 'node:fs'

export const openApiCommand: PluginCommand = {
  name: 'openapi',
  usage: 'openapi [--write FILE]',
  summary: 'print the OpenAPI document of the running gateway',
  options: { write: { type: 'string' } },
  async run({ publicUrl, options, say, warn }) {
    const response = await fetch(`${publicUrl}/openapi.json`).catch(() => null)
    if (!response?.ok) {
      warn(`No gateway answers at ${publicUrl}: start one first`)
      return EXIT.unavailable
    }
    const text = `${JSON.stringify(await response.json(), null, 2)}\n`
    if (typeof options['write'] === 'string') writeFileSync(options['write'], text)
    else say(text.trimEnd())
    return EXIT.ok
  },
}
