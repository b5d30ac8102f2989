/**
 * POST /v1/x402/settle, paying ahead of a call: a signed payment or the hash of a plain transfer is
 * settled for a request id, and that request may then be called once (specs/contract.md, x402). The
 * same order again gets the same answer; a payment is never taken for two requests.
 */
import type { Hex } from 'viem'
import { fail, type Failure, newId, type Quote } from '#kernel'
import type { Claim, ClaimOrder } from '../claims/claim.ts'
import { CONTRACT, SCHEME as CHANNELS } from '../payment/channel.ts'
import type { RailParts } from '../rail-parts.ts'
import { EvmEntry } from '../evm/entry.ts'
import { amountOfUnits, unitsOf } from '../terms/prices.ts'
import { failureOf } from './credential.ts'
import { decodePayment } from '../payment/decode.ts'
import type { PrepaidRequests } from '../claims/prepaid-requests.ts'
import {
  paymentFailed,
  paymentRefunded,
  problem,
  settlementUnavailable,
  settlementUnknown,
  stillInFlight,
  usedForAnother,
} from '../payment/problem.ts'
import { messageOf } from '../chain/node-errors.ts'
import { fieldOf } from '../payment/reason-kinds.ts'
import { claimOrderOf, NONCE_TAKEN, nonceProblem, refusalText } from './claim-orders.ts'
import { isSameAddress, PAYMENT_SIGNATURE } from '../payment/wire.ts'

export interface PrepaidSettlement {
  ok: true
  transaction: string
  network: string
  payer: string
  amountAtomic: bigint
  requestId: string
  ledgerId: string
}

export interface PrepaidOrder {
  quote: Quote
  requestId: string
  /** Base64 of a payment, or a transaction hash. */
  paymentSignature: string
  /** The API key that settles: only its calls redeem the request; null: only calls without a key. */
  keyId: string | null
}

const UPTO_AHEAD = problem(
  'unsupported_scheme',
  'accepted.scheme',
  'a payment of scheme upto is settled after the work: send it with the call itself',
  { expected: 'exact', got: 'upto' },
)
const CHANNEL_AHEAD = problem(
  'unsupported_scheme',
  'accepted.scheme',
  'a voucher of a channel pays the call itself: send it with the call',
  { expected: 'exact', got: CHANNELS },
)
const PRICE_UNKNOWN = problem(
  'unsupported_scheme',
  'skill',
  'what this skill costs is known after the work: send a payment of scheme upto with the call itself',
)
/** A plain transfer must be this fresh, so that old receipts of the address buy nothing. */
const TRANSFER_MAX_AGE_S = 900n
/** Blocks on top of the transfer's own before it counts. */
const CONFIRMATIONS = 1n
/** Longer than any check before settling; a claim that a crash leaves is free after it. */
const LEASE_MS = 60_000

export class SettleAhead {
  readonly #core: RailParts
  readonly #requests: PrepaidRequests
  /** The sandbox chain makes blocks only when somebody sends something. */
  readonly #confirmations: bigint

  constructor(core: RailParts, requests: PrepaidRequests) {
    this.#core = core
    this.#requests = requests
    this.#confirmations = core.chainRef === null ? CONFIRMATIONS : 0n
  }

  /** Settles or checks the payment and opens the request id; 402 with the reason, or 503 to ask again. */
  async settle(order: PrepaidOrder): Promise<PrepaidSettlement | Failure> {
    if (order.quote.isCeiling) return paymentFailed(PRICE_UNKNOWN)
    const isHash = /^0x[0-9a-fA-F]{64}$/.test(order.paymentSignature)
    const settled = isHash ? await this.#transfer(order) : await this.#signed(order)
    const { requestId, keyId, quote } = order
    if (settled.ok) await this.#requests.add({ requestId, skillId: quote.skillId, keyId })
    return settled
  }

