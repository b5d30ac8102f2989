/** /v1/admin/webinfra/deliveries: what came in, where it went, and every attempt. */
import {
  fail,
  invalid,
  notFound,
  privateJson,
  type Failure,
  type Issue,
  type PluginDb,
  type Route,
  type RouteRequest,
} from '#kernel'
import { Type } from 'typebox'
import { DELIVERY_STATUSES, type DeliveryStatus } from '../status.ts'
import type { KeyScope } from '../store/endpoints.ts'
import { findDelivery, findPayload, listDeliveries, type DeliveryRow } from '../store/reads.ts'
import { shownTo } from './endpoint-view.ts'
import { TAG } from './endpoints.ts'
import { idOf, PageQuery, pageOf } from './page.ts'

export const NO_DELIVERY = 'No webhook delivery has this id'
const PATH = '/v1/admin/webinfra/deliveries'
const StatusQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])),
})
const DeliveriesQuery = Type.Object({
  ...StatusQuery.properties,
  endpointId: Type.Optional(Type.String()),
})

/**
 * The deliveries that a query asks for (`status`, `limit`, `cursor`, and `endpointId` where none is
 * given), newest first; 400 for a query that is wrong.
 */
export async function deliveriesPage(
  db: PluginDb,
  query: URLSearchParams,
  of: { endpointId: string | null; scope: KeyScope },
): Promise<{ deliveries: DeliveryRow[]; nextCursor: string | null } | Failure> {
  const issues: Issue[] = []
  const page = pageOf(query, issues)
  const endpointId = of.endpointId ?? idOf(query, 'endpointId', issues)
  const status = query.get('status')
  if (status !== null && !isStatus(status)) {
    issues.push({ path: '/status', message: `must be one of ${DELIVERY_STATUSES.join(', ')}` })
  }
  if (issues.length > 0) return invalid(issues)
  const deliveries = await listDeliveries(db, {
    ...page,
    endpointId,
    status: status as DeliveryStatus | null,
    scope: of.scope,
  })
  return {
    deliveries,
    nextCursor: deliveries.length === page.limit ? deliveries.at(-1)!.id : null,
  }
}

export function deliveryRoutes({ db }: { db: PluginDb }): Route[] {
  async function list({ query, params }: RouteRequest): Promise<Response | Failure> {
    const page = await deliveriesPage(db, query, { endpointId: params['id'] ?? null, scope: null })
    return 'ok' in page ? page : privateJson(page)
  }

  async function get(request: RouteRequest): Promise<Response | Failure> {
    const delivery = await findDelivery(db, request.params['id']!)
    return delivery ? privateJson(shownTo(request, delivery)) : notFound(NO_DELIVERY)
  }

  async function payload({ params }: RouteRequest): Promise<Response | Failure> {
    const found = await findPayload(db, params['id']!)
    if (!found) return notFound(NO_DELIVERY)
    if (found.body === null) {
      return fail('INVALID_INPUT', 'The payload was purged after its retention time', {
        status: 410,
      })
    }
    // Never rendered: an untrusted caller sent these bytes, and this is the operator's origin.
    return new Response(new Uint8Array(found.body), {
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      },
    })
  }

  const admin = { auth: 'admin', tag: TAG } as const
  return [
    {
      ...admin,
      method: 'GET',
      path: PATH,
      summary: 'Webhook deliveries, newest first',
      query: DeliveriesQuery,
      handler: list,
    },
    {
      ...admin,
      method: 'GET',
      path: '/v1/admin/webinfra/endpoints/{id}/deliveries',
      summary: 'Webhook deliveries of one endpoint, newest first',
      query: StatusQuery,
      handler: list,
    },
    {
      ...admin,
      method: 'GET',
      path: `${PATH}/{id}`,
      summary: 'One webhook delivery with every forward and attempt',
      handler: get,
    },
    {
      ...admin,
      method: 'GET',
      path: `${PATH}/{id}/payload`,
      summary: 'The raw bytes of a webhook delivery',
      handler: payload,
    },
  ]
}

function isStatus(text: string): text is DeliveryStatus {
  return (DELIVERY_STATUSES as readonly string[]).includes(text)
}
