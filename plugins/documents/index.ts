/**
 * What the gateway publishes of itself for machines: /openapi.json, /llms.txt, /v1/products,
 * /v1/prices and quotes, made from what is mounted. Part of the gateway, without a product file.
 */
import { definePlugin } from '#kernel'
import { Type } from 'typebox'
import { openApiCommand } from './command.ts'
import { documentRoutes } from './routes.ts'
import { priceRoutes } from './price-routes.ts'
import { productRoutes } from './product-routes.ts'
import { quoteRoute } from './quote-route.ts'
import { createTexts } from './texts.ts'
import { wellKnownRoutes } from './well-known.ts'

export default definePlugin({
  id: 'documents',
  version: '1.0.0',
  kernel: '^1.3.0',
  config: Type.Object({}, { additionalProperties: false }),
  requires: ['catalog', 'documents', 'quotes'],
  commands: [openApiCommand],
  // Nothing that a product could mount.
  setup: () => ({}),
  gateway(env) {
    const documents = env.service('documents')
    const catalog = env.service('catalog')
    const quotes = env.service('quotes')
    const { operator, contactEmail, version } = documents
    const texts = createTexts({
      catalog,
      documents,
      quotes,
      facts: {
        publicUrl: env.publicUrl,
        isSandbox: env.sandbox,
        operator,
        contactEmail,
        version,
      },
    })
    return {
      routes: [
        ...documentRoutes(texts),
        ...wellKnownRoutes({
          facts: { publicUrl: env.publicUrl, operator, contactEmail },
          paths: () => new Set(documents.routes().map(({ path }) => path)),
          rails: () => documents.rails(),
        }),
        ...productRoutes(catalog),
        ...priceRoutes(quotes),
        quoteRoute({ catalog, quotes, log: env.log }),
      ],
      documents: texts,
    }
  },
})
