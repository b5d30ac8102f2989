/** Tables of the portal, in the schema plugin_portal. */
import type { Migration } from '#kernel'

/** Every `hash` is the SHA-256 of a random secret that a browser or a mail holds. */
const SIGN_IN = `
CREATE TABLE session (
  hash text PRIMARY KEY,
  id text NOT NULL UNIQUE,
  account_id text NOT NULL,
  key_id text,
  way text NOT NULL CHECK (way IN ('key', 'wallet', 'email', 'passkey')),
  address text NOT NULL,
  agent text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX session_account ON session (account_id, created_at);
CREATE INDEX session_expires_at ON session (expires_at);
CREATE TABLE nonce (
  hash text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('wallet', 'passkey', 'new_passkey')),
  browser_hash text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX nonce_expires_at ON nonce (expires_at);
CREATE TABLE mail_link (
  hash text PRIMARY KEY,
  browser_hash text NOT NULL,
  email text NOT NULL,
  account_id text,
  address text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX mail_link_email ON mail_link (email, created_at);
CREATE INDEX mail_link_address ON mail_link (address, created_at);
CREATE INDEX mail_link_expires_at ON mail_link (expires_at);
CREATE TABLE passkey (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  name text NOT NULL,
  public_key text NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz
);
CREATE INDEX passkey_account ON passkey (account_id);
CREATE TABLE account_setting (
  account_id text PRIMARY KEY,
  key_sign_in boolean NOT NULL DEFAULT true,
  notice_email text,
  webhook_url text,
  webhook_secret_sealed text,
  told_low_at timestamptz
);
CREATE INDEX account_setting_told ON account_setting (account_id)
  WHERE notice_email IS NOT NULL OR webhook_url IS NOT NULL;
CREATE TABLE notice (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  way text NOT NULL CHECK (way IN ('email', 'webhook')),
  body jsonb NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  done_at timestamptz,
  last_error text
);
CREATE INDEX notice_due ON notice (due_at) WHERE done_at IS NULL;
CREATE INDEX notice_account ON notice (account_id, made_at);`

/** Secrets of the account's webhook before the current one: `{sealed, until}`, the newest first. */
const FORMER_SECRETS = `
ALTER TABLE account_setting ADD COLUMN former_secrets jsonb NOT NULL DEFAULT '[]';`

export const MIGRATIONS: readonly Migration[] = [
  { id: '0001_portal', up: SIGN_IN },
  { id: '0002_former_secrets', up: FORMER_SECRETS },
]
