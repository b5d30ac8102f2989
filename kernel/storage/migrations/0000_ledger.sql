-- The double-entry ledger. Amounts are USDC atomic units. The tables have no foreign keys: a check
-- against the account row would lock it once more in every call; `coinop ledger verify` compares.
CREATE SCHEMA IF NOT EXISTS coinop;
--> statement-breakpoint
CREATE TYPE coinop.hold_state AS ENUM ('authorized', 'captured', 'released', 'expired', 'refunded');
--> statement-breakpoint
CREATE TYPE coinop.entry_kind AS ENUM ('authorize', 'capture', 'release', 'expire', 'refund', 'topup', 'grant', 'adjustment', 'settlement');
--> statement-breakpoint
CREATE SEQUENCE coinop.entry_id;
--> statement-breakpoint
CREATE TABLE coinop.account (
  key_id text PRIMARY KEY,
  mode text NOT NULL CHECK (mode IN ('live', 'test')),
  available bigint NOT NULL DEFAULT 0 CONSTRAINT account_available_not_negative CHECK (available >= 0),
  held bigint NOT NULL DEFAULT 0 CONSTRAINT account_held_not_negative CHECK (held >= 0),
  ceiling bigint CHECK (ceiling >= 0),
  -- The UTC day of the newest hold, and what that day's holds authorized or captured.
  spent_day date NOT NULL DEFAULT (now() AT TIME ZONE 'utc')::date,
  spent_today bigint NOT NULL DEFAULT 0 CHECK (spent_today >= 0),
  revoked_at timestamptz
) WITH (fillfactor = 25, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
--> statement-breakpoint
CREATE TABLE coinop.hold (
  id uuid PRIMARY KEY,
  amount bigint NOT NULL CHECK (amount > 0),
  captured bigint CHECK (captured > 0 AND captured <= amount),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  authorize_entry bigint NOT NULL,
  -- The posting that ended the hold, of a partial capture's rest, and of the refund.
  end_entry bigint,
  rest_entry bigint,
  refund_entry bigint,
  state coinop.hold_state NOT NULL,
  price_version integer,
  key_id text NOT NULL,
  request_id text NOT NULL,
  -- The request id while it is taken: set for request-scoped holds, null again once given back.
  claim text,
  skill_id text NOT NULL,
  path text NOT NULL,
  acquisition text
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
--> statement-breakpoint
CREATE UNIQUE INDEX hold_claim ON coinop.hold (key_id, claim) WHERE claim IS NOT NULL;
--> statement-breakpoint
CREATE INDEX hold_request ON coinop.hold (request_id);
--> statement-breakpoint
CREATE INDEX hold_due ON coinop.hold (expires_at) WHERE state = 'authorized';
--> statement-breakpoint
CREATE TABLE coinop.entry (
  id bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  hold_id uuid,
  kind coinop.entry_kind NOT NULL,
  -- 'available' and 'held' are the two balances of key_id; anything else is a system account.
  debit text NOT NULL,
  credit text NOT NULL CHECK (credit <> debit),
  key_id text CHECK (key_id IS NOT NULL OR (debit NOT IN ('available', 'held') AND credit NOT IN ('available', 'held'))),
  -- Below: postings of no hold carry their own subject; a hold's postings leave it to the hold.
  request_id text,
  rail text,
  skill_id text,
  path text,
  price_version integer,
  acquisition text,
  transaction text,
  reference text,
  note text
);
--> statement-breakpoint
CREATE INDEX entry_key ON coinop.entry (key_id, id);
--> statement-breakpoint
CREATE INDEX entry_rare_kind ON coinop.entry (kind, id) WHERE kind NOT IN ('authorize', 'capture');
--> statement-breakpoint
CREATE INDEX entry_request ON coinop.entry (request_id) WHERE request_id IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX entry_reference ON coinop.entry (debit, reference) WHERE reference IS NOT NULL;
--> statement-breakpoint
CREATE FUNCTION coinop.refuse_entry_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'coinop.entry is append-only: % refused', TG_OP;
END
$$;
--> statement-breakpoint
CREATE TRIGGER entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON coinop.entry
  FOR EACH STATEMENT EXECUTE FUNCTION coinop.refuse_entry_change();
