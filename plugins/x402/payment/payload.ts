/**
 * A verified payment in the form it is stored and sent to be settled: the signed payload as its
 * payer's client made it, with our own requirements.
 */
import { type Hex, numberToHex } from 'viem'
import type { EvmPayment, PaymentRequirements } from './wire.ts'
import type { ChannelConfig } from './channel.ts'
import { WORDS } from './reason-codes.ts'
import type { Permit2Scheme } from './permit2.ts'
import type { Sponsoring } from './sponsoring.ts'
import { claimNonceOf } from './nonces.ts'

/** What is sent to a facilitator, the token or a proxy; kept so that any instance can settle it. */
export type SignedPayment = EvmSignedPayment | SignedSvm | SignedTempo | SignedChannel
export type EvmSignedPayment = Signed3009 | SignedPermit2

interface Frame {
  version: 1 | 2
  /** `amount` is what is to be taken: with `upto` less than what the payload permits. */
  requirements: PaymentRequirements
  /**
   * JSON text of the `paymentPayload` that facilitators verify and settle, with what the payer's client
   * put into it. Kept as text, because a column of type jsonb would order its members anew. Absent
   * where no facilitator is configured, and on claims of earlier versions.
   */
  sent?: string
}

export interface Signed3009 extends Frame {
  payload: Payload3009
}

export interface SignedPermit2 extends Frame {
  payload: PayloadPermit2
  /** The first approval is in `sent`, for a facilitator that brings it to the chain. */
  sponsoring?: Sponsoring
}

/** Of Solana: the transaction names its payer nowhere that can be read without parsing it. */
export interface SignedSvm extends Frame {
  payer: string
  /** The fee payer's signature in it is empty. */
  payload: { transaction: string }
  /** After this block its blockhash is good for nothing; in decimal. */
  lastValidBlockHeight: string
}

/** Of Tempo: the transaction itself, with what is asked of the node about it. */
export interface SignedTempo extends Frame {
  payer: string
  payload: { signedTransaction: Hex }
  /** By which the network knows it. */
  hash: Hex
  memo: Hex
  /** Seconds since 1970, in decimal. */
  validBefore: string
}

/** Through a channel: the voucher, and the deposit that it needs. */
export interface SignedChannel extends Frame {
  /** Whose key signed the voucher. */
  payer: string
  payload: {
    channelConfig: ChannelConfig
    voucher: { channelId: Hex; maxClaimableAmount: string; signature: Hex }
    deposit?: { amount: string; validAfter: string; validBefore: string; salt: Hex; signature: Hex }
  }
  /** The channel on the chain before this call. */
  before: {
    balance: string
    totalClaimed: string
    withdrawRequestedAt: number
    refundNonce: string
  }
}

export interface Payload3009 {
  signature: Hex
  authorization: {
    from: Hex
    to: Hex
    value: string
    validAfter: string
    validBefore: string
    nonce: Hex
  }
}

export interface PayloadPermit2 {
  signature: Hex
  permit2Authorization: {
    from: Hex
    permitted: { token: Hex; amount: string }
    spender: Hex
    /** A uint256 in decimal. */
    nonce: string
    deadline: string
    witness: { to: Hex; facilitator?: Hex; validAfter: string }
  }
}

/** Narrows to a payment by Permit2; on an EVM network any other is by EIP-3009. */
export function isPermit2(payment: SignedPayment): payment is SignedPermit2 {
  return 'permit2Authorization' in payment.payload
}

/** The scheme by which a payment by Permit2 was offered. */
export function schemeOf({ requirements }: SignedPermit2): Permit2Scheme {
  return requirements.scheme === 'upto' ? 'upto' : 'exact'
}

/** Narrows to a payment on Solana. */
export function isSvm(payment: SignedPayment): payment is SignedSvm {
  return 'transaction' in payment.payload
}

/** Narrows to a payment on Tempo. */
export function isTempo(payment: SignedPayment): payment is SignedTempo {
  return 'signedTransaction' in payment.payload
}

/** Narrows to a payment through a channel. */
export function isChannel(payment: SignedPayment): payment is SignedChannel {
  return 'voucher' in payment.payload
}

/** Who pays. */
export function payerOf(payment: EvmSignedPayment): Hex
export function payerOf(payment: SignedPayment): string
export function payerOf(payment: SignedPayment): string {
  if (isSvm(payment) || isTempo(payment) || isChannel(payment)) return payment.payer
  return isPermit2(payment)
    ? payment.payload.permit2Authorization.from
    : payment.payload.authorization.from
}

/** What names the payment among all of its payer, as its claim has it. */
export function nonceTextOf(payment: EvmSignedPayment): string {
  return isPermit2(payment)
    ? claimNonceOf(
        'permit2',
        numberToHex(BigInt(payment.payload.permit2Authorization.nonce), { size: 32 }),
      )
    : payment.payload.authorization.nonce
}

/** The words for what disagrees in this payment. */
export function wordsOf(payment: SignedPayment): (typeof WORDS)[keyof typeof WORDS] {
  if (isSvm(payment)) return WORDS.svm
  if (isTempo(payment)) return WORDS.tempo
  if (isChannel(payment)) return WORDS.channel
  return WORDS[isPermit2(payment) ? 'permit2' : 'eip3009']
}

/** What is to be taken, in units of the token. */
export function amountOf({ requirements }: SignedPayment): bigint {
  return BigInt(requirements.amount)
}

/** The same payment when only so much of it is to be taken (`upto`). */
export function taking<P extends SignedPayment>(payment: P, units: bigint): P {
  // The same object keeps its cached JSON text.
  if (amountOf(payment) === units) return payment
  return { ...payment, requirements: { ...payment.requirements, amount: units.toString() } }
}

/** The requirements as the payer accepted them: with `upto` the amount is the ceiling. */
export function acceptedOf(payment: SignedPayment): PaymentRequirements {
  const { requirements } = payment
  return isPermit2(payment)
    ? { ...requirements, amount: payment.payload.permit2Authorization.permitted.amount }
    : requirements
}

/** A decoded payment with our requirements for it. */
export function signedOf(payment: EvmPayment, requirements: PaymentRequirements): EvmSignedPayment {
  const { version, signature } = payment
  if (payment.method === 'eip3009') {
    const authorization = authorizationTexts(payment.authorization)
    return { version, requirements, payload: { signature, authorization } }
  }
  const { from, to, value, validAfter, validBefore, token, spender, facilitator, nonce } =
    payment.authorization
  const permit2Authorization = {
    from,
    permitted: { token, amount: value.toString() },
    spender,
    nonce: BigInt(nonce).toString(),
    deadline: validBefore.toString(),
    witness: {
      to,
      ...(facilitator !== null && { facilitator }),
      validAfter: validAfter.toString(),
    },
  }
  return { version, requirements, payload: { signature, permit2Authorization } }
}

/** The members of an EIP-3009 authorization as they are sent. */
export function authorizationTexts<T extends string>(authorization: {
  from: T
  to: T
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: T
}): { from: T; to: T; value: string; validAfter: string; validBefore: string; nonce: T } {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  return {
    from,
    to,
    value: value.toString(),
    validAfter: validAfter.toString(),
    validBefore: validBefore.toString(),
    nonce,
  }
}
