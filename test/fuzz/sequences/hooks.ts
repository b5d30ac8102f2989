/** The destinations that webhooks of sequences go to, and the product file of the relay. */

/** As shipped, but what failed is tried again at once. */
export const RELAY_FILE = `product_id: webinfra
base_path: /v1/webinfra
plugin: webinfra
metered: true
config: { scheduleMs: [20] }
skills:
  - { skill: webinfra.webhook_ingress, route: 'POST /endpoints/{id}/ingress', tool: relay.webhook, price: { credits: 0.01 } }
  - { skill: webinfra.webhook_replay, route: 'POST /deliveries/{id}/replay', tool: replay.webhook, price: { credits: 0.01 } }
`

/** Takes everything, fails the first time, or is gone (410). */
export type Behaviour = 'takes' | 'flaky' | 'gone'

export interface Hooks {
  /** `127.0.0.1:port`, which the gateway has to allow. */
  target: string
  urlOf(endpoint: string, behaviour: Behaviour): string
  /** How often the delivery came to where it is taken. */
  taken(deliveryId: string): number
  stop(): void
}

export function startHooks(): Hooks {
  const taken = new Map<string, number>()
  const failed = new Set<string>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      await request.bytes()
      const id = request.headers.get('webhook-id') ?? ''
      const [, behaviour] = new URL(request.url).pathname.split('/')
      if (behaviour === 'gone') return new Response(null, { status: 410 })
      if (behaviour === 'flaky' && !failed.has(id)) {
        failed.add(id)
        return new Response(null, { status: 500 })
      }
      taken.set(id, (taken.get(id) ?? 0) + 1)
      return new Response('ok')
    },
  })
  return {
    target: `127.0.0.1:${server.port}`,
    urlOf: (endpoint, behaviour) => `http://127.0.0.1:${server.port}/${behaviour}/${endpoint}`,
    taken: (deliveryId) => taken.get(deliveryId) ?? 0,
    stop: () => void server.stop(true),
  }
}
