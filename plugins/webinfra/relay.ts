/** The relay's core: storing a verified webhook with its forwards, and replaying a stored one. */
import { createHash } from 'node:crypto'
import { within, type PluginDb } from '#kernel'
import { DEDUPE_MS, type RelayConfig } from './config.ts'
import type { ForwardResult, Payment } from './forwarder.ts'
import { makeId } from './ids.ts'
import { eventName, jsonObjectOf, keptHeaders, wants, type Payload } from './payload.ts'
import type { Claimed } from './store/claimed.ts'
import {
  addForwards,
  ingest,
  lockForReplay,
  replayedBefore,
  type NewForward,
} from './store/deliveries.ts'
import { findEndpoint, type Destination, type Endpoint } from './store/endpoints.ts'
import { takesUnsigned } from './received.ts'
import type { ByteLimits } from './store/stored.ts'
import { deliveryStatus, type DeliveryStatus, type ForwardState } from './status.ts'
import type { Worker } from './worker.ts'

export interface RelayDeps {
  db: PluginDb
  worker: Worker
  config: RelayConfig
  now(): Date
}

/** Who pays for a webhook. */
export interface Sender {
  /** The caller's key, else the endpoint's owner; pays for all that a payment does not. */
  payerKeyId: string | null
  /** Of the payment that came with the call and buys the first attempt of the first forward; null: none came. */
  payment: Payment
  /** A signature of the endpoint's scheme came with it. */
  isGenuine: boolean
}

/** Who asks for a replay. */
export interface Replayer {
  callerKeyId: string
  /** Of the payment that came with the call and buys the first attempt; null: none came. */
  payment: Payment
  /** The Idempotency-Key of the call, for one without a payment; null: none. */
  callKey: string | null
}

export type Relayed =
  | { outcome: 'duplicate'; deliveryId: string }
  | { outcome: 'no_room' }
  | {
      outcome: 'stored'
      deliveryId: string
      status: DeliveryStatus
      chargedAtomic: bigint
      /** Ledger row of the first forward that was charged. */
      ledgerId?: string
      /** The forward that the payment is for succeeded. */
      paidSucceeded: boolean
    }

export type Replayed =
  | { outcome: 'not_found' }
  | { outcome: 'not_replayable' }
  | {
      outcome: 'done'
      status: DeliveryStatus
      chargedAtomic: bigint
      /** Ledger row of the first forward that was charged. */
      ledgerId?: string
      paidSucceeded: boolean
      /** No forward went out because the key could not pay. */
      unpaid: boolean
    }

/** One destination's part of a delivery, claimed for this instance from its first moment. */
interface Planned {
  row: NewForward
  claimed: Claimed
  payment: Payment
}

/** An Idempotency-Key names a call for so long. */
const CALL_KEY_MS = 86_400_000

/** The lease token of the first claim of a forward. */
const FIRST_LEASE_TOKEN = 1

export class Relay {
  readonly #deps: RelayDeps

  constructor(deps: RelayDeps) {
    this.#deps = deps
  }

