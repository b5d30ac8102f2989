/**
 * webinfra.webhook_ingress: raw bytes → verification → one statement with dedupe key, delivery and
 * forwards → first attempts → answer. A genuine signature is the credential and its endpoint's owner
 * pays; anybody else pays by key or with the call.
 */
import {
  defineSkill,
  fail,
  invalid,
  type Failure,
  type HttpParts,
  type Result,
  type SkillContext,
  type Vault,
} from '#kernel'
import type { Static } from 'typebox'
import { INGRESS_SKILL } from '../charge.ts'
import { bodyId, challengeOf, deliveryIdOf, jsonObjectOf, type Payload } from '../payload.ts'
import { checkSignature, endpointDisabled, endpointMissing, refuseUnsigned } from '../received.ts'
import type { Relay } from '../relay.ts'
import { limitsFor, withRoom, type RoomDeps, type RoomLimits, type RoomOrder } from '../room.ts'
import { IngressInput, IngressOutput } from '../schema.ts'
import { findEndpoint, type Endpoint } from '../store/endpoints.ts'

export interface IngressDeps extends RoomDeps {
  vault: Vault
  relay: Relay
  now(): Date
  maxPayloadBytes: number
  timeoutMs: number
}

type Input = Static<typeof IngressInput>

/** What the phases of one call found out; the input itself cannot carry bytes. */
interface Inbound {
  endpoint: Endpoint
  payload: Payload
  dedupeKey: string | null
  payerKeyId: string | null
  limits: RoomLimits
  isGenuine: boolean
}

const MAX_KEY_CHARACTERS = 255
const DELIVERY_HEADER = 'x-webhook-delivery-id'

