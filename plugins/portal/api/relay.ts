/**
 * Webhook endpoints of the account's keys, with destinations, deliveries and replay, as the relay's
 * desk gives them. An owner sees those of all keys; a key with a budget sees and replays its own, and
 * changes nothing.
 */
import { fail, type AccountKeys, type Failure, type Route, type RouteRequest } from '#kernel'
import type { RelayDesk, RelayDeskHandler } from '../../shared/relay/contract.ts'
import type { Person } from '../people.ts'
import { apiRoutes, onlyKeyOf, type ApiDeps } from './route.ts'

export interface RelayDeps extends ApiDeps {
  accountKeys: Pick<AccountKeys, 'ids'>
  /** Null while no product relays webhooks. */
  desk(): RelayDesk | null
}

export function relayRoutes(deps: RelayDeps): Route[] {
  const { accountKeys, desk } = deps
  const route = apiRoutes(deps)

  /** Ids of the keys that the person sees, revoked ones too: their endpoints are still there. */
  async function keyIdsOf(person: Person): Promise<readonly string[]> {
    const only = onlyKeyOf(person)
    return only === null ? accountKeys.ids(person.accountId) : [only]
  }

  const asking =
    (choose: (desk: RelayDesk) => RelayDeskHandler) =>
    async (person: Person, request: RouteRequest): Promise<Response | Failure> => {
      const relay = desk()
      if (relay === null) return notMounted()
      return choose(relay)(await keyIdsOf(person), request)
    }

  const ENDPOINT = '/relay/endpoints/{id}'
  const DESTINATION = `${ENDPOINT}/destinations/{destinationId}`
  return [
    route('GET', '/relay', 'Whether webhooks are relayed here', 'anyone', () =>
      Response.json({ isOpen: desk() !== null }),
    ),
    route(
      'GET',
      '/relay/endpoints',
      'Webhook endpoints, newest first',
      'anyone',
      asking(({ endpoints }) => endpoints.list),
    ),
    route(
      'POST',
      '/relay/endpoints',
      'Makes a webhook endpoint; secrets are told once',
      'owner',
      asking(({ endpoints }) => endpoints.create),
    ),
    route(
      'GET',
      ENDPOINT,
      'One webhook endpoint',
      'anyone',
      asking(({ endpoints }) => endpoints.get),
    ),
    route(
      'PATCH',
      ENDPOINT,
      'Changes or pauses an endpoint',
      'owner',
      asking(({ endpoints }) => endpoints.patch),
    ),
    route(
      'DELETE',
      ENDPOINT,
      'Deletes an endpoint',
      'owner',
      asking(({ endpoints }) => endpoints.remove),
    ),
    route(
      'POST',
      `${ENDPOINT}/rotate`,
      'A new secret for senders; the one before counts for a grace time',
      'owner',
      asking(({ endpoints }) => endpoints.rotate),
    ),
    route(
      'POST',
      `${ENDPOINT}/destinations`,
      'Adds a destination; its secret is told once',
      'owner',
      asking(({ destinations }) => destinations.add),
    ),
    route(
      'PATCH',
      DESTINATION,
      'Changes or pauses a destination',
      'owner',
      asking(({ destinations }) => destinations.patch),
    ),
    route(
      'DELETE',
      DESTINATION,
      'Removes a destination',
      'owner',
      asking(({ destinations }) => destinations.remove),
    ),
    route(
      'POST',
      `${DESTINATION}/rotate`,
      'A new signing secret; both sign for a grace time',
      'owner',
      asking(({ destinations }) => destinations.rotate),
    ),
    route(
      'GET',
      `${ENDPOINT}/deliveries`,
      'Deliveries of an endpoint, newest first',
      'anyone',
      asking(({ deliveries }) => deliveries.list),
    ),
    route(
      'GET',
      '/relay/deliveries/{id}',
      'One delivery with its forwards and attempts',
      'anyone',
      asking(({ deliveries }) => deliveries.get),
    ),
    route(
      'POST',
      '/relay/deliveries/{id}/replay',
      'Sends a delivery again, paid by the key of its endpoint',
      'anyone',
      asking(({ deliveries }) => deliveries.replay),
    ),
  ]
}

function notMounted(): Failure {
  return fail('PROCESSING_FAILURE', 'Webhooks are not relayed here at this moment', {
    status: 503,
  })
}
