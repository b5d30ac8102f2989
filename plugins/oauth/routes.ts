/** All routes of the plugin, with what the OpenAPI document says of them. */
import { Type } from 'typebox'
import type { Route } from '#kernel'
import { MCP_BODY_BYTES } from '../shared/mcp/contract.ts'
import { authorize } from './authorize/authorize.ts'
import { answerConsent, showConsent } from './authorize/consent.ts'
import { register, REGISTRATION_BYTES } from './clients/register.ts'
import { documentRoutes } from './documents.ts'
import { FORM_BYTES } from './form.ts'
import { refuseGet, serveMcp } from './mcp.ts'
import { OAuthRefusal } from './oauth-error.ts'
import type { Parts } from './parts.ts'
import {
  AUTHORIZE_PATH,
  CONSENT_PATH,
  ENDPOINT_PATH,
  REGISTER_PATH,
  REVOKE_PATH,
  TOKEN_PATH,
} from './places.ts'
import { answerRevoke, answerToken } from './tokens/endpoint.ts'

const TAG = 'OAuth'
const text = (description: string) => Type.String({ description })
const AuthorizeQuery = Type.Object({
  response_type: Type.Literal('code'),
  client_id: text('As registered, or the URL of the client’s document'),
  redirect_uri: text('One that the client has registered'),
  code_challenge: text('SHA-256 of the verifier in base64url'),
  code_challenge_method: Type.Literal('S256'),
  scope: Type.Optional(text('mcp, spend; others are dropped')),
  state: Type.Optional(text('Comes back as it is')),
  resource: Type.Optional(text('The address of the MCP endpoint')),
})
const ClientFields = {
  client_id: Type.Optional(text('May be left out beside a client_assertion')),
  client_assertion_type: Type.Optional(Type.String()),
  client_assertion: Type.Optional(text('A JWT (RFC 7523)')),
}
const TokenForm = Type.Object({
  grant_type: Type.Enum(['authorization_code', 'refresh_token']),
  ...ClientFields,
  code: Type.Optional(Type.String()),
  redirect_uri: Type.Optional(Type.String()),
  code_verifier: Type.Optional(Type.String()),
  refresh_token: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
  resource: Type.Optional(Type.String()),
})
const RevokeForm = Type.Object({ token: Type.String(), ...ClientFields })
const TokenAnswer = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds' }),
  refresh_token: Type.String(),
  scope: Type.String(),
})
const Metadata = Type.Object(
  {
    redirect_uris: Type.Array(Type.String(), { minItems: 1, maxItems: 20 }),
    client_name: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
)
const Registered = Type.Object(
  { client_id: Type.String(), client_id_issued_at: Type.Integer() },
  { additionalProperties: true },
)

export function oauthRoutes(parts: Parts): Route[] {
  const shared = { auth: 'public', tag: TAG } as const
  return [
    ...documentRoutes(parts).map((route) => ({ ...route, tag: TAG })),
    {
      ...shared,
      method: 'POST',
      path: ENDPOINT_PATH,
      summary: 'POST /mcp for callers with an access token, and nobody else',
      input: Type.Object({}, { additionalProperties: true }),
      statuses: [202, 401, 403, 503],
      bodyBytes: MCP_BODY_BYTES,
      handler: (asked) => serveMcp(parts, asked),
    },
    {
      ...shared,
      method: 'GET',
      path: ENDPOINT_PATH,
      summary: 'Says where tokens are got (401), or that only POST is answered (405)',
      statuses: [401, 405],
      handler: (asked) => refuseGet(parts, asked),
    },
    {
      ...shared,
      method: 'GET',
      path: AUTHORIZE_PATH,
      summary: 'Begins a sign-in; leads to the consent page or back to the client',
      query: AuthorizeQuery,
      statuses: [303, 429],
      handler: (asked) => authorize(parts, asked),
    },
    {
      ...shared,
      method: 'POST',
      path: TOKEN_PATH,
      summary: 'A code or a refresh token for tokens (a form)',
      input: TokenForm,
      output: TokenAnswer,
      statuses: [401, 429],
      refusal: OAuthRefusal,
      bodyBytes: FORM_BYTES,
      handler: (asked) => answerToken(parts, asked),
    },
    {
      ...shared,
      method: 'POST',
      path: REVOKE_PATH,
      summary: 'Ends a token and what was given with it (a form; RFC 7009)',
      input: RevokeForm,
      statuses: [401, 429],
      refusal: OAuthRefusal,
      bodyBytes: FORM_BYTES,
      handler: (asked) => answerRevoke(parts, asked),
    },
    {
      ...shared,
      method: 'POST',
      path: REGISTER_PATH,
      summary: 'Registers a client (RFC 7591)',
      input: Metadata,
      output: Registered,
      statuses: [201, 429],
      refusal: OAuthRefusal,
      bodyBytes: REGISTRATION_BYTES,
      handler: (asked) => register(parts, asked),
    },
    {
      ...shared,
      method: 'GET',
      path: CONSENT_PATH,
      summary: 'The page on which a person allows an app a budget',
      query: Type.Object({ request: text('Of the sign-in that the app began') }),
      statuses: [303, 503],
      sameOrigin: true,
      handler: (asked) => showConsent(parts, asked),
    },
    {
      ...shared,
      method: 'POST',
      path: CONSENT_PATH,
      summary: 'The person’s answer (a form); leads back to the client',
      statuses: [303, 401, 403, 503],
      sameOrigin: true,
      bodyBytes: FORM_BYTES,
      handler: (asked) => answerConsent(parts, asked),
    },
  ]
}
