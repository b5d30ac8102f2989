/** What owners set for their account here: who may sign in with a key, and where notices go. */
import type { PluginDb, Vault } from '#kernel'

export interface AccountSettings {
  /** Whether keys of the account may sign in. */
  keySignIn: boolean
  /** One of the account's e-mail sign-ins, or null. */
  noticeEmail: string | null
  webhookUrl: string | null
}

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

  /** The address and signing secret of the account's webhook; null: it has none. */
  async webhook(accountId: string): Promise<{ url: string; secret: string } | null> {
    const [row] = await this.#db.query<{ url: string; sealed: string }>(
      `SELECT webhook_url AS url, webhook_secret_sealed AS sealed FROM account_setting
       WHERE account_id = $1 AND webhook_url IS NOT NULL AND webhook_secret_sealed IS NOT NULL`,
      [accountId],
    )
    return row ? { url: row.url, secret: await this.#vault.open(row.sealed) } : null
  }
}
