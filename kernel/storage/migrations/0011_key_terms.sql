-- What a key may have beside its budgets: an end, networks of origin, notes of whoever made it.
ALTER TABLE coinop.api_key
  ADD COLUMN expires_at timestamptz,
  -- CIDRs; null: any address.
  ADD COLUMN networks text[],
  ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}';
