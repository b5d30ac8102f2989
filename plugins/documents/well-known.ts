/** Documents at well-known addresses: the catalog of APIs (RFC 9727) and security.txt (RFC 9116). */
import type { DocumentedRail, Route } from '#kernel'
import type { OpenApiFacts } from './openapi.ts'
import { isMailbox } from './openapi-parts.ts'

const CATALOG_PATH = '/.well-known/api-catalog'
const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
const DAY_MS = 86_400_000
/** RFC 9116 recommends less than a year. */
const SECURITY_DAYS = 90

export interface WellKnownDeps {
  facts: Pick<OpenApiFacts, 'publicUrl' | 'contactEmail' | 'operator'>
  /** Paths that answer at the moment, by which optional pages are found. */
  paths(): ReadonlySet<string>
  rails(): readonly Pick<DocumentedRail, 'documents'>[]
}

/** The routes; security.txt is there only if the operator has set an address to write to. */
export function wellKnownRoutes(deps: WellKnownDeps): Route[] {
  const { facts } = deps
  const route = (path: string, summary: string, answer: () => Response): Route => ({
    method: 'GET',
    path,
    auth: 'public',
    summary,
    isUndocumented: true,
    handler: answer,
  })
  const catalog = route(CATALOG_PATH, 'Where the descriptions of the APIs are', () =>
    Response.json(apiCatalog(deps), {
      headers: {
        'content-type': CATALOG_TYPE,
        'cache-control': 'no-cache',
        link: `<${facts.publicUrl}${CATALOG_PATH}>; rel="api-catalog"`,
      },
    }),
  )
  if (!isMailbox(facts.contactEmail)) return [catalog]
  const security = route('/.well-known/security.txt', 'Whom to tell of a vulnerability', () => {
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' }
    return new Response(securityTxt(facts, Date.now()), { headers })
  })
  return [catalog, security]
}

/** A linkset (RFC 9264): the HTTP API with its documents, and MCP where it is served. */
export function apiCatalog({ facts, paths, rails }: WellKnownDeps): object {
  const { publicUrl, operator } = facts
  const served = paths()
  const link = (path: string, type: string, title: string) => ({
    href: `${publicUrl}${path}`,
    type,
    title,
  })
  const llms = link('/llms.txt', 'text/markdown', 'How to buy here, for language models')
  const railLinks = rails().flatMap((rail) => rail.documents?.().links ?? [])
  const api = {
    anchor: `${publicUrl}/`,
    'service-desc': [link('/openapi.json', 'application/json', 'OpenAPI')],
    'service-doc': [
      ...(served.has('/docs') ? [link('/docs', 'text/html', 'API reference')] : []),
      llms,
    ],
    'service-meta': [
      link('/v1/prices', 'application/json', 'Prices'),
      link('/v1/products', 'application/json', 'Products'),
      ...railLinks.map(({ title, path }) => ({ href: `${publicUrl}${path}`, title })),
    ],
    status: [link('/ready', 'application/json', 'Readiness')],
    ...(operator.termsUrl !== null && { 'terms-of-service': [{ href: operator.termsUrl }] }),
    ...(operator.privacyUrl !== null && { 'privacy-policy': [{ href: operator.privacyUrl }] }),
  }
  const mcp = { anchor: `${publicUrl}/mcp`, 'service-doc': [llms] }
  return { linkset: served.has('/mcp') ? [api, mcp] : [api] }
}

/** Valid for a quarter of a year from today, because it is made of what is configured now. */
export function securityTxt(
  { publicUrl, contactEmail }: Pick<OpenApiFacts, 'publicUrl' | 'contactEmail'>,
  nowMs: number,
): string {
  const expires = new Date((Math.floor(nowMs / DAY_MS) + SECURITY_DAYS) * DAY_MS)
  return `Contact: mailto:${encodeURI(contactEmail)}
Expires: ${expires.toISOString()}
Canonical: ${publicUrl}/.well-known/security.txt
`
}
