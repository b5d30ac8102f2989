/** How a payer pays: signs what a gateway asks for, on one chain and by one method. */
import type { Answer } from '../../support/gateway.ts'

export interface Signed {
  /** Names the payment among all. */
  name: string
  atomic: bigint
  headers: Record<string, string>
  /** The nonce of the gateway's claim. */
  claim: string
  /** Whether the chain has it. */
  isMoved(): Promise<boolean>
  /**
   * By which the chain knows the transfer that this payment made; null: there is none. Absent: the
   * audit does not ask, because a chain that undoes blocks gives it another.
   */
  transaction?(): Promise<string | null>
}

/** One payer's. `unpaid` is an answer of 402; rejects where that offers nothing to this purse. */
export type Purse = (unpaid: Answer) => Promise<Signed>

export interface Purses {
  /** One for each payer. */
  purses: readonly Purse[]
  /** All that has come in so far, in atomic units. */
  received(): Promise<bigint>
}
