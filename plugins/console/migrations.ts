/** Tables of the console, in the schema plugin_console. */
import type { Migration } from '#kernel'

/** `digest` is made of the cookie's secret and the admin token: the table opens no session by itself. */
const SESSIONS = `
CREATE TABLE session (
  digest text PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX session_expires_at ON session (expires_at);`

export const MIGRATIONS: readonly Migration[] = [{ id: '0001_sessions', up: SESSIONS }]
