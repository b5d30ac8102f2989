-- A refund gives the budgets of its call and its free place back: those of before, once.
UPDATE coinop.key_spend s SET
  day_spent = GREATEST(s.day_spent - r.day_given, 0),
  month_spent = GREATEST(s.month_spent - r.month_given, 0)
FROM (
  SELECT k.account_id, k.key_id, k.scope, sum(h.captured)::bigint AS month_given,
    COALESCE(sum(h.captured) FILTER (WHERE (h.created_at AT TIME ZONE 'utc')::date = k.day), 0)::bigint AS day_given
  FROM coinop.entry e
    JOIN coinop.hold h ON h.id = e.hold_id AND h.account_id = e.account_id
    JOIN coinop.key_spend k ON k.account_id = h.account_id AND k.key_id = h.key_id AND k.scope IN ('*', h.product_id)
  WHERE e.kind = 'refund' AND h.state = 'refunded'
    AND date_trunc('month', h.created_at AT TIME ZONE 'utc') = date_trunc('month', k.day::timestamp)
  GROUP BY 1, 2, 3) AS r
WHERE s.account_id = r.account_id AND s.key_id = r.key_id AND s.scope = r.scope;
--> statement-breakpoint
UPDATE coinop.free_use f SET used = GREATEST(f.used - r.given, 0)
FROM (
  SELECT h.account_id, h.skill_id, h.free_bucket, count(*) AS given
  FROM coinop.entry e JOIN coinop.hold h ON h.id = e.hold_id AND h.account_id = e.account_id
  WHERE e.kind = 'refund' AND h.state = 'refunded' AND h.free_bucket IS NOT NULL
  GROUP BY 1, 2, 3) AS r
WHERE f.account_id = r.account_id AND f.skill_id = r.skill_id AND f.bucket = r.free_bucket;
