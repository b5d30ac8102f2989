/**
 * The state machine of the gateway's own transactions. Each settles one payment at one account nonce,
 * and a payment never has two of them. Its row (transaction-rows.ts) is written before it is sent, so
 * that any instance, or the next start, can carry on; only this file moves it.
 *
 *   state      row                          meaning
 *   reserved   one attempt, leased          it has a nonce; no node has accepted it yet
 *   pending    one or more attempts         a node has an attempt, or its answer was lost
 *     leased     lease running                its worker waits for the receipt and bumps the fees
 *     orphaned   lease over                   its worker died; whoever is queued behind it takes it over
 *   mined      deleted                      one attempt has a receipt
 *   rejected   deleted                      the node refused the first attempt: its nonce is free
 *   replaced   deleted                      another transaction is mined at its nonce
 *   dropped    deleted                      the nonce before it is empty, so it can never be mined
 *
 *   from       to         by
 *   -          reserved   send: the lowest free nonce of the account
 *   reserved   pending    the node accepts or knows it, or its answer is lost
 *   reserved   rejected   the node refuses it to the worker that reserved it, and no other worker has
 *                         leased it since; `send` tries again with another nonce or fresh fees
 *   pending    pending    fee bump: a replacement with the same nonce, recorded before it is sent
 *   orphaned   leased     find, for the next attempt of its payment; or takeOver, from behind
 *   pending    mined      receiptOf finds a receipt; the caller reports it by `mined` or `ended`
 *   pending    replaced   the account's transaction count is past its nonce, and it has no receipt
 *   pending    dropped    nobody has reserved the nonce that the chain expects next
 */
import type { Address, Hex, TransactionReceipt } from 'viem'
import type { PluginTx } from '#kernel'
import type { Asset } from '../terms/asset.ts'
import { Account, FeeMarket, bumpedFees, feeLimitOf, larger, type Fees } from './account.ts'
import type { Chain } from './chain.ts'
import { isAboutGas, isAboutNonce, isNonceTooLow, isUnderpriced, messageOf } from './node-errors.ts'
import {
  TransactionRows,
  type Call,
  type PaymentOf,
  type StoredTransaction,
} from './transaction-rows.ts'

export interface OwnTransactionsOptions {
  chain: Chain
  asset: Asset
  /** 0x and 64 hex digits; its account pays the gas. */
  key: Hex
  db: PluginTx
  /** The sandbox chain's mark; null on real networks. */
  chainRef: string | null
  /** How long a receipt is waited for before the outcome counts as unknown. */
  receiptTimeoutMs?: number
  /** First pause between looks for the receipt; it grows to ten times that. */
  pollMs?: number
  /** After this without a receipt the fees are bumped, and again after as long. */
  raiseAfterMs?: number
}

export interface OwnTransaction extends StoredTransaction {
  /** Of every attempt, oldest first; at most one of them will be mined. */
  hashes: Hex[]
  /** The node's answer to the newest attempt was lost. */
  isAnswerLost: boolean
}

export type Sent =
  | { kind: 'sent'; transaction: OwnTransaction }
  /** An earlier attempt to settle this payment has sent one. */
  | { kind: 'sent before'; transaction: OwnTransaction }
  | { kind: 'not sent'; detail: string }
  /**
   * The database went away, or another worker is ahead: there may be a row, and its transaction may
   * have been sent from there.
   */
  | { kind: 'unknown'; detail: string }

type State = 'pending' | 'replaced' | 'dropped'

const SEND_ATTEMPTS = 8
const RECEIPT_TIMEOUT_MS = 30_000
const POLL_MS = 50
const BUMP_AFTER_MS = 10_000
/** A worker that misses two fee bumps counts as dead. */
const LEASE_BUMPS = 2
/** A send whose answer was lost is repeated; the node says when it knows it. */
const RESEND_AFTER_MS = 1000
/** The nodes behind one address show a receipt at different times. */
const REPLACED_GRACE_MS = 1000

export class OwnTransactions {
  readonly #options: OwnTransactionsOptions
  readonly #bumpAfterMs: number
  readonly #account: Account
  readonly #rows: TransactionRows
  readonly #market: FeeMarket
  /** Sends in order: each waits for the one before. */
  #queue: Promise<unknown> = Promise.resolve()
  /** The next nonce as far as known here; null when the node must be asked. */
  #nextNonce: number | null = null

