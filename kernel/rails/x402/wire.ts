/**
 * The x402 objects on the wire, as we accept and send them (x402 v2 §5, v1 §5). The types are those
 * of @x402/core; here are only the narrower forms of the `exact` scheme with EIP-3009.
 */
import type { PaymentRequired, PaymentRequirements, SettleResponse } from '@x402/core/types'
import type { Address, Hex } from 'viem'

export type { PaymentRequired, PaymentRequirements, SettleResponse }

/** The signed part of an `exact` payment, with numbers read. */
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

/** A decoded payment in one form, whichever version and transport it came by. */
export interface Payment {
  /** The version its sender speaks; receipts answer in it. */
  version: 1 | 2
  scheme: string
  /** CAIP-2 from version 2, a name such as 'base' from version 1. */
  network: string
  /** The offer the payer says it accepts; null from version 1, which does not send it. */
  accepted: PaymentRequirements | null
  authorization: Authorization3009
  signature: Hex
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
export const META_RESPONSE = 'x402/payment-response'
export const META_RESPONSE_V1 = 'x402.payment-response'

/** Padded standard base64 of the UTF-8 JSON text of `value`. */
export function encodeHeader(value: unknown): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64')
}