  async #signed(order: PrepaidOrder): Promise<PrepaidSettlement | Failure> {
    const { claims, offers, clock } = this.#core
    const decoded = decodePayment(PAYMENT_SIGNATURE, order.paymentSignature)
    if (!decoded.ok) return paymentFailed(decoded.problem)
    const { payment } = decoded
    // The amount of `upto` is known only after the work.
    if (payment.scheme === 'upto') return paymentFailed(UPTO_AHEAD)
    // Its client would not learn what is charged, which the next voucher has to name.
    if (payment.method === 'channel') return paymentFailed(CHANNEL_AHEAD)
    const entry = this.#core.entryFor(payment)
    if (!entry) return settlementUnavailable('x402 is closed')
    const now = clock.now()
    const examined = await entry.examine(payment, order.quote, now, now)
    if (examined.kind === 'refused') return failureOf(entry, payment, examined.problem)
    const verified = await entry.verify(payment, order.quote, examined)
    const key = entry.keyOf(payment)
    const { payer } = key
    if (!verified.ok && verified.unavailable) {
      return settlementUnavailable('the payer could not be looked up')
    }
    if (!verified.ok) {
      const known = verified.signed ? await claims.byPayment(key) : null
      if (known && (known.state === 'failed' || !(await claims.isOver(known)))) {
        return this.#again(known, order)
      }
      return paymentFailed(verified.problem, { payer })
    }
    const claim = claimOrderOf(entry, {
      id: newId(),
      fingerprint: null,
      requestId: order.requestId,
      keyId: order.keyId,
      quote: order.quote,
      price: verified.price,
      acquisition: null,
      payment,
      shown: () => offers.of(order.quote).required,
      leaseMs: LEASE_MS,
    })
    const claimed = await claims.claim(claim)
    if (claimed.outcome === 'known') return this.#again(claimed.claim, order)
    const twice = await nonceProblem(this.#core, claim)
    if (twice) {
      await claims.release(claim.id, NONCE_TAKEN)
      return twice
    }
    const checked = await entry.check(claim.payment)
    if (checked.outcome !== 'payable') {
      await claims.release(claim.id, checked.outcome)
      return checked.outcome === 'refused'
        ? refusedFailure(checked.reason, payer)
        : settlementUnavailable(checked.detail)
    }
    const ended = await entry.settle(claim, null)
    if (ended.state === 'lost') return stillInFlight()
    if (ended.state === 'failed') return refusedFailure(ended.reason, payer)
    if (ended.state === 'open') return settlementUnknown(ended.detail)
    await claims.makePrepaid(claim.id)
    return settlementOf(claim, ended.transaction, ended.ledgerId)
  }

