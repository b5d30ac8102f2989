/**
 * Operations that no OpenAPI document lists: the account pages and what their scripts ask, signing in
 * by OAuth, and the console with every operation of operators behind its session.
 */
import { PortalVisitor } from '../support/portal.ts'
import type { GatewayProcess } from '../support/gateway.ts'
import type { Operation } from './operations.ts'

type Fields = Readonly<Record<string, object>>
const text = { type: 'string' }
const uri = { type: 'string', format: 'uri' }
const credits = { type: 'number', minimum: 0, maximum: 10 }

/** Method, path, and what its query or its body may hold; ' form': the body is a form. */
const PAGES: readonly (readonly [string, Fields])[] = [
  ['GET /account', {}],
  ['GET /account/sign-in', { next: text, error: text }],
  ['POST /account/sign-in/key form', { csrf: text, next: text, api_key: text }],
  ['POST /account/sign-in/mail form', { csrf: text, next: text, email: { type: 'string', format: 'email' } }],
  ['GET /account/sign-in/mail', { token: text, t: text }],
  ['POST /account/sign-in/mail/open form', { csrf: text, token: text }],
  ['POST /account/sign-in/wallet/nonce', { address: text, chainId: { type: 'integer' } }],
  ['POST /account/sign-in/wallet', { message: text, signature: text, next: text }],
  ['POST /account/sign-in/passkey/options', {}],
  ['POST /account/sign-in/passkey', { response: {}, next: text }],
  ...['keys', 'keys/{id}', 'apps', 'calls', 'calls/{id}', 'usage', 'webhooks', 'plan', 'buy', 'receipts', 'receipts/{id}', 'settings']
    .map((path) => [`GET /account/${path}`, { cursor: text, month: text, next: text }] as const),
  ['GET /account/api/me', {}],
  ['GET /account/api/overview', {}],
  ['GET /account/api/calls', { cursor: text, from: text, until: text, outcome: text, skill: text, key: text, limit: { type: 'integer' } }],
  ['GET /account/api/usage', { from: text, until: text, days: { type: 'integer' } }],
  ['GET /account/api/usage.csv', { from: text, until: text }],
  ['GET /account/api/receipts', { cursor: text }],
  ['GET /account/api/receipts.csv', { month: text }],
  ['GET /account/api/receipts/{id}', {}],
  ['GET /account/api/keys', { cursor: text }],
  ['POST /account/api/keys', { name: text, day: credits, month: credits, call: credits, expiresAt: text, networks: { type: 'array', items: text }, products: {}, skills: {}, metadata: {} }],
  ['GET /account/api/keys/{id}', {}],
  ['PATCH /account/api/keys/{id}', { name: text, day: credits, expiresAt: text, networks: { type: 'array', items: text }, metadata: {} }],
  ['POST /account/api/keys/{id}/rotate', { graceSeconds: { type: 'integer' } }],
  ['DELETE /account/api/keys/{id}', {}],
  ['GET /account/api/grants', { cursor: text }],
  ['GET /account/api/grants/{id}', {}],
  ['PATCH /account/api/grants/{id}', { day: credits, month: credits }],
  ['DELETE /account/api/grants/{id}', {}],
  ['GET /account/api/relay', {}],
  ['GET /account/api/relay/endpoints', { cursor: text }],
  ['GET /account/api/relay/endpoints/{id}', {}],
  ['GET /account/api/relay/deliveries/{id}', {}],
  ['POST /account/api/relay/deliveries/{id}/replay', {}],
  ['GET /account/api/topup', {}],
  ['POST /account/api/topup/card', { provider: text, amountCredits: credits, email: text }],
  ['POST /account/api/topup/x402', { amountCredits: credits, address: text }],
  ['GET /account/api/plan', {}],
  ['POST /account/api/plan', { plan: text, planId: text }],
  ['GET /account/api/settings', {}],
  ['PATCH /account/api/settings', { noticeEmail: text, keySignIn: { type: 'boolean' }, lowMarkCredits: credits, webhookUrl: uri }],
  ['POST /account/api/sign-ins/email', { email: { type: 'string', format: 'email' } }],
  ['POST /account/api/sign-ins/wallet', { message: text, signature: text }],
  ['POST /account/api/sign-ins/passkey/options', {}],
  ['POST /account/api/sign-ins/passkey', { name: text, response: {} }],
  ['GET /account/api/sessions', {}],
  ['DELETE /account/api/sessions/{id}', {}],
  ['GET /account/consent', { request: text, r: text }],
  ['POST /account/consent form', { csrf: text, request: text, decision: text, day: text, month: text }],
  ['GET /mcp/oauth/authorize', { client_id: text, redirect_uri: uri, response_type: { enum: ['code', 'token'] }, code_challenge: text, code_challenge_method: { enum: ['S256', 'plain'] }, state: text, scope: text, resource: uri, prompt: text }],
  ['POST /mcp/oauth/token form', { grant_type: { enum: ['authorization_code', 'refresh_token', 'client_credentials', 'x'] }, code: text, refresh_token: text, client_id: text, redirect_uri: uri, code_verifier: text, resource: uri, scope: text }],
  ['POST /mcp/oauth/revoke form', { token: text, token_type_hint: text, client_id: text }],
  ['POST /mcp/oauth/register', { redirect_uris: { type: 'array', items: uri }, client_name: text, client_uri: uri, logo_uri: uri, jwks_uri: uri, token_endpoint_auth_method: text, grant_types: { type: 'array', items: text }, scope: text, software_statement: text }],
  ['POST /mcp/oauth', { jsonrpc: { const: '2.0' }, id: { type: 'integer' }, method: { enum: ['tools/list', 'tools/call', 'initialize', 'x'] }, params: {} }],
  ['GET /console/session', {}],
  ['POST /console/session', { token: text, link: text }],
] // prettier-ignore

