/**
 * Senders of webhooks to destinations that drip: one that never ends its answer's head, one that
 * never ends the body of its 200, one that says nothing, one whose body has no end. What was accepted
 * must be stored once, end by its schedule, and each success must be charged once.
 */
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { newId } from '../../../kernel/ids.ts'
import { connectDatabase } from '../../../host/database/connect.ts'
import { seeded } from '../../support/docintel-fixtures/random.ts'
import { silentLog } from '../../support/log.ts'
import { productsIn } from '../../support/products.ts'
import type { OtherCallers } from './shop.ts'

const SENDERS = 4
const MAX_ATTEMPTS = 4
const DRIP_MS = 50
const GIVE_UP_MS = 180_000
const KINDS = ['head', 'body', 'silence', 'flood'] as const
type Kind = (typeof KINDS)[number]

export interface DrippingDestination {
  url: string
  kind: Kind
  /** From now on it answers 200 at once. */
  behave(): void
  close(): void
}

export const drippingDestinations = (): Promise<DrippingDestination[]> =>
  Promise.all(KINDS.map(drippingDestination))

async function drippingDestination(kind: Kind): Promise<DrippingDestination> {
  let isWell = false
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    const drips: NodeJS.Timeout[] = []
    const drip = (bytes: string): void => {
      drips.push(setInterval(() => socket.write(bytes), DRIP_MS))
    }
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      open.delete(socket)
      for (const timer of drips) clearInterval(timer)
    })
    socket.once('data', () => {
      if (isWell) {
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok')
        return
      }
      if (kind === 'silence') return
      socket.write('HTTP/1.1 200 OK\r\n')
      if (kind === 'head') return drip('x-drop: 1\r\n')
      socket.write('content-type: text/plain\r\nconnection: close\r\n\r\n')
      if (kind === 'body') return drip('.')
      const flood = (): void => {
        while (!socket.destroyed && socket.write('x'.repeat(65_536)));
      }
      socket.on('drain', flood)
      flood()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    kind,
    behave: () => (isWell = true),
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** The shipped products in `folder`, with a schedule of seconds instead of hours for the relay. */
export function productsWithQuickRelay(folder: string): string {
  const config =
    'config: { scheduleMs: [500, 1000, 2000], pollMs: 100, answerWithinMs: 100, leaseMarginMs: 3000 }'
  return productsIn(join(folder, 'products'), { 'webinfra.yaml': config })
}

interface Forward {
  delivery_id: string
  state: string
  attempts: number
  charged: number
}

export function sendersTo(
  destinations: readonly DrippingDestination[],
  seed: number,
): OtherCallers {
  return async (gateways, stopping, url) => {
    const { id: keyId, key } = await gateways[0]!.key(1000)
    const made = await gateways[0]!.admin('POST', '/v1/admin/webinfra/endpoints', {
      name: 'dripping',
      apiKeyId: keyId,
      verification: { scheme: 'none' },
      destinations: destinations.map((destination) => ({ url: destination.url })),
      maxAttempts: MAX_ATTEMPTS,
      timeoutMs: 800,
    })
    if (made.status !== 201) throw new Error(`no endpoint: ${made.text}`)
    const accepted = new Map<string, string>()
    const wrong: string[] = []
    let sends = 0
    await Promise.all(
      Array.from({ length: SENDERS }, async (_, i) => {
        const random = seeded(seed * 53 + i)
        for (let webhook = newId(); ;) {
          sends += 1
          const answer = await random
            .pick(gateways)
            .call('POST', `/v1/webinfra/endpoints/${made.json.id}/ingress`, {
              body: { webhook },
              headers: { 'x-api-key': key, 'x-webhook-delivery-id': webhook },
            })
            .catch(() => null)
          if (answer?.status === 200) {
            const { delivery_id: id } = answer.json
            if ((accepted.get(webhook) ?? id) !== id) wrong.push(`${webhook} has two deliveries`)
            accepted.set(webhook, id)
          } else if (answer !== null && answer.status < 500) {
            wrong.push(`a webhook was refused: ${answer.status} ${answer.text.slice(0, 200)}`)
          }
          // Now and then a sender sends again what was accepted.
          if (accepted.has(webhook) && stopping.aborted) return
          if (accepted.has(webhook) && !random.chance(0.1)) webhook = newId()
          await Bun.sleep(random.int(100, 400))
        }
      }),
    )
    const db = connectDatabase({ url, kind: 'server', log: silentLog })
    try {
      const forwards = () => db.sql<Forward[]>`
        SELECT f.delivery_id, f.state, f.attempts,
          (SELECT count(*)::int FROM coinop.hold h
           WHERE h.request_id LIKE f.id || '.%' AND h.state = 'captured') AS charged
        FROM plugin_webinfra.forward f JOIN plugin_webinfra.delivery d ON d.id = f.delivery_id
        WHERE d.endpoint_id = ${made.json.id}`
      const isOver = ({ state }: Forward): boolean => state === 'succeeded' || state === 'dead'
      let rows = await forwards()
      for (const endMs = performance.now() + GIVE_UP_MS; !rows.every(isOver);) {
        if (performance.now() > endMs) break
        await Bun.sleep(500)
        rows = await forwards()
      }
      if (rows.length !== accepted.size * destinations.length) {
        wrong.push(`${rows.length} forwards of ${accepted.size} webhooks`)
      }
      for (const row of rows) {
        const { state, attempts, charged } = row
        const isRight =
          (state === 'succeeded' && charged === 1) ||
          (state === 'dead' && charged === 0 && attempts === MAX_ATTEMPTS)
        if (!isRight) wrong.push(`a forward: ${JSON.stringify(row)}`)
      }
      const count = (what: string) => rows.filter(({ state }) => state === what).length
      return {
        wrong,
        counts: {
          'webhooks accepted': accepted.size,
          'webhooks sent again': sends - accepted.size,
          'forwards that succeeded': count('succeeded'),
          'forwards that died by their schedule': count('dead'),
        },
      }
    } finally {
      await db.close()
    }
  }
}