  /** The same payment again: the same answer for the same request, a refusal for another. */
  async #again(known: Claim, order: PrepaidOrder): Promise<PrepaidSettlement | Failure> {
    const { claims } = this.#core
    const own =
      known.requestId === order.requestId &&
      known.skillId === order.quote.skillId &&
      known.keyId === order.keyId &&
      known.isAhead
    if (!own) return usedForAnother(known)
    let claim = known
    if (claim.state === 'settling') {
      await this.#core.entryAt(claim)?.resolve(claim.id)
      claim = (await claims.byId(claim.id)) ?? claim
    }
    if (claim.state === 'settling') return settlementUnknown(claim.reason ?? 'settling')
    if (await claims.isRefunded(claim)) return paymentRefunded()
    if (claim.state === 'settled_ahead') await claims.makePrepaid(claim.id)
    if (claim.transaction === null || claim.ledgerId === null) {
      return claim.state === 'failed'
        ? refusedFailure(claim.reason ?? 'settlement_failed', claim.payer)
        : stillInFlight()
    }
    return settlementOf(claim, claim.transaction, claim.ledgerId)
  }

  /**
   * A plain transfer of the main entry to its settlement address: on chain, fresh, large enough, and used once. It
   * names no request, so whoever names its hash first has it; a signed payment has no such gap.
   */
  async #transfer(order: PrepaidOrder): Promise<PrepaidSettlement | Failure> {
    const { claims, main } = this.#core
    const chain = main instanceof EvmEntry ? main.chain : null
    if (!main || !chain) {
      return fail('INVALID_INPUT', 'This gateway has no node (X402_RPC_URL) to look transfers up', {
        details: { issues: [{ path: '/paymentSignature', message: 'must be a signed payment' }] },
      })
    }
    const { token, chainRef } = main
    const { payTo } = token
    const hash = order.paymentSignature.toLowerCase() as Hex
    let found
    try {
      const receipt = await chain.receipt(hash)
      if (receipt === null)
        return badTransfer('transaction_not_found', 'the node does not know it (yet)', true)
      const [block, mined] = await Promise.all([
        chain.client.getBlock({ blockTag: 'latest' }),
        chain.client.getBlock({ blockNumber: receipt.blockNumber }),
      ])
      found = { receipt, block, mined }
    } catch (error) {
      return settlementUnavailable(messageOf(error))
    }
    const { receipt, block, mined } = found
    if (receipt.status !== 'success') return badTransfer('transaction_reverted', 'it was reverted')
    const moved = chain.transfersIn(receipt)
    // What a channel was charged has bought its calls already; anybody sees the claim on the chain.
    const claimsChannels = moved.some(({ from }) => isSameAddress(from, CONTRACT))
    // The token's logs tell; for a token without such logs, our own settlements do.
    const settledBy = await claims.byTransaction(hash)
    const isOurs = settledBy !== null && settledBy.nonce !== hash
    if (chain.usesAuthorization(receipt) || claimsChannels || isOurs) {
      return badTransfer(
        'not_a_plain_transfer',
        'it settles signed payments and is no plain transfer',
      )
    }
    if (block.number - receipt.blockNumber < this.#confirmations) {
      return badTransfer('not_confirmed', 'it needs one more block on top', true)
    }
    // By the chain's clock: this machine's may be wrong, and the transfer has been paid.
    if (mined.timestamp + TRANSFER_MAX_AGE_S < block.timestamp) {
      return badTransfer('transfer_too_old', `it is older than ${TRANSFER_MAX_AGE_S} seconds`)
    }
    const transfers = moved.filter((transfer) => isSameAddress(transfer.to, payTo))
    const best = transfers.toSorted((a, b) => (a.value < b.value ? 1 : -1))[0]
    if (!best) {
      return badTransfer(
        'invalid_exact_evm_recipient_mismatch',
        `it moves no ${token.asset} to ${payTo}`,
      )
    }
    const price = unitsOf(token.decimals, order.quote.amountAtomic)
    if (best.value < price) {
      const text = `it moves ${best.value} atomic units, the price is ${price}`
      return badTransfer('insufficient_amount', text)
    }
    const claim: ClaimOrder = {
      id: newId(),
      network: token.network,
      asset: token.asset,
      payer: best.from.toLowerCase(),
      nonce: hash,
      fingerprint: null,
      requestId: order.requestId,
      keyId: order.keyId,
      skillId: order.quote.skillId,
      path: order.quote.path,
      amountAtomic: amountOfUnits(token.decimals, best.value),
      units: best.value,
      priceVersion: order.quote.priceVersion,
      acquisition: null,
      payment: null,
      validBefore: block.timestamp,
      chainRef,
      leaseMs: 0,
    }
    const added = await claims.addPrepaid(claim, hash)
    if (added) return settlementOf(claim, hash, added.ledgerId)
    const known = await claims.byPayment(claim)
    return known ? this.#again(known, order) : stillInFlight()
  }
}

function settlementOf(
  claim: Pick<ClaimOrder, 'network' | 'payer' | 'amountAtomic' | 'requestId'>,
  transaction: string,
  ledgerId: string,
): PrepaidSettlement {
  const { network, payer, amountAtomic, requestId } = claim
  return { ok: true, transaction, network, payer, amountAtomic, requestId, ledgerId }
}

function refusedFailure(reason: string, payer: string): Failure {
  return paymentFailed(problem(reason, fieldOf(reason), refusalText(reason)), { payer })
}

function badTransfer(reason: string, text: string, retryable = false): Failure {
  const failure = paymentFailed(problem(reason, 'paymentSignature', `the transaction: ${text}`))
  return retryable ? { ...failure, retryable } : failure
}
