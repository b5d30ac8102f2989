-- Balances belong to accounts that any number of keys share. Filled anew beside the old tables, which
-- is faster than UPDATE and leaves no bloat; every row is kept. Amounts are USDC atomic units.
-- A gateway that was not stopped waits here and then fails, rather than write to what is copied.
LOCK TABLE coinop.account, coinop.hold, coinop.entry, coinop.api_key IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
SET LOCAL work_mem = '64MB';
--> statement-breakpoint
SET LOCAL maintenance_work_mem = '256MB';
--> statement-breakpoint
-- A key's first account has the key's own uuid.
CREATE FUNCTION coinop.migration_account(key text) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN key ~ '^key_[0-9a-f]{32}$' THEN substr(key, 5)::uuid ELSE md5(key)::uuid END
$$;
--> statement-breakpoint
-- The UUIDv7 of a posting that had a number: the same order, by time and then by number.
CREATE FUNCTION coinop.migration_id(n bigint, at timestamptz) RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid
$$;
--> statement-breakpoint
CREATE TABLE coinop.account_new (
  id uuid NOT NULL,
  mode text NOT NULL CONSTRAINT account_mode_check CHECK (mode IN ('live', 'test')),
  available bigint NOT NULL DEFAULT 0 CONSTRAINT account_available_not_negative CHECK (available >= 0),
  held bigint NOT NULL DEFAULT 0 CONSTRAINT account_held_not_negative CHECK (held >= 0),
  -- Raised, under this row's lock, by every change of keys, budgets and marks.
  epoch integer NOT NULL DEFAULT 0,
  -- available + held below low_mark makes one event, and another after a credit lifted it above.
  low_mark bigint CONSTRAINT account_low_mark_check CHECK (low_mark > 0),
  low_at timestamptz,
  closed_at timestamptz
) WITH (fillfactor = 25, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
--> statement-breakpoint
INSERT INTO coinop.account_new (id, mode, available, held)
SELECT coinop.migration_account(key_id), mode, available, held FROM coinop.account;
--> statement-breakpoint
ALTER TABLE coinop.account_new ADD CONSTRAINT account_new_pkey PRIMARY KEY (id);
--> statement-breakpoint
-- A key's own row (scope '*', always there), and one per product that has a budget of its own.
CREATE TABLE coinop.key_spend (
  account_id uuid NOT NULL,
  key_id text NOT NULL,
  scope text NOT NULL DEFAULT '*',
  call_cap bigint CHECK (call_cap >= 0),
  day_cap bigint CHECK (day_cap >= 0),
  month_cap bigint CHECK (month_cap >= 0),
  -- The UTC day of the newest hold, and what the holds of that day and month authorized or captured.
  day date NOT NULL DEFAULT (now() AT TIME ZONE 'utc')::date,
  day_spent bigint NOT NULL DEFAULT 0 CONSTRAINT key_spend_day CHECK (day_spent >= 0),
  month_spent bigint NOT NULL DEFAULT 0 CONSTRAINT key_spend_month CHECK (month_spent >= 0),
  revoked_at timestamptz
) WITH (fillfactor = 25, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
--> statement-breakpoint
INSERT INTO coinop.key_spend (account_id, key_id, day_cap, day, day_spent, month_spent, revoked_at)
SELECT coinop.migration_account(a.key_id), a.key_id, a.ceiling, a.spent_day, a.spent_today,
  COALESCE(m.spent, 0), a.revoked_at
FROM coinop.account a LEFT JOIN (
  SELECT h.key_id, sum(CASE h.state WHEN 'authorized' THEN h.amount ELSE COALESCE(h.captured, 0) END)::bigint AS spent
  FROM coinop.hold h JOIN coinop.account b USING (key_id)
  WHERE date_trunc('month', h.created_at AT TIME ZONE 'utc') = date_trunc('month', b.spent_day::timestamp)
  GROUP BY h.key_id) m USING (key_id);
--> statement-breakpoint
-- One index for both: the row of a key, and the keys of an account.
ALTER TABLE coinop.key_spend ADD PRIMARY KEY (account_id, key_id, scope);
--> statement-breakpoint
-- Free calls used; bucket is a UTC day '2026-11-22' or month '2026-11'.
CREATE TABLE coinop.free_use (
  account_id uuid NOT NULL,
  skill_id text NOT NULL,
  bucket text NOT NULL,
  cap bigint NOT NULL,
  used bigint NOT NULL CONSTRAINT free_use_within_cap CHECK (used >= 0),
  PRIMARY KEY (account_id, skill_id, bucket)
) WITH (fillfactor = 50);
--> statement-breakpoint
-- Units captured in a UTC month, for graduated prices.
CREATE TABLE coinop.volume (
  account_id uuid NOT NULL,
  skill_id text NOT NULL,
  month date NOT NULL,
  units bigint NOT NULL CHECK (units >= 0),
  PRIMARY KEY (account_id, skill_id, month)
) WITH (fillfactor = 50);
--> statement-breakpoint
CREATE TABLE coinop.hold_new (
  -- Also the id of the authorize posting.
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  amount bigint NOT NULL CONSTRAINT hold_amount_check CHECK (amount >= 0),
  captured bigint CONSTRAINT hold_captured_check CHECK (captured >= 0 AND captured <= amount),
  -- What was measured of the call, as it is shown.
  units bigint CONSTRAINT hold_units_check CHECK (units >= 0),
  -- With a graduated price: its units, and the account's volume of the hold's month before them.
  volume_units bigint CONSTRAINT hold_volume_units_check CHECK (volume_units >= 0),
  volume_before bigint CONSTRAINT hold_volume_before_check CHECK (volume_before >= 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- The postings that ended the hold, gave back a partial capture's rest, and refunded it.
  end_id uuid,
  rest_id uuid,
  refund_id uuid,
  state coinop.hold_state NOT NULL,
  price_version integer,
  key_id text NOT NULL,
  request_id text NOT NULL,
  -- The request id while it is taken: set for request-scoped holds, null again once given back.
  claim text,
  skill_id text NOT NULL,
  product_id text NOT NULL,
  path text NOT NULL,
  acquisition text,
  -- The bucket of the free call that it took; then amount is 0.
  free_bucket text,
  CONSTRAINT hold_free_costs_nothing CHECK (free_bucket IS NULL OR amount = 0)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
--> statement-breakpoint
INSERT INTO coinop.hold_new (id, account_id, amount, captured, created_at, expires_at, end_id, rest_id,
  refund_id, state, price_version, key_id, request_id, claim, skill_id, product_id, path, acquisition)
SELECT h.id, coinop.migration_account(h.key_id), h.amount, h.captured, h.created_at, h.expires_at,
  coinop.migration_id(e.id, e.at), coinop.migration_id(s.id, s.at), coinop.migration_id(r.id, r.at),
  h.state, h.price_version, h.key_id, h.request_id, h.claim, h.skill_id,
  COALESCE(p.product_id, split_part(h.skill_id, '.', 1)), h.path, h.acquisition
FROM coinop.hold h
  LEFT JOIN coinop.entry e ON e.id = h.end_entry
  LEFT JOIN coinop.entry s ON s.id = h.rest_entry
  LEFT JOIN coinop.entry r ON r.id = h.refund_entry
  LEFT JOIN (
    SELECT row ->> 'skill' AS skill_id, max(row ->> 'product') AS product_id
    FROM coinop.price_list, jsonb_array_elements(CASE jsonb_typeof(rows) WHEN 'array' THEN rows ELSE '[]' END) AS row
    GROUP BY 1) p ON p.skill_id = h.skill_id;
--> statement-breakpoint
ALTER TABLE coinop.hold_new ADD CONSTRAINT hold_new_pkey PRIMARY KEY (id, account_id);
--> statement-breakpoint
CREATE TABLE coinop.entry_new (
  -- A transition's id: authorize has the hold's.
  id uuid NOT NULL,
  -- The nil UUID: a settlement that belongs to no account.
  account_id uuid NOT NULL,
  at timestamptz NOT NULL,
  amount bigint NOT NULL CONSTRAINT entry_amount_check CHECK (amount >= 0),
  hold_id uuid,
  kind coinop.entry_kind NOT NULL,
  -- 'available' and 'held' are the two balances of account_id; anything else is a system account.
  debit text NOT NULL,
  credit text NOT NULL CONSTRAINT entry_sides_differ CHECK (credit <> debit),
  key_id text,
  -- Below: postings of no hold carry their own subject; a hold's postings leave it to the hold.
  request_id text,
  rail text,
  skill_id text,
  path text,
  price_version integer,
  acquisition text,
  transaction text,
  reference text,
  note text,
  -- The number that a posting had before accounts.
  legacy_id bigint,
  CONSTRAINT entry_free_has_hold CHECK (amount > 0 OR hold_id IS NOT NULL),
  CONSTRAINT entry_balance_has_account CHECK (account_id <> '00000000-0000-0000-0000-000000000000'
    OR (debit NOT IN ('available', 'held') AND credit NOT IN ('available', 'held')))
);
--> statement-breakpoint
INSERT INTO coinop.entry_new (id, kind, account_id, at, amount, hold_id, debit, credit, key_id, request_id,
  rail, skill_id, path, price_version, acquisition, transaction, reference, note, legacy_id)
SELECT CASE WHEN kind = 'authorize' THEN hold_id ELSE coinop.migration_id(id, at) END, kind,
  CASE WHEN key_id IS NULL THEN '00000000-0000-0000-0000-000000000000'::uuid ELSE coinop.migration_account(key_id) END,
  at, amount, hold_id, debit, credit, key_id, request_id, rail, skill_id, path, price_version, acquisition,
  transaction, reference, note, id
FROM coinop.entry ORDER BY id;
--> statement-breakpoint
DO $$
DECLARE wrong text;
BEGIN
  SELECT name INTO wrong FROM (VALUES
    ('account', (SELECT row(count(*), sum(available), sum(held)) FROM coinop.account),
      (SELECT row(count(*), sum(available), sum(held)) FROM coinop.account_new)),
    ('hold', (SELECT row(count(*), sum(amount), sum(captured)) FROM coinop.hold),
      (SELECT row(count(*), sum(amount), sum(captured)) FROM coinop.hold_new)),
    ('entry', (SELECT row(count(*), sum(amount), sum(id)) FROM coinop.entry),
      (SELECT row(count(*), sum(amount), sum(legacy_id)) FROM coinop.entry_new))
  ) AS t(name, before, after) WHERE before IS DISTINCT FROM after LIMIT 1;
  IF wrong IS NOT NULL THEN RAISE EXCEPTION 'the rows of coinop.% differ after they were copied', wrong; END IF;
END
$$;
--> statement-breakpoint
DROP TABLE coinop.account, coinop.hold, coinop.entry;
--> statement-breakpoint
DROP SEQUENCE coinop.entry_id;
--> statement-breakpoint
ALTER TABLE coinop.account_new RENAME TO account;
--> statement-breakpoint
ALTER TABLE coinop.account RENAME CONSTRAINT account_new_pkey TO account_pkey;
--> statement-breakpoint
ALTER TABLE coinop.hold_new RENAME TO hold;
--> statement-breakpoint
ALTER TABLE coinop.hold RENAME CONSTRAINT hold_new_pkey TO hold_pkey;
--> statement-breakpoint
CREATE UNIQUE INDEX hold_claim ON coinop.hold (key_id, claim, account_id) WHERE claim IS NOT NULL;
--> statement-breakpoint
CREATE INDEX hold_request ON coinop.hold (request_id);
--> statement-breakpoint
CREATE INDEX hold_due ON coinop.hold (expires_at) WHERE state = 'authorized';
--> statement-breakpoint
ALTER TABLE coinop.entry_new RENAME TO entry;
--> statement-breakpoint
-- The id first: it rises with time, so that postings of all accounts go to the index's right edge.
ALTER TABLE coinop.entry ADD CONSTRAINT entry_pkey PRIMARY KEY (id, kind, account_id);
--> statement-breakpoint
CREATE INDEX entry_key ON coinop.entry (key_id, id);
--> statement-breakpoint
-- What concerns an account and none of its keys: transfers and charges.
CREATE INDEX entry_account ON coinop.entry (account_id, id) WHERE key_id IS NULL;
--> statement-breakpoint
CREATE INDEX entry_rare_kind ON coinop.entry (kind, id) WHERE kind NOT IN ('authorize', 'capture');
--> statement-breakpoint
CREATE INDEX entry_request ON coinop.entry (request_id) WHERE request_id IS NOT NULL;
--> statement-breakpoint
-- Over all accounts: one payment is credited once, whoever is named with it.
CREATE UNIQUE INDEX entry_reference ON coinop.entry (debit, reference) WHERE reference IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX entry_legacy ON coinop.entry (legacy_id) WHERE legacy_id IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON coinop.entry
  FOR EACH STATEMENT EXECUTE FUNCTION coinop.refuse_entry_change();
--> statement-breakpoint
-- Events that the ledger made in the statement that caused them, until somebody has told them.
CREATE TABLE coinop.outbox (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL,
  topic text NOT NULL,
  body jsonb NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz
);
--> statement-breakpoint
CREATE INDEX outbox_open ON coinop.outbox (made_at) WHERE done_at IS NULL;
--> statement-breakpoint
-- The price of the first v units: tier i costs price[i] for each unit up to upto[i]; the last has no end.
-- Numeric: what an upstream says of its units may cost more than a bigint holds.
CREATE FUNCTION coinop.graduated(v bigint, upto bigint[], price bigint[]) RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT COALESCE(sum(GREATEST(LEAST(v, COALESCE(upto[i], v)) - COALESCE(upto[i - 1], 0), 0) * price[i]::numeric), 0)
  FROM generate_subscripts(price, 1) AS i
$$;
--> statement-breakpoint
ALTER TABLE coinop.api_key ADD COLUMN account_id uuid;
--> statement-breakpoint
UPDATE coinop.api_key SET account_id = coinop.migration_account(id);
--> statement-breakpoint
ALTER TABLE coinop.api_key ALTER account_id SET NOT NULL;
--> statement-breakpoint
CREATE INDEX api_key_account ON coinop.api_key (account_id, id);
--> statement-breakpoint
DROP FUNCTION coinop.migration_account, coinop.migration_id;
--> statement-breakpoint
-- Plans made on no statistics are kept, and so are those made on the statistics of empty tables.
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM coinop.hold) THEN
    ANALYZE coinop.account, coinop.key_spend, coinop.hold, coinop.entry;
  END IF;
END
$$;
