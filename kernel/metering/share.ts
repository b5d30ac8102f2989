/**
 * Who a call counts for where something is shared fairly: rate limits, memory for bodies, large
 * parses, worker processes. One name each, so that nobody has two shares of the same thing.
 */
import { createHash, randomBytes } from 'node:crypto'
import { addressBlock } from '../net/address-block.ts'

/** Without it an address could be found by trying them all. */
const SALT = randomBytes(32)

/**
 * The holder of the share: `key:<id>` for an identified key, `payer:<id>` for a payer that a rail
 * has verified, else `address:<address>` (an IPv6 address counts by its /64). The address of `caller`
 * costs a look at the socket, so it is read only where it counts.
 */
export function shareOf(
  identity: { keyId: string } | null,
  payer: string | null,
  caller: { readonly clientAddress: string },
): string {
  if (identity) return `key:${identity.keyId}`
  return payer === null ? `address:${addressBlock(caller.clientAddress)}` : `payer:${payer}`
}

/** The share as plugins see it: the same for the same holder in this process, and not to be undone. */
export function opaqueShare(share: string): string {
  return createHash('sha256').update(SALT).update(share).digest('base64url').slice(0, 16)
}
