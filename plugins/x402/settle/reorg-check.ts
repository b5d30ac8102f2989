/**
 * Checks settlements again some blocks later: a chain reorganisation can undo a block that was
 * believed. While the authorization is valid, the payment is then settled again. What is due is kept
 * in memory; the first round reads what any instance settled shortly before.
 */
import type { Hex, TransactionReceipt } from 'viem'
import type { Logger } from '#kernel'
import type { EntryPlace } from '../claims/claim.ts'
import type { Claims } from '../claims/claims.ts'
import { taking, type SignedPayment } from '../payment/payload.ts'
import { UNKNOWN_TRANSACTION, type ChainView } from './contract.ts'
import type { Settlers } from './settlers.ts'

/** Looks at settlements again some blocks later. */
export interface SettlementWatch {
  add(id: string, payment: SignedPayment, transaction: string): void
  /** Checks what is due. */
  round(): Promise<void>
}

export interface ReorgCheckOptions {
  chain: ChainView & {
    receipt(transaction: Hex): Promise<Pick<TransactionReceipt, 'status'> | null>
  }
  /** Whose settlements it checks. */
  place: EntryPlace
  settlers: Settlers
  claims: Claims
  log: Logger
  /** How long after its settlement a payment is checked. */
  afterMs?: number
}

interface Checked {
  id: string
  payment: SignedPayment
  transaction: Hex
  /** Both by the clock of `performance.now()`, which nobody sets. */
  settledAtMs: number
  dueAtMs: number
}

/** Enough for a reorganisation to be over, and before most authorizations expire. */
const AFTER_MS = 30_000
/** By then the authorization has expired, or the node does not answer. */
const GIVEN_UP_MS = 300_000
const MAX_KEPT = 20_000
const MAX_LOADED = 5000
const BATCH = 50

export class ReorgCheck implements SettlementWatch {
  readonly #options: ReorgCheckOptions
  readonly #afterMs: number
  /** By claim, in the order in which they are due. */
  readonly #settled = new Map<string, Checked>()
  #isLoaded = false

  constructor(options: ReorgCheckOptions) {
    this.#options = options
    this.#afterMs = options.afterMs ?? AFTER_MS
  }

  /** Remembers a settlement to be checked; not one that needed no transaction (''). */
  add(id: string, payment: SignedPayment, transaction: string, ageMs = 0): void {
    if (transaction === UNKNOWN_TRANSACTION) return
    if (this.#settled.size >= MAX_KEPT) return
    const settledAtMs = performance.now() - ageMs
    const dueAtMs = settledAtMs + this.#afterMs
    this.#settled.set(id, { id, payment, transaction: transaction as Hex, settledAtMs, dueAtMs })
  }

  /** Checks what is due. */
  async round(): Promise<void> {
    if (!this.#isLoaded) await this.#load()
    this.#isLoaded = true
    const due: Checked[] = []
    for (const settled of this.#settled.values()) {
      if (settled.dueAtMs > performance.now() || due.length === BATCH) break
      due.push(settled)
    }
    await Promise.all(due.map((settled) => this.#check(settled)))
  }

  /** Adds the settlements of the last minutes; one that two instances check is settled again once. */
  async #load(): Promise<void> {
    const { claims, place } = this.#options
    const order = { ...place, limit: MAX_LOADED }
    for (const claim of await claims.settledWithin(GIVEN_UP_MS, order)) {
      const { id, transaction, ageMs } = claim
      if (this.#settled.has(id)) continue
      this.add(id, taking(claim.payment, claim.units), transaction, ageMs)
    }
  }

  async #check(settled: Checked): Promise<void> {
    const { chain } = this.#options
    const { id, transaction, settledAtMs } = settled
    const receipt = await chain.receipt(transaction).catch(() => undefined)
    // Mined again in another block, it may have failed there.
    const isOver =
      receipt?.status === 'success' || (receipt !== undefined && (await this.#settleAgain(settled)))
    this.#settled.delete(id)
    if (!isOver && settledAtMs + GIVEN_UP_MS > performance.now()) {
      this.#settled.set(id, { ...settled, dueAtMs: performance.now() + this.#afterMs })
    }
  }

  /** Whether nothing is left to do for a settlement whose transaction does not pay on the chain any more. */
  async #settleAgain({ id, payment, transaction }: Checked): Promise<boolean> {
    const { chain, settlers, claims, log } = this.#options
    const fact = await chain.fact(payment)
    if (fact.fact === 'used' || fact.fact === 'unreachable') return false
    if (fact.fact === 'unused') {
      log.error({ claim: id, transaction }, 'x402 settlement undone by a chain reorganisation')
    }
    const result = await settlers.settle(payment, true)
    if (result.outcome === 'open') return false
    if (result.outcome === 'refused') {
      const { reason } = result
      log.error(
        { claim: id, transaction, reason },
        'x402 settlement lost after its answer was given',
      )
      return true
    }
    await claims.settledAgain(id, result.transaction)
    log.warn({ claim: id, transaction: result.transaction }, 'x402 settlement repeated')
    return true
  }
}
