/** The documents by which clients find out what there is: RFC 9728 of the resource, RFC 8414 of the issuer. */
import { Type } from 'typebox'
import { notFound, type OperatorFacts, type Route, type RouteRequest } from '#kernel'
import {
  RESOURCE_DOCUMENT_PATH,
  ROOT_RESOURCE_DOCUMENT_PATH,
  ROOT_SERVER_DOCUMENT_PATHS,
  SERVER_DOCUMENT_PATHS,
  type Places,
} from './places.ts'
import { SCOPES } from './scope.ts'

/** Algorithms of client assertions; no other is taken, whatever a header says. */
export const ASSERTION_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA']
const AUTH_METHODS = ['none', 'private_key_jwt']
const CACHED = { 'cache-control': 'public, max-age=300' }

export interface DocumentDeps {
  places: Places
  publicUrl: string
  operator(): OperatorFacts
  /** Host of MCP_OAUTH_URL, where the root documents are; null: nowhere. */
  ownHost: string | null
}

/** RFC 9728; without `offline_access`, which is nothing that the resource knows. */
export function resourceDocument({ places, publicUrl, operator }: DocumentDeps): object {
  const { name, privacyUrl, termsUrl } = operator()
  return {
    resource: places.issuer,
    authorization_servers: [places.issuer],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: name === null ? 'Coinop' : `Coinop of ${name}`,
    resource_documentation: `${publicUrl}/llms.txt`,
    ...(privacyUrl !== null && { resource_policy_uri: privacyUrl }),
    ...(termsUrl !== null && { resource_tos_uri: termsUrl }),
  }
}

/** RFC 8414 with RFC 9207, client id metadata documents and assertions of clients. */
export function serverDocument({ places, publicUrl, operator }: DocumentDeps): object {
  const { privacyUrl, termsUrl } = operator()
  return {
    issuer: places.issuer,
    authorization_endpoint: places.authorize,
    token_endpoint: places.token,
    registration_endpoint: places.register,
    revocation_endpoint: places.revoke,
    scopes_supported: [...SCOPES, 'offline_access'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${publicUrl}/llms.txt`,
    ...(privacyUrl !== null && { op_policy_uri: privacyUrl }),
    ...(termsUrl !== null && { op_tos_uri: termsUrl }),
  }
}

export function documentRoutes(deps: DocumentDeps): Route[] {
  const resource = (): object => resourceDocument(deps)
  const server = (): object => serverDocument(deps)
  const route = (
    path: string,
    summary: string,
    document: () => object,
    atRoot: boolean,
  ): Route => ({
    method: 'GET',
    path,
    auth: 'public',
    summary,
    output: Type.Object({}, { additionalProperties: true }),
    handler: (request) =>
      atRoot && hostOf(request) !== deps.ownHost
        ? notFound('There is nothing at this path')
        : Response.json(document(), { headers: CACHED }),
  })
  const ofResource = 'What the OAuth endpoint is and who gives its tokens (RFC 9728)'
  const ofServer = 'How tokens are got (RFC 8414)'
  return [
    route(RESOURCE_DOCUMENT_PATH, ofResource, resource, false),
    ...SERVER_DOCUMENT_PATHS.map((path) => route(path, ofServer, server, false)),
    ...(deps.ownHost === null
      ? []
      : [
          route(ROOT_RESOURCE_DOCUMENT_PATH, ofResource, resource, true),
          ...ROOT_SERVER_DOCUMENT_PATHS.map((path) => route(path, ofServer, server, true)),
        ]),
  ]
}

function hostOf({ request }: RouteRequest): string {
  return new URL(request.url).host
}
