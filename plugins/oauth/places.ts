/**
 * Where everything is. Issuer and resource are one URL, so that the addresses of both documents end
 * alike and clients that confuse them arrive. Every URL comes from PUBLIC_URL, never from a request.
 */
export const ENDPOINT_PATH = '/mcp/oauth'
export const CONSENT_PATH = '/account/consent'
export const AUTHORIZE_PATH = `${ENDPOINT_PATH}/authorize`
export const TOKEN_PATH = `${ENDPOINT_PATH}/token`
export const REGISTER_PATH = `${ENDPOINT_PATH}/register`
export const REVOKE_PATH = `${ENDPOINT_PATH}/revoke`
export const RESOURCE_DOCUMENT_PATH = `/.well-known/oauth-protected-resource${ENDPOINT_PATH}`
/** RFC 8414 and where clients of OpenID Connect look, which confuse path and root (SDK, Claude). */
export const SERVER_DOCUMENT_PATHS: readonly string[] = [
  `/.well-known/oauth-authorization-server${ENDPOINT_PATH}`,
  `/.well-known/openid-configuration${ENDPOINT_PATH}`,
  `${ENDPOINT_PATH}/.well-known/openid-configuration`,
  `${ENDPOINT_PATH}/.well-known/oauth-authorization-server`,
]
/** Only on a host of its own (MCP_OAUTH_URL): on the gateway's they would speak for /mcp too. */
export const ROOT_RESOURCE_DOCUMENT_PATH = '/.well-known/oauth-protected-resource'
export const ROOT_SERVER_DOCUMENT_PATHS: readonly string[] = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
]

export interface Places {
  /** Issuer, resource and address of the MCP endpoint. */
  issuer: string
  authorize: string
  token: string
  register: string
  revoke: string
  /** Of the resource's document (RFC 9728), as a 401 names it. */
  resourceDocument: string
  /** The consent page, with the request's id to be added. */
  consent: string
  /** Path of the consent page as browsers see it, and of the page of what was allowed. */
  consentPath: string
  appsPath: string
}

/** @param base PUBLIC_URL or MCP_OAUTH_URL, without a slash at its end. */
export function placesOf(base: string, publicUrl: string): Places {
  const issuer = base + ENDPOINT_PATH
  const { pathname } = new URL(publicUrl + CONSENT_PATH)
  return {
    issuer,
    authorize: base + AUTHORIZE_PATH,
    token: base + TOKEN_PATH,
    register: base + REGISTER_PATH,
    revoke: base + REVOKE_PATH,
    resourceDocument: base + RESOURCE_DOCUMENT_PATH,
    consent: `${publicUrl + CONSENT_PATH}?request=`,
    consentPath: pathname,
    appsPath: pathname.replace(/consent$/, 'apps'),
  }
}

/**
 * Whether a `resource` parameter (RFC 8707) names this endpoint, after what every URL reader does to
 * it: case of scheme and host, default port, and one slash at the end.
 */
export function isOurs(resource: string, { issuer }: Places): boolean {
  if (!URL.canParse(resource) || resource.includes('#')) return false
  return new URL(resource).href.replace(/\/$/, '') === new URL(issuer).href
}
