-- Accounts that whoever pays opened by itself, by buying a key. Anybody can open as many as they like,
-- so free calls and graduated prices are not for them. An account without a row was opened by an
-- operator.
CREATE TABLE coinop.payer_account (
  account_id uuid PRIMARY KEY
);
--> statement-breakpoint
-- Keys that were sold have had such names.
INSERT INTO coinop.payer_account (account_id)
SELECT DISTINCT account_id FROM coinop.api_key WHERE name LIKE 'bought with %';
