/**
 * Settles a claim under a lease: begin → settle → conclude. Calls, POST /v1/x402/settle and the
 * reconciler all settle here; a claim whose worker dies anywhere in between stays `settling`, and the
 * reconciler of any instance carries on. Who settles or streams a claim renews its lease until it
 * lets go. Some blocks later the settlement is looked at again.
 */
import type { Hex } from 'viem'
import {
  newId,
  repeat,
  type Background,
  type Logger,
  type SignedReceipt,
  type StoredAnswer,
} from '#kernel'
import type { EntryPlace, ClaimFacts, SettleOrder } from '../claims/claim.ts'
import type { Claims } from '../claims/claims.ts'
import { taking, type SignedPayment, wordsOf } from '../payment/payload.ts'
import { UNKNOWN_TRANSACTION, type ChainView, type AttemptOutcome } from './contract.ts'
import type { Settlers } from './settlers.ts'
import type { Chain } from '../chain/chain.ts'

export interface ClaimSettlerOptions {
  claims: Claims
  settlers: Settlers
  leases: Leases
  /** Whether a node can tell how an expired authorization ended. */
  hasChain: boolean
  /** Checks later that a settlement is still on the chain; null without a node. */
  reorgCheck: SettlementWatch | null
}

/** Looks at settlements again some blocks later. */
export interface SettlementWatch {
  add(id: string, payment: SignedPayment, transaction: string): void
  /** Checks what is due. */
  round(): Promise<void>
}

/** What a claim became. */
export type Concluded =
  | { state: 'settled'; transaction: string; ledgerId: string }
  | { state: 'failed'; reason: string; detail?: string }
  /** Not settled yet; the reconciler goes on. */
  | { state: 'open'; detail: string }

/** How a call settles its own claim. */
export interface SettleOptions {
  /** A settled claim stays leased, for its stream, until `letGo` is called. */
  isStreamed?: boolean
  /** The signed receipt of the transaction that settled, to be kept with the answer; null: none. */
  signed?(transaction: string): Promise<SignedReceipt | null>
}

export type Settled = Concluded & {
  letGo?: () => void
  /** What `signed` gave; absent where it was not asked. */
  signed?: SignedReceipt | null
}

/** A claim that is settling: `uncertain` says that an earlier attempt may have paid. */
export interface Settling extends ClaimFacts {
  attempts: number
  uncertain: boolean
}

const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 60_000
/** Without a node, only a facilitator can tell the outcome, and only until the payment expires. */
const BLIND_RETRY_MS = { valid: 4000, expired: 3_600_000 }
/** Clocks differ; a block may be older than ours when it is mined. */
const EXPIRY_GRACE_S = 60n

export class ClaimSettler {
  readonly #options: ClaimSettlerOptions

  constructor(options: ClaimSettlerOptions) {
    this.#options = options
  }

  /** Stores the answer and settles. 'lost': another call holds the payment by now, and nothing was done. */
  async settle(
    order: SettleOrder,
    answer: StoredAnswer | null,
    options: SettleOptions = {},
  ): Promise<Settled | { state: 'lost' }> {
    const { claims, leases } = this.#options
    const { id, amountAtomic, units } = order
    const lease = newLease()
    const letGo = leases.hold(id, lease.token)
    let isKept = false
    try {
      if (!(await claims.beginSettling({ id, answer, lease, taken: { amountAtomic, units } })))
        return { state: 'lost' }
      const settling = { ...order, attempts: 1, uncertain: false }
      const concluded = await this.#settle(settling, lease.token, options)
      isKept = options.isStreamed === true && concluded.state === 'settled'
      return isKept ? { ...concluded, letGo } : concluded
    } finally {
      if (!isKept) letGo()
    }
  }

  /** Carries on with a claim that the caller has leased. */
  finish(settling: Settling, token: string): Promise<Concluded> {
    const { leases } = this.#options
    return leases.holding(settling.id, token, () => this.#settle(settling, token, {}))
  }

  async #settle(
    settling: Settling,
    token: string,
    { isStreamed = false, signed }: SettleOptions,
  ): Promise<Settled> {
    const { claims, settlers, reorgCheck } = this.#options
    const { id, units, uncertain } = settling
    const payment = taking(settling.payment!, units)
    const result = await settlers.settle(payment, uncertain)
    switch (result.outcome) {
      case 'settled': {
        const { transaction } = result
        const streamingUntil = isStreamed ? leaseEnd() : null
        const receipt = await signed?.(transaction)
        const headers = receipt?.headers ?? null
        const { ledgerId } = await claims.settled({ id, transaction, streamingUntil, headers })
        reorgCheck?.add(id, payment, transaction)
        const settled = { state: 'settled', transaction, ledgerId } as const
        return receipt === undefined ? settled : { ...settled, signed: receipt }
      }
      case 'refused':
        return this.#failed(id, token, result)
      case 'open':
        return this.#postpone(settling, token, result)
    }
  }