  /** Stores the webhook, makes the first attempts, and says how it stands; durable before it returns. */
  async accept(
    endpoint: Endpoint,
    payload: Payload,
    dedupeKey: string | null,
    sender: Sender,
    limits: ByteLimits,
  ): Promise<Relayed> {
    const { db, config } = this.#deps
    const now = this.#deps.now()
    const deliveryId = makeId('dlv')
    const headers = keptHeaders(payload.headers)
    const event = eventName(payload.headers, jsonObjectOf(payload.body))
    const wanted = endpoint.destinations.filter(
      (destination) => destination.enabled && wants(destination.events, event),
    )
    const ids = wanted.map((destination) => destination.id)
    const atOnce = sender.payment !== null || this.#deps.worker.hasRoom(ids)
    const planned = wanted.map((destination, index) =>
      this.#plan(
        { id: deliveryId, body: payload.body, headers },
        { endpoint, destination, cycle: 0 },
        {
          payerKeyId: sender.payerKeyId,
          payment: index === 0 ? sender.payment : null,
          // A webhook that comes again is known by its own id.
          callKey: null,
        },
        { atOnce, now },
      ),
    )
    const stored = await ingest(
      db,
      {
        id: deliveryId,
        endpointId: endpoint.id,
        dedupeKey,
        dedupeUntil: new Date(now.getTime() + DEDUPE_MS),
        payerKeyId: sender.payerKeyId,
        event,
        headers,
        body: payload.body,
        sha256: createHash('sha256').update(payload.body).digest('hex'),
        isGenuine: sender.isGenuine,
        forwards: planned.map(({ row }) => row),
      },
      limits,
      now,
    )
    if (stored.outcome !== 'stored') return stored
    if (!atOnce) this.#deps.worker.look()
    const results = await this.#attempts(
      planned.filter(({ row }) => row.state === 'in_flight'),
      true,
      sender.payment === null ? config.answerWithinMs : null,
    )
    return {
      outcome: 'stored',
      deliveryId,
      status: statusNow(planned, results),
      ...totals(planned, results),
    }
  }

  /**
   * Sends a stored payload again to every enabled destination, once each, and waits for all of
   * them. Only the key that owns the endpoint or paid for the delivery finds it. By the `callKey` of a
   * replay whose gateway died, which another instance finished, nothing is sent or charged again.
   */
  async replay(deliveryId: string, { callerKeyId, payment, callKey }: Replayer): Promise<Replayed> {
    const { db } = this.#deps
    const now = this.#deps.now()
    const planned = await db.transaction(async (tx) => {
      const delivery = await lockForReplay(tx, deliveryId)
      const endpoint = delivery && (await findEndpoint(tx, delivery.endpointId))
      const mine = delivery?.payerKeyId === callerKeyId || endpoint?.ownerKeyId === callerKeyId
      if (!delivery || !mine) return 'not_found'
      if (callKey !== null) {
        const since = new Date(now.getTime() - CALL_KEY_MS)
        const by = { deliveryId, payerKeyId: callerKeyId, callKey, since }
        const states = await replayedBefore(tx, by)
        const status = states.length === 0 ? 'failed' : deliveryStatus(states)
        // One that failed cost nothing, and may be repeated.
        if (status !== 'failed') return { status }
      }
      const { body, event, headers } = delivery
      if (!endpoint || body === null || delivery.live) return 'not_replayable'
      if (!endpoint.enabled && !mayStillReplay(endpoint, callerKeyId)) return 'not_replayable'
      // What the endpoint would no longer take from its sender is not sent again for him.
      if (!delivery.isGenuine && !takesUnsigned(endpoint, callerKeyId)) return 'not_replayable'
      const wanted = endpoint.destinations.filter(
        (destination) => destination.enabled && wants(destination.events, event),
      )
      if (wanted.length === 0) return 'not_replayable'
      const cycle = Math.max(1, delivery.newestCycle + 1)
      const forwards = wanted.map((destination, index) =>
        this.#plan(
          { id: deliveryId, body, headers },
          { endpoint, destination, cycle },
          { payerKeyId: callerKeyId, payment: index === 0 ? payment : null, callKey },
          { atOnce: true, now },
        ),
      )
      await addForwards(
        tx,
        deliveryId,
        forwards.map(({ row }) => row),
        now,
      )
      return forwards
    })
    if (typeof planned === 'string') return { outcome: planned }
    if ('status' in planned)
      return { outcome: 'done', ...planned, chargedAtomic: 0n, paidSucceeded: false, unpaid: false }
    const results = await this.#attempts(planned, false, null)
    const unpaid = [...results.values()].every((result) => result.unpaid)
    return {
      outcome: 'done',
      status: statusNow(planned, results),
      unpaid,
      ...totals(planned, results),
    }
  }

  #plan(
    delivery: { id: string; body: Uint8Array; headers: Record<string, string> },
    to: { endpoint: Endpoint; destination: Destination; cycle: number },
    by: { payerKeyId: string | null; payment: Payment; callKey: string | null },
    when: { atOnce: boolean; now: Date },
  ): Planned {
    const { endpoint, destination, cycle } = to
    const { payerKeyId, payment, callKey } = by
    const id = makeId('fwd')
    // A replay is one attempt: its caller hears how it ended, and may replay again.
    const maxAttempts = cycle === 0 ? endpoint.maxAttempts : 1
    const payable = payment !== null || payerKeyId !== null
    const leaseMs = endpoint.timeoutMs + this.#deps.config.leaseMarginMs
    const inFlight = payable && when.atOnce
    const row: NewForward = {
      id,
      destinationId: destination.id,
      cycle,
      state: inFlight ? 'in_flight' : payable ? 'pending' : 'cancelled',
      leaseToken: FIRST_LEASE_TOKEN,
      maxAttempts,
      payerKeyId,
      dueAt: payable && !inFlight ? when.now : null,
      leaseUntil: inFlight ? new Date(when.now.getTime() + leaseMs) : null,
      reason: payable ? null : 'no_payer',
      callKey,
    }
    const claimed: Claimed = {
      forwardId: id,
      deliveryId: delivery.id,
      cycle,
      attempts: 0,
      maxAttempts,
      leaseToken: FIRST_LEASE_TOKEN,
      lapses: 0,
      hasLapsed: false,
      payerKeyId,
      parked: false,
      timeoutMs: endpoint.timeoutMs,
      destination: { ...destination, failing: destination.failingSince !== null },
      payload: delivery,
    }
    return { row, claimed, payment }
  }

  /** Results that were there within `withinMs` (null: all of them), by forward id. */
  async #attempts(
    planned: readonly Planned[],
    waits: boolean,
    withinMs: number | null,
  ): Promise<Map<string, ForwardResult>> {
    const results = new Map<string, ForwardResult>()
    const all = Promise.all(
      planned.map(async ({ claimed, payment }) => {
        results.set(claimed.forwardId, await this.#deps.worker.run(claimed, { payment, waits }))
      }),
    )
    if (withinMs === null) await all
    else await within(all, withinMs, () => {})
    return new Map(results)
  }
}

/** Of a paused endpoint only its owner sends again, and only while it was not the operator who paused it. */
function mayStillReplay({ disabledBy, ownerKeyId }: Endpoint, callerKeyId: string): boolean {
  return disabledBy !== 'operator' && ownerKeyId === callerKeyId
}

/** A forward without a result, or taken over by another instance, is still in flight. */
function statusNow(
  planned: readonly Planned[],
  results: ReadonlyMap<string, ForwardResult>,
): DeliveryStatus {
  const states = planned.map(({ row }): ForwardState => {
    const state = results.get(row.id)?.state ?? row.state
    return state === 'lost' ? 'in_flight' : state
  })
  return deliveryStatus(states)
}

function totals(
  planned: readonly Planned[],
  results: ReadonlyMap<string, ForwardResult>,
): { chargedAtomic: bigint; ledgerId?: string; paidSucceeded: boolean } {
  let chargedAtomic = 0n
  let ledgerId: string | undefined
  for (const result of results.values()) {
    chargedAtomic += result.chargedAtomic
    ledgerId ??= result.ledgerId
  }
  const byPayment = planned.find(({ payment }) => payment !== null)
  const paid = byPayment && results.get(byPayment.row.id)
  return {
    chargedAtomic,
    ...(ledgerId !== undefined && { ledgerId }),
    paidSucceeded: paid?.state === 'succeeded',
  }
}
