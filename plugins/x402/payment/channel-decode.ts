/** Reads the payload of scheme `batch-settlement`: strict about every member, as for other schemes. */
import type { Hex } from 'viem'
import { isObject } from '#kernel'
import { bad, Reader, type Bad } from './wire.ts'
import {
  MAX_UNITS,
  WITHDRAW_DELAY_S,
  type ChannelConfig,
  type ChannelDeposit,
  type SignedVoucher,
} from './channel.ts'

const KINDS = ['voucher', 'deposit', 'refund'] as const

/** `payload` of a payment through a channel. */
export function decodeVoucher(payload: unknown): { ok: true; signed: SignedVoucher } | Bad {
  if (!isObject(payload)) return bad('payload', 'must be an object')
  const kind = KINDS.find((one) => one === payload['type'])
  if (!kind) {
    return bad(
      'payload.type',
      `must be one of ${KINDS.join(', ')}`,
      'invalid_batch_settlement_evm_payload_type',
    )
  }
  const reader = new Reader('payload', payload)
  const config = reader.inner('channelConfig')
  const voucher = reader.inner('voucher')
  const channel: ChannelConfig = {
    payer: config.address('payer'),
    payerAuthorizer: config.address('payerAuthorizer'),
    receiver: config.address('receiver'),
    receiverAuthorizer: config.address('receiverAuthorizer'),
    token: config.address('token'),
    withdrawDelay: config.integer('withdrawDelay', WITHDRAW_DELAY_S.most),
    salt: config.bytes32('salt'),
  }
  const signed = {
    channelId: voucher.bytes32('channelId'),
    ceiling: voucher.uint('maxClaimableAmount', MAX_UNITS),
    signature: voucher.signature('signature'),
  }
  const wrong = reader.problem ?? config.problem ?? voucher.problem
  if (wrong) return wrong
  const deposit = kind === 'deposit' ? depositOf(reader) : null
  if (deposit && 'problem' in deposit) return deposit
  const isPartial = kind === 'refund' && payload['amount'] !== undefined
  const refund = isPartial ? reader.uint('amount', MAX_UNITS) : null
  if (reader.problem) return reader.problem
  return { ok: true, signed: { method: 'channel', kind, channel, ...signed, deposit, refund } }
}

function depositOf(payload: Reader): ChannelDeposit | Bad {
  const deposit = payload.inner('deposit')
  const authorization = deposit.inner('authorization')
  if (authorization.has('permit2Authorization')) {
    const field = 'payload.deposit.authorization.permit2Authorization'
    return bad(field, 'is not accepted here: deposit by EIP-3009', 'unsupported_payload_type')
  }
  const by3009 = authorization.inner('erc3009Authorization')
  const read = {
    amount: deposit.uint('amount', MAX_UNITS),
    validAfter: by3009.uint('validAfter'),
    validBefore: by3009.uint('validBefore'),
    salt: by3009.bytes32('salt'),
    signature: by3009.signature('signature') as Hex,
  }
  return deposit.problem ?? authorization.problem ?? by3009.problem ?? read
}
