/** Endpoints and destinations as the admin routes show them: secrets never, except a new one once. */
import type { RouteRequest } from '#kernel'
import { withoutTargets } from '../../shared/inline-secrets.ts'
import type { StoredSecret } from '../secrets.ts'
import type { Destination, Endpoint } from '../store/endpoints.ts'
import { headerOf } from '../verify/verify.ts'

/** Plaintexts made or set by this very request, by endpoint or destination id. */
export type ShownOnce = ReadonlyMap<string, string>

const NOTHING: ShownOnce = new Map()

export function showEndpoint(
  endpoint: Endpoint,
  productUrl: string,
  now: Date,
  shown: ShownOnce = NOTHING,
): object {
  const header = headerOf(endpoint.scheme, endpoint.header)
  const secret = shown.get(endpoint.id)
  return {
    id: endpoint.id,
    name: endpoint.name,
    apiKeyId: endpoint.ownerKeyId,
    status: endpoint.enabled ? 'enabled' : 'disabled',
    disabledBy: endpoint.disabledBy,
    ingressUrl: `${productUrl}/endpoints/${endpoint.id}/ingress`,
    verification: {
      scheme: endpoint.scheme,
      ...(header !== '' && { header }),
      ...(endpoint.algorithm !== null && { algorithm: endpoint.algorithm }),
      ...(secret !== undefined && { secret }),
      secrets: endpoint.secrets.flatMap((known) => showSecret(known, now)),
    },
    destinations: endpoint.destinations.map((destination) =>
      showDestination(destination, now, shown),
    ),
    maxAttempts: endpoint.maxAttempts,
    timeoutMs: endpoint.timeoutMs,
    createdAt: endpoint.createdAt,
    updatedAt: endpoint.updatedAt,
  }
}

export function showDestination(
  destination: Destination,
  now: Date,
  shown: ShownOnce = NOTHING,
): object {
  const secret = shown.get(destination.id)
  return {
    id: destination.id,
    url: destination.url,
    headers: destination.headerNames,
    events: destination.events,
    status: destination.enabled ? 'enabled' : 'disabled',
    disabledReason: destination.disabledReason,
    disabledAt: destination.disabledAt,
    failingSince: destination.failingSince,
    ...(secret !== undefined && { secret }),
    secrets: destination.secrets.flatMap((known) => showSecret(known, now)),
    createdAt: destination.createdAt,
  }
}

function showSecret({ createdAt, notAfter }: StoredSecret, now: Date): object[] {
  if (notAfter !== null && Date.parse(notAfter) <= now.getTime()) return []
  return [{ createdAt, validUntil: notAfter }]
}

/** What an operator sees who may only look: where destinations are, and not what lets one send there. */
export function shownTo({ operator }: Pick<RouteRequest, 'operator'>, shown: object): object {
  return operator?.role === 'read' ? (withoutTargets(shown) as object) : shown
}
