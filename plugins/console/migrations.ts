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

/**
 * Operators with tokens of their own, the sign-in links, and what was changed. Of tokens and links
 * there are only digests. `admin_id` null: the holder of ADMIN_TOKEN.
 */
const OPERATORS = `
CREATE TABLE admin (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('read', 'operate', 'owner')),
  digest text NOT NULL UNIQUE,
  made_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  revoked_by text
);
CREATE UNIQUE INDEX admin_name ON admin (lower(name)) WHERE revoked_at IS NULL;
ALTER TABLE session ADD COLUMN admin_id uuid REFERENCES admin (id);
CREATE TABLE link (
  digest text PRIMARY KEY,
  admin_id uuid REFERENCES admin (id),
  expires_at timestamptz NOT NULL
);
CREATE TABLE change (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  operator text NOT NULL,
  role text NOT NULL,
  request_id text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  route text NOT NULL,
  address text NOT NULL,
  status smallint NOT NULL,
  input jsonb,
  differences jsonb NOT NULL
);
CREATE INDEX change_request_id ON change (request_id);`

/**
 * Answered requests, for a time, and their counts: by minute for a day, by hour for a month.
 * `durations` counts them by the steps of requests/durations.ts; `kept` is how many have a row.
 */
const REQUESTS = `
CREATE TABLE request (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  request_id text NOT NULL,
  method text NOT NULL,
  route text,
  path text NOT NULL,
  address text NOT NULL,
  product text,
  skill text,
  status smallint NOT NULL,
  outcome text,
  code text,
  reason text,
  message text,
  upstream_status smallint,
  key_id text,
  key_name text,
  account_id text,
  mode text NOT NULL,
  payer text,
  operator text,
  rail text,
  charged bigint NOT NULL,
  duration_ms real NOT NULL,
  request_bytes bigint,
  response_bytes bigint
);
CREATE INDEX request_request_id ON request (request_id, id);
CREATE INDEX request_key ON request (key_id, id) WHERE key_id IS NOT NULL;
CREATE INDEX request_key_name ON request (lower(key_name), id) WHERE key_name IS NOT NULL;
CREATE INDEX request_address ON request (address, id);
CREATE TABLE tally (
  grain text NOT NULL CHECK (grain IN ('minute', 'hour')),
  at timestamptz NOT NULL,
  skill text NOT NULL,
  mode text NOT NULL,
  status smallint NOT NULL,
  calls bigint NOT NULL,
  kept bigint NOT NULL,
  durations bigint[] NOT NULL,
  PRIMARY KEY (grain, at, skill, mode, status)
);`

/** What calls brought in by hour, of hours that are over: sums of the ledger that change no more. */
const REVENUE = `
CREATE TABLE revenue_hour (
  at timestamptz PRIMARY KEY,
  rows jsonb NOT NULL
);`

export const MIGRATIONS: readonly Migration[] = [
  { id: '0001_sessions', up: SESSIONS },
  { id: '0002_operators', up: OPERATORS },
  { id: '0003_requests', up: REQUESTS },
  { id: '0004_revenue', up: REVENUE },
]
