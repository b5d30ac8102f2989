/**
 * The gateway's own account on chain: gives its transactions their places (account nonces) and
 * replaces one that got stuck by the same call with higher fees in the same place, so that never two
 * wait where one was meant. What may be out stands in the database, see outbox.ts.
 */
import { keccak256, type Address, type Hex, type PrivateKeyAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { PluginTx } from '#kernel'
import type { Asset } from '../offers/asset.ts'
import type { Chain } from './chain.ts'
import { fullMessageOf, messageOf } from '../settle/error-text.ts'
import { FeeMarket, feeLimit, larger, raisedFees } from './fees.ts'
import {
  Outbox,
  type Call,
  type Fees,
  type PaymentOf,
  type Placed,
} from './pending-transactions.ts'
import {
  isAboutGas,
  isAboutNonce,
  isAnswerLost,
  isKnown,
  isNonceTooLow,
  isUnderpriced,
} from '../settle/refusal-text.ts'

export interface AccountOptions {
  chain: Chain
  asset: Asset
  /** 0x and 64 hex digits; its account pays the gas. */
  key: Hex
  db: PluginTx
  /** The sandbox chain's mark; null on real networks. */
  chainRef: string | null
  /** How long a transaction is left to whoever sent or raised it last. */
  tendedMs: number
}

/** A transaction that may be out, in all the forms it was sent. */
export interface Outgoing extends Placed {
  /** Of every form, oldest first; at most one of them will be mined. */
  hashes: Hex[]
  /** The node's answer to the newest form was lost. */
  isLost: boolean
}
export type Sent =
  | { sent: 'now'; outgoing: Outgoing }
  /** An earlier attempt has sent one for this payment. */
  | { sent: 'before'; outgoing: Outgoing }
  | { sent: 'no'; detail: string }
  /** The database went away: it may have a place, and be sent from there. */
  | { sent: 'unknown'; detail: string }

/** Where a transaction stands that has no receipt. */
export type Standing =
  /** Its place is next. */
  | 'next'
  /** Earlier ones of the account are to be mined first. */
  | 'behind'
  /** Nothing is in an earlier place, so that it is never mined where it is. */
  | 'cut off'
  /** Something is mined in its place, or another worker has given it up. */
  | 'taken'

const SEND_ATTEMPTS = 8

export class Account {
  readonly #options: AccountOptions
  readonly #account: PrivateKeyAccount
  readonly #outbox: Outbox
  readonly #market: FeeMarket
  /** Sends in order: each waits for the one before. */
  #queue: Promise<unknown> = Promise.resolve()
  /** The next place as far as known here, or null when the node must be asked. */
  #next: number | null = null

  constructor(options: AccountOptions) {
    const { key, db, chainRef, asset, tendedMs } = options
    this.#options = options
    this.#account = privateKeyToAccount(key)
    this.#market = new FeeMarket(options.chain)
    const account = this.address
    this.#outbox = new Outbox({ db, chain: chainRef ?? asset.network, account, tendedMs })
  }

  get address(): Address {
    return this.#account.address
  }

  /** Makes the call from the next place. A lost answer counts as sent: the hash is known. */
  send(payment: PaymentOf, call: Call): Promise<Sent> {
    const sending = this.#queue.then(() => this.#send(payment, call))
    this.#queue = sending.catch(() => {})
    return sending
  }

  /** What may be out for a payment; throws when the database is away. */
  async find(payment: PaymentOf): Promise<Outgoing | null> {
    const placed = await this.#outbox.byPayment(payment)
    return placed ? this.#outgoingOf(placed) : null
  }

  /**
   * Gets a transaction without receipt on its way: dearer when it is the next or offers less than the
   * market asks, up to its fee limit; and so what is before it, when nobody else tends that. Throws
   * when node or database are away.
   */
  async push(outgoing: Outgoing): Promise<Standing> {
    const mined = await this.#count('latest')
    if (mined > outgoing.nonce) return 'taken'
    const fresh = await this.#outbox.tend(outgoing)
    if (!fresh) return 'taken'
    await this.#refresh(outgoing, fresh)
    if (mined === outgoing.nonce) {
      await this.#raise(outgoing, outgoing.mostPerGas)
      return 'next'
    }
    await this.#outbox.removeBelow(mined)
    const isBelowMarket =
      outgoing.forms.at(-1)!.maxFeePerGas < (await this.#market.fees()).maxFeePerGas
    if (isBelowMarket) await this.#raise(outgoing, outgoing.mostPerGas)
    else await this.#broadcast(outgoing)
    const first = await this.#outbox.take(mined)
    if (first) {
      // Whoever waits behind it pays for its way.
      await this.#raise(
        await this.#outgoingOf(first),
        larger(first.mostPerGas, outgoing.mostPerGas),
      )
    } else if (!(await this.#outbox.has(mined)) && (await this.#count('pending')) <= mined) {
      this.#next = null
      return 'cut off'
    }
    return 'behind'
  }

  /** Sends the newest form once more, after an answer was lost. */
  async resend(outgoing: Outgoing): Promise<void> {
    await this.#broadcast(outgoing)
  }

  /** It is mined or never will be, and its payment may have another one. Throws without the database. */
  async drop(outgoing: Outgoing): Promise<void> {
    await this.#outbox.remove(outgoing)
  }

  /** It is mined and settled: nobody waits for this to be noted. */
  forget(outgoing: Outgoing): void {
    this.#outbox.forget(outgoing.nonce)
  }

  /** The node is asked again which place is next: one that never came out leaves a gap. */
  recount(): void {
    this.#next = null
  }

  async #send(payment: PaymentOf, call: Call): Promise<Sent> {
    let detail = ''
    let least = 0
    for (let attempt = 0; attempt < SEND_ATTEMPTS; attempt++) {
      let fees: Fees
      try {
        fees = await this.#market.fees()
        this.#next ??= await this.#countAnew()
      } catch (error) {
        return { sent: 'no', detail: messageOf(error) }
      }
      const floor = Math.max(this.#next, least)
      let outgoing: Outgoing
      try {
        const order = { ...call, fees, mostPerGas: feeLimit(fees) }
        const { isNew, placed } = await this.#outbox.add(payment, order, floor)
        outgoing = await this.#outgoingOf(placed)
        if (!isNew) return { sent: 'before', outgoing }
      } catch (error) {
        this.#next = null
        return { sent: 'unknown', detail: messageOf(error) }
      }
      const refusal = await this.#broadcast(outgoing)
      if (refusal === null || (await this.#isMined(outgoing, refusal))) {
        this.#next = outgoing.nonce + 1
        return { sent: 'now', outgoing }
      }
      detail = refusal
      this.#next = null
      try {
        await this.#outbox.remove(outgoing)
      } catch (error) {
        return { sent: 'unknown', detail: messageOf(error) }
      }
      if (isUnderpriced(detail)) {
        // Somebody else's transaction waits there.
        least = outgoing.nonce + 1
      } else if (!isAboutNonce(detail)) break
      this.#market.forget()
    }
    return {
      sent: 'no',
      detail: isAboutGas(detail)
        ? 'the settlement account cannot pay the gas'
        : `the node refused the transaction: ${detail.slice(0, 200)}`,
    }
  }

  /** Sends the newest form. Null when it is out or may be; else the node's words, and it is not. */
  async #broadcast(outgoing: Outgoing): Promise<string | null> {
    const { client } = this.#options.chain
    const serializedTransaction = await this.#sign(outgoing, outgoing.forms.at(-1)!)
    try {
      await client.sendRawTransaction({ serializedTransaction })
      outgoing.isLost = false
      return null
    } catch (error) {
      const detail = fullMessageOf(error)
      outgoing.isLost = isAnswerLost(detail)
      if (outgoing.isLost || isKnown(detail)) return null
      return detail
    }
  }

  /** Whether a refusal only says that an earlier try, whose answer was lost, got through. */
  async #isMined(outgoing: Outgoing, refusal: string): Promise<boolean> {
    if (!isNonceTooLow(refusal)) return false
    const receipt = await this.#options.chain.receipt(outgoing.hashes[0]!).catch(() => null)
    return receipt !== null
  }

  /** A form with higher fees, noted and sent; at the fee limit the newest one once more. */
  async #raise(outgoing: Outgoing, mostPerGas: bigint): Promise<void> {
    const market = await this.#market.fees()
    const fees = raisedFees(outgoing.forms.at(-1)!, market)
    if (fees.maxFeePerGas > mostPerGas) {
      await this.#broadcast(outgoing)
      return
    }
    await this.#outbox.addForm(outgoing, fees)
    outgoing.forms.push(fees)
    outgoing.hashes.push(keccak256(await this.#sign(outgoing, fees)))
    const refusal = await this.#broadcast(outgoing)
    // Not enough yet is a step to the next one; any other refusal is none of the fees.
    if (refusal === null || isUnderpriced(refusal)) return
    outgoing.forms.pop()
    outgoing.hashes.pop()
    await this.#outbox.dropForm(outgoing, fees)
  }

  async #outgoingOf(placed: Placed): Promise<Outgoing> {
    const outgoing = { ...placed, hashes: [], isLost: false }
    await this.#refresh(outgoing, placed)
    return outgoing
  }

  /** Takes over the forms that others have sent. Signatures are the same however often they are made. */
  async #refresh(outgoing: Outgoing, placed: Placed): Promise<void> {
    if (outgoing.hashes.length > 0 && placed.forms.length === outgoing.forms.length) return
    outgoing.forms = placed.forms
    outgoing.hashes = await Promise.all(
      placed.forms.map(async (fees) => keccak256(await this.#sign(placed, fees))),
    )
  }

  #sign(call: Pick<Placed, 'nonce' | 'to' | 'data' | 'gas'>, fees: Fees): Promise<Hex> {
    const { chainId } = this.#options.asset
    const { nonce, to, data, gas } = call
    return this.#account.signTransaction({
      type: 'eip1559',
      chainId,
      to,
      data,
      gas,
      nonce,
      ...fees,
    })
  }

  /** The place after all that the node knows of; what is mined meanwhile is forgotten on the way. */
  async #countAnew(): Promise<number> {
    const [next, mined] = await Promise.all([this.#count('pending'), this.#count('latest')])
    await this.#outbox.removeBelow(mined).catch(() => {})
    return next
  }

  #count(blockTag: 'latest' | 'pending'): Promise<number> {
    const { client } = this.#options.chain
    return client.getTransactionCount({ address: this.address, blockTag })
  }
}
