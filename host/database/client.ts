/**
 * Connection texts. libpq names a socket directory as `?host=/dir` (or percent-encoded as the
 * host); postgres.js knows neither, nor several parameters that hosting providers add.
 */
import { isIPv6 } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import postgres from 'postgres'
import { type ClientSettings, StorageError } from '#kernel/host'
import { addArrayTypes } from './array-types.ts'
import { Sockets, type SocketTarget } from './durable-client.ts'
import { takeTlsFiles } from './tls-settings.ts'

/** Parameters of libpq and of other drivers that postgres.js would send to the server as settings. */
const NOT_SERVER_SETTINGS = [
  'channel_binding',
  'gssencmode',
  'pgbouncer',
  'schema',
  'connection_limit',
  'pool_timeout',
  'fallback_application_name',
  'keepalives',
  'keepalives_idle',
  'keepalives_interval',
  'keepalives_count',
  'krbsrvname',
  'load_balance_hosts',
  'socket_timeout',
  'sslaccept',
  'sslsni',
  'statement_cache_size',
  'uselibpqcompat',
]

export interface Address {
  /** For postgres.js, without the socket directory. */
  url: string
  /** The socket file, when the server is reached that way. */
  path?: string
  /** An IPv6 address and its port, which postgres.js 3.4.9 would cut at the colons of the text. */
  ipv6?: { host: string[]; port: number[] }
  /** Of the files of certificates that the text names. */
  tls?: ConnectionOptions
}

/** Splits a connection text; a StorageError names what is wrong without repeating a password. */
export function parseAddress(text: string): Address {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new StorageError(
      'DATABASE_URL is not a PostgreSQL connection text.',
      'Write it as postgresql://user:password@host:5432/database; percent-encode special characters of the password.',
    )
  }
  for (const name of NOT_SERVER_SETTINGS) url.searchParams.delete(name)
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  url.searchParams.delete('host')
  const files = takeTlsFiles(url.searchParams)
  const tls = files && { tls: files }
  if (!host.startsWith('/')) {
    const bare = host.replace(/^\[(.*)\]$/, '$1')
    if (isIPv6(bare)) {
      url.hostname = `[${bare}]`
      return { url: url.href, ipv6: { host: [bare], port: [Number(url.port || '5432')] }, ...tls }
    }
    if (host !== '') url.hostname = host
    return { url: url.href, ...tls }
  }
  const port = url.searchParams.get('port') ?? (url.port || '5432')
  url.searchParams.delete('port')
  url.hostname = 'localhost'
  return { url: url.href, path: `${host}/.s.PGSQL.${port}` }
}

/**
 * A postgres.js client: int8 ↔ bigint, UTC, ISO dates, and the kernel's schema as search_path. Its `reserve`
 * hangs on a fresh connection (postgres.js 3.4.9 with `fetch_types` off): use `begin`. `sockets` are
 * what its connections run on, given by who watches them.
 */
export function createClient(text: string, settings: ClientSettings & { sockets?: Sockets }) {
  const { url, path, ipv6, tls } = parseAddress(text)
  const { sockets = new Sockets() } = settings
  /** Known to postgres.js, not to its types. */
  const untyped: object = {
    ...ipv6,
    socket: (target: SocketTarget) => sockets.open(target),
    // postgres.js 3.4.9 skips the reservation of a connection that a BEGIN fills to this number: other
    // statements then run in that transaction, which nobody commits. A number that is never reached.
    max_pipeline: Number.MAX_SAFE_INTEGER,
    ...(settings.onNotify && { onnotify: settings.onNotify }),
  }
  const client = postgres<{ bigint: postgres.PostgresType<bigint> }>(url, {
    ...(path !== undefined && { path }),
    ...(tls && { ssl: tls }),
    max: settings.max,
    types: { bigint: postgres.BigInt },
    fetch_types: false,
    connect_timeout: 10,
    // The default waits up to 20 s after a server restart; calls fail all that time.
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 0.5),
    ...(settings.idleTimeoutS !== undefined && { idle_timeout: settings.idleTimeoutS }),
    ...(settings.permanent === true && { max_lifetime: null }),
    onclose: () => {
      sockets.reported()
      settings.onClose?.()
    },
    ...untyped,
    onnotice: (notice) => settings.onNotice?.(notice.message ?? ''),
    connection: {
      application_name: settings.applicationName,
      search_path: `"${settings.schema ?? 'coinop'}"`,
      TimeZone: 'UTC',
      // Days are compared as the texts of their dates.
      DateStyle: 'ISO',
      // Work that hangs inside a transaction must not keep its row locks for ever.
      idle_in_transaction_session_timeout: 60_000,
    },
  })
  addArrayTypes(client.options)
  const { end } = client
  // It leaves a connection that is just being made, and one whose server does not answer.
  client.end = (options) => end(options).finally(() => sockets.end())
  return client
}
