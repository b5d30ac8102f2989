/** Dynamic registration (RFC 7591), open because older hosts need it; what it says proves nothing. */
import { addressBlock, isObject, type Logger, type RouteRequest } from '#kernel'
import { oauthJson, refusalAnswer, refuse, tooOften } from '../oauth-error.ts'
import type { Rates } from '../rates.ts'
import { ALL_SCOPES } from '../scope.ts'
import { cleanName } from './client.ts'
import { isAcceptableRedirect } from './redirect.ts'
import type { ClientStore } from './store.ts'

export const REGISTRATION_BYTES = 16 * 1024
const REDIRECTS_MAX = 20
/** All users of a hosted assistant come from few addresses. */
const ADDRESS_RATE = { burst: 300, perMinute: 60 }
const PER_DAY = 20_000
const ALL_RATE = { burst: PER_DAY, perMinute: PER_DAY / 1440 }
/** One address has a fifth of the day's sum, so that it cannot keep everybody else out. */
const ADDRESS_DAY_RATE = { burst: PER_DAY / 5, perMinute: PER_DAY / 5 / 1440 }

export interface RegisterDeps {
  store: ClientStore
  rates: Rates
  schemes: readonly string[]
  log: Logger
}

/** 201 with the new client, or why there is none. */
export async function register(deps: RegisterDeps, request: RouteRequest): Promise<Response> {
  const address = addressBlock(request.clientAddress)
  const waitS = await deps.rates.take(`register:${address}`, ADDRESS_RATE)
  if (waitS !== null) return refusalAnswer(tooOften(waitS))
  const body = await request.json()
  if (!body.ok) return refusalAnswer(refuse('invalid_client_metadata', body.message))
  if (!isObject(body.value))
    return refusalAnswer(refuse('invalid_client_metadata', 'The body must be a JSON object'))
  const { redirect_uris: redirectUris, client_name: claimed, application_type: type } = body.value
  if (
    !Array.isArray(redirectUris) ||
    redirectUris.length < 1 ||
    redirectUris.length > REDIRECTS_MAX
  )
    return refusalAnswer(
      refuse('invalid_redirect_uri', `redirect_uris must list 1 to ${REDIRECTS_MAX} addresses`),
    )
  const refused = redirectUris.findIndex((uri) => !isAcceptableRedirect(uri, deps.schemes))
  if (refused !== -1)
    return refusalAnswer(
      refuse(
        'invalid_redirect_uri',
        `redirect_uris[${refused}] must be https, http on loopback, or of a known app, without fragment, wildcard and user`,
      ),
    )
  if (claimed !== undefined && typeof claimed !== 'string')
    return refusalAnswer(refuse('invalid_client_metadata', 'client_name must be a string'))
  const name = cleanName(claimed ?? '') ?? 'An app without a name'
  // What is refused is kept nowhere, and takes nothing from the sums of the day.
  const waitDayS =
    (await deps.rates.take(`register-day:${address}`, ADDRESS_DAY_RATE)) ??
    (await deps.rates.take('register', ALL_RATE))
  if (waitDayS !== null) return refusalAnswer(tooOften(waitDayS))
  const id = crypto.randomUUID()
  await deps.store.register({ id, name, redirectUris: redirectUris as string[] })
  deps.log.info({ clientId: id }, 'oauth client registered')
  return oauthJson(201, {
    client_id: id,
    client_id_issued_at: Math.floor(Date.now() / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: ALL_SCOPES,
    ...(typeof type === 'string' && type.length <= 40 && { application_type: type }),
  })
}
