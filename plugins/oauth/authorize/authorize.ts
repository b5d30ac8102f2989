/**
 * GET /mcp/oauth/authorize. Until client and redirect address are proven, an error is a page and never
 * a redirect; afterwards `error`, `state` and `iss` are on the way back to
 * the client (RFC 6749 section 4.1.2.1): by a redirect to an app on the person's computer, by a link to
 * any other site.
 */
import { addressBlock, type RouteRequest } from '#kernel'
import type { PortalSessions } from '../../shared/portal/contract.ts'
import type { Clients } from '../clients/clients.ts'
import { isRegistered } from '../clients/redirect.ts'
import { repeated, withoutEmpty } from '../form.ts'
import { isOurs, type Places } from '../places.ts'
import type { Rates } from '../rates.ts'
import { scopesIn } from '../scope.ts'
import { errorToClient, problemPage, sendTo } from './answers.ts'
import type { Requests } from '../grants/requests.ts'

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
const STATE_MAX = 4096
const ADDRESS_RATE = { burst: 300, perMinute: 60 }

export interface AuthorizeDeps {
  places: Places
  clients: Clients
  requests: Requests
  rates: Rates
  portal(): PortalSessions | null
}

/** A page, or the way to the consent page or back to the client. */
export async function authorize(deps: AuthorizeDeps, asked: RouteRequest): Promise<Response> {
  const { places } = deps
  const query = withoutEmpty(asked.query)
  const problem = (message: string, status = 400): Response =>
    problemPage(deps.portal(), status, message)
  const twice = repeated(query)
  if (twice !== null) return problem(`The app's request has ${twice} more than once.`)
  const clientId = query.get('client_id')
  if (!clientId) return problem("The app's request has no client_id.")
  const address = addressBlock(asked.clientAddress)
  const waitS = await deps.rates.take(`authorize:${address}`, ADDRESS_RATE)
  if (waitS !== null) return problem(`Too many sign-ins; try again in ${waitS} seconds.`, 429)
  const found = await deps.clients.current(clientId, address)
  if (!found.ok) return problem(`${found.message}.`)
  const redirectUri = query.get('redirect_uri')
  if (redirectUri === null || !isRegistered(redirectUri, found.client.redirectUris))
    return problem('The app wants to be sent to an address that it has not registered.')

  const state = query.get('state')
  const back = (error: string, description: string): Response =>
    errorToClient(deps.portal(), { redirectUri, state }, places.issuer, {
      error,
      error_description: description,
    })
  if (state !== null && (state.length > STATE_MAX || state.includes('\0')))
    return problem('The state of the app is too long.')
  if (query.get('response_type') !== 'code')
    return back('unsupported_response_type', 'response_type must be code')
  if ((query.get('response_mode') ?? 'query') !== 'query')
    return back('invalid_request', 'response_mode must be query')
  const challenge = query.get('code_challenge')
  if (challenge === null || !CHALLENGE.test(challenge))
    return back('invalid_request', 'code_challenge must be 43 characters of base64url')
  if (query.get('code_challenge_method') !== 'S256')
    return back('invalid_request', 'code_challenge_method must be S256')
  if (!query.getAll('resource').every((resource) => isOurs(resource, places)))
    return back('invalid_target', `resource must be ${places.issuer}`)
  const prompts = query.get('prompt')?.split(' ') ?? []
  if (prompts.includes('none'))
    return back('interaction_required', 'Every sign-in is answered by a person')
  const scope = scopesIn(query.get('scope')).join(' ')
  const id = await deps.requests.add({ clientId, redirectUri, state, challenge, scope })
  return sendTo(places.consent + id)
}
