-- What left the ledger for files (coinop ledger archive): holds that ended long ago, with their postings.
CREATE TABLE coinop.ledger_archive (
  id uuid PRIMARY KEY,
  file text NOT NULL,
  -- Every hold and posting in it is older; the first of a UTC month.
  before timestamptz NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now(),
  -- So much of the file counts, and its digest: what was removed in the same transaction.
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  holds bigint NOT NULL DEFAULT 0,
  entries bigint NOT NULL DEFAULT 0
);
--> statement-breakpoint
-- What the archived postings took of each account, and gave back to it.
CREATE TABLE coinop.archived_balance (
  account_id uuid PRIMARY KEY,
  captured numeric NOT NULL,
  refunded numeric NOT NULL
);
--> statement-breakpoint
-- Append-only still: only the archive takes postings out, and says so in its transaction.
CREATE OR REPLACE FUNCTION coinop.refuse_entry_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('coinop.archiving', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'coinop.entry is append-only: % refused', TG_OP;
END
$$;
