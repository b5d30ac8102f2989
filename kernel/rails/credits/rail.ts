/** The credits rail: a prepaid API key pays from its balance, by a hold and its capture. */
import { assert, GatewayError } from '../../errors.ts'
import type { Hold, Ledger } from '../../ledger/contract.ts'
import { timeOfId } from '../../ids.ts'
import { ATOMIC_PER_CREDIT, atomicToCredits } from '../../money.ts'
import { isFlat, priceView } from '../../pricing/view.ts'
import type { Authorization, Quote, Rail, Receipt } from '../contract.ts'
import type { Offer } from '../offer-contract.ts'
import type { RailCalls } from '../calls-contract.ts'
import { CREDITS_RAIL_ID } from '../registry.ts'
import type { AccountPages, AccountPageUrls } from './account-pages.ts'
import { creditsDocuments, type CreditSource } from './documents.ts'
import { HoldUndo } from './hold-undo.ts'
import { captureUnconfirmed, holdEnded, refusalOf } from './refusals.ts'

export interface CreditsRailOptions {
  ledger: Ledger
  /** HOLD_TTL: how long a crashed call's hold may outlive the call's own deadline. */
  holdTtlMs: number
  calls?: RailCalls
  /** Whether keys hold play money only; offers say so. */
  sandbox?: boolean
  /** Absent: offers link to no page for people. */
  pages?: AccountPages
}

/** Member of an offer in a sandbox, which asks for no real money. */
const SANDBOX_NOTE = 'Sandbox: test money only. Nothing here costs or pays out real money.'

export interface CreditsRail extends Rail {
  /** Sets the routes that sell credits, as offers and documents list them from now on. */
  sellThrough(sources: readonly CreditSource[]): void
  /** Whether all holds of calls that came to nothing are undone within the time; then it gives up. */
  drain(timeoutMs: number): Promise<boolean>
}

/** A hold outlives its call's deadline by this much, so that it cannot expire during the call. */
const MARGIN_MS = 60_000

/** How long an order to give back is kept whose hold this database does not know. */
const UNKNOWN_KEPT_MS = 86_400_000

const NOT_CONFIRMED = 'answer withheld: the capture could not be confirmed in time'

interface HoldState {
  /** Free calls and tiers apply: not to accounts that anybody can open in any number. */
  isAllowed: boolean
  hold: Hold
}

