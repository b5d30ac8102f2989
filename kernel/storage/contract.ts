/** The one database of a gateway, embedded or an operator's server. */
import type { Sql, TransactionSql } from 'postgres'
import type { Logger } from '../log/logger.ts'
import type { Orm } from './orm.ts'

/** postgres.js with int8 ↔ bigint. */
export type SqlTypes = { bigint: bigint }
export type SqlClient = Sql<SqlTypes>
export type SqlTransaction = TransactionSql<SqlTypes>

export interface Database {
  readonly kind: 'embedded' | 'server'
  /** Prepared statements on the hot path; pool of at most 16 connections. */
  readonly sql: SqlClient
  /** drizzle over two connections of its own, for cold queries. */
  readonly orm: Orm
  /** Connection text for psql and child tools; holds no password for the embedded one. */
  readonly url: string
  /** The pool of that name on the same database, opened by the first who asks; `close` closes it. */
  pool(name: string, settings: ClientSettings): SqlClient
  /** LISTEN on a dedicated connection that reconnects; returns an unlisten. */
  listen(channel: string, onMessage: (payload: string) => void): Promise<() => Promise<void>>
  /** Sends a hint to every instance; a failure is only logged. */
  notify(channel: string, payload: string): Promise<void>
  /** Gives a message to the listeners of this process alone, before it returns. */
  notifyHere(channel: string, payload: string): void
  /** Closes the pool, then stops the embedded server when this process started it. */
  close(): Promise<void>
}

/** A client of the PostgreSQL at a connection text. */
export type OpenClient = (url: string, settings: ClientSettings) => SqlClient
export interface ClientSettings {
  /** Most connections at once; they open on first use. */
  max: number
  applicationName: string
  onNotice?(message: string): void
  /** A connection that must stay open (LISTEN, locks): no age limit. */
  permanent?: boolean
  /** Closes connections that nobody used for so long; default: never. */
  idleTimeoutS?: number
  /** Messages of the channels that its connections listen to. */
  onNotify?(channel: string, payload: string): void
  /** Called whenever one of its connections has closed. */
  onClose?(): void
  /** Schema of unqualified names; default: the kernel's. */
  schema?: string
}

/** Connects to an existing PostgreSQL; implemented by `host/database`. */
export interface DatabaseConnector {
  readonly openClient: OpenClient
  /** Opens pools lazily: no connection is made before the first query. */
  connect(options: ConnectOptions): Database
  /**
   * Waits for the operator's server. A StorageError says what is wrong with one that does not
   * answer or is not fit for a gateway.
   */
  checkServer(db: Pick<Database, 'sql' | 'url'>, log: Logger): Promise<void>
}
export interface ConnectOptions {
  url: string
  kind: Database['kind']
  log: Logger
  poolSize?: number
  /** What the server's list of connections shows; 'coinop' by default. */
  applicationName?: string
  /** Runs after the pools are closed. */
  onClose?(): Promise<void>
}

/** A PostgreSQL that the gateway starts by itself, in DATA_DIR, where no DATABASE_URL is set. */
export interface EmbeddedPostgres {
  /**
   * Adopts the live server of `dataDir` or starts one. A 'gateway' is alone on it, a 'tool' may run
   * beside a gateway. StorageErrors say why it cannot be used.
   */
  open(options: EmbeddedOptions): Promise<OpenedServer>
  /**
   * Copies the cluster of `dataDir` and the secrets beside it to `folder`, also while a gateway
   * runs. `folder` must not exist: it appears when it is complete. Throws a StorageError if it
   * cannot, and the reason of `signal` once that aborts; nothing is left then.
   */
  backUp(dataDir: string, folder: string, log: Logger, signal: AbortSignal): Promise<Backup>
}
export interface EmbeddedOptions {
  dataDir: string
  role: 'gateway' | 'tool'
  /** Refuses, and makes nothing, where `dataDir` has no database: a command that only reads. */
  mustExist?: boolean
  /** Whether there is only play money: the cluster may then be deleted with its DATA_DIR. */
  sandbox: boolean
  log: Logger
}
export interface OpenedServer {
  /** Connection text of the gateway's database. */
  url: string
  /** Stops the server unless another process still uses it. */
  close(): Promise<void>
}
export interface Backup {
  /** Absolute path of the copy. */
  folder: string
  files: number
  bytes: number
  elapsedMs: number
}

/** A plugin's own tables, in the schema `plugin_<id>` (set as search_path for its statements). */
export interface PluginDb extends PluginTx {
  /** Runs `work` in one transaction; a throw rolls back. Never hold it open across HTTP. */
  transaction<R>(work: (tx: PluginTx) => Promise<R>): Promise<R>
}
/** Statements inside one transaction; also accepted by `services.billing.capture`. */
export interface PluginTx {
  /** Rows of one parameterised statement ($1, $2 …). int8 columns arrive as bigint. */
  query<R extends object = Record<string, unknown>>(
    text: string,
    parameters?: readonly unknown[],
  ): Promise<R[]>
}

/** Forward-only, checksummed, run once in the schema `plugin_<id>`. */
export interface Migration {
  id: string
  up: string
  /** SHA-256 in hex of texts that it had before, on whose tables the migrations after it build as well. */
  earlierChecksums?: readonly string[]
}
