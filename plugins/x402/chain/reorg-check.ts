/**
 * A second look at what was settled, some blocks later: a reorganisation of the chain can undo a
 * block that was believed. While the authorization is valid it is then settled again. What is due is
 * kept in memory; a start takes up what any instance settled shortly before it.
 */
import type { Hex } from 'viem'
import type { Logger } from '#kernel'
import type { SignedPayment } from '../claims/claim.ts'
import type { Claims } from '../claims/claims.ts'
import { taking } from '../payment/payload.ts'
import type { Chain } from './chain.ts'
import type { Settlements } from '../settle/settlement.ts'

export interface RecheckOptions {
  chain: Chain
  /** The sandbox chain's mark, or null. */
  chainRef: string | null
  settlements: Settlements
  claims: Claims
  log: Logger
  /** How long after its settlement a payment is looked at. */
  afterMs?: number
}

interface Settled {
  id: string
  payment: SignedPayment
  transaction: Hex
  atMs: number
  dueAtMs: number
}

/** Enough for a reorganisation to be over, and before most authorizations expire. */
const AFTER_MS = 30_000
/** By then the authorization has expired, or the node does not answer. */
const GIVEN_UP_MS = 300_000
const MOST_KEPT = 20_000
const MOST_TAKEN_UP = 5000
const BATCH = 50

export class Recheck {
  readonly #options: RecheckOptions
  /** By claim, in the order in which they are due. */
  readonly #settled = new Map<string, Settled>()

  readonly #afterMs: number

  constructor(options: RecheckOptions) {
    this.#options = options
    this.#afterMs = options.afterMs ?? AFTER_MS
  }

  /** Takes up the settlements of the last minutes; one that is looked at twice is settled once. */
  async takeUp(): Promise<void> {
    const { claims, chainRef } = this.#options
    const since = new Date(Date.now() - GIVEN_UP_MS)
    for (const claim of await claims.settledSince(since, { chainRef, limit: MOST_TAKEN_UP })) {
      const { id, transaction, settledAt } = claim
      if (this.#settled.has(id)) continue
      this.add(id, taking(claim.payment, claim.amountAtomic), transaction, settledAt.getTime())
    }
  }

  /** Remembers a settlement for its second look. */
  add(id: string, payment: SignedPayment, transaction: string, atMs = Date.now()): void {
    if (transaction === '' || this.#settled.size >= MOST_KEPT) return
    const dueAtMs = atMs + this.#afterMs
    this.#settled.set(id, { id, payment, transaction: transaction as Hex, atMs, dueAtMs })
  }

  /** Looks at what is due. */
  async round(): Promise<void> {
    const due: Settled[] = []
    for (const settled of this.#settled.values()) {
      if (settled.dueAtMs > Date.now() || due.length === BATCH) break
      due.push(settled)
    }
    await Promise.all(due.map((settled) => this.#look(settled)))
  }

  async #look(settled: Settled): Promise<void> {
    const { chain } = this.#options
    const { id, transaction, atMs } = settled
    const receipt = await chain.receipt(transaction).catch(() => undefined)
    const isOver = receipt ? true : receipt === null && (await this.#settleAgain(settled))
    this.#settled.delete(id)
    if (!isOver && atMs + GIVEN_UP_MS > Date.now()) {
      this.#settled.set(id, { ...settled, dueAtMs: Date.now() + this.#afterMs })
    }
  }

  /** Whether nothing is left to do for a settlement whose transaction is not on the chain any more. */
  async #settleAgain({ id, payment, transaction }: Settled): Promise<boolean> {
    const { chain, settlements, claims, log } = this.#options
    const fact = await chain.fact(payment)
    if (fact.fact === 'used' || fact.fact === 'unreachable') return false
    if (fact.fact === 'unused') {
      log.error({ claim: id, transaction }, 'x402 settlement was undone by the chain')
    }
    const result = await settlements.settle(payment, true)
    if (result.outcome === 'open') return false
    if (result.outcome === 'refused') {
      const { reason } = result
      log.error({ claim: id, transaction, reason }, 'x402 settlement is lost: its answer was given')
      return true
    }
    await claims.settledAgain(id, result.transaction)
    log.warn({ claim: id, transaction: result.transaction }, 'x402 settlement was made again')
    return true
  }
}
