/**
 * What the gateway publishes of itself for machines: /openapi.json and /llms.txt, made from what is
 * mounted. Part of the gateway, without a product file.
 */
import { definePlugin } from '#kernel'
import { Type } from 'typebox'
import { openApiCommand } from './command.ts'
import { documentRoutes } from './routes.ts'
import { createTexts } from './texts.ts'

export default definePlugin({
  id: 'documents',
  version: '1.0.0',
  kernel: '^1.2.0',
  config: Type.Object({}, { additionalProperties: false }),
  requires: ['catalog', 'documents'],
  commands: [openApiCommand],
  // Nothing that a product could mount.
  setup: () => ({}),
  gateway(env) {
    const documents = env.service('documents')
    const { operator, contactEmail, version } = documents
    const texts = createTexts({
      catalog: env.service('catalog'),
      documents,
      facts: {
        publicUrl: env.publicUrl,
        isSandbox: env.sandbox,
        operator,
        contactEmail,
        version,
      },
    })
    return { routes: documentRoutes(texts), documents: texts }
  },
})
