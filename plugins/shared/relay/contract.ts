/**
 * What the webhook relay provides to other plugins: its endpoints, destinations and deliveries for the
 * account of whoever is signed in. All rules, inputs and answers are those of the relay's admin routes.
 */
import type { Failure, RouteRequest } from '#kernel'

/** The name under which it is provided. */
export const RELAY_DESK = 'relay-desk'

/**
 * Works for `keyIds` alone: things that none of these keys owns are 404. The request names them in its
 * parameters (`id`, `destinationId`) and brings the body or the query.
 */
export type RelayDeskHandler = (
  keyIds: readonly string[],
  request: RouteRequest,
) => Promise<Response | Failure>

export interface RelayDesk {
  endpoints: {
    /** Newest first, with `limit` and `cursor`: `{endpoints, nextCursor}`. */
    list: RelayDeskHandler
    /** `apiKeyId` is one of the keys; secrets made here are shown once. At most 100, else 409. */
    create: RelayDeskHandler
    get: RelayDeskHandler
    /** `status` 'disabled' pauses; `apiKeyId` moves it to another of the keys. */
    patch: RelayDeskHandler
    remove: RelayDeskHandler
    /** `{secret?, graceSeconds?}`: both secrets verify during the grace time. */
    rotate: RelayDeskHandler
  }
  destinations: {
    add: RelayDeskHandler
    patch: RelayDeskHandler
    remove: RelayDeskHandler
    /** Both secrets sign during the grace time. */
    rotate: RelayDeskHandler
  }
  deliveries: {
    /** Of the endpoint `id`, newest first, with `status`, `limit`, `cursor`: `{deliveries, nextCursor}`. */
    list: RelayDeskHandler
    /** One with every forward and attempt; never who paid for it. */
    get: RelayDeskHandler
    /**
     * Sends it again, sold by the product's own skill to the key that owns the endpoint, with its
     * price, budget and `Idempotency-Key`: `{replayed, status, delivery_id, chargedCredits}`; 409 where
     * the skill says `not_replayable`.
     */
    replay: RelayDeskHandler
  }
}
