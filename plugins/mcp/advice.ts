/**
 * What a model should do about a failed call, in words that cannot be misread: whether anything was
 * charged, whether the same call may be sent again, and how.
 */
import { atomicToCredits, errorBody, type CallOutcome, type Failure, type Offer } from '#kernel'
import { META_IDEMPOTENCY_KEY } from './idempotency.ts'

type Failed = Extract<CallOutcome, { ok: false }>

/** The text block that follows the JSON of a failed result. */
export function adviceOf(outcome: Failed): string {
  const { failure, requestId } = outcome
  return [
    `${failure.code}: ${failure.message}.`.replace(/([.!?])\.$/, '$1'),
    ...fieldsOf(failure),
    charged(outcome),
    `Next: ${nextStep(outcome)}`,
    `requestId: ${requestId}`,
  ].join('\n')
}

/** The text block that follows a result by which the skill itself refuses, such as a conflict. */
export function refusalAdvice(outcome: Extract<CallOutcome, { ok: true }>): string {
  const { receipt, requestId, status } = outcome
  const credits = atomicToCredits(receipt.chargedAtomic)
  return [
    `Refused (${status}): nothing was done, for the reason named above.`,
    credits === 0 ? 'Charged: 0. This call took no money.' : `Charged: ${credits} credits.`,
    'Next: do not repeat the call at once. It fails again until that reason is gone.',
    `requestId: ${requestId}`,
  ].join('\n')
}

function fieldsOf(failure: Failure): string[] {
  const issues = failure.details?.['issues']
  if (!Array.isArray(issues)) return []
  return issues.map((issue: { path: string; message: string }) => {
    const place = issue.path === '' ? 'arguments' : `arguments${issue.path}`
    return `Field ${place}: ${issue.message}`
  })
}

function charged({ pending, receipt }: Failed): string {
  if (pending)
    return 'Charged: not known yet. The payment may have gone through and is being looked up.'
  const credits = atomicToCredits(receipt?.chargedAtomic ?? 0n)
  return credits === 0
    ? 'Charged: 0. This call took no money.'
    : `Charged: ${credits} credits, before the work.`
}

function howToPay(offers: readonly Offer[]): string {
  return offers.flatMap(({ advice }) => advice ?? []).join(' ')
}

/** What to change, as far as the failure says it. */
function nextInput({ details }: Failure): string {
  switch (details?.['reason']) {
    case 'idempotency_key_reused':
      return 'send the arguments of the first call to get its result again, or a new idempotency key for a new call.'
    case 'ssrf':
    case 'robots':
      return 'take another address. This one is refused for good, however it is written.'
  }
  const what = Array.isArray(details?.['issues']) ? 'the arguments named above' : 'the arguments'
  return `change ${what}. The same call sent unchanged will fail again.`
}

/** What only whoever gave the key can change. */
function nextByKey({ details, headers }: Failure): string | null {
  switch (details?.['reason']) {
    case 'over_budget':
      return `the budget of this API key is used up. Do not repeat the call before ${headers?.['retry-after'] ?? 'many'} seconds have passed; a larger budget can only be given by whoever gave the key.`
    case 'over_call_budget':
      return 'do not repeat the call: it costs more than this API key may ever spend on it. Choose a cheaper call, or ask whoever gave the key for a larger budget.'
    case 'skill_not_allowed':
      return 'do not repeat the call: this API key may not buy this tool. Use another one, or ask whoever gave the key to allow it.'
    case 'product_not_allowed':
      return 'do not repeat the call: this API key may not buy from this product. Use the tools of another one, or ask whoever gave the key to allow it.'
    case 'key_expired':
      return 'do not repeat the call: this API key has expired. Ask whoever gave the key to extend it, or use another one.'
    case 'origin_not_allowed':
      return 'do not repeat the call from here: this API key may be used from certain networks only, and your address is in none of them. Ask whoever gave the key to add it.'
    default:
      return null
  }
}

function nextStep({ failure, pending, receipt, offers, requestId }: Failed): string {
  const wait = failure.headers?.['retry-after']
  const after = wait === undefined ? 'shortly' : `after ${wait} seconds`
  const byKey = nextByKey(failure)
  if (byKey !== null) return byKey
  if (pending)
    return `send the same call with the same payment again ${after}. Do not sign or send a new payment.`
  if (receipt)
    return `send the same call with the same payment again ${after}: it is paid for. Do not sign a new payment. If it fails again and again, ask the operator for the money back, and name the requestId.`
  if (failure.code === 'PAYMENT_REQUIRED' && offers.length > 0)
    return `pay and call again. ${howToPay(offers)} The same call without a payment will be refused again.`
  if (failure.code === 'PAYMENT_FAILED')
    return offers.length > 0
      ? 'sign a new payment for one of `accepts` and call again. The refused payment took nothing.'
      : 'look at details.reason. The refused payment took nothing.'
  const { retryable } = errorBody(failure, requestId).error
  if (retryable)
    return `send the same call again ${after}, with the same _meta["${META_IDEMPOTENCY_KEY}"] if you sent one: it is then charged at most once.`
  if (failure.status === 401)
    return failure.details?.['reason'] === 'invalid_key'
      ? 'send a valid API key in the header X-Api-Key.'
      : 'call with credentials that may do this; the message says which.'
  if (failure.code === 'INVALID_INPUT' || failure.code === 'UNSUPPORTED_FORMAT')
    return nextInput(failure)
  return 'do not repeat the call unchanged, it will fail again.'
}
