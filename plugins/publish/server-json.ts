/**
 * `server.json`, by which the MCP Registry lists a server (schema 2025-12-11 of
 * modelcontextprotocol.io), made of what the running gateway says of itself.
 */
import { isIP } from 'node:net'
import { cutText } from '../shared/cut-text.ts'

export const SERVER_SCHEMA =
  'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/** The member of `_meta` that the registry keeps; it drops all others. */
const PROVIDED = 'io.modelcontextprotocol.registry/publisher-provided'
/** The registry refuses more than this under PROVIDED, in bytes of JSON. */
const PROVIDED_BYTES_MAX = 4096
const DESCRIPTION_MAX = 100
const TITLE_MAX = 100
const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/
const RANGE = /^[\^~<>=]|[*]|\.x$|^latest$/

export interface ServerFacts {
  publicUrl: string
  /** 'com.example/coinop'; null: made of the host of `publicUrl`. */
  name: string | null
  title: string
  description: string
  version: string
  iconUrl: string | null
  /** Whether hosts can sign in at /mcp/oauth. */
  hasOAuth: boolean
  /** Tool → what a call costs at most, in credits; as many as there is room for. */
  prices: readonly (readonly [tool: string, credits: number])[]
}

export interface ServerJson {
  $schema: string
  name: string
  title: string
  description: string
  version: string
  websiteUrl: string
  icons?: { src: string }[]
  remotes: {
    type: 'streamable-http'
    url: string
    headers?: { name: string; description: string; isSecret: boolean; isRequired: boolean }[]
  }[]
  _meta: Record<string, unknown>
}

/** The name under which the owner of this host may publish; null where the host is no domain. */
export function nameFor(publicUrl: string): string | null {
  const { hostname } = new URL(publicUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || !hostname.includes('.')) return null
  return `${hostname.split('.').toReversed().join('.')}/coinop`
}

/** The document; `serverJsonProblems` says what the registry would refuse of it. */
export function serverJson(facts: ServerFacts): ServerJson {
  const { publicUrl, title, version, iconUrl, hasOAuth } = facts
  return {
    $schema: SERVER_SCHEMA,
    name: facts.name ?? nameFor(publicUrl) ?? 'localhost/coinop',
    title: cut(title, TITLE_MAX),
    description: cut(facts.description, DESCRIPTION_MAX),
    version,
    websiteUrl: publicUrl,
    ...(iconUrl !== null && { icons: [{ src: iconUrl }] }),
    remotes: [
      ...(hasOAuth ? [{ type: 'streamable-http' as const, url: `${publicUrl}/mcp/oauth` }] : []),
      {
        type: 'streamable-http',
        // Hosts that take a server from here name its tools to models as they are listed.
        url: `${publicUrl}/mcp?names=underscore`,
        headers: [
          {
            name: 'X-Api-Key',
            description: 'Pays calls from a prepaid balance; without it they are paid one by one',
            isSecret: true,
            isRequired: false,
          },
        ],
      },
    ],
    _meta: { [PROVIDED]: provided(facts.prices) },
  }
}

/** What the registry would refuse, in words; nothing when it takes it. */
export function serverJsonProblems(document: ServerJson): string[] {
  const { name, description, version, remotes, icons = [] } = document
  const host = new URL(document.websiteUrl).hostname
  const problems: string[] = []
  if (!NAME.test(name) || name.length < 3 || name.length > 200) {
    problems.push(`name '${name}' must be reverse DNS with one slash, of 3 to 200 characters`)
  } else if (!ownsName(name, host)) {
    problems.push(`name '${name}' is not below the domain ${host}, which proves that it is yours`)
  }
  if (description === '' || description.length > DESCRIPTION_MAX) {
    problems.push(`description must have 1 to ${DESCRIPTION_MAX} characters`)
  }
  if (version === '' || version.length > 255 || RANGE.test(version)) {
    problems.push(`version '${version}' must be an exact one`)
  }
  for (const { url } of remotes) {
    if (!url.startsWith('https://')) problems.push(`remote ${url} must be https`)
  }
  for (const { src } of icons) {
    if (!src.startsWith('https://') || src.length > 255) {
      problems.push(`icon ${src} must be an https address of at most 255 characters`)
    }
  }
  const bytes = Buffer.byteLength(JSON.stringify(document._meta[PROVIDED] ?? {}))
  if (bytes > PROVIDED_BYTES_MAX) problems.push(`_meta has ${bytes} bytes, over 4096`)
  return problems
}

/** Whether a name is of this host or of a domain above it, short of a bare top-level domain. */
function ownsName(name: string, host: string): boolean {
  const labels = name.split('/')[0]!.split('.')
  const domain = labels.toReversed().join('.').toLowerCase()
  return labels.length >= 2 && (host === domain || host.endsWith(`.${domain}`))
}

function provided(prices: ServerFacts['prices']): object {
  const listed: Record<string, number> = {}
  const whole = () => ({ creditUsd: 0.01, priceCredits: listed })
  for (const [tool, credits] of prices) {
    listed[tool] = credits
    if (Buffer.byteLength(JSON.stringify(whole())) > PROVIDED_BYTES_MAX) {
      delete listed[tool]
      break
    }
  }
  return whole()
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${cutText(text, length - 1).trimEnd()}…`
}
