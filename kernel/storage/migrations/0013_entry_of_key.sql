-- The postings of a key in the order of their ids, by the id's first five bytes: for a UUIDv7 a quarter
-- of a second. Those of a busy key in it share one entry of the index, which had one for each posting.
CREATE INDEX entry_of_key ON coinop.entry (key_id, substr(uuid_send(id), 1, 5));
--> statement-breakpoint
DROP INDEX coinop.entry_key;
