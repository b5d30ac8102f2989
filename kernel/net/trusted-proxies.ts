/** TRUSTED_PROXIES: whose word about the caller's address is taken; `host/trusted-proxies` reads it. */
import { parseRange } from './address.ts'

/** What entries may say besides addresses. */
export const PROXY_WORDS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** The address of the caller behind `peer`, the other end of the connection. */
export type CallerAddress = (peer: string, headers: Headers) => string

/** Whether TRUSTED_PROXIES may hold this entry: an address, a CIDR, `loopback` or `private`. */
export function isProxyEntry(entry: string): boolean {
  if (Object.hasOwn(PROXY_WORDS, entry)) return true
  // To trust every address is to believe every caller.
  return parseRange(entry) !== null && !/\/0+$/.test(entry)
}

/**
 * Finds callers behind the given proxies; without any, the peer is the caller. Throws a RangeError
 * for an entry that `isProxyEntry` refuses.
 */
export type CallerAddressOf = (entries: readonly string[]) => CallerAddress
