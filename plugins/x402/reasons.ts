/**
 * What `details.reason` of an x402 payment's failure means. The codes of PAYMENT_FAILED are those of
 * the reference facilitator (@x402/evm `exact/facilitator/errors.ts`) as far as it has one; a
 * facilitator may give others, which are passed on as they are.
 */
import { defineReasons } from '#kernel'

const SIGN_NEW = 'Sign a new payment for one of `accepts`.'
/** Of a payment whose settlement the gateway has no record of, such as after a restore of its database. */
const NONCE_USED = 'The payment was settled or cancelled before; this call took nothing.'
const ASK_OR_SIGN_NEW =
  'If the money left your wallet and you have no answer, ask the seller with the transaction; else sign a new payment for one of `accepts`.'
const refused = (meaning: string, fix = SIGN_NEW) =>
  ({ code: 'PAYMENT_FAILED', meaning, fix }) as const

export const REASONS = defineReasons({
  // What a call with a payment may meet besides a refusal.
  payment_in_flight: {
    code: 'INVALID_INPUT',
    status: 409,
    retryable: true,
    meaning: 'The same request with the same payment is running now.',
    fix: 'Send the same payment again after `Retry-After`.',
  },
  settlement_pending: {
    code: 'UPSTREAM_FAILURE',
    meaning: 'The settlement of the payment is not confirmed yet.',
    fix: 'Send the same payment again; do not sign a new one.',
  },
  settlement_unavailable: {
    code: 'UPSTREAM_FAILURE',
    meaning: 'No facilitator or node can be asked; nothing was taken.',
    fix: 'Send the same payment again after `Retry-After`, or pay by credits.',
  },
  answer_not_kept: {
    code: 'INVALID_INPUT',
    status: 409,
    meaning: 'The payment was settled and its answer delivered; the answer is not kept any more.',
    fix: 'Use the first answer, or sign a new payment for a new call.',
  },
  payment_refunded: {
    code: 'INVALID_INPUT',
    status: 409,
    meaning: 'The operator refunded this payment as credits.',
    fix: 'Sign a new payment.',
  },
  invalid_payment_identifier: {
    code: 'INVALID_INPUT',
    meaning: 'The identifier in `extensions.payment-identifier` is malformed.',
    fix: 'Send one of 16 to 128 letters, digits, `-` or `_`.',
  },
  nonce_already_used: refused('The payment was already used for another request.'),
  // The payment cannot be read.
  invalid_payload: refused('A member of the payment is malformed; `details.field` names it.'),
  invalid_x402_version: refused('`x402Version` is neither 1 nor 2.'),
  unsupported_payload_type: refused('The payload is of a kind that is not taken here.'),
  unsupported_scheme: refused('This scheme does not buy this here.'),
  unsupported_network: refused('This network is not taken here.'),
  invalid_exact_evm_scheme: refused('The scheme is not the one that is offered.'),
  invalid_upto_evm_scheme: refused('The scheme is not the one that is offered.'),
  invalid_exact_evm_network_mismatch: refused('The network is not the one that is offered.'),
  invalid_upto_evm_network_mismatch: refused('The network is not the one that is offered.'),
  // The payment disagrees with the offer.
  invalid_exact_evm_asset_mismatch: refused('The token is not the one that is offered.'),
  permit2_token_mismatch: refused('The token is not the one that is offered.'),
  invalid_exact_evm_token_name_mismatch: refused("The token's EIP-712 name is another."),
  invalid_exact_evm_token_version_mismatch: refused("The token's EIP-712 version is another."),
  invalid_exact_evm_recipient_mismatch: refused('The receiver is not the one that is offered.'),
  invalid_permit2_recipient_mismatch: refused('The receiver is not the one that is offered.'),
  invalid_permit2_spender: refused('The spender is not the x402 proxy of Permit2.'),
  upto_facilitator_mismatch: refused('The payment names another facilitator.'),
  invalid_exact_evm_payload_authorization_value_mismatch: refused('The amount is not the price.'),
  permit2_amount_mismatch: refused('The amount is not the price.'),
  invalid_exact_evm_payload_authorization_valid_before: refused(
    'The payment has expired, or does so before it could be settled.',
  ),
  permit2_deadline_expired: refused(
    'The payment has expired, or does so before it could be settled.',
  ),
  invalid_exact_evm_payload_authorization_valid_after: refused('The payment is not valid yet.'),
  permit2_not_yet_valid: refused('The payment is not valid yet.'),
  invalid_exact_evm_signature: refused("The signature is not the payer's."),
  invalid_permit2_signature: refused("The signature is not the payer's."),
  // Of a channel (scheme batch-settlement).
  invalid_batch_settlement_evm_scheme: refused('The scheme is not the one that is offered.'),
  invalid_batch_settlement_evm_network_mismatch: refused(
    'The network is not the one that is offered.',
  ),
  invalid_batch_settlement_evm_payload_type: refused(
    'The payload is neither a voucher nor a deposit.',
  ),
  invalid_batch_settlement_evm_channel_id_mismatch: refused(
    'The channel id is not the hash of the channel on this chain.',
  ),
  invalid_batch_settlement_evm_receiver_mismatch: refused(
    'The receiver of the channel is not the one that is offered.',
  ),
  invalid_batch_settlement_evm_receiver_authorizer_mismatch: refused(
    'The receiver authorizer of the channel is not the one that is offered.',
    'Open a channel with the `receiverAuthorizer` of the offer.',
  ),
  invalid_batch_settlement_evm_token_mismatch: refused(
    'The token of the channel is not the one that is offered.',
  ),
  invalid_batch_settlement_evm_withdraw_delay_mismatch: refused(
    'The withdraw delay of the channel is not the one that is offered.',
    'Open a channel with the `withdrawDelay` of the offer.',
  ),
  invalid_batch_settlement_evm_voucher_signature: refused(
    "The voucher is not signed by the channel's payer authorizer.",
  ),
  invalid_batch_settlement_evm_receive_authorization_signature: refused(
    "The deposit is not signed by the channel's payer.",
  ),
  invalid_batch_settlement_evm_payload_authorization_valid_before: refused(
    'The deposit has expired, or does so before it could be made.',
  ),
  invalid_batch_settlement_evm_payload_authorization_valid_after: refused(
    'The deposit is not valid yet.',
  ),
  invalid_batch_settlement_evm_cumulative_amount_mismatch: refused(
    'The voucher is not for the sum charged so far plus the price.',
    'Go on from `channelState` in `extra` of the offer, which `details.channel` repeats.',
  ),
  invalid_batch_settlement_evm_cumulative_exceeds_balance: refused(
    'The channel has not enough left.',
    'Deposit more, or sign another payment.',
  ),
  invalid_batch_settlement_evm_channel_not_found: refused(
    'Nothing was deposited in this channel.',
    'Send the voucher with a deposit.',
  ),
  invalid_batch_settlement_evm_channel_busy: refused(
    'Another call of the same channel is running: a channel buys one call after the other.',
    'Send it again when that one is answered.',
  ),
  invalid_batch_settlement_evm_deposit_simulation_failed: refused(
    'The deposit would fail.',
    'Fund the paying account, or sign a new deposit.',
  ),
  invalid_batch_settlement_evm_deposit_transaction_failed: refused('The deposit failed.'),
  invalid_batch_settlement_evm_refund_no_balance: refused('Nothing is left in the channel.'),
  invalid_batch_settlement_evm_refund_amount_invalid: refused(
    'The wished amount is more than what is left in the channel.',
  ),
  channel_is_withdrawn: refused(
    'The payer is withdrawing from the channel.',
    'Pay in another way, or open a channel with another salt.',
  ),
  // The chain refuses it.
  invalid_exact_evm_nonce_already_used: refused(NONCE_USED, ASK_OR_SIGN_NEW),
  permit2_invalid_nonce: refused(NONCE_USED, ASK_OR_SIGN_NEW),
  invalid_exact_evm_insufficient_balance: refused(
    'The payer has not enough of the token.',
    'Fund the paying account, then sign a new payment.',
  ),
  permit2_insufficient_balance: refused(
    'The payer has not enough of the token.',
    'Fund the paying account, then sign a new payment.',
  ),
  permit2_allowance_required: refused(
    'Permit2 may not move the token yet.',
    'Approve it once as `details.fix` says, then send the same payment again.',
  ),
  permit2_simulation_failed: refused('The transfer fails on chain for an unnamed reason.'),
  permit2_proxy_not_deployed: refused('The network has no x402 proxy of Permit2.'),
  invalid_exact_evm_transaction_simulation_failed: refused(
    'The transfer fails on chain for an unnamed reason.',
  ),
  // Of a payment on Solana; `details.field` is mostly its transaction.
  invalid_exact_svm_unsupported_scheme: refused('Solana is not offered for this in that way.'),
  invalid_exact_svm_network_mismatch: refused('The network is not the one that is offered.'),
  invalid_exact_svm_payload_transaction: refused('The transaction is not base64, or too long.'),
  invalid_exact_svm_payload_transaction_could_not_be_decoded: refused(
    'The transaction is not a well-formed one of version 0.',
  ),
  invalid_exact_svm_payload_excessive_signers: refused(
    'The transaction must be signed by its fee payer and its payer, and by nobody else.',
  ),
  invalid_exact_svm_payload_address_lookup_tables: refused(
    'The transaction uses address lookup tables.',
  ),
  invalid_exact_svm_fee_payer_mismatch: refused('The fee payer is not the one that is offered.'),
  invalid_exact_svm_fee_payer_not_managed_by_facilitator: refused(
    'The fee payer was never offered.',
  ),
  invalid_exact_svm_payload_transaction_fee_payer_transferring_funds: refused(
    "The transaction moves the fee payer's own money.",
  ),
  invalid_exact_svm_payload_transaction_fee_payer_included_in_instruction_accounts: refused(
    'The fee payer stands in an instruction.',
  ),
  invalid_exact_svm_payload_transaction_instructions_length: refused(
    'The transaction has more than seven instructions.',
  ),
  invalid_exact_svm_payload_unknown_optional_instruction: refused(
    'The transaction calls a programme other than compute budget, token, memo and Lighthouse.',
  ),
  invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction: refused(
    'The transaction must set the limit of compute units exactly once.',
  ),
  invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high: refused(
    'The limit of compute units is above 200,000.',
  ),
  invalid_exact_svm_payload_transaction_instructions_compute_price_instruction: refused(
    'The transaction sets the price of compute units more than once.',
  ),
  invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high: refused(
    'The priority fee is too high.',
  ),
  invalid_exact_svm_payload_no_transfer_instruction: refused(
    'The transaction must have one TransferChecked of the right token programme.',
  ),
  invalid_exact_svm_payload_mint_mismatch: refused('The token is not the one that is offered.'),
  invalid_exact_svm_payload_recipient_mismatch: refused(
    "The transfer does not go to the payee's token account.",
  ),
  invalid_exact_svm_payload_amount_mismatch: refused('The amount is not the price.'),
  invalid_exact_svm_payload_memo_count: refused('The transaction has more than one memo.'),
  invalid_exact_svm_payload_memo_mismatch: refused('The memo is not the one that is offered.'),
  invalid_exact_svm_payload_signature_invalid: refused("The signature is not the payer's."),
  invalid_exact_svm_blockhash_expired: refused(
    'The transaction has expired, or does so before it could be settled.',
  ),
  invalid_exact_svm_already_used: refused(
    'The transaction was already settled, or failed on the network.',
  ),
  invalid_exact_svm_insufficient_balance: refused(
    'The payer has not enough of the token.',
    'Fund the paying account, then sign a new payment.',
  ),
  invalid_exact_svm_transaction_simulation_failed: refused(
    'The transaction fails on the network for an unnamed reason.',
  ),
  invalid_exact_svm_transaction_failed: refused('The transaction failed on the network.'),
  invalid_exact_evm_transaction_failed: refused('The transfer was reverted on chain.'),
  invalid_upto_evm_transaction_failed: refused('The transfer was reverted on chain.'),
  invalid_exact_evm_transfer_event_mismatch: refused('The transaction moved something else.'),
  // Of a transaction on Tempo, which comes by MPP.
  tempo_transaction: refused(
    'The transaction is not the one transfer that the challenge asks for.',
  ),
  tempo_not_offered: refused('Tempo is not offered for this.'),
  tempo_chain_mismatch: refused('The transaction is for another chain.'),
  tempo_token_mismatch: refused('The token is not the one that is offered.'),
  tempo_recipient_mismatch: refused('The receiver is not the one that is offered.'),
  tempo_amount_mismatch: refused('The amount is not the price.'),
  tempo_valid_before: refused(
    'The transaction has expired, never does, or does so before it could be settled.',
  ),
  tempo_valid_after: refused('The transaction is not valid yet.'),
  tempo_signature: refused("The signature is not the payer's."),
  tempo_simulation_failed: refused(
    'The transfer fails on the chain; mostly its payer has not enough of the token.',
    'Fund the paying account, then pay a new challenge.',
  ),
  tempo_transaction_failed: refused('The transaction failed on the chain.'),
  settlement_failed: refused('The settlement was refused.'),
  verification_failed: refused('The facilitator refused the payment without a reason.'),
  sandbox_chain_reset: refused('The chain of the sandbox was started anew.'),
  // A transaction hash was sent to POST /v1/x402/settle instead of a signed payment.
  transaction_not_found: refused(
    'The node does not know the transaction (yet).',
    'Send it again when it is mined.',
  ),
  transaction_reverted: refused('The transaction was reverted.', 'Send another transfer.'),
  not_a_plain_transfer: refused(
    'The transaction settles signed payments and is no plain transfer.',
    'Send a plain transfer.',
  ),
  not_confirmed: refused('The transaction needs one more block on top.', 'Send it again shortly.'),
  transfer_too_old: refused('The transfer is older than 15 minutes.', 'Send another transfer.'),
  insufficient_amount: refused(
    'The transfer moves less than the price.',
    'Send a transfer of the whole price.',
  ),
})

/** A code that this gateway gives itself. */
export type PaymentReason = keyof typeof REASONS
