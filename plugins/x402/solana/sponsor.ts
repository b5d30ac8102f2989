/**
 * Settles by the gateway's own fee payer: signs what keeps all rules and passes a simulation, sends it,
 * and asks for its status until it is confirmed. The signature follows from key and message alone, so
 * that any instance, and the next start, find the same transaction again.
 */
import type { SignedPayment, SignedSvm } from '../payment/payload.ts'
import type { CheckOutcome, SettleOutcome, Settler } from '../settle/contract.ts'
import { PayersUnderWay } from '../settle/payers-under-way.ts'
import { encodeBase58 } from '../../shared/signing/base58.ts'
import { svm, transactionOf, type SolanaChain } from './chain.ts'
import type { KeyPair } from './key-pair.ts'
import { nodeTrouble, NodeRefusal, type SignatureStatus, type SolanaRpc } from './rpc.ts'
import { judgeTransaction, type Expected } from './rules.ts'
import { amountIn } from './token-account.ts'
import { writeTransaction, type SolanaTransaction } from './transaction.ts'

export interface SponsorOptions {
  key: KeyPair
  rpc: SolanaRpc
  chain: SolanaChain
  /** What a payment must be; it is judged again before it is signed. */
  expected: (payment: SignedSvm) => Expected
  /** How long a status is waited for. */
  timeoutMs?: number
  pollMs?: number
}

const TIMEOUT_MS = 30_000
const POLL_MS = 250
/** The network drops transactions now and then; the same one again is the same payment. */
const SEND_AGAIN_MS = 2000

export class Sponsor implements Settler {
  readonly name = 'own sponsor'
  readonly isRemote = false
  readonly #options: SponsorOptions
  readonly #underWay = new PayersUnderWay()

  constructor(options: SponsorOptions) {
    this.#options = options
  }

  get address(): string {
    return this.#options.key.address
  }

  takes(payment: SignedPayment): boolean {
    return svm(payment).requirements.extra['feePayer'] === this.address
  }

  hasVerified(): boolean {
    return false
  }

  check(payment: SignedPayment): Promise<CheckOutcome> {
    return this.#options.chain.check(payment)
  }

  async settle(payment: SignedPayment, isAgain = false): Promise<SettleOutcome> {
    const signed = svm(payment)
    const judged = judgeTransaction(signed.payload.transaction, this.#options.expected(signed))
    if (!judged.ok) return { outcome: 'refused', reason: judged.reason, detail: judged.detail }
    const { transaction, transfer } = judged
    const { source: payer, amount: units } = transfer
    return this.#underWay.beside({ payer, units, balance: () => this.#balanceOf(payer) }, () =>
      this.#settle(signed, transaction, isAgain),
    )
  }

  async #balanceOf(tokenAccount: string): Promise<bigint> {
    const account = await this.#options.rpc.account(tokenAccount)
    return account === null ? 0n : amountIn(account.data)
  }

  async #settle(
    payment: SignedSvm,
    transaction: SolanaTransaction,
    isAgain: boolean,
  ): Promise<SettleOutcome> {
    const { key, chain } = this.#options
    // While the work ran its payer may have moved the money away: a transaction that fails on the chain
    // costs the sponsor its fee all the same. One that may be sent already is left to the chain.
    const checked = isAgain ? null : await chain.check(payment)
    if (checked && checked.outcome !== 'payable') return checked
    const own = key.sign(transaction.message)
    const wire = writeTransaction(transaction, own)
    return this.#send(wire.toString('base64'), encodeBase58(own))
  }

  async #send(wire: string, transaction: string): Promise<SettleOutcome> {
    const { rpc, timeoutMs = TIMEOUT_MS, pollMs = POLL_MS } = this.#options
    const endsAt = performance.now() + timeoutMs
    let isSent = false
    let sendAt = 0
    let detail = `${transaction} is not confirmed yet`
    while (performance.now() < endsAt) {
      try {
        if (performance.now() >= sendAt) {
          await rpc.send(wire)
          isSent = true
          sendAt = performance.now() + SEND_AGAIN_MS
        }
        const { status } = await rpc.status(transaction)
        if (status?.isConfirmed) return outcomeOf(status, transaction)
      } catch (error) {
        detail = nodeTrouble(error)
        if (!isSent && error instanceof NodeRefusal) return { outcome: 'unavailable', detail }
        // An answer that is lost says nothing: it may be with the network by now.
        isSent = true
      }
      await Bun.sleep(pollMs)
    }
    return { outcome: 'unknown', detail, transaction }
  }
}

function outcomeOf({ err }: SignatureStatus, transaction: string): SettleOutcome {
  if (err === null) return { outcome: 'settled', transaction }
  const detail = `${transaction}: ${JSON.stringify(err).slice(0, 128)}`
  return { outcome: 'refused', reason: 'invalid_exact_svm_transaction_failed', detail }
}

/** The signature by which the payment's transaction is known when `key` pays its fee; else null. */
export function ownSignature(key: KeyPair | null, payment: SignedSvm): string | null {
  if (key === null || payment.requirements.extra['feePayer'] !== key.address) return null
  return encodeBase58(key.sign(transactionOf(payment).message))
}
