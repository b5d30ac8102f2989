-- First postings of an account's calls, in the order of their ids as in entry_of_key: its calls are
-- found by it however many keys it has. A call writes one entry of it.
CREATE INDEX entry_of_account ON coinop.entry (account_id, substr(uuid_send(id), 1, 5))
  WHERE kind IN ('authorize', 'settlement') AND key_id IS NOT NULL;
