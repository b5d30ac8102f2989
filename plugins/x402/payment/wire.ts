/**
 * The x402 objects on the wire, as we accept and send them (x402 v2 §5, v1 §5), receipts among them.
 * The types are those of @x402/core; here are only the narrower forms of the schemes and transfer
 * methods taken here, and the reader of their members that untrusted callers send.
 */
import type { Address, Hex } from 'viem'
import { isObject, type Receipt, type SignedReceipt } from '#kernel'
import { problem, type Problem } from './problem.ts'
import type { PaymentRequired, PaymentRequirements, SettleResponse } from '@x402/core/types'
import type { SignedVoucher } from './channel.ts'
import type { Token } from '../terms/token.ts'

export type { PaymentRequired, PaymentRequirements, SettleResponse }

/** The signed part of an `exact` payment by EIP-3009, with numbers read. */
export interface Authorization3009 {
  from: Address
  to: Address
  value: bigint
  /** Seconds since 1970. */
  validAfter: bigint
  validBefore: bigint
  /** 32 bytes, lower case. */
  nonce: Hex
}

/**
 * The signed part of a payment by Permit2, in the words of EIP-3009 where it means the same:
 * `to` is in the witness, `value` is what is permitted at most, `validBefore` is the deadline.
 */
export interface AuthorizationPermit2 extends Authorization3009 {
  token: Address
  spender: Address
  /** Who alone may settle; scheme `upto` only. */
  facilitator: Address | null
}

/** What a payer on an EVM network signed, by its transfer method. */
export type Signed = { signature: Hex } & (
  | { method: 'eip3009'; authorization: Authorization3009 }
  | { method: 'permit2'; authorization: AuthorizationPermit2 }
)

/** A signed transaction of a Solana payer, as it was sent. */
export interface SignedTransaction {
  method: 'svm'
  /** Standard base64. */
  transaction: string
}

/** A signed transaction of a payer on Tempo, which came in another dialect. */
export interface SignedTempoTransaction {
  method: 'tempo'
  /** 0x76… */
  transaction: Hex
  /** What it pays for, once: of the challenge in its own dialect. */
  nonce: string
  /** Who pays, as its client says; null where it says nothing. */
  payer: string | null
}

/** A decoded payment in one form, whichever version and transport it came by. */
export type Payment = EvmPayment | SvmPayment | TempoPayment | ChannelPayment
export type EvmPayment = PaymentFrame & Signed
export type SvmPayment = PaymentFrame & SignedTransaction
export type TempoPayment = PaymentFrame & SignedTempoTransaction
export type ChannelPayment = PaymentFrame & SignedVoucher

/** Narrows to a payment on an EVM network that is a transfer of its own. */
export function isEvm(payment: Payment): payment is EvmPayment {
  return payment.method === 'eip3009' || payment.method === 'permit2'
}

interface PaymentFrame {
  /** The version its sender speaks; receipts answer in it. */
  version: 1 | 2
  scheme: string
  /** CAIP-2 from version 2, a name such as 'base' from version 1. */
  network: string
  /** The offer the payer says it accepts; null from version 1, which does not send it. */
  accepted: PaymentRequirements | null
  /** What its client repeats of the challenge, for facilitators; version 1 repeats nothing. */
  echoed: { resource?: unknown; extensions?: unknown }
  /** `payment-identifier` of the payer, or null. */
  identifier: string | null
}

/** Names of headers and MCP `_meta` members. */
export const PAYMENT_REQUIRED = 'payment-required'
export const PAYMENT_SIGNATURE = 'payment-signature'
export const PAYMENT_RESPONSE = 'payment-response'
export const PAYMENT_V1 = 'x-payment'
export const PAYMENT_RESPONSE_V1 = 'x-payment-response'
export const META_PAYMENT = 'x402/payment'
export const META_PAYMENT_V1 = 'x402.payment'
export const META_ERROR = 'x402/error'
export const META_RESPONSE = 'x402/payment-response'
export const META_RESPONSE_V1 = 'x402.payment-response'
/** The extension of signed offers and receipts. */
export const OFFER_RECEIPT = 'offer-receipt'

/** Whether two texts name one address: the case of its letters is a checksum at most (EIP-55). */
export function isSameAddress(address: string, other: string): boolean {
  return address.toLowerCase() === other.toLowerCase()
}

/** Whether a text has the form of a transaction's id on this network (CAIP-2). */
export function isTransaction(network: string, text: string): boolean {
  return network.startsWith('solana:')
    ? /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text)
    : /^0x[0-9a-fA-F]{64}$/.test(text)
}

/** Padded standard base64 of the UTF-8 JSON text of `value`. */
export function encodeHeader(value: unknown): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64')
}

export interface Settled {
  network: `${string}:${string}`
  networkV1: string
  asset: string
  scheme: string
  transaction: string
  payer: string
  /** Millionths of a dollar. */
  amountAtomic: bigint
  /** Units of the asset. */
  units: bigint
  ledgerId: string | null
  version: 1 | 2
  /** What the settlement response says instead, where a call moves no money of its own. */
  response?: Pick<SettleResponse, 'amount' | 'payer' | 'extra'>
}

