/** POST /mcp/oauth/token and /revoke: the client is proven first, and no answer may be kept. */
import { addressBlock, type KeyDirectory, type Logger, type RouteRequest } from '#kernel'
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
  keys: KeyDirectory
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
  const given = await ofLivingKey(deps, await byGrantType(deps, client, form, kind))
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

type Given = { ok: true; pair: Pair; grantId: string } | Refusal

async function byGrantType(
  deps: TokenDeps,
  client: Client,
  form: URLSearchParams,
  kind: string | null,
): Promise<Given> {
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

/** Whoever revoked the grant's key elsewhere, or closed its account, has ended what hangs on it. */
async function ofLivingKey({ keys, grants }: TokenDeps, given: Given): Promise<Given> {
  if (!given.ok) return given
  const key = await keys.find(given.grantId)
  if (key !== null && key.revokedAt === null) return given
  await grants.end(given.grantId, 'key_revoked')
  return refuse('invalid_grant', 'What was granted has ended; sign in again')
}