export function ingressSkill(deps: IngressDeps) {
  const { db, vault } = deps
  /** HTTP requests by the input made of them; a tool call has none. */
  const partsOf = new WeakMap<object, HttpParts>()
  const inboundOf = new WeakMap<object, Inbound>()
  /** Verified while the caller was identified: once is enough. */
  const genuineOf = new WeakMap<HttpParts, Endpoint>()

  async function identify(_: SkillContext, parts: HttpParts) {
    const endpoint = await findEndpoint(db, parts.params['id'] ?? '')
    if (!endpoint) return null
    const signed = await checkSignature(vault, endpoint, parts, deps.now())
    if (signed !== 'genuine') return signed
    genuineOf.set(parts, endpoint)
    return endpoint.ownerKeyId === null ? null : { ok: true as const, keyId: endpoint.ownerKeyId }
  }

  function fromHttp(parts: HttpParts): unknown {
    const given = parts.headers.get(DELIVERY_HEADER)
    const deliveryId = given ?? bodyId(jsonObjectOf(parts.body)) ?? undefined
    const input = {
      id: parts.params['id'],
      ...(deliveryId !== undefined && { deliveryId }),
      // Binds a payment or an Idempotency-Key to these bytes.
      body: new Bun.CryptoHasher('sha256').update(parts.body).digest('hex'),
    }
    partsOf.set(input, parts)
    return input
  }

  async function check(ctx: SkillContext, input: Input): Promise<Failure | void> {
    const parts = partsOf.get(input)
    const verified = parts && genuineOf.get(parts)
    const endpoint = verified ?? (await findEndpoint(db, input.id))
    if (!endpoint) return endpointMissing()
    let genuine = verified !== undefined
    if (!verified) {
      const signed = parts ? await checkSignature(vault, endpoint, parts, deps.now()) : null
      if (signed !== null && signed !== 'genuine') return signed
      const refused = signed === null ? refuseUnsigned(endpoint, ctx.caller.keyId) : null
      if (refused) return refused
      genuine = signed === 'genuine'
    }
    if (!endpoint.enabled) return endpointDisabled()
    const payload = parts ?? payloadOf(input)
    if (payload.body.byteLength > deps.maxPayloadBytes) {
      return fail('INVALID_INPUT', `The payload is larger than ${deps.maxPayloadBytes} bytes`, {
        status: 413,
      })
    }
    const json = jsonObjectOf(payload.body)
    const dedupeKey = deliveryIdOf(endpoint.scheme, payload, {
      given: input.deliveryId,
      json,
      genuine,
    })
    if (dedupeKey !== null && !isKey(dedupeKey)) {
      return invalid([
        { path: '/deliveryId', message: `must be 1 to ${MAX_KEY_CHARACTERS} printable characters` },
      ])
    }
    const payerKeyId = ctx.caller.keyId ?? endpoint.ownerKeyId
    const limits = await limitsFor(deps, roomOf(endpoint, payload, payerKeyId))
    if ('ok' in limits) return limits
    inboundOf.set(input, { endpoint, payload, dedupeKey, payerKeyId, limits, isGenuine: genuine })
  }

  async function handler(
    ctx: SkillContext,
    input: Input,
  ): Promise<Result<Static<typeof IngressOutput>>> {
    const inbound = inboundOf.get(input)
    if (!inbound) return endpointMissing()
    const { endpoint, payload, dedupeKey, payerKeyId, isGenuine } = inbound
    const { rail, isHeld } = ctx.caller
    const payment = isHeld ? rail : null
    const order = roomOf(endpoint, payload, payerKeyId)
    const relayed = await withRoom(deps, order, inbound.limits, (limits) =>
      deps.relay.accept(endpoint, payload, dedupeKey, { payerKeyId, payment, isGenuine }, limits),
    )
    if ('ok' in relayed) return relayed
    const delivery_id = relayed.deliveryId
    if (relayed.outcome === 'duplicate') {
      const output = { accepted: true, duplicate: true, delivery_id, status: 'duplicate' as const }
      return { ok: true, output, bill: 'release' }
    }
    const challenge = isGenuine ? challengeOf(endpoint.scheme, payload) : null
    const output = {
      accepted: true,
      duplicate: false,
      delivery_id,
      status: relayed.status,
      ...(challenge !== null && { challenge }),
    }
    if (payment === null) {
      const { chargedAtomic: amountAtomic, ledgerId } = relayed
      return { ok: true, output, bill: { amountAtomic, ...(ledgerId && { ledgerId }) } }
    }
    return { ok: true, output, bill: relayed.paidSucceeded ? 'capture' : 'release' }
  }

  return defineSkill({
    id: INGRESS_SKILL,
    tools: [{ name: 'relay.webhook' }],
    title: 'Relay a webhook',
    description:
      "Stores a webhook and forwards it to the endpoint's destinations, with retries for up to 18 hours. Costs its price per destination that takes it; failures and duplicates are free.",
    input: IngressInput,
    output: IngressOutput,
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    },
    example: {
      input: {
        id: 'ep_0197f3c2a1b07c44a3e2b1c0d9e8f701',
        deliveryId: 'evt_1042',
        type: 'order.paid',
      },
      output: {
        accepted: true,
        duplicate: false,
        delivery_id: 'dlv_0197f3c2a1b07c44a3e2b1c0d9e8f702',
        status: 'forwarded',
      },
    },
    billing: 'self',
    limits: { timeoutMs: deps.timeoutMs, bodyBytes: deps.maxPayloadBytes, concurrency: 512 },
    identify,
    fromHttp,
    check,
    handler,
  })
}

/** The body of a tool call: `body` alone as it is, else every field but the endpoint's id. */
function payloadOf(input: Input): Payload {
  const { id: _, deliveryId, ...fields } = input as Record<string, unknown>
  const names = Object.keys(fields)
  const alone = names.length === 1 && names[0] === 'body'
  const value = alone
    ? fields['body']
    : { ...(deliveryId !== undefined && { deliveryId }), ...fields }
  const text = alone && typeof value === 'string' ? value : JSON.stringify(value)
  return {
    body: new TextEncoder().encode(text),
    headers: new Headers({ 'content-type': 'application/json' }),
  }
}

function isKey(key: string): boolean {
  return key.length <= MAX_KEY_CHARACTERS && /^[\x20-\x7e]+$/.test(key)
}

function roomOf(endpoint: Endpoint, payload: Payload, keyId: string | null): RoomOrder {
  return { endpointId: endpoint.id, keyId, body: payload.body }
}