/** What was taken, with the headers and `_meta` that the payer's version reads. */
export function receiptOf(settled: Settled): Receipt {
  const { network, asset, scheme, transaction, payer, amountAtomic, ledgerId, version } = settled
  const amount = settled.units.toString()
  const paid: SettleResponse = { success: true, transaction, network, payer, amount }
  const response: SettleResponse = { ...paid, ...settled.response }
  const encoded = encodeHeader(
    version === 1 ? { ...response, network: settled.networkV1 } : response,
  )
  return {
    rail: 'x402',
    chargedAtomic: amountAtomic,
    ledgerId,
    headers: {
      [version === 1 ? PAYMENT_RESPONSE_V1 : PAYMENT_RESPONSE]: encoded,
      'cache-control': 'private, no-store',
    },
    meta: { [META_RESPONSE]: response, ...(version === 1 && { [META_RESPONSE_V1]: encoded }) },
    transaction,
    payment: { scheme, network, asset, payer, amount },
  }
}

/**
 * The receipt with the signed one in its settlement response (x402 extension offer-receipt), where
 * version 2 clients look for it. Version 1 has no extensions in its header.
 */
export function withSignedReceipt(receipt: Receipt, { text }: SignedReceipt): Receipt {
  const settled = receipt.meta?.[META_RESPONSE] as SettleResponse | undefined
  if (!settled) return receipt
  const info = { receipt: { format: 'jws', signature: text } }
  const response: SettleResponse = {
    ...settled,
    extensions: { ...settled.extensions, [OFFER_RECEIPT]: { info } },
  }
  return {
    ...receipt,
    headers: {
      ...receipt.headers,
      ...(PAYMENT_RESPONSE in receipt.headers && { [PAYMENT_RESPONSE]: encodeHeader(response) }),
    },
    meta: { ...receipt.meta, [META_RESPONSE]: response },
  }
}

/** The header of a settlement that was refused (x402 v2 §6: sent with the 402). */
export function refusalHeaders(
  { network, networkV1 }: Pick<Token, 'network' | 'networkV1'>,
  refused: { reason: string; payer: string; version: 1 | 2 },
): Record<string, string> {
  const response: SettleResponse = {
    success: false,
    errorReason: refused.reason,
    transaction: '',
    network: refused.version === 1 ? (networkV1 as `${string}:${string}`) : network,
    payer: refused.payer,
  }
  return {
    [refused.version === 1 ? PAYMENT_RESPONSE_V1 : PAYMENT_RESPONSE]: encodeHeader(response),
  }
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const NONCE = /^0x[0-9a-fA-F]{64}$/
const KEY_SIGNATURE = /^0x[0-9a-fA-F]{130}$/
const DECIMAL = /^(?:0|[1-9]\d{0,77})$/
/** The numbers of an authorization are uint256. */
const TOO_LARGE = 2n ** 256n

export type Members = Record<string, unknown>
export interface Bad {
  ok: false
  problem: Problem
}

/** Reads members of one object and keeps the first that is wrong; what follows is not used then. */
export class Reader {
  problem: Bad | null = null
  readonly #place: string
  readonly #members: Members

  constructor(place: string, given: unknown) {
    this.#place = place
    this.#members = isObject(given) ? given : {}
    if (!isObject(given)) this.problem = bad(place, 'must be an object')
  }

  inner(name: string): Reader {
    return new Reader(`${this.#place}.${name}`, this.#members[name])
  }

  address(name: string): Address {
    return this.#text(name, ADDRESS, 'must be an address', '0x').toLowerCase() as Address
  }

  bytes32(name: string): Hex {
    return this.#text(name, NONCE, 'must be 32 bytes in hex', '0x').toLowerCase() as Hex
  }

  uint(name: string, below = TOO_LARGE): bigint {
    const number = BigInt(this.#text(name, DECIMAL, 'must be a string of digits', '0'))
    if (number >= below) this.#wrong(name, `must be less than 2^${below.toString(2).length - 1}`)
    return number
  }

  integer(name: string, most: number): number {
    const value = this.#members[name]
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) {
      return value
    }
    this.#wrong(name, `must be a whole number of at most ${most}`)
    return 0
  }

  /** Of an account's own key: contracts sign at any length. */
  signature(name: string): Hex {
    return this.#text(name, KEY_SIGNATURE, 'must be 65 bytes in hex', '0x') as Hex
  }

  has(name: string): boolean {
    return this.#members[name] !== undefined
  }

  #text(name: string, pattern: RegExp, expected: string, otherwise: string): string {
    const value = this.#members[name]
    if (typeof value === 'string' && pattern.test(value)) return value
    this.#wrong(name, expected)
    return otherwise
  }

  #wrong(name: string, expected: string): void {
    this.problem ??= bad(`${this.#place}.${name}`, expected)
  }
}

/** A refusal of a member; `expected` goes on after its name. */
export function bad(field: string, expected: string, reason = 'invalid_payload'): Bad {
  return { ok: false, problem: problem(reason, field, `${field} ${expected}`) }
}
