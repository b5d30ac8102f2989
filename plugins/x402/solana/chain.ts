/**
 * What the node shows of a payment. Its transaction is named by the fee payer's signature; that of a
 * facilitator is not known beforehand, but any signature can be checked against the payment's own
 * message and the fee payer's key, so that nobody can name another transaction in its place.
 */
import { assert } from '#kernel'
import { type SignedPayment, type SignedSvm, isSvm } from '../payment/payload.ts'
import type { ChainFact, ChainView, CheckOutcome } from '../settle/contract.ts'
import { decodeBase58 } from '../../shared/signing/base58.ts'
import { isSignedBy } from '../../shared/signing/ed25519.ts'
import { transferIn } from './instructions.ts'
import { nodeTrouble, type SolanaRpc } from './rpc.ts'
import { readWire } from './rules.ts'

export interface SolanaChainOptions {
  rpc: SolanaRpc
  /** The signature that our own sponsor gives a message; null where another key pays the fee. */
  ownSignature: (payment: SignedSvm) => string | null
}

/** A node may lag a little behind the one that the payer asked for the blockhash. */
const LAG_RETRY_MS = 500
/**
 * How far back a payment may be: some blocks more than its blockhash lives, each of them at most two
 * slots of the chain, of which few have no block.
 */
const LONGEST_LIFE_BLOCKS = 300n
const SLOTS_PER_BLOCK = 2n
/** About the sponsor's account: no other gives lamports away. */
const SPONSORS = new Set([
  'AccountNotFound',
  'InsufficientFundsForFee',
  'InsufficientFundsForRent',
  'InvalidAccountForFee',
])
/** Of the token programmes (spl-token, TokenError): the owner has not enough. */
const INSUFFICIENT_FUNDS = 1

export class SolanaChain implements ChainView {
  readonly #options: SolanaChainOptions

  constructor(options: SolanaChainOptions) {
    this.#options = options
  }

  /** Never throws. */
  async check(payment: SignedPayment): Promise<CheckOutcome> {
    const { transaction } = svm(payment).payload
    try {
      let { err } = await this.#options.rpc.simulate(transaction)
      if (err === 'BlockhashNotFound') {
        await Bun.sleep(LAG_RETRY_MS)
        err = (await this.#options.rpc.simulate(transaction)).err
      }
      return err === null ? { outcome: 'payable' } : simulated(err)
    } catch (error) {
      return { outcome: 'unavailable', detail: nodeTrouble(error) }
    }
  }

  /** Never throws. A transaction that failed on the chain can never be used again. */
  async fact(payment: SignedPayment): Promise<ChainFact> {
    const signed = svm(payment)
    try {
      // First where the chain stands, then what is in it: otherwise the transaction could land between.
      const { slot, blockHeight } = await this.#options.rpc.finalized()
      const expiry = BigInt(signed.lastValidBlockHeight)
      const blocks = blockHeight > expiry ? blockHeight - expiry : 0n
      const since = slot - SLOTS_PER_BLOCK * (blocks + LONGEST_LIFE_BLOCKS)
      const found = await this.#find(signed, { since, until: slot })
      if (found === 'seen') return { fact: 'used' }
      if (found === 'behind') return { fact: 'unreachable', detail: 'the node lags behind itself' }
      if (found !== null) {
        return found.err === null
          ? { fact: 'paid', transaction: found.signature }
          : { fact: 'void', reason: `the transaction failed: ${JSON.stringify(found.err)}` }
      }
      return { fact: 'unused', expired: blockHeight > expiry, block: blockHeight }
    } catch (error) {
      return { fact: 'unreachable', detail: nodeTrouble(error) }
    }
  }

  async confirms(transaction: string, payment: SignedPayment): Promise<boolean | null> {
    if (!isSignatureOf(transaction, svm(payment))) return false
    const { status } = await this.#options.rpc.status(transaction)
    return status?.isConfirmed ? status.err === null : null
  }

  async hasFailed(transaction: string): Promise<boolean> {
    const { status } = await this.#options.rpc.status(transaction)
    return status?.isConfirmed === true && status.err !== null
  }

  /** 'seen': it is in a block that may still be dropped. */
  async #find(
    payment: SignedSvm,
    slots: { since: bigint; until: bigint },
  ): Promise<{ signature: string; err: unknown } | 'seen' | 'behind' | null> {
    const { rpc } = this.#options
    const signature = this.#options.ownSignature(payment)
    if (signature === null) {
      for await (const candidate of rpc.signaturesOf(sourceOf(payment), slots)) {
        if (isSignatureOf(candidate.signature, payment)) return candidate
      }
      return null
    }
    const { slot: asOf, status } = await rpc.status(signature)
    if (status === null) return asOf < slots.until ? 'behind' : null
    return status.isConfirmed ? { signature, err: status.err } : 'seen'
  }
}

/** Whether `signature` is that of the payment's fee payer for the payment's message. */
function isSignatureOf(signature: string, payment: SignedSvm): boolean {
  const bytes = decodeBase58(signature, 64)
  const { message, signers } = transactionOf(payment)
  return bytes !== null && isSignedBy(signers[0]!, message, bytes)
}

function sourceOf(payment: SignedSvm): string {
  const transfer = transferIn(transactionOf(payment))
  assert(transfer !== null, 'a payment that was judged')
  return transfer.source
}

/** The transaction of a payment that was judged before. */
export function transactionOf({ payload }: SignedSvm) {
  const read = readWire(payload.transaction)
  assert(read.ok, 'a payment that was judged')
  return read.transaction
}

export function svm(payment: SignedPayment): SignedSvm {
  assert(isSvm(payment), 'a payment on Solana')
  return payment
}

/** What an error of the simulation comes to. */
function simulated(err: unknown): CheckOutcome {
  if (err === 'BlockhashNotFound') {
    return { outcome: 'refused', reason: 'invalid_exact_svm_blockhash_expired' }
  }
  if (err === 'AlreadyProcessed') {
    return { outcome: 'refused', reason: 'invalid_exact_svm_already_used' }
  }
  if (SPONSORS.has(nameOf(err))) {
    return { outcome: 'unavailable', detail: 'the fee payer cannot pay the fee of the network' }
  }
  const detail = JSON.stringify(err).slice(0, 128)
  const reason = isInsufficient(err)
    ? 'invalid_exact_svm_insufficient_balance'
    : 'invalid_exact_svm_transaction_simulation_failed'
  return { outcome: 'refused', reason, detail }
}

/** `"AccountNotFound"`, or `{InsufficientFundsForRent: {account_index: 0}}`. */
function nameOf(err: unknown): string {
  return typeof err === 'string' ? err : (Object.keys(err ?? {})[0] ?? '')
}

/** `{InstructionError: [index, {Custom: 1}]}`; no other programme of a payment has such an error. */
function isInsufficient(err: unknown): boolean {
  const { InstructionError: pair } = (err ?? {}) as { InstructionError?: unknown }
  const kind: unknown = Array.isArray(pair) ? pair[1] : null
  return (kind as { Custom?: unknown } | null)?.Custom === INSUFFICIENT_FUNDS
}
