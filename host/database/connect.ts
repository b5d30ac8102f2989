/** A Database over a server that is already there. */
import { drizzle } from 'drizzle-orm/postgres-js'
import type { ConnectOptions, Database, SqlClient } from '#kernel/host'
import { createClient } from './client.ts'
import { durableClient } from './durable-client.ts'
import { Listener } from './listen.ts'

/** With two for drizzle, one for LISTEN and one for the gateway lock: 16 (hot rows want no more). */
const POOL_SIZE = 12
const ORM_POOL_SIZE = 2
/** What a query in flight gets before its connection is cut. */
const CLOSE_TIMEOUT_S = 5

/** Opens pools lazily: no connection is made before the first query. */
export function connectDatabase(options: ConnectOptions): Database {
  const { url, kind, log } = options
  const settings = {
    applicationName: options.applicationName ?? 'coinop',
    onNotice: (message: string) => log.debug({ notice: message }, 'PostgreSQL notice'),
  }
  const sql = durableClient((watched) =>
    createClient(url, {
      ...settings,
      ...watched,
      max: options.poolSize ?? POOL_SIZE,
      permanent: true,
    }),
  )
  // drizzle replaces the parsers of the client it gets (dates become text): a small pool of its own.
  const ormClient = durableClient((watched) => {
    const client = createClient(url, {
      ...settings,
      ...watched,
      max: ORM_POOL_SIZE,
      permanent: true,
    })
    drizzle(client)
    return client
  })
  const listener = new Listener(
    (events) => createClient(url, { ...settings, ...events, max: 1, permanent: true }),
    log,
  )
  /** Pools that modules opened beside it; its `close` closes them. */
  const besides = new Map<string, SqlClient>([['orm', ormClient]])
  let closing: Promise<void> | undefined

  async function close(): Promise<void> {
    const clients = [sql, listener, ...besides.values()]
    await Promise.all(clients.map((client) => client.end({ timeout: CLOSE_TIMEOUT_S })))
    await options.onClose?.()
  }
  return {
    kind,
    url,
    sql,
    orm: drizzle(ormClient),
    pool(name, poolSettings) {
      let pool = besides.get(name)
      if (pool === undefined) {
        pool = durableClient((watched) => createClient(url, { ...poolSettings, ...watched }))
        besides.set(name, pool)
      }
      return pool
    },
    listen: (channel, onMessage) => listener.listen(channel, onMessage),
    async notify(channel, payload) {
      try {
        await sql`select pg_notify(${channel}, ${payload})`
      } catch (error) {
        log.warn({ err: error, channel }, 'a notification was lost; caches end by their own time')
      }
    },
    notifyHere: (channel, payload) => listener.deliver(channel, payload),
    close: () => (closing ??= close()),
  }
}
