/** The one database of a gateway, embedded or an operator's server. */
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import type { Sql, TransactionSql } from 'postgres'

/** postgres.js with int8 ↔ bigint. */
export type SqlTypes = { bigint: bigint }
export type SqlClient = Sql<SqlTypes>
export type SqlTransaction = TransactionSql<SqlTypes>

export interface Database {
  readonly kind: 'embedded' | 'server'
  /** Prepared statements on the hot path; pool of at most 16 connections. */
  readonly sql: SqlClient
  /** drizzle over two connections of its own, for cold queries. */
  readonly orm: PostgresJsDatabase
  /** Connection text for psql and child tools; holds no password for the embedded one. */
  readonly url: string
  /** LISTEN on a dedicated connection that reconnects; returns an unlisten. */
  listen(channel: string, onMessage: (payload: string) => void): Promise<() => Promise<void>>
  /** A hint to every instance: one that cannot be sent is logged, and never fails what it tells of. */
  notify(channel: string, payload: string): Promise<void>
  /** Closes the pool, then stops the embedded server when this process started it. */
  close(): Promise<void>
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
}
