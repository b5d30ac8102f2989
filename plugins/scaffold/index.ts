/** `coinop init` and `coinop plugin new`: a folder to run a gateway from, and a plugin in it. */
import { definePlugin } from '#kernel'
import { Type } from 'typebox'
import { initCommand } from './init.ts'
import { pluginNewCommand } from './plugin-new.ts'

export default definePlugin({
  id: 'scaffold',
  version: '1.0.0',
  kernel: '^1.2.0',
  config: Type.Object({}, { additionalProperties: false }),
  commands: [initCommand, pluginNewCommand],
  // Nothing that a product could mount.
  setup: () => ({}),
})
