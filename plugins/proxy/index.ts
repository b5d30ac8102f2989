/** The plugin of every product with an `upstream`: any HTTP API, sold by its routes. */
import { Type } from 'typebox'
import { definePlugin, type ProductSpec } from '#kernel'
import { catalogRoute } from './catalog.ts'
import { headerRules } from './headers.ts'
import { importCommand } from './import.ts'
import { importRoutes } from './import-routes.ts'
import { secretsOf } from './masking.ts'
import { queryRules } from './query.ts'
import { skillsOf } from './skills.ts'
import { Upstream } from './upstream.ts'

const STATE_VALUE = { closed: 0, half_open: 1, open: 2 } as const

export default definePlugin({
  id: 'proxy',
  version: '1.0.0',
  kernel: '^1.4.0',
  config: Type.Object({}, { additionalProperties: false }),
  requires: ['alerts', 'outbound'],
  commands: [importCommand],
  gateway: (env) => ({ routes: importRoutes(env) }),
  setup(env) {
    const spec = env.product.spec as unknown as ProductSpec
    if (spec.upstream === null) throw new Error('the proxy plugin is for products with `upstream`')
    const alerts = env.service('alerts')
    const secrets = secretsOf(spec.upstream.query)
    const upstream = new Upstream({
      name: spec.productId,
      spec: spec.upstream,
      secrets,
      outbound: env.service('outbound'),
      log: env.log,
      onOpen() {
        const { productId: product } = spec
        alerts
          .holds({ type: 'upstream.down', subject: product, data: { product } })
          .catch((error: unknown) => env.log.error({ err: error }, 'upstream alert not recorded'))
      },
    })
    const { basePath, pathRewrite: rewrite } = spec
    const publicPath = new URL(env.publicUrl).pathname.replace(/\/+$/, '')
    const proxy = {
      upstream,
      mount: { base: upstream.base, publicPath, basePath, rewrite },
      rules: headerRules({
        forwardHeaders: spec.upstream.forwardHeaders,
        headers: {
          ...spec.upstream.headers,
          // In what is compressed no secret can be seen.
          ...(secrets.length > 0 && { 'accept-encoding': 'identity' }),
        },
        serviceToken: spec.upstream.serviceToken,
        publicUrl: env.publicUrl,
        strippedPrefix: publicPath + (rewrite === 'strip' ? basePath : ''),
      }),
      query: queryRules(spec.upstream.query),
    }
    const catalog = catalogRoute(spec)
    return {
      routes: catalog === null ? [] : [catalog],
      skills: skillsOf(spec, proxy, spec.upstream.timeoutMs),
      health: [upstream.health()],
      gauges: [
        {
          name: 'gateway_breaker_state',
          help: 'Circuit breaker of an upstream: 0 closed, 1 half open, 2 open',
          label: 'upstream',
          read: () => new Map([[spec.productId, STATE_VALUE[upstream.state]]]),
        },
      ],
      ready: () => upstream.connect(),
      stop: async () => upstream.close(),
    }
  },
})
