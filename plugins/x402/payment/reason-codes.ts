/**
 * The words for what disagrees in a signed part: the reference facilitator's reason code
 * (@x402/evm `exact/facilitator/errors.ts`) and the member of the payload, by transfer method.
 */
import type { TransferMethod } from '../terms/token.ts'
import type { PaymentReason } from '../reasons.ts'

export interface Word {
  reason: PaymentReason
  field: string
}
type Disagreement =
  | 'token'
  | 'recipient'
  | 'value'
  | 'validBefore'
  | 'validAfter'
  | 'signature'
  | 'nonce'
  | 'balance'

const TRANSACTION = 'payload.transaction'
/** Of a credential of MPP. */
const TEMPO = 'payload.signature'

export const WORDS: Readonly<
  Record<TransferMethod | 'svm' | 'tempo' | 'channel', Record<Disagreement, Word>>
> = {
  eip3009: {
    token: { reason: 'invalid_exact_evm_asset_mismatch', field: 'accepted.asset' },
    recipient: {
      reason: 'invalid_exact_evm_recipient_mismatch',
      field: 'payload.authorization.to',
    },
    value: {
      reason: 'invalid_exact_evm_payload_authorization_value_mismatch',
      field: 'payload.authorization.value',
    },
    validBefore: {
      reason: 'invalid_exact_evm_payload_authorization_valid_before',
      field: 'payload.authorization.validBefore',
    },
    validAfter: {
      reason: 'invalid_exact_evm_payload_authorization_valid_after',
      field: 'payload.authorization.validAfter',
    },
    signature: { reason: 'invalid_exact_evm_signature', field: 'payload.signature' },
    nonce: {
      reason: 'invalid_exact_evm_nonce_already_used',
      field: 'payload.authorization.nonce',
    },
    balance: {
      reason: 'invalid_exact_evm_insufficient_balance',
      field: 'payload.authorization.value',
    },
  },
  permit2: {
    token: {
      reason: 'permit2_token_mismatch',
      field: 'payload.permit2Authorization.permitted.token',
    },
    recipient: {
      reason: 'invalid_permit2_recipient_mismatch',
      field: 'payload.permit2Authorization.witness.to',
    },
    value: {
      reason: 'permit2_amount_mismatch',
      field: 'payload.permit2Authorization.permitted.amount',
    },
    validBefore: {
      reason: 'permit2_deadline_expired',
      field: 'payload.permit2Authorization.deadline',
    },
    validAfter: {
      reason: 'permit2_not_yet_valid',
      field: 'payload.permit2Authorization.witness.validAfter',
    },
    signature: { reason: 'invalid_permit2_signature', field: 'payload.signature' },
    nonce: {
      reason: 'permit2_invalid_nonce',
      field: 'payload.permit2Authorization.nonce',
    },
    balance: {
      reason: 'permit2_insufficient_balance',
      field: 'payload.permit2Authorization.permitted.amount',
    },
  },
  svm: {
    token: { reason: 'invalid_exact_svm_payload_mint_mismatch', field: TRANSACTION },
    recipient: { reason: 'invalid_exact_svm_payload_recipient_mismatch', field: TRANSACTION },
    value: { reason: 'invalid_exact_svm_payload_amount_mismatch', field: TRANSACTION },
    validBefore: { reason: 'invalid_exact_svm_blockhash_expired', field: TRANSACTION },
    validAfter: { reason: 'invalid_exact_svm_blockhash_expired', field: TRANSACTION },
    signature: { reason: 'invalid_exact_svm_payload_signature_invalid', field: TRANSACTION },
    nonce: { reason: 'invalid_exact_svm_already_used', field: TRANSACTION },
    balance: { reason: 'invalid_exact_svm_insufficient_balance', field: TRANSACTION },
  },
  tempo: {
    token: { reason: 'tempo_token_mismatch', field: TEMPO },
    recipient: { reason: 'tempo_recipient_mismatch', field: TEMPO },
    value: { reason: 'tempo_amount_mismatch', field: TEMPO },
    validBefore: { reason: 'tempo_valid_before', field: TEMPO },
    validAfter: { reason: 'tempo_valid_after', field: TEMPO },
    signature: { reason: 'tempo_signature', field: TEMPO },
    nonce: { reason: 'tempo_transaction_failed', field: TEMPO },
    balance: { reason: 'tempo_simulation_failed', field: TEMPO },
  },
  channel: {
    token: {
      reason: 'invalid_batch_settlement_evm_token_mismatch',
      field: 'payload.channelConfig.token',
    },
    recipient: {
      reason: 'invalid_batch_settlement_evm_receiver_mismatch',
      field: 'payload.channelConfig.receiver',
    },
    value: {
      reason: 'invalid_batch_settlement_evm_cumulative_amount_mismatch',
      field: 'payload.voucher.maxClaimableAmount',
    },
    validBefore: {
      reason: 'invalid_batch_settlement_evm_payload_authorization_valid_before',
      field: 'payload.deposit.authorization.erc3009Authorization.validBefore',
    },
    validAfter: {
      reason: 'invalid_batch_settlement_evm_payload_authorization_valid_after',
      field: 'payload.deposit.authorization.erc3009Authorization.validAfter',
    },
    signature: {
      reason: 'invalid_batch_settlement_evm_voucher_signature',
      field: 'payload.voucher.signature',
    },
    nonce: {
      reason: 'invalid_batch_settlement_evm_deposit_transaction_failed',
      field: 'payload.deposit',
    },
    balance: {
      reason: 'invalid_batch_settlement_evm_cumulative_exceeds_balance',
      field: 'payload.voucher.maxClaimableAmount',
    },
  },
}
