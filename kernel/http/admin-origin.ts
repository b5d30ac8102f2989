/**
 * ADMIN_URL: an origin only for operators. Browsers isolate origins from each other, so pages for
 * operators are served there and nowhere else, and nothing that is sold or that a plugin answers to
 * the public is served there.
 */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Match } from '../products/snapshot.ts'
import { pathStart } from './incoming.ts'

/** The host of ADMIN_URL as a Host header names it, in lower case; null without ADMIN_URL. */
export function adminHostOf(adminUrl: string | null): string | null {
  return adminUrl === null ? null : new URL(adminUrl).host
}

const DEFAULT_PORT = /:(?:80|443)$/

/** Whether the request at `url` came to the origin that serves pages for operators. */
export function isAtOperators(url: string, adminHost: string | null): boolean {
  if (adminHost === null) return true
  const host = url.slice(url.indexOf('://') + 3, pathStart(url)).toLowerCase()
  // A proxy may include the default port, which browsers leave out.
  return host === adminHost || host.replace(DEFAULT_PORT, '') === adminHost
}

/** Whether `match` is served only on a different origin than that of the request at `url`. */
export function isElsewhere(match: Match, url: string, adminHost: string): boolean {
  const isThere = isAtOperators(url, adminHost)
  if (match.kind === 'skill') return isThere
  if (match.kind !== 'route') return false
  return match.route.forOperators ? !isThere : isThere && match.route.auth !== 'admin'
}

/**
 * Where to listen for ADMIN_URL in addition to `main`: a separate port, in plain HTTP, at an
 * address of this machine. Null if something in front of the gateway serves that URL.
 */
export function adminPlaceOf(adminUrl: string | null, main: { host: string; port: number }) {
  if (adminUrl === null) return null
  const { protocol, hostname, port } = new URL(adminUrl)
  const ownPort = Number(port === '' ? '80' : port)
  const host = hostname === 'localhost' ? '127.0.0.1' : hostname.replace(/^\[(.*)\]$/, '$1')
  if (protocol !== 'http:' || ownPort === main.port || isIP(host) === 0) return null
  const isOwn =
    host === main.host ||
    host.startsWith('127.') ||
    Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === host))
  return isOwn ? { host, port: ownPort } : null
}
