/**
 * Leases of claims end by the database's clock, for every instance alike: by a gateway's own, one that is
 * behind would lend nothing, and one that was ahead for a moment would keep its settlements from all
 * others until then.
 */

/** The end of a lease so many milliseconds from now; null without a number. */
export const leaseFor = (ms: string): string => `now() + ${ms}::float8 * interval '1 millisecond'`

/** Whether a claim is under its lease. */
export const isLeased = (table = 'x402_claim'): string =>
  `${table}.lease_until > now() AS is_leased`
