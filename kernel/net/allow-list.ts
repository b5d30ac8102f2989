/** ALLOW_PRIVATE_TARGETS: what an operator lets the gateway reach although it is not public. */
import { parseRange } from './address.ts'

const ENDPOINT = /^(\[[0-9a-f:.]+\]|[^\s/:@?#[\]]+):(\d{1,5})$/i

/** `host:port` in the form in which endpoints are compared; null for any other entry. */
export function parseEndpoint(entry: string): string | null {
  const match = ENDPOINT.exec(entry)
  const port = Number(match?.[2])
  if (!match || port < 1 || port > 65_535 || !URL.canParse(`http://${match[1]}/`)) return null
  return `${bareHost(new URL(`http://${match[1]}/`).hostname)}:${port}`
}

/** Lower-case host without the brackets of IPv6 and without a trailing dot. */
export function bareHost(hostname: string): string {
  return hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
}

/** Whether ALLOW_PRIVATE_TARGETS may hold this entry: `host:port`, a CIDR or a single address. */
export function isAllowEntry(entry: string): boolean {
  return parseEndpoint(entry) !== null || parseRange(entry) !== null
}
