-- Skills that a key may buy, beside its products; null: all of them.
ALTER TABLE coinop.api_key ADD COLUMN skills text[];
