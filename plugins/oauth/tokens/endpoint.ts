/** POST /mcp/oauth/token and /revoke: the client is proven first, and no answer may be kept. */
import { addressBlock, type Logger, type RouteRequest } from '#kernel'
import { authenticate, type AuthenticateDeps } from '../clients/authenticate.ts'
import type { Client } from '../clients/client.ts'
import { readForm } from '../form.ts'
import { oauthJson, refusalAnswer, refuse, tooOften, type Refusal } from '../oauth-error.ts'
import type { Rates } from '../rates.ts'
import { redeemCode, type CodeDeps } from './code.ts'
import { pairBody, type Pair } from './pairs.ts'
import { refresh, type RefreshDeps } from './refresh.ts'
import { revoke, type RevokeDeps } from './revoke.ts'

export interface TokenDeps extends AuthenticateDeps, CodeDeps, RefreshDeps, RevokeDeps {
  log: Logger
  rates: Rates
}

/**
 * Of one address, before its client is known: each request reads the database, and some check a
 * signature. A host's server refreshes the tokens of all its people from few addresses.
 */
const ADDRESS_RATE = { burst: 600, perMinute: 600 }

/** A pair of tokens, or an error of RFC 6749 section 5.2. */
export async function answerToken(deps: TokenDeps, asked: RouteRequest): Promise<Response> {
  const read = await readClient(deps, asked)
  if (!read.ok) return refusalAnswer(read)
  const { client, form } = read
  const kind = form.get('grant_type')
  const given = await byGrantType(deps, client, form, kind)
  if (!given.ok) {
    deps.log.info({ clientId: client.id, error: given.error }, 'oauth token refused')
    return refusalAnswer(given)
  }
  deps.log.debug({ clientId: client.id, grantId: given.grantId, kind }, 'oauth tokens given')
  return oauthJson(200, pairBody(given.pair))
}

/** 200 for every token, also for one that is nobody's. */
export async function answerRevoke(deps: TokenDeps, asked: RouteRequest): Promise<Response> {
  const read = await readClient(deps, asked)
  if (!read.ok) return refusalAnswer(read)
  const token = read.form.get('token')
  if (token === null) return refusalAnswer(refuse('invalid_request', 'token is missing'))
  await revoke(deps, read.client, token)
  return oauthJson(200, {})
}

async function readClient(
  deps: TokenDeps,
  asked: RouteRequest,
): Promise<{ ok: true; client: Client; form: URLSearchParams } | Refusal> {
  const waitS = await deps.rates.take(`token:${addressBlock(asked.clientAddress)}`, ADDRESS_RATE)
  if (waitS !== null) return tooOften(waitS)
  const body = await readForm(asked)
  if (!body.ok) return body
  const { form } = body
  const found = await authenticate(deps, asked.request.headers, form)
  return found.ok ? { ok: true, client: found.client, form } : found
}

async function byGrantType(
  deps: TokenDeps,
  client: Client,
  form: URLSearchParams,
  kind: string | null,
): Promise<{ ok: true; pair: Pair; grantId: string } | Refusal> {
  switch (kind) {
    case 'authorization_code':
      return redeemCode(deps, client, form)
    case 'refresh_token':
      return refresh(deps, client, form)
    case null:
      return refuse('invalid_request', 'grant_type is missing')
    default:
      return refuse(
        'unsupported_grant_type',
        'grant_type must be authorization_code or refresh_token',
      )
  }
}
