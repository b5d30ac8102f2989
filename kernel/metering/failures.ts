/** The failures that metering itself answers, worded for callers and their agents. */
import { keyMissing } from '../auth/unauthorized.ts'
import { fail, invalid, unavailable, type Failure } from '../errors.ts'
import { atomicToCredits } from '../money.ts'
import type { Rail } from '../rails/contract.ts'
import { CREDITS_RAIL_ID, titleOf } from '../rails/registry.ts'
import { nextTurn } from '../schema/slices.ts'
import type { CompiledSchema } from '../schema/json.ts'
import { REASONS } from '../reasons.ts'

type Named = Pick<Rail, 'id' | 'title'>

const isCredits = ({ id }: Named): boolean => id === CREDITS_RAIL_ID

/** The failure of a 402, by price and rails; rails that need no account come first. */
export function paymentRequired(amountAtomic: bigint, rails: readonly Named[]): Failure {
  const sorted = rails.toSorted((a, b) => Number(isCredits(a)) - Number(isCredits(b)))
  const ways = sorted
    .map((rail) => (isCredits(rail) ? 'with a prepaid API key' : `by ${titleOf(rail)}`))
    .join(' or ')
  return fail('PAYMENT_REQUIRED', `This call costs money: pay ${ways}, then retry`, {
    details: {
      priceCredits: atomicToCredits(amountAtomic),
      priceUsdcAtomic: amountAtomic.toString(),
    },
    headers: { 'cache-control': 'no-store' },
  })
}

/** 401 for a call without a key; `rails` are those that could pay for it. */
export function keyRequired(rails: readonly Named[]): Failure {
  const others = rails.filter((rail) => !isCredits(rail)).map(titleOf)
  const also = others.length > 0 ? `, also when ${others.join(' or ')} pays` : ''
  return keyMissing(`This skill needs an API key${also}`)
}

/** 503 for a call whose rail failed while charging: whether it charged is not known yet. */
export function chargeUnknown(): Failure {
  return unavailable('It is not known whether this call was charged; send it again')
}

/** 429 with Retry-After for a caller over its rate. */
export function tooManyCalls(
  limits: { rpm: number; burst: number },
  retryAfterMs: number,
): Failure {
  return fail(
    'RATE_LIMITED',
    `Too many calls: ${limits.rpm} per minute, bursts of ${limits.burst}`,
    {
      details: { limit: 'rpm', retryAfterMs: Math.ceil(retryAfterMs) },
      headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
    },
  )
}

/** 429 for a skill without a free slot: all are taken, or the rest is reserved for others. */
export function tooBusy(limit: 'concurrency' | 'concurrency_share', concurrency: number): Failure {
  const message =
    limit === 'concurrency'
      ? `All ${concurrency} slots of this skill are busy; try again shortly`
      : 'Your calls hold their share of this skill; the slots left are for other callers'
  return fail('RATE_LIMITED', message, {
    details: { limit },
    headers: { 'retry-after': '1' },
  })
}

export function keyReused(): Failure {
  return fail('INVALID_INPUT', 'This idempotency key was used for another request', {
    status: 409,
    details: { reason: REASONS.idempotency_key_reused },
  })
}

export function answerNotKept(): Failure {
  return fail(
    'INVALID_INPUT',
    'The request with this idempotency key was answered and charged; its answer was too long to keep',
    { status: 409, details: { reason: REASONS.idempotency_answer_not_kept } },
  )
}

export function stillRunning(): Failure {
  return fail('INVALID_INPUT', 'The first request with this idempotency key is still running', {
    status: 409,
    retryable: true,
    details: { reason: REASONS.idempotency_in_flight },
    headers: { 'retry-after': '1' },
  })
}

/** The same failure when the order could not be journalled: only this process gives it back. */
export function givenBackUnlessThisDies(failure: Failure): Failure {
  const message = `${failure.message} while this gateway runs; should one stand, name this request to its operator`
  return { ...failure, message }
}

export function shuttingDown(): Failure {
  return fail('INTERNAL_ERROR', 'The gateway is shutting down; nothing was charged', {
    status: 503,
    headers: { 'retry-after': '5', connection: 'close' },
  })
}

/** INVALID_INPUT that names the errors in `value`, which are looked for in a turn of their own. */
export async function badInput(schema: CompiledSchema, value: unknown): Promise<Failure> {
  await nextTurn()
  return invalid(schema.issues(value))
}

/** The failure of work that was paid before it began; it tells the caller not to pay again. */
export function failedButPaid(failure: Failure): Failure {
  const text = failure.message.replace(/; nothing was charged$/, '')
  return {
    ...failure,
    message: `${text}; it is paid for: the same request with the same payment runs again, uncharged`,
  }
}
