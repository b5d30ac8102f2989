/**
 * What people allowed: a grant is a key without a secret under the person's account, and the tokens of
 * a client stand for it. Its end is written here first and told to every instance; its key follows.
 */
import type { AccountKeys, Logger, PluginDb, PluginTx } from '#kernel'
import type { PortalSession } from '../../shared/portal/contract.ts'
import type { Budget, ReadBudget } from './budget.ts'
import type { AuthorizationRequest, Requests } from './requests.ts'
import type { Client } from '../clients/client.ts'
import { shownHost } from '../clients/redirect.ts'
import { digestOf, randomText } from '../secrets.ts'

export type EndReason = 'revoked' | 'code_reused' | 'token_reused' | 'key_revoked' | 'lapsed'

export interface GrantDeps {
  db: PluginDb
  accountKeys: AccountKeys
  requests: Requests
  tokens: {
    /** Another look at every token of the grant. */
    drop(grantId: string): Promise<void>
  }
  codeTtlMs: number
  log: Logger
}

export class Grants {
  readonly #deps: GrantDeps

  constructor(deps: GrantDeps) {
    this.#deps = deps
  }

  /**
   * Takes the request out, makes the grant and its code, all or nothing. Null: the request is not
   * there any more.
   */
  async allow(order: {
    requestId: string
    session: PortalSession
    client: Client
    budget(): Promise<ReadBudget>
  }): Promise<{ ok: true; code: string } | { ok: false; message: string } | null> {
    const { session, client } = order
    const { db, requests, log } = this.#deps
    const code = randomText()
    try {
      return await db.transaction(async (tx) => {
        const request = await requests.take(order.requestId, session.sessionHash, tx)
        if (request === null) return null
        const read = await order.budget()
        if (!read.ok) throw new NotAllowed(read.message)
        const grantId = await this.#create({ session, client, request, budget: read.budget }, tx)
        await tx.query(
          `INSERT INTO oauth_code (hash, client_id, redirect_uri, challenge, grant_id, ends_at)
           VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond')`,
          [
            digestOf(code),
            client.id,
            request.redirectUri,
            request.challenge,
            grantId,
            this.#deps.codeTtlMs,
          ],
        )
        log.info({ clientId: client.id, grantId, scope: request.scope }, 'oauth grant made')
        return { ok: true, code }
      })
    } catch (error) {
      if (error instanceof NotAllowed) return { ok: false, message: error.message }
      throw error
    }
  }

  /** Takes the request out; false: it is not there any more. */
  async deny(requestId: string, sessionHash: string): Promise<boolean> {
    const { db, requests } = this.#deps
    return (await requests.take(requestId, sessionHash, db)) !== null
  }

  /** No token of the grant is good from now on, here and on every other instance. */
  async end(grantId: string, reason: EndReason): Promise<void> {
    const { db, tokens, log } = this.#deps
    const ended = await db.transaction(async (tx) => {
      const rows = await tx.query(
        `UPDATE oauth_grant SET ended_at = now(), ended_reason = $2
         WHERE key_id = $1 AND ended_at IS NULL RETURNING 1`,
        [grantId, reason],
      )
      await tx.query('DELETE FROM oauth_token WHERE grant_id = $1', [grantId])
      return rows.length > 0
    })
    if (!ended) return
    await tokens.drop(grantId)
    log.info({ grantId, reason }, 'oauth grant ended')
    await this.#revokeKey(grantId)
  }

  /**
   * One round: ends grants without a refresh token or code that is still good, and revokes the keys
   * of ended ones, which a crash may have left.
   */
  async tidy(limit: number): Promise<void> {
    const { db } = this.#deps
    const lapsed = await db.query<{ id: string }>(
      `SELECT g.key_id AS id FROM oauth_grant g
       WHERE g.ended_at IS NULL AND g.revoked_at IS NULL
         AND NOT EXISTS (SELECT FROM oauth_token t WHERE t.grant_id = g.key_id
           AND t.kind = 'refresh' AND t.rotated_at IS NULL AND t.ends_at > now())
         AND NOT EXISTS (SELECT FROM oauth_code c WHERE c.grant_id = g.key_id
           AND c.used_at IS NULL AND c.ends_at > now())
       ORDER BY g.created_at LIMIT $1`,
      [limit],
    )
    for (const { id } of lapsed) await this.end(id, 'lapsed')
    const left = await db.query<{ id: string }>(
      `SELECT key_id AS id FROM oauth_grant WHERE ended_at IS NOT NULL AND revoked_at IS NULL
       ORDER BY created_at LIMIT $1`,
      [limit],
    )
    for (const { id } of left) await this.#revokeKey(id)
  }

  async #create(
    order: {
      session: PortalSession
      client: Client
      request: AuthorizationRequest
      budget: Budget
    },
    tx: PluginTx,
  ): Promise<string> {
    const { session, client, request, budget } = order
    const made = await this.#deps.accountKeys.createGrant(
      session.accountId,
      { name: client.name, parentKeyId: session.keyId, ...budget },
      tx,
    )
    if (!('record' in made)) throw new NotAllowed(`${made.message}.`)
    const { id } = made.record
    await tx.query(
      `INSERT INTO oauth_grant (key_id, account_id, mode, client_id, client_name, scope,
         parent_key_id, redirect_host)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        id,
        session.accountId,
        session.mode,
        client.id,
        client.name,
        request.scope,
        session.keyId,
        shownHost(request.redirectUri),
      ],
    )
    return id
  }

  async #revokeKey(grantId: string): Promise<void> {
    const { db, accountKeys } = this.#deps
    const [row] = await db.query<{ accountId: string }>(
      'SELECT account_id AS "accountId" FROM oauth_grant WHERE key_id = $1',
      [grantId],
    )
    if (row === undefined) return
    await accountKeys.revoke(row.accountId, grantId)
    await db.query('UPDATE oauth_grant SET revoked_at = now() WHERE key_id = $1', [grantId])
  }
}

/** Undoes the transaction; `message` is for the person. */
class NotAllowed extends Error {}
