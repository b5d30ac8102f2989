-- Events of the gateway itself are of no account.
ALTER TABLE coinop.outbox ALTER COLUMN account_id DROP NOT NULL;
--> statement-breakpoint
-- States that the operator was told of, so that one that lasts is told once. `is_new`: the statement that
-- wrote the row is to tell it.
CREATE TABLE coinop.alert (
  type text NOT NULL,
  subject text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  is_new boolean NOT NULL DEFAULT true,
  PRIMARY KEY (type, subject)
);
