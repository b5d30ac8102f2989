/** The destinations that webhooks of sequences go to, and the product file of the relay. */
import { createHmac } from 'node:crypto'

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
  urlOf(destination: string, behaviour: Behaviour): string
  /** What comes to this destination from now on must be signed with each of these secrets, and no other. */
  signedWith(destination: string, secrets: readonly string[]): void
  /** How often the delivery came to where it is taken. */
  taken(deliveryId: string): number
  /** The body that came last. */
  bodyOf(deliveryId: string): string | null
  /** What was wrong with the signatures of the delivery; null: nothing. */
  wrongOf(deliveryId: string): string | null
  stop(): void
}

export function startHooks(): Hooks {
  const taken = new Map<string, number>()
  const bodies = new Map<string, string>()
  const wrong = new Map<string, string>()
  const secrets = new Map<string, readonly string[]>()
  const failed = new Set<string>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body = await request.text()
      const id = request.headers.get('webhook-id') ?? ''
      const [, behaviour, destination] = new URL(request.url).pathname.split('/')
      bodies.set(id, body)
      const problem = problemOf(request.headers, body, secrets.get(destination ?? '') ?? [])
      if (problem !== null) wrong.set(id, problem)
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
    urlOf: (name, behaviour) => `http://127.0.0.1:${server.port}/${behaviour}/${name}`,
    signedWith: (destination, known) => void secrets.set(destination, known),
    taken: (deliveryId) => taken.get(deliveryId) ?? 0,
    bodyOf: (deliveryId) => bodies.get(deliveryId) ?? null,
    wrongOf: (deliveryId) => wrong.get(deliveryId) ?? null,
    stop: () => void server.stop(true),
  }
}

/** Headers by which a sender signs a webhook with a secret `whsec_…` (standardwebhooks.com). */
export function signedHeaders(
  secret: string,
  { id, body, atMs = Date.now() }: { id: string; body: string; atMs?: number },
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000))
  const signature = signatureOf(secret, `${id}.${timestamp}.${body}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}

function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

function problemOf(headers: Headers, body: string, secrets: readonly string[]): string | null {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => headers.get(`webhook-${name}`) ?? '',
  )
  if (Math.abs(Date.now() - Number(timestamp) * 1000) > 300_000) return `is of ${timestamp}`
  const expected = secrets.map((secret) => signatureOf(secret, `${id}.${timestamp}.${body}`))
  const [given, wanted] = [signatures!.split(' '), expected].map((list) =>
    list.toSorted().join(' '),
  )
  return given === wanted ? null : `is signed ${given}, not ${wanted}`
}
