/**
 * Room for one more payload: what may be stored for an endpoint and a key before a destination has
 * taken it. A key that cannot pay gets far less than one that can.
 */
import { fail, type Billing, type Failure, type PluginDb } from '#kernel'
import { INGRESS_SKILL } from './charge.ts'
import type { RelayConfig } from './config.ts'
import { countedBytes } from './store/deliveries.ts'
import { evict, usageOf, type ByteLimit, type ByteLimits, type Usage } from './store/stored.ts'
import { REASONS } from './reasons.ts'

export interface RoomDeps {
  db: PluginDb
  billing: Billing
  config: Pick<RelayConfig, 'maxEndpointBytes' | 'maxKeyBytes' | 'maxUnfundedBytes' | 'maxParked'>
}
export interface RoomOrder {
  endpointId: string
  /** Who pays for the forwards; null: nobody but a payment with the call. */
  keyId: string | null
  body: Uint8Array
}
/** The limits that hold for one webhook, and how its key's is called. */
export interface RoomLimits extends ByteLimits {
  keyLimit: Exclude<ByteLimit, 'endpoint_bytes'>
}

/** Dropped at once, so that an endpoint that stays full does not look for room at each webhook. */
const EVICTED_SHARE = 32
const RETRY_AFTER_S = 60
const MAX_ROUNDS = 5

/** The limits for a webhook, or 402 when too many forwards of its key wait for funds. */
export async function limitsFor(deps: RoomDeps, order: RoomOrder): Promise<RoomLimits | Failure> {
  const { config } = deps
  const usage = await readUsage(deps, order)
  if (order.keyId !== null && usage.parkedFull) return tooManyParked()
  const { maxEndpointBytes: endpointBytes, maxKeyBytes } = config
  const unfundedBytes = Math.min(maxKeyBytes, config.maxUnfundedBytes)
  // As long as the limit of the penniless is far, nobody asks whether the key can pay: it holds.
  const isFar = usage.keyBytes + countedBytes(order.body) <= unfundedBytes
  const isFunded = !isFar && (await canPay(deps.billing, order.keyId))
  return isFunded
    ? { endpointBytes, keyBytes: maxKeyBytes, keyLimit: 'key_bytes' }
    : { endpointBytes, keyBytes: unfundedBytes, keyLimit: 'unfunded_bytes' }
}

/**
 * Stores a webhook by `accept`, which says 'no_room' when others took the room meanwhile; then
 * limits and room are looked at anew. 429 when there is none.
 */
export async function withRoom<T extends { outcome: string }>(
  deps: RoomDeps,
  order: RoomOrder,
  first: RoomLimits,
  accept: (limits: RoomLimits) => Promise<T>,
): Promise<Exclude<T, { outcome: 'no_room' }> | Failure> {
  let limits = first
  for (let round = 1; ; round++) {
    const accepted = await accept(limits)
    if (accepted.outcome !== 'no_room') return accepted as Exclude<T, { outcome: 'no_room' }>
    const now = await limitsFor(deps, order)
    if ('ok' in now) return now
    limits = now
    const full = await makeRoom(deps, order, limits)
    if (full) return full
    if (round === MAX_ROUNDS) return storageFull(limits.keyLimit, limits.keyBytes)
  }
}

/** Drops old payloads without work left; 429 that names the limit when none could be dropped. */
async function makeRoom(
  deps: RoomDeps,
  order: RoomOrder,
  limits: RoomLimits,
): Promise<Failure | null> {
  const { endpointId, keyId } = order
  const bytes = countedBytes(order.body)
  const usage = await readUsage(deps, order)
  const wouldBe = { endpoint: usage.endpointBytes + bytes, key: usage.keyBytes + bytes }
  if (wouldBe.endpoint > limits.endpointBytes) {
    const excess = excessOf(wouldBe.endpoint, limits.endpointBytes)
    // Others' payloads at the endpoint do not make room for a key that cannot pay.
    const mayEvict = bytes <= limits.endpointBytes && (await canPay(deps.billing, keyId))
    if (!mayEvict || !(await evict(deps.db, { endpointId }, excess)))
      return storageFull('endpoint_bytes', limits.endpointBytes)
  }
  if (keyId !== null && wouldBe.key > limits.keyBytes) {
    // What was stored while the key could pay is not given up because it cannot pay now.
    const mayEvict = limits.keyLimit === 'key_bytes' && bytes <= limits.keyBytes
    const excess = excessOf(wouldBe.key, limits.keyBytes)
    if (!mayEvict || !(await evict(deps.db, { keyId }, excess)))
      return storageFull(limits.keyLimit, limits.keyBytes)
  }
  return null
}

/** How much to drop: more than is needed now, so that the next webhook finds room too. */
function excessOf(wouldBeBytes: number, limitBytes: number): number {
  return Math.ceil(Math.max(wouldBeBytes - limitBytes, limitBytes / EVICTED_SHARE))
}

/** 429 for a webhook that would take more bytes than may be stored. */
function storageFull(limit: ByteLimit, limitBytes: number): Failure {
  const cause =
    limit === 'unfunded_bytes'
      ? 'The key cannot pay for its forwards, and too many webhooks wait for it: top it up, then retry'
      : 'Too many webhooks wait for their destinations here'
  return fail('RATE_LIMITED', `${cause} (${limit}: ${limitBytes})`, {
    details: { limit, limitBytes },
    headers: { 'retry-after': String(RETRY_AFTER_S) },
  })
}

function readUsage({ db, config }: RoomDeps, { endpointId, keyId }: RoomOrder): Promise<Usage> {
  return usageOf(db, { endpointId, keyId, maxParked: config.maxParked })
}

async function canPay(billing: Billing, keyId: string | null): Promise<boolean> {
  const price = billing.price(INGRESS_SKILL)
  if (keyId === null || price === null || price.amountAtomic === 0n) return true
  return billing.covers(keyId, price.amountAtomic)
}

function tooManyParked(): Failure {
  return fail(
    'PAYMENT_REQUIRED',
    'Too many webhooks of this key wait for funds: top it up, then retry',
    { details: { reason: REASONS.too_many_parked } },
  )
}
