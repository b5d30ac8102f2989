/**
 * Classifies a facilitator's reason for a refusal. A readable reason, of a known name or not, is a
 * refusal, unless it says that the money may have moved: then the chain decides.
 */

import { PERMIT2_ADDRESS } from '@x402/evm'
import { WORDS } from './reason-codes.ts'

/** Given after a transaction was sent, or when its outcome is unknown (@x402/evm, x402 version 1, CDP). */
const DOUBTFUL = new Set([
  'invalid_exact_evm_transaction_failed',
  'invalid_exact_evm_transfer_event_mismatch',
  // A facilitator whose answer was lost says this of its own settlement.
  'invalid_exact_evm_nonce_already_used',
  'permit2_invalid_nonce',
  'invalid_upto_evm_transaction_failed',
  // Also of a transaction that another has sent meanwhile.
  'invalid_exact_svm_transaction_simulation_failed',
  'invalid_exact_svm_already_used',
  'invalid_exact_svm_transaction_failed',
  'invalid_transaction_state',
  'settlement_pending',
  'erc20_approval_broadcast_failed',
  'unexpected_settle_error',
  'settle_exact_failed_onchain',
  'settle_exact_node_failure',
])
/** Texts by which any other reason says that the money may have moved, or is moving. */
const MAY_HAVE_MOVED =
  /pending|time[sd]?[ _-]*out|deadline[ _-]exceeded|unconfirmed|not[ _-](?:yet[ _-])?confirmed|already|duplicate|replay|in[ _-](?:flight|progress)|(?:nonce|authori[sz]ation|payment)[ _-](?:is[ _-]|was[ _-])?(?:used|settled|processed)/i
/** Permit2's InvalidNonce(), which the reference facilitator repeats without knowing its name. */
const INVALID_NONCE = '0x756688fe'
/** About the facilitator, not about the payment. */
const UNSUPPORTED = new Set([
  'invalid_network',
  'unsupported_scheme',
  'unsupported_network',
  'invalid_scheme',
  'invalid_x402_version',
  'unsupported_payload_type',
  'upto_facilitator_mismatch',
  'permit2_proxy_not_deployed',
])

/** Prefixes of the codes of refusals before anything was sent. */
const NAMED = [
  'invalid_exact_evm_',
  'invalid_exact_svm_',
  'invalid_upto_evm_',
  'invalid_permit2_',
  'permit2_',
  'upto_',
]
const NAMED_IN_FULL = new Set([
  'insufficient_funds',
  'asset_not_deployed_contract',
  'eip6492_factory_not_allowed',
  'smart_wallet_deployment_failed',
])
const MAX_REASON_CHARACTERS = 128

/**
 * A facilitator's reason as it may be passed on: a code without the node's words after it, any other
 * text on one line of at most 128 characters. Null when there is nothing to read.
 */
export function readableReason(given: unknown): string | null {
  if (typeof given !== 'string') return null
  if (given.includes(INVALID_NONCE)) return 'permit2_invalid_nonce'
  const code = given.split(':')[0]!
  if (isNamed(code)) return code
  const text = given.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  return text === '' ? null : text.slice(0, MAX_REASON_CHARACTERS)
}

/** Whether it is a code that means the same everywhere. */
export function isNamed(reason: string): boolean {
  return (
    DOUBTFUL.has(reason) ||
    UNSUPPORTED.has(reason) ||
    NAMED_IN_FULL.has(reason) ||
    NAMED.some((start) => reason.startsWith(start))
  )
}

/**
 * 'final' = rejected for good; 'unsupported' = another facilitator may take it; 'doubtful' = the
 * money may have moved.
 */
export function reasonKind(reason: string): 'final' | 'unsupported' | 'doubtful' {
  if (UNSUPPORTED.has(reason)) return 'unsupported'
  return DOUBTFUL.has(reason) || MAY_HAVE_MOVED.test(reason) ? 'doubtful' : 'final'
}

const FIELDS = new Map<string, string>(
  Object.values(WORDS).flatMap((words) =>
    Object.values(words).map(({ reason, field }) => [reason, field]),
  ),
)
FIELDS.set('permit2_allowance_required', WORDS.permit2.value.field)

/** What the payer can do about a refusal whose field alone does not tell. */
export function fixOf(reason: string): string | undefined {
  return reason === 'permit2_allowance_required'
    ? `let Permit2 move the token once: call approve(${PERMIT2_ADDRESS}, amount) on it from the paying account, then send the same payment again`
    : undefined
}

/** The field of the payment that a facilitator's or the chain's reason is about. */
export function fieldOf(reason: string): string | undefined {
  const known = FIELDS.get(reason)
  if (known !== undefined) return known
  if (reason.includes('nonce')) return 'payload.authorization.nonce'
  if (reason.includes('valid_before')) return 'payload.authorization.validBefore'
  if (reason.includes('valid_after')) return 'payload.authorization.validAfter'
  if (reason.includes('value') || reason.includes('insufficient'))
    return 'payload.authorization.value'
  if (reason.includes('recipient')) return 'payload.authorization.to'
  if (reason.includes('signature')) return 'payload.signature'
  if (reason.includes('token_name')) return 'accepted.extra.name'
  if (reason.includes('token_version')) return 'accepted.extra.version'
  if (reason.includes('network')) return 'accepted.network'
  return undefined
}
