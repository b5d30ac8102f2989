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

  /** Changes the members that are given. */
  async change(accountId: string, changes: Partial<AccountSettings>): Promise<void> {
    const { keySignIn, noticeEmail, webhookUrl } = { ...(await this.of(accountId)), ...changes }
    await this.#db.query(
      `INSERT INTO account_setting (account_id, key_sign_in, notice_email, webhook_url)
       VALUES ($1, $2, $3, $4) ON CONFLICT (account_id) DO UPDATE
       SET key_sign_in = $2, notice_email = $3, webhook_url = $4,
         webhook_secret_sealed =
           CASE WHEN $4::text IS NULL THEN NULL ELSE account_setting.webhook_secret_sealed END`,
      [accountId, keySignIn, noticeEmail, webhookUrl],
    )
  }

  /** Keeps the signing secret of the account's webhook, sealed. */
  async keepWebhookSecret(accountId: string, secret: string): Promise<void> {
    await this.#db.query(
      'UPDATE account_setting SET webhook_secret_sealed = $2 WHERE account_id = $1',
      [accountId, await this.#vault.seal(secret)],
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
