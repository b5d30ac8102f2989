/** The x402 rail. */
import { Type } from 'typebox'
import { definePlugin } from '#kernel'
import { contradictions, setupFindings, VARIABLES } from './variables.ts'

export default definePlugin({
  id: 'x402',
  version: '1.0.0',
  kernel: '^1.0.0',
  config: Type.Object({}, { additionalProperties: false }),
  variables: VARIABLES,
  contradictions,
  setupFindings,
  setup: () => ({}),
})
