/**
 * What a facilitator's reason code is worth. Only a reason that can be given without having sent
 * anything is final; everything that is not known counts as doubtful, and the chain decides.
 */

/** Given after something was sent, or while nobody knows. */
const DOUBTFUL = new Set([
  'invalid_exact_evm_transaction_failed',
  'invalid_exact_evm_transfer_event_mismatch',
  // A facilitator that lost its own answer says this about the settlement that it made.
  'invalid_exact_evm_nonce_already_used',
  'invalid_transaction_state',
  'settlement_pending',
])
/** Says nothing about the payment, only about the facilitator. */
const UNSUPPORTED = new Set([
  'invalid_network',
  'unsupported_scheme',
  'unsupported_network',
  'invalid_scheme',
  'invalid_x402_version',
  'unsupported_payload_type',
])

/** 'final' = no for good; 'unsupported' = ask another one; 'doubtful' = it may have acted. */
export function reasonKind(reason: string): 'final' | 'unsupported' | 'doubtful' {
  if (UNSUPPORTED.has(reason)) return 'unsupported'
  if (DOUBTFUL.has(reason)) return 'doubtful'
  const final =
    reason.startsWith('invalid_exact_evm_') ||
    reason === 'insufficient_funds' ||
    reason === 'asset_not_deployed_contract' ||
    reason === 'eip6492_factory_not_allowed'
  return final ? 'final' : 'doubtful'
}

/** The field of the payment that a facilitator's or the chain's reason is about. */
export function fieldOf(reason: string): string | undefined {
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
