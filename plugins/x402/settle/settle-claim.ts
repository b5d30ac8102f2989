/**
 * Settles a claim under a lease: begin → settle → conclude. Calls, POST /v1/x402/settle and the
 * reconciler all settle here; a claim whose worker dies anywhere in between stays `settling`, and the
 * reconciler of any instance carries on.
 */
import type { Logger, SignedReceipt, StoredAnswer } from '#kernel'
import type { DatabaseClock } from '../../shared/storage/database-clock.ts'
import type { ClaimFacts, SettleOrder } from '../claims/claim.ts'
import type { Claims } from '../claims/claims.ts'
import { taking, wordsOf } from '../payment/payload.ts'
import type { AttemptOutcome } from './contract.ts'
import { LEASE_MS, newLease, type Leases } from './leases.ts'
import type { SettlementWatch } from './reorg-check.ts'
import type { Settlers } from './settlers.ts'

export interface ClaimSettlerOptions {
  claims: Claims
  settlers: Settlers
  leases: Leases
  clock: Pick<DatabaseClock, 'nowMs'>
  /** Whether a node can tell how an expired authorization ended. */
  hasChain: boolean
  /** Checks later that a settlement is still on the chain; null without a node. */
  reorgCheck: SettlementWatch | null
  log: Logger
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

  /**
   * Stores the answer and settles. 'lost': another call holds the payment by now, and nothing was done.
   * Never throws: without the database the claim may be `settling`, and its money may move or have moved.
   */
  async settle(
    order: SettleOrder,
    answer: StoredAnswer | null,
    options: SettleOptions = {},
  ): Promise<Settled | { state: 'lost' }> {
    const { claims, leases, log } = this.#options
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
    } catch (error) {
      log.error({ err: error, claim: id }, 'x402 settlement not written')
      return { state: 'open', detail: 'database' }
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
        const streamingMs = isStreamed ? LEASE_MS : null
        const receipt = await signed?.(transaction)
        const headers = receipt?.headers ?? null
        const { ledgerId } = await claims.settled({ id, transaction, streamingMs, headers })
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
    const { claims, clock, hasChain } = this.#options
    const { id, attempts, validBefore, payment } = settling
    const isExpired = validBefore + EXPIRY_GRACE_S < BigInt(Math.floor(clock.nowMs() / 1000))
    if (isExpired && !uncertain && !hasChain) {
      return this.#failed(id, token, wordsOf(payment!).validBefore)
    }
    const blindMs = isExpired ? BLIND_RETRY_MS.expired : BLIND_RETRY_MS.valid
    const longestMs = hasChain ? LONGEST_RETRY_MS : blindMs
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1), longestMs)
    await claims.postpone(id, token, { reason: detail.slice(0, 300), uncertain, retryMs })
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
