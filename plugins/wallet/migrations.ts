/** Tables of the plugin, in the schema plugin_wallet. */
import type { Migration } from '#kernel'

/** `taken_by` is the call that took the nonce, so that it knows its own row when it asks again. */
const NONCES = `
CREATE TABLE used_nonce (
  nonce text PRIMARY KEY,
  taken_by uuid NOT NULL,
  forget_at timestamptz NOT NULL
);
CREATE INDEX used_nonce_forget_at ON used_nonce (forget_at);`

/** `digest` is the SHA-256 of the token: the table opens no session by itself. */
const SESSIONS = `
CREATE TABLE session (
  digest bytea PRIMARY KEY,
  account_id uuid NOT NULL,
  subject text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX session_expires_at ON session (expires_at);`

export const MIGRATIONS: readonly Migration[] = [
  { id: '0001_used_nonces', up: NONCES },
  { id: '0002_sessions', up: SESSIONS },
]
