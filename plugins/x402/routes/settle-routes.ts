/** /v1/x402: a challenge to copy, and settling ahead of the call . */
import { Type, type Static } from 'typebox'
import {
  type Catalog,
  fail,
  type Failure,
  httpSource,
  type Identity,
  invalid,
  type MountedSkill,
  newId,
  privateJson,
  type Quote,
  type QuoteBook,
  readInput,
  type Route,
  type RouteRequest,
} from '#kernel'
import { SettleAhead } from '../calls/settle-ahead.ts'
import { maxTimeoutSeconds } from '../terms/window.ts'
import type { X402Rail } from '../rail.ts'
import { encodeHeader } from '../payment/wire.ts'
import { freshened } from '../offers/challenge.ts'
import { REASONS } from '../reasons.ts'
import { PaymentText, RequestId } from './inputs.ts'

export interface SettleRouteDeps {
  rail: X402Rail
  catalog: Catalog
  quotes: Pick<QuoteBook, 'http' | 'tool' | 'identify'>
}

const TAG = 'x402'
const Resource = {
  skill: Type.String({ minLength: 1, maxLength: 200, description: 'Skill id, such as demo.echo' }),
  path: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        'The route (/v1/paid/echo) or tool (mcp://tool/echo); default: the skill’s route',
    }),
  ),
}
const ChallengeInput = Type.Object(
  { ...Resource, requestId: Type.Optional(RequestId) },
  { additionalProperties: false },
)
const ChallengeOutput = Type.Object({
  challenge: Type.Unknown({ description: 'x402 version 2 PaymentRequired' }),
  header: Type.String({ description: 'The same as the PAYMENT-REQUIRED header has it' }),
  requestId: Type.String(),
  expiresAt: Type.String(),
})
const SettleInput = Type.Object(
  {
    ...Resource,
    requestId: RequestId,
    paymentSignature: PaymentText,
  },
  { additionalProperties: false },
)
const SettleOutput = Type.Object({
  settled: Type.Boolean(),
  settlement: Type.Object({
    transaction: Type.String(),
    network: Type.String(),
    payer: Type.String(),
    amountUsdcAtomic: Type.Integer(),
  }),
  requestId: Type.String(),
  usageEventId: Type.String(),
})

/** POST /v1/x402/challenge and POST /v1/x402/settle. */
export function settleRoutes(deps: SettleRouteDeps): Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/x402/challenge',
      auth: 'public',
      rateLimited: true,
      tag: TAG,
      summary: 'The payment challenge of a skill, ready to sign',
      description:
        'The same offers as the 402 of the route, for a client that wants to sign before it calls.',
      input: ChallengeInput,
      output: ChallengeOutput,
      statuses: [401, 404, 503],
      handler: (request) => challenge(deps, request),
    },
    {
      method: 'POST',
      path: '/v1/x402/settle',
      auth: 'public',
      rateLimited: true,
      tag: TAG,
      summary:
        'Settle a payment ahead of its call, which is then made with the same X-Request-Id and the same API key, or without one',
      input: SettleInput,
      output: SettleOutput,
      statuses: [401, 402, 404, 409, 503],
      handler: (request) => settle(deps, request),
    },
  ]
}

async function challenge(
  deps: SettleRouteDeps,
  request: RouteRequest,
): Promise<Response | Failure> {
  const input = await readInput(request, ChallengeInput)
  if (!input.ok) return input
  const caller = await deps.quotes.identify(httpSource(request.request.headers, request))
  if (!caller.ok) return caller
  const found = sellable(deps, input.value, caller.identity)
  if (!found.ok) return found
  const challenge = freshened(found.core.offers.of(found.quote).required)
  const windowMs = maxTimeoutSeconds(found.quote.timeoutMs) * 1000
  return privateJson({
    challenge,
    header: encodeHeader(challenge),
    requestId: input.value.requestId ?? newId(),
    expiresAt: new Date(found.core.clock.nowMs() + windowMs).toISOString(),
  })
}

