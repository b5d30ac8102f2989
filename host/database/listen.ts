/**
 * LISTEN on a connection of its own. When the connection is lost, a fresh client takes its place and
 * subscribes to every channel anew, until the server answers: postgres.js's own `listen` tries once
 * and may then be deaf for good. Messages of the gap are lost: caches keep a TTL.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '#kernel'
import type { SqlClient } from '#kernel/host'

const RETRY_FIRST_MS = 50
const RETRY_MAX_MS = 2000

type Handler = (payload: string) => void

interface Channel {
  handlers: Set<Handler>
  ready: Promise<void>
}

/** Makes a client of one connection that reports its messages and the loss of the connection. */
export type OpenListenClient = (events: {
  onNotify(channel: string, payload: string): void
  onClose(): void
}) => SqlClient

export class Listener {
  readonly #open: OpenListenClient
  readonly #log: Logger
  readonly #channels = new Map<string, Channel>()
  readonly #ended = new AbortController()
  #client: SqlClient
  /** The client that has every channel; another one than #client while that is being restored. */
  #subscribed: SqlClient
  #restoring = false

  constructor(open: OpenListenClient, log: Logger) {
    this.#open = open
    this.#log = log
    this.#client = this.#subscribed = this.#connect()
  }

  /**
   * Calls `onMessage` for every message on the channel from now on; returns what ends that. Rejects
   * when the server cannot be reached. A handler that throws is logged and stops nothing.
   */
  async listen(channel: string, onMessage: Handler): Promise<() => Promise<void>> {
    const entry = this.#channels.get(channel) ?? this.#add(channel)
    // One function may listen twice; each subscription ends by itself.
    const handler: Handler = (payload) => onMessage(payload)
    entry.handlers.add(handler)
    await entry.ready
    return async () => {
      entry.handlers.delete(handler)
    }
  }

  async end(options: { timeout: number }): Promise<void> {
    this.#ended.abort()
    await this.#client.end(options)
  }

  #add(channel: string): Channel {
    const entry = { handlers: new Set<Handler>(), ready: subscribe(this.#client, [channel]) }
    this.#channels.set(channel, entry)
    entry.ready.catch(() => this.#channels.delete(channel))
    return entry
  }

  #connect(): SqlClient {
    const client = this.#open({
      onNotify: (channel, payload) => this.deliver(channel, payload),
      onClose: () => {
        if (client === this.#client) void this.#restore()
      },
    })
    return client
  }

  /** Hands a message to every handler of the channel. */
  deliver(channel: string, payload: string): void {
    for (const handler of this.#channels.get(channel)?.handlers ?? []) {
      try {
        handler(payload)
      } catch (error) {
        this.#log.error({ err: error, channel }, 'a notification handler failed')
      }
    }
  }

  async #restore(): Promise<void> {
    this.#replace()
    if (this.#restoring) return
    this.#restoring = true
    const { signal } = this.#ended
    for (let waitMs = RETRY_FIRST_MS; this.#subscribed !== this.#client && !signal.aborted;) {
      const client = this.#client
      try {
        await subscribe(client, [...this.#channels.keys()])
        this.#subscribed = client
      } catch (error) {
        this.#log.debug({ err: error }, 'the database takes no listener yet')
        if (client === this.#client) this.#replace()
        await delay(waitMs, undefined, { signal, ref: false }).catch(() => {})
        waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)
      }
    }
    this.#restoring = false
  }

  #replace(): void {
    if (this.#ended.signal.aborted) return
    const lost = this.#client
    this.#client = this.#connect()
    void lost.end({ timeout: 0 })
  }
}

async function subscribe(client: SqlClient, channels: readonly string[]): Promise<void> {
  // One connection: they go out one after the other in any case.
  for (const channel of channels) await client`listen ${client(channel)}`
}
