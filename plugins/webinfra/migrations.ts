/** Tables of the relay, in the schema plugin_webinfra. */
import type { Migration } from '#kernel'

const RECORDS = `
CREATE TABLE endpoint (
  id text PRIMARY KEY,
  name text NOT NULL,
  owner_key_id text,
  scheme text NOT NULL,
  header text,
  algorithm text,
  secrets jsonb NOT NULL,
  max_attempts integer NOT NULL CHECK (max_attempts > 0),
  timeout_ms integer NOT NULL CHECK (timeout_ms > 0),
  enabled boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz
);

CREATE TABLE destination (
  id text PRIMARY KEY,
  endpoint_id text NOT NULL REFERENCES endpoint (id),
  url text NOT NULL,
  headers text,
  header_names text[] NOT NULL,
  secrets jsonb NOT NULL,
  events text[],
  enabled boolean NOT NULL,
  disabled_reason text,
  disabled_at timestamptz,
  created_at timestamptz NOT NULL,
  removed_at timestamptz
);
CREATE INDEX destination_endpoint ON destination (endpoint_id);

CREATE TABLE delivery (
  id text PRIMARY KEY,
  endpoint_id text NOT NULL,
  dedupe_key text,
  payer_key_id text,
  event text,
  headers jsonb NOT NULL,
  body bytea,
  size_bytes integer NOT NULL,
  sha256 text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX delivery_endpoint ON delivery (endpoint_id, id);
CREATE INDEX delivery_created ON delivery (created_at);
CREATE INDEX delivery_payload ON delivery (created_at) WHERE body IS NOT NULL;

CREATE TABLE dedupe (
  endpoint_id text NOT NULL,
  key text NOT NULL,
  delivery_id text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (endpoint_id, key)
);
CREATE INDEX dedupe_expiry ON dedupe (expires_at);

-- due_at: when to try next; for an in_flight row, when its lease ends.
-- fence: raised by every claim; whoever holds an older one changes nothing any more.
CREATE TABLE forward (
  id text PRIMARY KEY,
  delivery_id text NOT NULL REFERENCES delivery (id) ON DELETE CASCADE,
  destination_id text NOT NULL,
  cycle integer NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'in_flight', 'succeeded', 'retrying', 'dead',
    'cancelled', 'blocked_destination', 'awaiting_funds')),
  fence integer NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL,
  payer_key_id text,
  due_at timestamptz,
  parked boolean NOT NULL DEFAULT false,
  rail text,
  hold_id uuid,
  last_error text,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  UNIQUE (delivery_id, destination_id, cycle)
);
CREATE INDEX forward_due ON forward (due_at)
  WHERE state IN ('pending', 'retrying', 'in_flight');
CREATE INDEX forward_parked ON forward (payer_key_id) WHERE state = 'awaiting_funds';
CREATE INDEX forward_not_succeeded ON forward (delivery_id) WHERE state <> 'succeeded';

CREATE TABLE attempt (
  forward_id text NOT NULL REFERENCES forward (id) ON DELETE CASCADE,
  n integer NOT NULL,
  at timestamptz NOT NULL,
  status integer,
  error text,
  ms integer NOT NULL,
  excerpt text,
  PRIMARY KEY (forward_id, n)
);
`

// failing_since: the first failure after the last success.
const FAILING = 'ALTER TABLE destination ADD COLUMN failing_since timestamptz'

/** Beside a payload each stored delivery counts this for its rows: a million empty ones count too. */
export const ROW_BYTES = 1024

// undelivered: payloads that no destination has taken yet, each with the bytes it counts.
// stored: their sum per endpoint and per paying key. "C" puts endpoints before keys everywhere,
// which is the order in which rows are locked. The CHECK undoes a statement that found no room.
const UNDELIVERED = `
CREATE TABLE undelivered (
  delivery_id text PRIMARY KEY,
  endpoint_id text NOT NULL,
  payer_key_id text,
  bytes integer NOT NULL CHECK (bytes > 0)
);
CREATE INDEX undelivered_endpoint ON undelivered (endpoint_id, delivery_id);
CREATE INDEX undelivered_payer ON undelivered (payer_key_id, delivery_id)
  WHERE payer_key_id IS NOT NULL;

CREATE TABLE stored (
  subject text COLLATE "C" PRIMARY KEY,
  bytes bigint NOT NULL,
  CONSTRAINT stored_room CHECK (bytes >= 0)
) WITH (fillfactor = 50);

INSERT INTO undelivered (delivery_id, endpoint_id, payer_key_id, bytes)
  SELECT d.id, d.endpoint_id, d.payer_key_id, d.size_bytes + ${ROW_BYTES} FROM delivery d
  WHERE d.body IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM forward f WHERE f.delivery_id = d.id AND f.state = 'succeeded');
INSERT INTO stored (subject, bytes)
  SELECT 'endpoint:' || endpoint_id, sum(bytes) FROM undelivered GROUP BY endpoint_id
  UNION ALL
  SELECT 'key:' || payer_key_id, sum(bytes) FROM undelivered
  WHERE payer_key_id IS NOT NULL GROUP BY payer_key_id;
`

// lease_until: when the lease of an in_flight row ends, null for all others; due_at is for them.
// lease_token: raised by every claim; whoever holds an older one changes nothing any more.
const LEASE = `
ALTER TABLE forward RENAME COLUMN fence TO lease_token;
ALTER TABLE forward ADD COLUMN lease_until timestamptz;
UPDATE forward SET lease_until = due_at, due_at = NULL WHERE state = 'in_flight';
DROP INDEX forward_due;
CREATE INDEX forward_due ON forward (COALESCE(lease_until, due_at))
  WHERE state IN ('pending', 'retrying', 'in_flight');
`

// disabled_by: who paused the endpoint; null where it is enabled or was paused before this column.
const DISABLED_BY = 'ALTER TABLE endpoint ADD COLUMN disabled_by text'

// call_key: the Idempotency-Key of the replay that made it; null: none.
const CALL_KEY = 'ALTER TABLE forward ADD COLUMN call_key text'

// lapses: leases of it that passed without an outcome.
const LAPSES = 'ALTER TABLE forward ADD COLUMN lapses integer NOT NULL DEFAULT 0'

// genuine: it came with a signature of the endpoint's scheme.
const GENUINE = 'ALTER TABLE delivery ADD COLUMN genuine boolean NOT NULL DEFAULT false'

export const migrations: readonly Migration[] = [
  { id: '0001_records', up: RECORDS },
  { id: '0002_failing_since', up: FAILING },
  { id: '0003_undelivered', up: UNDELIVERED },
  { id: '0004_lease', up: LEASE },
  { id: '0005_disabled_by', up: DISABLED_BY },
  { id: '0006_call_key', up: CALL_KEY },
  { id: '0007_lapses', up: LAPSES },
  { id: '0008_genuine', up: GENUINE },
]
