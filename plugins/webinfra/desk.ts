/** The relay for the pages of its customers: what other plugins get as 'relay-desk'. */
import {
  atomicToCredits,
  fail,
  isIdempotencyKey,
  notFound,
  privateJson,
  stateConflict,
  type Caller,
  type Catalog,
  type Failure,
  type RouteRequest,
} from '#kernel'
import type { RelayDesk } from '../shared/relay/contract.ts'
import { REPLAY_SKILL } from './charge.ts'
import { deliveriesPage, NO_DELIVERY } from './routes/deliveries.ts'
import type { DestinationHandlers } from './routes/destinations.ts'
import { NO_ENDPOINT, type AdminDeps, type EndpointHandlers } from './routes/endpoints.ts'
import { findDelivery, ownerOfDelivery, type DeliveryRow, type ForwardRow } from './store/reads.ts'
import { findEndpoint } from './store/endpoints.ts'

export interface DeskDeps extends Pick<AdminDeps, 'db'> {
  endpoints: EndpointHandlers
  destinations: DestinationHandlers
  catalog: Catalog
  calls: Caller
  productId: string
}

export function relayDesk(deps: DeskDeps): RelayDesk {
  const { db, endpoints, destinations } = deps

  async function list(
    keyIds: readonly string[],
    { params, query }: RouteRequest,
  ): Promise<Response | Failure> {
    const endpointId = params['id']!
    if (!(await findEndpoint(db, endpointId, keyIds))) return notFound(NO_ENDPOINT)
    const found = await deliveriesPage(db, query, { endpointId, scope: keyIds })
    if ('ok' in found) return found
    return privateJson({ ...found, deliveries: found.deliveries.map(withoutPayer) })
  }

  async function get(
    keyIds: readonly string[],
    { params }: RouteRequest,
  ): Promise<Response | Failure> {
    const found = await findDelivery(db, params['id']!, keyIds)
    if (!found) return notFound(NO_DELIVERY)
    return privateJson({
      ...withoutPayer(found),
      headers: found.headers,
      forwards: found.forwards.map(forwardView),
    })
  }

  async function replay(
    keyIds: readonly string[],
    request: RouteRequest,
  ): Promise<Response | Failure> {
    const id = request.params['id']!
    const keyId = await ownerOfDelivery(db, id, keyIds)
    if (keyId === null) return notFound(NO_DELIVERY)
    const idempotencyKey = request.request.headers.get('idempotency-key')
    if (idempotencyKey !== null && !isIdempotencyKey(idempotencyKey)) {
      return fail('INVALID_INPUT', 'Idempotency-Key must be printable, without spaces')
    }
    const mounted = deps.catalog
      .current()
      .skills.find(
        ({ skill, product }) => skill.id === REPLAY_SKILL && product.id === deps.productId,
      )
    const tool = mounted?.tools[0]
    if (!mounted || !tool) return notSold()
    const outcome = await deps.calls.callTool({
      mounted,
      tool,
      input: { id },
      requestId: request.requestId,
      // The session pays with the key and brings no payment of its own.
      credentials: { header: () => null },
      // Networks of the key are not for its owner; the session of a key with networks has met them.
      as: { keyId, via: 'account', isOwner: true },
      ...(idempotencyKey !== null && { idempotencyKey }),
      clientAddress: request.clientAddress,
      signal: request.signal,
    })
    if (!outcome.ok) return refusalOf(outcome.failure)
    if (outcome.status !== 200) return notReplayable()
    const output = JSON.parse(outcome.json) as object
    const chargedCredits = atomicToCredits(outcome.receipt.chargedAtomic)
    return privateJson({ ...output, chargedCredits })
  }

  return { endpoints, destinations, deliveries: { list, get, replay } }
}

/** Where an endpoint verifies nothing, the payer may be an untrusted caller: it is not shown. */
function withoutPayer(delivery: DeliveryRow): object {
  const { id, endpointId, deliveryId, event, sizeBytes, sha256, purged, createdAt, status } =
    delivery
  return { id, endpointId, deliveryId, event, sizeBytes, sha256, purged, createdAt, status }
}

function forwardView(forward: ForwardRow): object {
  const { id, destinationId, url, cycle, state, maxAttempts, attempts, lastError } = forward
  const { nextAttemptAt, createdAt, endedAt } = forward
  return {
    id,
    destinationId,
    url,
    cycle,
    state,
    maxAttempts,
    attempts,
    lastError,
    nextAttemptAt,
    createdAt,
    endedAt,
  }
}

/** A key that was revoked is no reason to end the session of whoever asks. */
function refusalOf(failure: Failure): Failure {
  return failure.status === 401 ? { ...failure, status: 409 } : failure
}

function notReplayable(): Failure {
  return stateConflict(
    'It cannot be sent now: it is still being forwarded, its payload is not kept any more, no destination is enabled, or the endpoint is paused',
    'not_replayable',
  )
}

function notSold(): Failure {
  return fail('PROCESSING_FAILURE', 'Replays are not sold here at this moment', { status: 503 })
}
