-- What the routes of accounts and keys and the delivery of events need beside the ledger's tables.
-- The name of an account stands apart from its balance, whose row every call writes anew.
CREATE TABLE coinop.account_name (
  account_id uuid PRIMARY KEY,
  name text NOT NULL
);
--> statement-breakpoint
-- A key's first account has the key's name.
INSERT INTO coinop.account_name (account_id, name)
SELECT DISTINCT ON (account_id) account_id, name FROM coinop.api_key ORDER BY account_id, id;
--> statement-breakpoint
-- Ids of the products that the key may buy; null: all of them.
ALTER TABLE coinop.api_key ADD COLUMN products text[];
--> statement-breakpoint
-- The ledger counts the day's budget, and its row says how much it is.
ALTER TABLE coinop.api_key DROP COLUMN daily_spend_ceiling_credits;
--> statement-breakpoint
-- Accounts that can run low, of all there are.
CREATE INDEX account_low_mark ON coinop.account (id) WHERE low_mark IS NOT NULL;
--> statement-breakpoint
-- Keys that have a budget to come near, of all there are; no column of it changes with a call.
CREATE INDEX key_spend_capped ON coinop.key_spend (key_id)
  WHERE day_cap IS NOT NULL OR month_cap IS NOT NULL;
--> statement-breakpoint
-- An event is claimed by moving due_at ahead; attempts is the fencing token of the claim.
ALTER TABLE coinop.outbox
  ADD COLUMN due_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN attempts integer NOT NULL DEFAULT 0,
  ADD COLUMN last_error text,
  ADD COLUMN outcome text CHECK (outcome IN ('delivered', 'unsent', 'given_up'));
--> statement-breakpoint
CREATE INDEX outbox_made ON coinop.outbox (made_at, id);
--> statement-breakpoint
-- Budgets that were told to be near their end, so that each is told once.
CREATE TABLE coinop.budget_notice (
  key_id text NOT NULL,
  scope text NOT NULL,
  period text NOT NULL CHECK (period IN ('day', 'month')),
  period_start date NOT NULL,
  cap bigint NOT NULL,
  PRIMARY KEY (key_id, scope, period, period_start, cap)
);