/** All but failures of the gateway itself. */
const DECLARED: ReadonlyMap<string, ReadonlyMap<string, null>> = new Map(
  [200, 201, 202, 204, 302, 303, 304, 400, 402, 409, 410, 412, 422, 503].map((status) => [
    String(status),
    new Map(),
  ]),
)

/** The operations above, and those of operators as the console asks them. */
export function pageOperations(operations: readonly Operation[]): Operation[] {
  const own = PAGES.map(([line, fields]): Operation => {
    const [method = '', path = '', form] = line.split(' ')
    const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!)
    const inPath = names.map((name) => ({ name, in: 'path' as const, schema: text }))
    const inQuery = Object.entries(fields).map(([name, schema]) => ({
      name,
      in: 'query' as const,
      schema: schema as Operation['parameters'][number]['schema'],
    }))
    const isRead = method === 'GET' || method === 'DELETE'
    return {
      id: line,
      method,
      path,
      parameters: isRead ? [...inPath, ...inQuery] : inPath,
      body: isRead ? null : { schema: { type: 'object', properties: fields }, example: undefined },
      isForm: form === 'form',
      answers: DECLARED as Operation['answers'],
      security: [path.startsWith('/console') ? 'console' : 'person'],
      isPaid: false,
    }
  })
  const asked = operations
    .filter(({ security }) => security.length > 0 && !security.includes('apiKey'))
    .map((one) => ({
      ...one,
      id: `console ${one.id}`,
      path: `/console/api${one.path}`,
      answers: DECLARED as Operation['answers'],
      security: ['console'],
    }))
  return [...own, ...asked]
}

const SAME_SITE = { 'sec-fetch-site': 'same-origin', 'x-coinop-account': '1' }

/** The cookies of somebody who signed in to the account pages by `key`, as their scripts send them. */
export async function signedIn(
  gateway: GatewayProcess,
  key: string,
): Promise<Record<string, string>> {
  const visitor = new PortalVisitor(gateway)
  const { status, text } = await visitor.signInByKey(key)
  if (status !== 303) throw new Error(`no session of the account pages: ${status} ${text}`)
  const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ')
  return { cookie, origin: visitor.origin, ...SAME_SITE }
}

/** The cookies of an operator at the console. */
export async function signedInOperator(gateway: GatewayProcess): Promise<Record<string, string>> {
  const { origin } = new URL(gateway.url)
  const headers = { 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin' }
  const answer = await fetch(`${gateway.url}/console/session`, {
    method: 'POST',
    headers: { ...headers, 'x-coinop-console': '1' },
    body: JSON.stringify({ token: gateway.adminToken }),
  })
  const cookie = answer.headers.getSetCookie().map((set) => set.split(';')[0]!).join('; ') // prettier-ignore
  if (!answer.ok || cookie === '')
    throw new Error(`no session of the console: ${answer.status} ${await answer.text()}`)
  return { cookie, origin, 'sec-fetch-site': 'same-origin', 'x-coinop-console': '1' }
}