export function creditsRail(options: CreditsRailOptions): CreditsRail {
  const { ledger } = options
  const marginMs = Math.min(MARGIN_MS, options.holdTtlMs)
  let sources: readonly CreditSource[] = []
  let offers = new WeakMap<Quote, { offer: Offer; pages: AccountPageUrls | null }>()
  const undoing = new HoldUndo(ledger)

  return {
    id: CREDITS_RAIL_ID,
    title: 'prepaid credits',
    precedence: 100,
    calls: options.calls,
    documents: () => creditsDocuments(sources),
    available: () => ({ ok: true }),
    presented: (_source, identity) => identity !== null,
    offer(quote) {
      const pages = options.pages?.urls() ?? null
      const known = offers.get(quote)
      if (known?.pages === pages) return known.offer
      const offer = prepaidOffer(quote, sources, pages, options.sandbox ?? false)
      offers.set(quote, { offer, pages })
      return offer
    },
    async authorize(call) {
      assert(call.identity, 'the credits rail is chosen for identified callers only')
      const amountAtomic = call.mostAtomic ?? call.quote.amountAtomic
      const isAllowed = call.identity.isPayersOwn !== true || call.quote.isOfPlan === true
      const result = await refusable(
        ledger.authorize({
          holdId: call.holdId,
          accountId: call.identity.accountId,
          keyId: call.identity.keyId,
          requestId: call.requestId,
          skillId: call.quote.skillId,
          productId: call.quote.productId,
          path: call.quote.path,
          amountAtomic,
          ttlMs: Math.max(call.quote.timeoutMs, call.deadline.getTime() - Date.now()) + marginMs,
          // A plan's price is not in any price table.
          priceVersion: call.quote.isOfPlan ? null : call.quote.priceVersion,
          acquisition: call.acquisition,
          free: isAllowed ? (call.quote.price?.free ?? null) : null,
          scope: 'call',
          // The receipt of a measured stream shows what is held, until the capture at its end.
          isProvisional: !call.quote.price?.per.length,
        }),
      )
      if (result instanceof GatewayError) {
        return { outcome: 'refused', failure: result.failure, offer: false }
      }
      if (result.outcome !== 'authorized') {
        const { productId, isCeiling } = call.quote
        const purchase = { priceAtomic: amountAtomic, productId, ...(isCeiling && { isCeiling }) }
        const pages = options.pages?.urls() ?? null
        return { outcome: 'refused', ...refusalOf(result, purchase, new Date(), pages) }
      }
      return {
        outcome: 'authorized',
        // A free call holds nothing, so nothing can be captured.
        authorization: {
          railId: CREDITS_RAIL_ID,
          amountAtomic: result.hold.amountAtomic,
          state: { isAllowed, hold: result.hold } satisfies HoldState,
        },
      }
    },
    async capture(authorization, amountAtomic, _answer, account) {
      const { isAllowed, hold } = stateOf(authorization)
      const { id: holdId, accountId, keyId } = hold
      const units = account?.units ?? null
      const graduated = isAllowed ? (account?.graduated ?? null) : null
      const result = await refusable(
        ledger.capture({
          holdId,
          accountId,
          keyId,
          hold,
          amountAtomic,
          ...(units !== null && { units }),
          ...(graduated && { graduated }),
        }),
      )
      if (result instanceof GatewayError) {
        // The answer is withheld, so a charge that did go through must be undone.
        return {
          outcome: 'failed',
          failure: captureUnconfirmed(),
          offer: false,
          giveBack: (isWanted) => undoing.start(hold, NOT_CONFIRMED, isWanted),
        }
      }
      if (result.outcome === 'done') {
        return { outcome: 'captured', receipt: receiptOf(result.hold, result.availableAtomic) }
      }
      const ended = result.outcome === 'conflict' ? result.hold.state : 'unknown'
      return { outcome: 'failed', failure: holdEnded(ended), offer: false }
    },
    async undo(authorization, reason) {
      const isDone = await undoing.start(stateOf(authorization).hold, reason)
      if (!isDone) throw new Error('a charge is still not given back')
    },
    async release(authorization, reason) {
      const { hold } = stateOf(authorization)
      const { id: holdId, accountId, keyId } = hold
      const result = await refusable(ledger.release({ holdId, accountId, keyId }))
      // The payer needs what is held: it is released once the ledger is back, before it expires.
      if (result instanceof GatewayError) void undoing.start(hold, reason)
    },
    async stateOf(holdId) {
      if (undoing.has(holdId)) return 'open'
      const hold = await ledger.hold(holdId)
      if (hold?.state === 'captured') return 'captured'
      return hold?.state === 'authorized' ? 'open' : 'none'
    },
    async giveBack(holdId) {
      const hold = await ledger.hold(holdId)
      if (hold) return undoing.once(hold, NOT_CONFIRMED)
      // The gateway of another database may have left it, and knows the hold.
      const madeAtMs = timeOfId(holdId)?.getTime() ?? 0
      if (Date.now() - madeAtMs < UNKNOWN_KEPT_MS) throw new Error('no hold of this database')
    },
    async balanceAtomic(_keyId, accountId) {
      const balance = accountId === undefined ? null : await ledger.balance(accountId)
      return balance && balance.availableAtomic
    },
    sellThrough(routes) {
      sources = routes
      offers = new WeakMap()
    },
    drain: (timeoutMs) => undoing.drain(timeoutMs),
  }
}

/** The result, or the GatewayError of an unavailable database; anything else is thrown. */
function refusable<T>(work: Promise<T>): Promise<T | GatewayError> {
  return work.catch((error: unknown) => {
    if (error instanceof GatewayError) return error
    throw error
  })
}

function stateOf(authorization: Authorization): HoldState {
  assert(authorization.railId === CREDITS_RAIL_ID, 'an authorization goes back to its own rail')
  return authorization.state as HoldState
}

function receiptOf(hold: Hold, availableAtomic: bigint): Receipt {
  return {
    rail: CREDITS_RAIL_ID,
    chargedAtomic: hold.capturedAtomic ?? 0n,
    ledgerId: hold.ledgerId,
    balanceAtomic: availableAtomic,
    headers: {},
  }
}

/** How to pay with prepaid credits: the header to send, and where to buy credits. */
function prepaidOffer(
  quote: Quote,
  sources: readonly CreditSource[],
  pages: AccountPageUrls | null,
  sandbox: boolean,
): Offer {
  const buy = pages ? ` People buy credits at ${pages.buy} in a browser.` : ''
  return {
    headers: {},
    advice: `Prepaid: send the header X-Api-Key with a key that has enough credits.${buy}`,
    body: {
      prepaid: {
        ...(sandbox && { sandbox: SANDBOX_NOTE }),
        rail: CREDITS_RAIL_ID,
        // The amount held: a measured charge may be below it, and is never above.
        priceCredits: atomicToCredits(quote.amountAtomic),
        priceUsdcAtomic: quote.amountAtomic.toString(),
        ...(quote.price && !isFlat(quote.price) && { rule: priceView(quote.price) }),
        usdcAtomicPerCredit: ATOMIC_PER_CREDIT.toString(),
        header: 'X-Api-Key',
        // A route that callers may use themselves; none if only the operator sells credits.
        ...(sources[0] && { topup: sources[0].path }),
        ...Object.fromEntries(sources.map(({ name, path }) => [name, path])),
        balance: '/v1/credits/balance',
        // For people, in a browser; programs use the routes above.
        ...(pages && { accountUrl: pages.account, buyUrl: pages.buy }),
      },
    },
  }
}