  constructor(options: OwnTransactionsOptions) {
    const { chain, key, db, chainRef, asset, raiseAfterMs = BUMP_AFTER_MS } = options
    this.#options = options
    this.#bumpAfterMs = raiseAfterMs
    this.#account = new Account(chain, asset.chainId, key)
    this.#market = new FeeMarket(chain)
    this.#rows = new TransactionRows({
      db,
      chain: chainRef ?? asset.network,
      account: this.address,
      leaseMs: raiseAfterMs * LEASE_BUMPS,
    })
  }

  /** Pays the gas, and is the caller of every transaction. */
  get address(): Address {
    return this.#account.address
  }

  /**
   * The call with the gas that it takes now and a fifth more; throws where it would fail, and with the
   * text of a revert where it takes more than `mostGas`.
   */
  async withGas(call: Omit<Call, 'gas'>, mostGas?: bigint): Promise<Call> {
    const { client } = this.#options.chain
    const gas = await client.estimateGas({ account: this.address, ...call })
    if (mostGas !== undefined && gas > mostGas) {
      throw new Error(
        `it would be reverted: it takes ${gas} gas, and ${mostGas} at most are paid for`,
      )
    }
    return { ...call, gas: (gas * 12n) / 10n }
  }

  /**
   * Makes the call at the next nonce. A lost answer counts as sent: the hash is known. With `claimId`
   * nothing new is sent once that claim belongs to another call, however long this one has slept.
   */
  send(payment: PaymentOf, call: Call, claimId?: string): Promise<Sent> {
    const sending = this.#queue.then(() => this.#send(payment, call, claimId))
    this.#queue = sending.catch(() => {})
    return sending
  }

  /** The transaction of a payment, whoever sent it; throws when the database is away. */
  async find(payment: PaymentOf): Promise<OwnTransaction | null> {
    const stored = await this.#rows.byPayment(payment)
    return stored && this.#withHashes(stored)
  }

  /** The receipt of whichever attempt is mined by now, newest first; throws when the node is away. */
  async minedReceiptOf({ hashes }: OwnTransaction): Promise<TransactionReceipt | null> {
    for (const hash of hashes.toReversed()) {
      const receipt = await this.#options.chain.receipt(hash)
      if (receipt !== null) return receipt
    }
    return null
  }

  /**
   * Waits for the receipt of whichever attempt is mined, and bumps the fees meanwhile: at once for a
   * transaction that was `found`. Null when the time is up, or when it can never be mined.
   */
  async receiptOf(
    transaction: OwnTransaction,
    { found = false } = {},
  ): Promise<TransactionReceipt | null> {
    const { pollMs = POLL_MS, receiptTimeoutMs = RECEIPT_TIMEOUT_MS } = this.#options
    let endsAt = performance.now() + receiptTimeoutMs
    let bumpAt = performance.now() + (found ? 0 : this.#bumpAfterMs)
    let resendAt = performance.now() + RESEND_AFTER_MS
    let state: State = 'pending'
    for (let wait = pollMs; ; wait = Math.min(wait * 1.5, pollMs * 10)) {
      const receipt = await this.minedReceiptOf(transaction).catch(() => null)
      if (receipt !== null) return receipt
      if (performance.now() + wait > endsAt) break
      if (state === 'pending' && performance.now() >= bumpAt) {
        // A node or a database that is away is asked again at the next bump.
        state = await this.#advance(transaction).catch(() => 'pending')
        if (state !== 'pending') endsAt = Math.min(endsAt, performance.now() + REPLACED_GRACE_MS)
        bumpAt = performance.now() + this.#bumpAfterMs
      } else if (state === 'pending' && transaction.isAnswerLost && performance.now() >= resendAt) {
        await this.#broadcast(transaction)
        resendAt = performance.now() + RESEND_AFTER_MS
      }
      await Bun.sleep(wait)
    }
    // The next attempt to settle reserves a new nonce.
    if (state !== 'pending') await this.#rows.delete(transaction).catch(() => {})
    // One that is never mined leaves a gap, which only the node knows of.
    this.#nextNonce = null
    return null
  }

  /** It is mined and has settled its payment; the row is deleted in the background. */
  mined({ nonce }: OwnTransaction): void {
    this.#rows.deleteMined(nonce)
  }

  /** It is mined, and its payment may have another one from now on. Throws without the database. */
  async ended(transaction: OwnTransaction): Promise<void> {
    await this.#rows.delete(transaction)
  }

  async #send(payment: PaymentOf, call: Call, claimId?: string): Promise<Sent> {
    let detail = ''
    let leastNonce = 0
    for (let attempt = 0; attempt < SEND_ATTEMPTS; attempt++) {
      let fees: Fees
      try {
        fees = await this.#market.fees()
        this.#nextNonce ??= await this.#countPending()
      } catch (error) {
        return { kind: 'not sent', detail: messageOf(error) }
      }
      const floor = Math.max(this.#nextNonce, leastNonce)
      let transaction: OwnTransaction
      try {
        const order = { ...call, fees, feeLimit: feeLimitOf(fees) }
        const reserved = await this.#rows.reserve(payment, order, floor, claimId)
        if (!reserved) return { kind: 'unknown', detail: 'another call has taken the claim over' }
        transaction = await this.#withHashes(reserved.stored)
        if (!reserved.isNew) return { kind: 'sent before', transaction }
      } catch (error) {
        this.#nextNonce = null
        return { kind: 'unknown', detail: messageOf(error) }
      }
      const refusal = await this.#broadcast(transaction)
      if (refusal === null || (await this.#wasMined(transaction, refusal))) {
        this.#nextNonce = transaction.nonce + 1
        return { kind: 'sent', transaction }
      }
      detail = refusal
      this.#nextNonce = null
      try {
        if (!(await this.#rows.withdraw(transaction))) return await this.#elsewhere(payment)
      } catch (error) {
        return { kind: 'unknown', detail: messageOf(error) }
      }
      if (isUnderpriced(detail)) {
        // Another program with this key has a transaction at that nonce.
        leastNonce = transaction.nonce + 1
      } else if (!isAboutNonce(detail)) break
      this.#market.forget()
    }
    return {
      kind: 'not sent',
      detail: isAboutGas(detail)
        ? 'the settlement account cannot pay the gas'
        : `the node refused the transaction: ${detail.slice(0, 200)}`,
    }
  }

  /** What another worker made of a transaction while the one that reserved it stood still. */
  async #elsewhere(payment: PaymentOf): Promise<Sent> {
    const transaction = await this.find(payment)
    return transaction
      ? { kind: 'sent before', transaction }
      : { kind: 'unknown', detail: 'another worker has ended the transaction' }
  }

  /**
   * Moves a transaction without a receipt towards a block: bumps its fees when it is the next or
   * offers less than the market asks, and those of an orphaned one that it is queued behind. Throws
   * when node or database are away.
   */
  async #advance(transaction: OwnTransaction): Promise<State> {
    const minedCount = await this.#account.count('latest')
    if (minedCount > transaction.nonce) return 'replaced'
    const stored = await this.#rows.renew(transaction)
    // Another worker has ended it.
    if (!stored) return 'replaced'
    await this.#update(transaction, stored)
    if (minedCount === transaction.nonce) {
      await this.#bump(transaction, transaction.feeLimit)
      return 'pending'
    }
    await this.#rows.deleteBelow(minedCount)
    const market = await this.#market.fees()
    if (transaction.attempts.at(-1)!.maxFeePerGas < market.maxFeePerGas) {
      await this.#bump(transaction, transaction.feeLimit)
    } else await this.#broadcast(transaction)
    const orphan = await this.#rows.takeOver(minedCount)
    if (orphan) {
      // The limit is that of the transaction behind it, which needs it mined.
      const feeLimit = larger(orphan.feeLimit, transaction.feeLimit)
      await this.#bump(await this.#withHashes(orphan), feeLimit)
      return 'pending'
    }
    const isGap =
      !(await this.#rows.isReserved(minedCount)) &&
      (await this.#account.count('pending')) <= minedCount
    if (!isGap) return 'pending'
    this.#nextNonce = null
    return 'dropped'
  }

  /** Sends a replacement with higher fees; at the fee limit, the newest attempt once more. */
  async #bump(transaction: OwnTransaction, feeLimit: bigint): Promise<void> {
    const { attempts, hashes } = transaction
    const fees = bumpedFees(attempts.at(-1)!, await this.#market.fees())
    if (fees.maxFeePerGas > feeLimit) {
      await this.#broadcast(transaction)
      return
    }
    await this.#rows.addAttempt(transaction, fees)
    attempts.push(fees)
    hashes.push(await this.#account.hashOf(transaction, fees))
    const refusal = await this.#broadcast(transaction)
    // An underpriced replacement counts as a step: the next bump goes beyond it. Any other rejection
    // is unrelated to fees.
    if (refusal === null || isUnderpriced(refusal)) return
    attempts.pop()
    hashes.pop()
    await this.#rows.removeAttempt(transaction, fees)
  }

  /** Sends the newest attempt. Null when the node has it or may have it; else why it refused. */
  async #broadcast(transaction: OwnTransaction): Promise<string | null> {
    const sent = await this.#account.broadcast(transaction, transaction.attempts.at(-1)!)
    transaction.isAnswerLost = sent.kind === 'lost'
    return sent.kind === 'refused' ? sent.refusal : null
  }

  /** Whether a refusal only says that an earlier send, whose answer was lost, was mined. */
  async #wasMined({ hashes }: OwnTransaction, refusal: string): Promise<boolean> {
    if (!isNonceTooLow(refusal)) return false
    const receipt = await this.#options.chain.receipt(hashes[0]!).catch(() => null)
    return receipt !== null
  }

  async #withHashes(stored: StoredTransaction): Promise<OwnTransaction> {
    const transaction = { ...stored, hashes: [], isAnswerLost: false }
    await this.#update(transaction, stored)
    return transaction
  }

  /** Adopts the attempts that other instances have sent. */
  async #update(transaction: OwnTransaction, stored: StoredTransaction): Promise<void> {
    const { hashes, attempts } = transaction
    if (hashes.length > 0 && stored.attempts.length === attempts.length) return
    transaction.attempts = stored.attempts
    transaction.hashes = await Promise.all(
      stored.attempts.map((fees) => this.#account.hashOf(stored, fees)),
    )
  }

  /** The first nonce that no node knows a transaction at; rows of mined nonces are deleted on the way. */
  async #countPending(): Promise<number> {
    const [next, mined] = await Promise.all([
      this.#account.count('pending'),
      this.#account.count('latest'),
    ])
    await this.#rows.deleteBelow(mined).catch(() => {})
    return next
  }
}