  /** Puts an open settlement off; gives it up when it can no longer happen. */
  async #postpone(
    settling: Settling,
    token: string,
    { detail, uncertain }: Extract<AttemptOutcome, { outcome: 'open' }>,
  ): Promise<Concluded> {
    const { claims, hasChain } = this.#options
    const { id, attempts, validBefore, payment } = settling
    const isExpired = validBefore + EXPIRY_GRACE_S < BigInt(Math.floor(Date.now() / 1000))
    if (isExpired && !uncertain && !hasChain) {
      return this.#failed(id, token, wordsOf(payment!).validBefore)
    }
    const blindMs = isExpired ? BLIND_RETRY_MS.expired : BLIND_RETRY_MS.valid
    const longestMs = hasChain ? LONGEST_RETRY_MS : blindMs
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1), longestMs)
    const retryAt = new Date(Date.now() + retryMs)
    await claims.postpone(id, token, { reason: detail.slice(0, 300), uncertain, retryAt })
    return { state: 'open', detail }
  }

  /** A refusal counts only under the lease: a later worker may have settled meanwhile. */
  async #failed(
    id: string,
    token: string,
    { reason, detail }: { reason: string; detail?: string },
  ): Promise<Concluded> {
    const isOurs = await this.#options.claims.failed(id, token, reason)
    if (!isOurs) return { state: 'open', detail: 'another worker has taken the settlement over' }
    return { state: 'failed', reason, ...(detail !== undefined && { detail }) }
  }
}

export interface Lease {
  token: string
  until: Date
}

/** A dead worker's claim is taken over after this; a living worker renews it in time. */
const LEASE_MS = 20_000
const RENEW_EVERY_MS = 5000

/** A fresh lease for one worker. */
export function newLease(): Lease {
  return { token: newId(), until: leaseEnd() }
}

export function leaseEnd(): Date {
  return new Date(Date.now() + LEASE_MS)
}

export class Leases {
  readonly #claims: Claims
  /** Lease tokens of what this instance settles or streams, by claim. */
  readonly #held = new Map<string, string>()
  #renewing: Background | null = null
  #isStopped = false

  constructor(claims: Claims) {
    this.#claims = claims
  }

  /**
   * Renews what is held. A lease that is lost all the same costs a second attempt, no second payment.
   * After the returned `stop` it goes on until all is let go: a stream may outlive the revision of
   * the rail that was paid for it, and without a lease its buyer could have it a second time.
   */
  start(log: Logger): Pick<Background, 'stop'> {
    this.#renewing = repeat({ name: 'x402 leases', everyMs: RENEW_EVERY_MS, log }, async () => {
      if (this.#held.size > 0) await this.#claims.renew(this.#held, leaseEnd())
    })
    return {
      stop: async () => {
        this.#isStopped = true
        await this.#endIfIdle()
      },
    }
  }

  /** Renews the lease of a claim until the returned function is called. */
  hold(id: string, token: string): () => void {
    this.#held.set(id, token)
    return () => {
      // Another worker of this instance may have taken the claim over.
      if (this.#held.get(id) !== token) return
      this.#held.delete(id)
      void this.#endIfIdle()
    }
  }

  /** Renews the lease of a claim while `work` runs. */
  async holding<T>(id: string, token: string, work: () => Promise<T>): Promise<T> {
    const letGo = this.hold(id, token)
    try {
      return await work()
    } finally {
      letGo()
    }
  }

  async #endIfIdle(): Promise<void> {
    if (this.#isStopped && this.#held.size === 0) await this.#renewing?.stop()
  }
}

export interface ReorgCheckOptions {
  chain: ChainView & Pick<Chain, 'receipt'>
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

/**
 * Checks settlements again some blocks later: a chain reorganisation can undo a block that was
 * believed. While the authorization is valid, the payment is then settled again. What is due is kept
 * in memory; the first round reads what any instance settled shortly before.
 */
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
    if (transaction === UNKNOWN_TRANSACTION || transaction === '') return
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
    const since = new Date(Date.now() - GIVEN_UP_MS)
    for (const claim of await claims.settledSince(since, { ...place, limit: MAX_LOADED })) {
      const { id, transaction, settledAt } = claim
      if (this.#settled.has(id)) continue
      const ageMs = Date.now() - settledAt.getTime()
      this.add(id, taking(claim.payment, claim.units), transaction, ageMs)
    }
  }

  async #check(settled: Checked): Promise<void> {
    const { chain } = this.#options
    const { id, transaction, settledAtMs } = settled
    const receipt = await chain.receipt(transaction).catch(() => undefined)
    const isOver = receipt ? true : receipt === null && (await this.#settleAgain(settled))
    this.#settled.delete(id)
    if (!isOver && settledAtMs + GIVEN_UP_MS > performance.now()) {
      this.#settled.set(id, { ...settled, dueAtMs: performance.now() + this.#afterMs })
    }
  }

  /** Whether nothing is left to do for a settlement whose transaction is not on the chain any more. */
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
