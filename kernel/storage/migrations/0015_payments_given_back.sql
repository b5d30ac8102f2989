-- What an account got and gave beside its calls, by which its statements find it: payments by another
-- rail that were refunded as credits, too.
CREATE INDEX entry_beside_calls ON coinop.entry (account_id, id)
  WHERE kind IN ('topup', 'grant', 'adjustment') OR (kind = 'refund' AND hold_id IS NULL);
--> statement-breakpoint
DROP INDEX coinop.entry_purchase;
