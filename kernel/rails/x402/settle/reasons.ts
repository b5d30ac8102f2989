/**
 * What a facilitator's reason code is worth. Only a reason that can be given without having sent
 * anything is final; everything that is not known counts as doubtful, and the chain decides.
 */

import { PERMIT2_ADDRESS } from '@x402/evm'
import { WORDS } from '../words.ts'

/** Given after something was sent, or while nobody knows. */
const DOUBTFUL = new Set([
  'invalid_exact_evm_transaction_failed',
  'invalid_exact_evm_transfer_event_mismatch',
  // A facilitator that lost its own answer says this about the settlement that it made.
  'invalid_exact_evm_nonce_already_used',
  'permit2_invalid_nonce',
  'invalid_upto_evm_transaction_failed',
  'invalid_transaction_state',
  'settlement_pending',
])
/** Permit2's InvalidNonce(), which the reference facilitator repeats without knowing its name. */
const INVALID_NONCE = '0x756688fe'
/** Says nothing about the payment, only about the facilitator. */
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

/** How the codes of a refusal that was made before anything was sent begin. */
const FINAL = ['invalid_exact_evm_', 'invalid_upto_evm_', 'invalid_permit2_', 'permit2_', 'upto_']

/** A facilitator's reason without the node's words after it. */
export function plainReason(reason: string): string {
  return reason.includes(INVALID_NONCE) ? 'permit2_invalid_nonce' : reason.split(':')[0]!
}

/** 'final' = no for good; 'unsupported' = ask another one; 'doubtful' = it may have acted. */
export function reasonKind(reason: string): 'final' | 'unsupported' | 'doubtful' {
  if (UNSUPPORTED.has(reason)) return 'unsupported'
  if (DOUBTFUL.has(reason)) return 'doubtful'
  const final =
    FINAL.some((start) => reason.startsWith(start)) ||
    reason === 'insufficient_funds' ||
    reason === 'asset_not_deployed_contract' ||
    reason === 'eip6492_factory_not_allowed'
  return final ? 'final' : 'doubtful'
}

const FIELDS = new Map(
  Object.values(WORDS).flatMap((words) =>
    Object.values(words).map(({ reason, field }) => [reason, field]),
  ),
)
FIELDS.set('permit2_allowance_required', WORDS.permit2.value.field)

/** What the payer can do about a refusal, where it is not plain from its field. */
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
