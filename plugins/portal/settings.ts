/** What owners set for their account here: who may sign in with a key, and where notices go. */
import type { PluginDb, Vault } from '#kernel'

export interface AccountSettings {
  /** Whether keys of the account may sign in. */
  keySignIn: boolean
  /** One of the account's e-mail sign-ins, or null. */
  noticeEmail: string | null
  webhookUrl: string | null
}

/** So many earlier secrets can sign beside the current one. */
const MAX_FORMER = 4

const DEFAULTS: AccountSettings = { keySignIn: true, noticeEmail: null, webhookUrl: null }

export class Settings {
  readonly #db: PluginDb
  readonly #vault: Vault

  constructor(db: PluginDb, vault: Vault) {
    this.#db = db
    this.#vault = vault
  }

  async of(accountId: string): Promise<AccountSettings> {
    const [row] = await this.#db.query<AccountSettings>(
      `SELECT key_sign_in AS "keySignIn", notice_email AS "noticeEmail", webhook_url AS "webhookUrl"
       FROM account_setting WHERE account_id = $1`,
      [accountId],
    )
    return row ?? DEFAULTS
  }

  async keySignIn(accountId: string): Promise<boolean> {
    return (await this.of(accountId)).keySignIn
  }

  /**
   * Changes the members that are given, each by itself: two changes at once both stay. `webhookSecret`
   * is kept sealed, together with the address that it is for; without an address there is none.
   */
  async change(
    accountId: string,
    changes: Partial<AccountSettings>,
    webhookSecret: string | null = null,
  ): Promise<void> {
    const { keySignIn = null, noticeEmail = null, webhookUrl = null } = changes
    const sealed = webhookSecret === null ? null : await this.#vault.seal(webhookSecret)
    await this.#db.query(
      `INSERT INTO account_setting AS s
         (account_id, key_sign_in, notice_email, webhook_url, webhook_secret_sealed)
       VALUES ($1, COALESCE($2, true), $3, $5, $7) ON CONFLICT (account_id) DO UPDATE
       SET key_sign_in = COALESCE($2, s.key_sign_in),
         notice_email = CASE WHEN $4 THEN $3 ELSE s.notice_email END,
         webhook_url = CASE WHEN $6 THEN $5 ELSE s.webhook_url END,
         former_secrets = CASE WHEN $6 AND s.webhook_url IS DISTINCT FROM $5 THEN '[]'
           ELSE s.former_secrets END,
         webhook_secret_sealed = CASE WHEN $6 AND $5::text IS NULL THEN NULL
           ELSE COALESCE($7, s.webhook_secret_sealed) END`,
      [
        accountId,
        keySignIn,
        noticeEmail,
        changes.noticeEmail !== undefined,
        webhookUrl,
        changes.webhookUrl !== undefined,
        sealed,
      ],
    )
  }

  /** Sends notices to this mailbox no more. */
  async forgetMailbox(
    tx: Pick<PluginDb, 'query'>,
    accountId: string,
    email: string,
  ): Promise<void> {
    await tx.query(
      'UPDATE account_setting SET notice_email = NULL WHERE account_id = $1 AND notice_email = $2',
      [accountId, email],
    )
  }

  /**
   * Gives the account's webhook a new secret; those before it sign too for `graceSeconds` at most.
   * Null if there is no webhook, else when the last of them ends.
   */
  async rotateSecret(
    accountId: string,
    secret: string,
    graceSeconds: number,
  ): Promise<Date | null> {
    const [row] = await this.#db.query<{ until: Date }>(
      `UPDATE account_setting AS s SET webhook_secret_sealed = $2, former_secrets =
         (SELECT COALESCE(jsonb_agg(f.secret ORDER BY f.place), '[]') FROM (
            SELECT jsonb_build_object('sealed', known->>'sealed', 'until',
                     LEAST((known->>'until')::timestamptz, now() + $3 * interval '1 second'))
                     AS secret, place
            FROM jsonb_array_elements(
              jsonb_build_array(jsonb_build_object('sealed', s.webhook_secret_sealed))
                || s.former_secrets) WITH ORDINALITY AS all_of_them (known, place)
            WHERE COALESCE((known->>'until')::timestamptz > now(), true) AND $3 > 0
            ORDER BY place LIMIT ${MAX_FORMER}) f)
       WHERE account_id = $1 AND webhook_url IS NOT NULL AND webhook_secret_sealed IS NOT NULL
       RETURNING now() + $3 * interval '1 second' AS until`,
      [accountId, await this.#vault.seal(secret), graceSeconds],
    )
    return row?.until ?? null
  }

  /** The address of the account's webhook and the secrets that sign, newest first; null: it has none. */
  async webhook(accountId: string): Promise<{ url: string; secrets: string[] } | null> {
    const [row] = await this.#db.query<{ url: string; sealed: string; former: string[] }>(
      `SELECT webhook_url AS url, webhook_secret_sealed AS sealed, ARRAY(
         SELECT known->>'sealed' FROM jsonb_array_elements(former_secrets)
           WITH ORDINALITY AS all_of_them (known, place)
         WHERE (known->>'until')::timestamptz > now() ORDER BY place) AS former
       FROM account_setting
       WHERE account_id = $1 AND webhook_url IS NOT NULL AND webhook_secret_sealed IS NOT NULL`,
      [accountId],
    )
    if (!row) return null
    const sealed = [row.sealed, ...row.former]
    return { url: row.url, secrets: await Promise.all(sealed.map((one) => this.#vault.open(one))) }
  }
}
