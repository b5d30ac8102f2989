/**
 * Callers of all kinds at once: paid calls with and without Idempotency-Key, tools, webhooks to a
 * destination that fails now and then, refused calls, calls without payment, free routes.
 */
import { newId } from '../../../kernel/ids.ts'
import type { Answer, GatewayProcess } from '../../support/gateway.ts'
import { destinationServer } from '../../support/webinfra-destinations.ts'

export interface MixedLoad {
  /** Answers as they should be, by kind. */
  readonly answered: ReadonlyMap<string, number>
  /** Answers that should not have come. */
  readonly failed: readonly string[]
  /** Resolves when all callers have stopped. */
  stop(): Promise<void>
}

/** What the gateway must have in its environment. */
export const MIXED_LOAD_ENV = { ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' }

interface Kind {
  name: string
  /** How many of 20 calls. */
  share: number
  expected: readonly number[]
  send(n: number, key: string): Promise<Answer>
}

const KEYS = 10
const FAILED_KEPT = 20

/** Each caller waits `pauseMs` after each answer. */
export async function mixedLoad(
  gateway: GatewayProcess,
  callers: number,
  pauseMs = 0,
): Promise<MixedLoad> {
  const destination = await destinationServer()
  let arrived = 0
  destination.answer(() => {
    // What it got is of no interest here, and would be the leak.
    destination.got.length = 0
    return (arrived += 1) % 10 === 0 ? 500 : 200
  })
  const keys = await Promise.all(Array.from({ length: KEYS }, () => gateway.key(1_000_000)))
  const made = await gateway.admin('POST', '/v1/admin/webinfra/endpoints', {
    name: 'soak',
    apiKeyId: keys[0]!.id,
    verification: { scheme: 'none' },
    destinations: [{ url: destination.url }],
  })
  if (made.status !== 201) throw new Error(`no endpoint: ${made.text}`)
  const ingress = `/v1/webinfra/endpoints/${made.json.id}/ingress`
  const tool = { name: 'demo.hash', arguments: { input: 'soak' } }
  const kinds: readonly Kind[] = [
    {
      name: 'paid',
      share: 8,
      expected: [200],
      send: (n, key) =>
        gateway.call('POST', '/v1/paid/hash', {
          body: { input: `soak ${n}` },
          headers: { 'x-api-key': key, ...(n % 3 === 0 && { 'idempotency-key': newId() }) },
        }),
    },
    {
      name: 'tool',
      share: 3,
      expected: [200],
      send: (_n, key) =>
        gateway.call('POST', '/mcp', {
          body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool },
          headers: { 'x-api-key': key, accept: 'application/json, text/event-stream' },
        }),
    },
    {
      name: 'webhook',
      share: 3,
      expected: [200],
      send: (n, key) =>
        gateway.call('POST', ingress, { body: { n }, headers: { 'x-api-key': key } }),
    },
    {
      name: 'unpaid',
      share: 2,
      expected: [402],
      send: () => gateway.call('POST', '/v1/paid/hash', { body: { input: 'unpaid' } }),
    },
    {
      name: 'refused',
      share: 1,
      expected: [400],
      send: (_n, key) =>
        gateway.call('POST', '/v1/paid/hash', { body: {}, headers: { 'x-api-key': key } }),
    },
    {
      name: 'balance',
      share: 1,
      expected: [200],
      send: (_n, key) =>
        gateway.call('GET', '/v1/credits/balance', { headers: { 'x-api-key': key } }),
    },
    { name: 'health', share: 2, expected: [200], send: () => gateway.call('GET', '/health') },
  ]
  const turns = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind))
  const answered = new Map<string, number>()
  const failed: string[] = []
  const over = new AbortController()
  const calling = Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let n = caller; !over.signal.aborted; n++) {
        const kind = turns[(n * 7) % turns.length]!
        const answer = await kind.send(n, keys[n % KEYS]!.key)
        if (kind.expected.includes(answer.status))
          answered.set(kind.name, (answered.get(kind.name) ?? 0) + 1)
        else if (failed.length < FAILED_KEPT)
          failed.push(`${kind.name} ${answer.status} ${answer.text.slice(0, 200)}`)
        if (pauseMs > 0) await Bun.sleep(pauseMs)
      }
    }),
  )
  return {
    answered,
    failed,
    async stop() {
      over.abort()
      await calling
      await destination.close()
    },
  }
}
