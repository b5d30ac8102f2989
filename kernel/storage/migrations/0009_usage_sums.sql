-- Sums of what keys bought by UTC day and skill, so that a month need not be added up call by call.
-- They are folded in the background: a posting older than folded_to is in them, a younger one is not.
CREATE TABLE coinop.usage_day (
  account_id uuid NOT NULL,
  day date NOT NULL,
  key_id text NOT NULL,
  skill_id text NOT NULL,
  calls bigint NOT NULL CHECK (calls >= 0),
  charged bigint NOT NULL CHECK (charged >= 0),
  refunded bigint NOT NULL CHECK (refunded >= 0),
  PRIMARY KEY (account_id, day, key_id, skill_id)
) WITH (fillfactor = 70);
--> statement-breakpoint
CREATE TABLE coinop.usage_fold (
  -- One row; whoever folds has it locked.
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  folded_to timestamptz NOT NULL
);
--> statement-breakpoint
INSERT INTO coinop.usage_fold (folded_to) VALUES ('-infinity');
--> statement-breakpoint
-- Postings by the server's clock: a summary of each few pages, which costs a call next to nothing.
CREATE INDEX entry_at ON coinop.entry USING brin (at) WITH (pages_per_range = 32);