async function settle(deps: SettleRouteDeps, request: RouteRequest): Promise<Response | Failure> {
  const input = await readInput(request, SettleInput)
  if (!input.ok) return input
  // A key that comes along binds the request to its own calls.
  const caller = await deps.quotes.identify(httpSource(request.request.headers, request))
  if (!caller.ok) return caller
  const found = sellable(deps, input.value, caller.identity)
  if (!found.ok) return found
  const { requestId, paymentSignature } = input.value
  const settleAhead = new SettleAhead(found.core, deps.rail.prepaid)
  const settled = await settleAhead.settle({
    quote: found.quote,
    requestId,
    paymentSignature,
    keyId: caller.identity?.keyId ?? null,
  })
  if (!settled.ok) return settled
  return privateJson({
    settled: true,
    settlement: {
      transaction: settled.transaction,
      network: settled.network,
      payer: settled.payer,
      amountUsdcAtomic: Number(settled.amountAtomic),
    },
    requestId: settled.requestId,
    usageEventId: settled.ledgerId,
  })
}

/** The quote of what is named, when x402 can buy it now; what needs a key only with one that may buy it. */
function sellable(
  deps: SettleRouteDeps,
  named: Pick<Static<typeof ChallengeInput>, 'skill' | 'path'>,
  identity: Identity | null,
): { ok: true; quote: Quote; core: NonNullable<X402Rail['core']> } | Failure {
  const mounts = deps.catalog
    .current()
    .skills.filter((mounted) => mounted.skill.id === named.skill && mayBuy(identity, mounted))
  if (mounts.length === 0) {
    return invalid([{ path: '/skill', message: 'is not for sale here; see /v1/prices' }], 404)
  }
  const quote = mounts
    .flatMap((mounted) => quotesOf(deps, mounted).map((candidate) => ({ mounted, candidate })))
    .find(({ mounted, candidate }) => isNamed(candidate, named.path, mounted))?.candidate
  if (!quote) return invalid([{ path: '/path', message: 'is no route or tool of this skill' }], 404)
  const mounted = mounts.find((candidate) => quotesOf(deps, candidate).includes(quote))!
  if (!mounted.metered)
    return invalid([{ path: '/skill', message: 'is free: call it without payment' }])
  if (!mounted.rails.includes('x402')) {
    return invalid([{ path: '/skill', message: 'is not sold by x402; use a prepaid key' }])
  }
  const { core } = deps.rail
  const offer = deps.rail.available().ok ? deps.rail.offer(quote) : null
  if (!core || !offer) {
    return fail('UPSTREAM_FAILURE', 'x402 payments cannot be taken right now', {
      details: { reason: REASONS.settlement_unavailable },
      headers: { 'retry-after': '5' },
    })
  }
  return { ok: true, quote, core }
}

function mayBuy(identity: Identity | null, { skill, product }: MountedSkill): boolean {
  if (skill.payer !== 'key') return true
  if (identity === null || product.spec['visibility'] !== 'private') return identity !== null
  const { products, skills } = identity
  return (products?.includes(product.id) ?? true) && (skills?.includes(skill.id) ?? true)
}

function quotesOf({ quotes }: SettleRouteDeps, mounted: MountedSkill): Quote[] {
  const tools = mounted.tools.map((tool) => quotes.tool(mounted, tool))
  return mounted.route ? [quotes.http(mounted), ...tools] : tools
}

/**
 * By path or by its other name below /v1/p, with or without the method, or by tool URL; without a
 * path the first place (the route) is meant.
 */
function isNamed(quote: Quote, path: string | undefined, { product }: MountedSkill): boolean {
  if (path === undefined || path === '') return true
  const names = [quote.path]
  if (quote.path.startsWith(product.basePath))
    names.push(`/v1/p/${product.id}${quote.path.slice(product.basePath.length)}`)
  return names.some((name) => path === name || path === `${quote.method} ${name}`)
}
