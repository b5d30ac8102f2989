/** Nonces and challenges that were made here: each is good once, soon, and for the browser that asked. */
import { randomBytes } from 'node:crypto'
import type { PluginDb } from '#kernel'
import { hashOf } from '../secrets.ts'

export type NonceKind = 'wallet' | 'passkey' | 'new_passkey'

export const NONCE_TTL_MS = 5 * 60_000

/** Nonces whose time is over. */
export const ENDED_NONCES = { table: 'nonce', key: 'hash', isOver: 'expires_at <= now()' }

export class Nonces {
  readonly #db: PluginDb

  constructor(db: PluginDb) {
    this.#db = db
  }

  /** A new one for the browser with this visitor's secret: 32 hex digits, as EIP-4361 allows. */
  async make(kind: NonceKind, visitor: string): Promise<string> {
    const nonce = randomBytes(16).toString('hex')
    await this.keep(kind, visitor, nonce)
    return nonce
  }

  /** Remembers one that was made elsewhere. */
  async keep(kind: NonceKind, visitor: string, nonce: string): Promise<void> {
    await this.#db.query(
      `INSERT INTO nonce (hash, kind, browser_hash, expires_at)
       VALUES ($1, $2, $3, now() + $4::float8 * interval '1 millisecond')`,
      [hashOf(nonce), kind, hashOf(visitor), NONCE_TTL_MS],
    )
  }

  /** Takes it out, in one statement that one caller wins; false: unknown, used, old or another browser's. */
  async take(kind: NonceKind, visitor: string, nonce: string): Promise<boolean> {
    const taken = await this.#db.query<{ isGood: boolean }>(
      `DELETE FROM nonce WHERE hash = $1 AND kind = $2 AND browser_hash = $3
       RETURNING expires_at > now() AS "isGood"`,
      [hashOf(nonce), kind, hashOf(visitor)],
    )
    return taken[0]?.isGood === true
  }
}
