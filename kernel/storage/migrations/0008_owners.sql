-- Who an account belongs to, and keys that have no secret because another credential stands for them.
-- A way in to an account, such as 'wallet:0xab…' or 'email:a@b.c'; it leads to one account only.
CREATE TABLE coinop.account_owner (
  subject text PRIMARY KEY CHECK (length(subject) BETWEEN 3 AND 400),
  account_id uuid NOT NULL,
  added_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE INDEX account_owner_account ON coinop.account_owner (account_id, added_at);
--> statement-breakpoint
ALTER TABLE coinop.api_key
  ADD COLUMN kind text NOT NULL DEFAULT 'key' CHECK (kind IN ('key', 'grant')),
  -- 'operator', or the id of the plugin that made it.
  ADD COLUMN made_by text NOT NULL DEFAULT 'operator',
  -- With this key the grant ends.
  ADD COLUMN parent_key_id text,
  -- The plugin that spends the account's balance by it; one for each account and plugin.
  ADD COLUMN purpose text,
  ALTER COLUMN prefix DROP NOT NULL,
  ADD CONSTRAINT api_key_prefix_of_keys CHECK ((kind = 'key') = (prefix IS NOT NULL)),
  ADD CONSTRAINT api_key_only_grants CHECK (kind = 'grant' OR (parent_key_id IS NULL AND purpose IS NULL));
--> statement-breakpoint
CREATE UNIQUE INDEX api_key_purpose ON coinop.api_key (account_id, purpose) WHERE purpose IS NOT NULL;
--> statement-breakpoint
CREATE INDEX api_key_parent ON coinop.api_key (parent_key_id) WHERE parent_key_id IS NOT NULL;
--> statement-breakpoint
-- Purchases of an account, which are few among its calls.
CREATE INDEX entry_purchase ON coinop.entry (account_id, id) WHERE kind IN ('topup', 'grant', 'adjustment');
