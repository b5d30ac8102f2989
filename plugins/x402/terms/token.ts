/** The token of an entry, and how it moves. */
import type { PaymentNetwork } from '../../shared/payments/contract.ts'

/** What an entry takes; the same for all its life. */
export interface Token extends PaymentNetwork {
  network: `${string}:${string}`
  /** Name of the network in x402 version 1 ('base'), or the CAIP-2 text where it has none. */
  networkV1: string
}

/** How a payment's money is moved: by the token itself, or by Permit2 through a proxy of x402. */
export type TransferMethod = 'eip3009' | 'permit2'
