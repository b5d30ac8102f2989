/** Ids around an instant, in SQL; as `firstIdAt`, for instants that only the database knows. */

/** The lowest UUIDv7 of an instant; the nil UUID for one without beginning. */
export const LOWEST_ID = (at: string): string =>
  `CASE WHEN isfinite(${at})
    THEN (lpad(to_hex(floor(extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
    ELSE '00000000-0000-0000-0000-000000000000'::uuid END`

/**
 * The part of an id by which the index entry_of_key orders the postings of a key: the order by it and
 * then by id is that by id, and a bound of the ids is one of it too. A query that names a key needs both.
 */
export const ID_SLOT = (id: string): string => `substr(uuid_send(${id}), 1, 5)`
