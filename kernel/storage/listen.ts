/**
 * LISTEN on one dedicated connection. postgres.js subscribes anew when that connection is lost, but
 * its `unlisten` then knows the old subscription only; so each channel is subscribed once for good
 * and its messages go to our own set of handlers. Messages of the gap are lost: caches keep a TTL.
 */
import type { Logger } from '../plugins/contract.ts'
import type { SqlClient } from './contract.ts'

type Handler = (payload: string) => void

/** The `listen` of a Database over `sql`; a handler that throws is logged and stops nothing. */
export function createListener(sql: SqlClient, log: Logger) {
  const channels = new Map<string, { handlers: Set<Handler>; ready: Promise<unknown> }>()

  function subscribe(channel: string) {
    const handlers = new Set<Handler>()
    const ready = sql.listen(channel, (payload) => {
      for (const handler of handlers) {
        try {
          handler(payload)
        } catch (error) {
          log.error({ err: error, channel }, 'a notification handler failed')
        }
      }
    })
    const entry = { handlers, ready }
    channels.set(channel, entry)
    ready.catch(() => channels.delete(channel))
    return entry
  }

  return async function listen(channel: string, onMessage: Handler): Promise<() => Promise<void>> {
    const entry = channels.get(channel) ?? subscribe(channel)
    // One function may listen twice; each subscription ends by itself.
    const handler: Handler = (payload) => onMessage(payload)
    entry.handlers.add(handler)
    await entry.ready
    return async () => {
      entry.handlers.delete(handler)
    }
  }
}
