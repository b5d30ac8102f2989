/**
 * What the x402 product provides to other plugins as 'payments': its networks, and payments that came
 * in another dialect. Claims, verification and settlement are x402's, so that one signature presented
 * in two dialects buys once.
 */
import type {
  AuthorizeOutcome,
  EarlyRailCall,
  InspectOutcome,
  PrecheckOutcome,
  Quote,
  Rail,
  RailCall,
  RailCalls,
} from '#kernel'

/** The name under which x402 provides it. */
export const PAYMENTS = 'payments'

/** A token on a network that the operator takes. */
export interface PaymentNetwork {
  /** 'tempo': paid by transactions of its own, in MPP alone. */
  kind: 'evm' | 'solana' | 'tempo'
  /** CAIP-2: 'eip155:8453', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'. */
  network: string
  /** Of EVM networks and Tempo. */
  chainId: number | null
  /** Checksummed address or base58 mint. */
  asset: string
  decimals: number
  /** EIP-712 domain of the token; null on Solana, and where it takes no EIP-3009. */
  domain: { name: string; version: string } | null
  payTo: string
  /** The longest work that a payment can wait for; absent: any. */
  longestWorkMs?: number
}

/** An EIP-3009 authorization, in the terms of the token. */
export interface TransferAuthorization {
  network: string
  asset: string
  from: string
  to: string
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: string
  signature: string
}

/** A transaction on Tempo that its payer signed, to be sent when the work is done. */
export interface TempoTransaction {
  network: string
  asset: string
  /** 0x76…: `readTempoTransfer` has read it. */
  transaction: string
  /** Hash of what it pays for: of all transactions of one payer for it, one is taken. */
  nonce: string
  /** Its payer as the client says; null where it says nothing. */
  payer: string | null
}

/** A payment in another dialect than x402's. */
export type ForeignPayment = TransferAuthorization | TempoTransaction

/** Who signed a message: an account by its key, a contract by ERC-1271, nobody; or it cannot be told. */
export type SignedBy = 'key' | 'contract' | 'nobody' | 'unknown'

export interface Payments {
  /** Those that are open now; the first is the main one, also while it is closed. */
  networks(): readonly (PaymentNetwork & { isOpen: boolean })[]
  /** Why one of them is closed, for operators; null while it is open. */
  closedBy(network: PaymentNetwork): string | null
  /** Units of the asset for a price in millionths of a dollar, rounded up. */
  amountOn(network: PaymentNetwork, amountAtomic: bigint): bigint
  /** The time by which it is judged whether a payment is valid, in milliseconds since 1970. */
  nowMs(): number
  /** How long a payment for this quote must be valid, in seconds. */
  validForSeconds(quote: Quote): number
  /** Judges the payment for this call: cheap checks and signature before the body is read. */
  precheck(call: EarlyRailCall, payment: ForeignPayment): Promise<PrecheckOutcome>
  inspect(call: EarlyRailCall, payment: ForeignPayment): Promise<InspectOutcome>
  /** Whether a call has claimed it before, whatever came of that; false for one that is malformed. */
  isClaimed(call: EarlyRailCall, payment: ForeignPayment): Promise<boolean>
  /** Claims it, in the table of x402's own claims; the operator's lists show it as sold by this rail. */
  authorize(call: RailCall, payment: ForeignPayment, railId: string): Promise<AuthorizeOutcome>
  /** The calls that this rail sold. */
  callsOf(railId: string): RailCalls
  /** What follows `authorize`; receipts have `payment` and `transaction`. */
  readonly rail: Pick<
    Rail,
    'available' | 'capture' | 'keepReceipt' | 'undo' | 'delivered' | 'release' | 'stateOf'
  >
  /**
   * Whose signature of the message (EIP-191) it is; a contract's is asked of the network's node, and a
   * wallet that is not deployed yet only through the universal validator, never by a transaction.
   */
  signedBy(order: {
    chainId: number
    address: string
    message: string
    signature: string
  }): Promise<SignedBy>
}
