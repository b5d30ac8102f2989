/** What each directory would refuse of a gateway: a table of checks over what a caller without a key sees. */
import { proofLine } from './proof.ts'
import { serverJsonProblems, type ServerJson } from './server-json.ts'
import { member } from './outside.ts'
import type { Probe, View } from './view.ts'

export const DIRECTORIES = [
  'MCP Registry',
  'Anthropic',
  'ChatGPT',
  'Bazaar',
  'x402scan',
  'mppx',
] as const
export type Directory = (typeof DIRECTORIES)[number]

export interface CheckInput {
  view: View
  serverJson: ServerJson
  /** Base64 of the public half of the key that proves the domain. */
  publicKey: string
}

export interface Finding {
  check: string
  directories: readonly Directory[]
  /** What is wrong, one line. */
  says: string
  /** What to change. */
  fix: string
}

interface Check {
  id: string
  directories: readonly Directory[]
  fix: string
  /** What is wrong, a line each. */
  problems(input: CheckInput): readonly string[]
}

const ALL = DIRECTORIES
const HOSTS: readonly Directory[] = ['Anthropic', 'ChatGPT']
const CRAWLERS: readonly Directory[] = ['Bazaar', 'x402scan']
/** What hosts take as the name of a tool. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/

const when = (isWrong: boolean, says: string): string[] => (isWrong ? [says] : [])

const CHECKS: readonly Check[] = [
  {
    id: 'https',
    directories: ALL,
    fix: 'Serve the gateway by https with a certificate that browsers trust, and set PUBLIC_URL to that address.',
    problems: ({ view: { publicUrl, front } }) => [
      ...when(!publicUrl.startsWith('https://'), `${publicUrl} is not https`),
      ...when(front.trouble !== null, `${publicUrl} does not answer: ${front.trouble}`),
    ],
  },
  {
    id: 'public-url',
    directories: ALL,
    fix: 'Set PUBLIC_URL to the address that the world uses, and start again.',
    problems({ view: { publicUrl, openapi } }) {
      const said = member(openapi.json, 'servers', 0, 'url')
      return when(said !== publicUrl, `/openapi.json names ${String(said)} as its server`)
    },
  },
  {
    id: 'server-json',
    directories: ['MCP Registry'],
    fix: 'Give a name by --name com.example/coinop (your domain reversed), and mend what the line names.',
    problems: ({ serverJson }) => serverJsonProblems(serverJson),
  },
  {
    id: 'domain-proof',
    directories: ['MCP Registry'],
    fix: 'Run coinop publish with PUBLIC_URL and ADMIN_TOKEN (or DATA_DIR with admin-token) of the gateway, or with COINOP_TOKEN, so that it can put the proof there; the product publish must be mounted. Or set the same line as a TXT record of the domain.',
    problems({ view: { proof }, publicKey }) {
      const isRight = proof.status === 200 && proof.text.trim() === proofLine(publicKey)
      return when(!isRight, `${proof.url} answers ${proof.status} without the proof of your key`)
    },
  },
  {
    id: 'oauth',
    directories: HOSTS,
    fix: 'Set MCP_OAUTH=true and mount the products portal and oauth: ChatGPT and the connectors of Claude sign in by OAuth alone.',
    problems: ({ view: { oauthCall } }) =>
      when(oauthCall.status !== 401, `POST /mcp/oauth answers ${oauthCall.status} instead of 401`),
  },
  {
    id: 'resource-metadata',
    directories: HOSTS,
    fix: 'Let WWW-Authenticate through the proxy in front of the gateway, with its name and value as they are.',
    problems({ view: { oauthCall, publicUrl } }) {
      if (oauthCall.status !== 401) return []
      const said = /resource_metadata="([^"]*)"/.exec(
        oauthCall.headers.get('www-authenticate') ?? '',
      )
      return when(
        said?.[1]?.startsWith(`${publicUrl}/`) !== true,
        `the 401 of /mcp/oauth names no absolute resource_metadata of ${publicUrl}`,
      )
    },
  },
  {
    id: 'issuer',
    directories: HOSTS,
    fix: 'Pass /.well-known/… on to the gateway unchanged, and set PUBLIC_URL to the address that clients use.',
    problems({ view: { oauthCall, resource, issuer, publicUrl } }) {
      if (oauthCall.status !== 401) return []
      const wanted = `${publicUrl}/mcp/oauth`
      return [
        ...when(
          member(resource.json, 'authorization_servers', 0) !== wanted,
          `${resource.url} does not name ${wanted} as its authorization server`,
        ),
        ...when(
          member(issuer.json, 'issuer') !== wanted,
          `${issuer.url} has the issuer ${String(member(issuer.json, 'issuer'))}, not ${wanted}`,
        ),
        ...['op_tos_uri', 'op_policy_uri'].flatMap((name) =>
          when(
            typeof member(issuer.json, name) !== 'string',
            `${issuer.url} has no ${name}: set TERMS_URL and PRIVACY_URL`,
          ),
        ),
      ]
    },
  },
  {
    id: 'well-known',
    directories: ALL,
    fix: 'Pass /.well-known/… on to the gateway; a page there (a site that answers everything) misleads clients.',
    problems: ({ view: { wellKnown, oauthOfMcp } }) =>
      [...wellKnown, ...oauthOfMcp].flatMap(({ url, status, json }) =>
        when(
          status !== 404 && (status !== 200 || json === null),
          `${url} is neither JSON nor 404 (${status})`,
        ),
      ),
  },
  {
    id: 'no-oauth-at-mcp',
    directories: HOSTS,
    fix: 'Remove what serves OAuth documents at these addresses: clients that bring a key would start to sign in.',
    problems: ({ view: { oauthOfMcp, mcpGet } }) => [
      ...oauthOfMcp.flatMap(({ url, status, json }) =>
        when(status === 200 && json !== null, `${url} is there`),
      ),
      ...when(
        /resource_metadata/.test(mcpGet.headers.get('www-authenticate') ?? ''),
        '/mcp names resource_metadata',
      ),
    ],
  },
  {
    id: 'unpaid-402',
    directories: [...CRAWLERS, 'mppx'],
    fix: 'Nothing in front of the gateway may answer for paid routes; the gateway itself says 402 before it looks at the input. nginx answers 502 unless it has proxy_buffer_size 12k.',
    problems: ({ view }) =>
      view.probes.flatMap(({ name, seen }) =>
        when(seen.status !== 402, `${name} answers ${seen.status} to a stranger instead of 402`),
      ),
  },
  {
    id: 'bazaar',
    directories: CRAWLERS,
    fix: 'Mount the product x402 with SETTLEMENT_ADDRESS and a facilitator, and let PAYMENT-REQUIRED through the proxy.',
    problems({ view: { probes } }) {
      // A skill that asks for a key has no offer for callers without one.
      const sold = of402(probes).filter(
        ({ seen, required }) => required !== null || member(seen.json, 'accepts') !== undefined,
      )
      if (sold.length === 0) return ['nothing is sold by x402']
      return sold.flatMap(({ name, required }) => {
        if (required === null) return [`${name} has no PAYMENT-REQUIRED that can be read`]
        return when(
          member(required, 'extensions', 'bazaar') === undefined,
          `${name} has no extensions.bazaar in PAYMENT-REQUIRED`,
        )
      })
    },
  },
  {
    id: 'resource-url',
    directories: CRAWLERS,
    fix: 'Set PUBLIC_URL to the address that the world uses: a payment is signed for the address that the 402 names.',
    problems: ({ view: { probes, publicUrl } }) =>
      of402(probes).flatMap(({ name, required }) => {
        const url = member(required, 'resource', 'url')
        return when(
          required !== null && !(typeof url === 'string' && url.startsWith(`${publicUrl}/`)),
          `the 402 of ${name} names ${String(url)}`,
        )
      }),
  },
  {
    id: 'sandbox',
    directories: CRAWLERS,
    fix: 'Take real money first: set SETTLEMENT_ADDRESS (and a facilitator or a node), which ends the sandbox.',
    problems: ({ view: { x402 } }) =>
      when(member(x402.json, 'sandbox') === true, 'it is a sandbox: nothing here can be bought'),
  },
  {
    id: 'openapi-input',
    directories: CRAWLERS,
    fix: 'Declare `input` of the skill in its product file, so that programs know what to send.',
    problems: ({ view }) =>
      view.probes.flatMap(({ name, hasInput }) =>
        when(!hasInput, `/openapi.json has no input for ${name}`),
      ),
  },
  {
    id: 'mpp-realm',
    directories: ['mppx'],
    fix: 'Set MPP_REALM to the host name of PUBLIC_URL, or leave it out.',
    problems: ({ view: { probes, publicUrl } }) =>
      of402(probes).flatMap(({ name, seen }) => {
        const realms = [
          ...(seen.headers.get('www-authenticate') ?? '').matchAll(
            /Payment [^,]*.*?realm="([^"]*)"/g,
          ),
        ]
        const { hostname } = new URL(publicUrl)
        return realms.flatMap(([, realm]) =>
          when(
            realm !== hostname,
            `the challenge of ${name} has the realm ${realm}, not ${hostname}`,
          ),
        )
      }),
  },
  {
    id: 'tools',
    directories: ['MCP Registry', ...HOSTS],
    fix: 'Mount the product mcp, and products with tools.',
    problems: ({ view }) => when(view.tools.length === 0, '/mcp lists no tools'),
  },
  {
    id: 'tool-annotations',
    directories: HOSTS,
    fix: 'Give the skill `title` and `annotations` (readOnlyHint, destructiveHint) in its product file.',
    problems: ({ view }) =>
      view.tools.flatMap(({ name, title, annotations }) => {
        const missing = [
          ...when(!title && !annotations?.title, 'title'),
          ...when(typeof annotations?.readOnlyHint !== 'boolean', 'readOnlyHint'),
          ...when(typeof annotations?.destructiveHint !== 'boolean', 'destructiveHint'),
        ]
        return when(missing.length > 0, `tool ${name} has no ${missing.join(', ')}`)
      }),
  },
  {
    id: 'tool-names',
    directories: HOSTS,
    fix: 'Name the tool with letters, digits, dots and underscores, 64 characters at most.',
    problems: ({ view }) =>
      view.tools.flatMap(({ name }) =>
        when(!TOOL_NAME.test(name), `tool name ${name} is refused by hosts`),
      ),
  },
  {
    id: 'documents',
    directories: ['Anthropic', 'ChatGPT', 'MCP Registry'],
    fix: 'Set TERMS_URL, PRIVACY_URL, SUPPORT_URL, OPERATOR_NAME and OPERATOR_LOGO_URL.',
    problems({ view: { openapi, server } }) {
      const info = member(openapi.json, 'info')
      const missing = [
        ...when(typeof member(info, 'termsOfService') !== 'string', 'TERMS_URL'),
        ...when(typeof member(info, 'x-privacy-policy') !== 'string', 'PRIVACY_URL'),
        ...when(typeof member(info, 'contact', 'url') !== 'string', 'SUPPORT_URL'),
        ...when(typeof member(info, 'contact', 'name') !== 'string', 'OPERATOR_NAME'),
        ...when(typeof member(server, 'icons', 0, 'src') !== 'string', 'OPERATOR_LOGO_URL'),
      ]
      return when(missing.length > 0, `the documents lack ${missing.join(', ')}`)
    },
  },
]

/** Everything that some directory would refuse; nothing when all is right. */
export function findingsOf(input: CheckInput): Finding[] {
  return CHECKS.flatMap(({ id, directories, fix, problems }) =>
    problems(input).map((says) => ({ check: id, directories, says, fix })),
  )
}

function of402(probes: readonly Probe[]): readonly Probe[] {
  return probes.filter(({ seen }) => seen.status === 402)
}
