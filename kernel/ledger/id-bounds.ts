/** Bounds of ids by time, in SQL: like `firstIdAt`, for times that only the database knows. */

/** The lowest UUIDv7 of an instant; the nil UUID for -infinity. */
export const LOWEST_ID = (at: string): string =>
  `CASE WHEN isfinite(${at})
    THEN (lpad(to_hex(floor(extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
    ELSE '00000000-0000-0000-0000-000000000000'::uuid END`

/**
 * The prefix of an id by which the index entry_of_key orders a key's postings. Ordering by it and
 * then by id equals ordering by id, and a bound of ids also bounds it; a query by key needs both.
 */
export const ID_SLOT = (id: string): string => `substr(uuid_send(${id}), 1, 5)`
