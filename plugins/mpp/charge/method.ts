/** What a method of the intent charge is: which networks it asks on, for what, and how it is paid. */
import type { Failure } from '#kernel'
import type { ForeignPayment, PaymentNetwork } from '../../shared/payments/contract.ts'
import type { MppMethod } from '../variables.ts'
import type { Credential } from '../wire/credential.ts'

/** A network on which a charge can be paid. */
export type ChargeNetwork = PaymentNetwork & { chainId: number }

/** What a challenge that was issued here asks for. */
export interface AskedCharge {
  network: ChargeNetwork
  /** In units of the asset. */
  amount: bigint
}

export type ReadPayment =
  /** It pays its challenge, as far as that can be told without a signature check. */
  | { outcome: 'read'; payment: ForeignPayment; validBefore: bigint }
  /** `what` completes 'The payload …'. */
  | { outcome: 'malformed'; what: string }
  | { outcome: 'refused'; failure: Failure }

export interface ChargeMethod {
  readonly name: MppMethod
  readonly method: string
  readonly intent: 'charge'
  /** Whether it can be paid on this network. */
  isOn(network: PaymentNetwork): network is ChargeNetwork
  /** What a challenge asks for: `amount` in units of the asset. */
  request(network: ChargeNetwork, amount: bigint): object
  /** The payment in the payload of a credential. */
  read(credential: Credential, asked: AskedCharge): ReadPayment
}

/** Whether a DID names this account on this chain (did:pkh, CAIP-10). */
export function isSourceOf(source: string, chainId: number, from: string): boolean {
  return source.toLowerCase() === `did:pkh:eip155:${chainId}:${from}`
}
