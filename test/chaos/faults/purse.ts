/** How a payer pays: signs what a gateway asks for, on one chain and by one method. */
import type { Answer } from '../../support/gateway.ts'

export interface Signed {
  /** Names the payment among all. */
  name: string
  atomic: bigint
  headers: Record<string, string>
  /** The nonce of the gateway's claim; null: the audit counts these payments together. */
  claim: string | null
  /** Whether the chain has it; null: what came in altogether tells. */
  isMoved: (() => Promise<boolean>) | null
}

/** One payer's. `unpaid` is an answer of 402; rejects where that offers nothing to this purse. */
export type Purse = (unpaid: Answer) => Promise<Signed>

export interface Purses {
  /** One for each payer. */
  purses: readonly Purse[]
  /** All that has come in so far, in atomic units. */
  received(): Promise<bigint>
}
