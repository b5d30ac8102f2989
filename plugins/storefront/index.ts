/**
 * The pages for whoever comes without an account: what is sold at `/`, the API reference at /docs, a
 * page for each product and skill. They need no product file; STOREFRONT=false takes them away.
 */
import { definePlugin, flag } from '#kernel'
import { Type } from 'typebox'
import { plainFront } from './plain-front.ts'
import { storefrontPages } from './serve.ts'

const STOREFRONT = flag('STOREFRONT', true)

export default definePlugin({
  id: 'storefront',
  version: '1.0.0',
  kernel: '^1.2.0',
  config: Type.Object({}, { additionalProperties: false }),
  variables: [STOREFRONT],
  requires: ['catalog', 'documents'],
  // Nothing that a product could mount.
  setup: () => ({}),
  gateway(env) {
    const catalog = env.service('catalog')
    const documents = env.service('documents')
    const { operator } = documents
    if (!env.variable(STOREFRONT)) return plainFront(operator.name, env.publicUrl)
    return storefrontPages({
      publicUrl: env.publicUrl,
      facts: (url) => ({
        publicUrl: env.publicUrl,
        isSandbox: env.sandbox,
        operator,
        snapshot: catalog.current(),
        rails: documents.rails(),
        homes: documents.homes(url),
        accountPath: documents.accountPage()?.path ?? null,
      }),
      openapi: () => documents.openapi(),
      llms: () => documents.llms(),
      readiness: () => documents.readiness(),
    })
  },
})
