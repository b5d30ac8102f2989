/** The credits rail: a prepaid API key pays from its balance, by a hold that is captured. */
import { assert, GatewayError } from '../../errors.ts'
import type { Hold, Ledger } from '../../ledger/contract.ts'
import { ATOMIC_PER_CREDIT, atomicToCredits } from '../../money.ts'
import { isMeasured } from '../../pricing/rule.ts'
import { isFlat, priceView } from '../../pricing/view.ts'
import type { Authorization, Quote, Rail, Receipt } from '../contract.ts'
import type { Offer } from '../offer-contract.ts'
import type { RailCalls } from '../calls-contract.ts'
import { CREDITS_RAIL_ID } from '../registry.ts'
import type { AccountPages, AccountPageUrls } from './account-pages.ts'
import { creditsDocuments, type CreditSource } from './documents.ts'
import { GiveBack } from './give-back.ts'
import { captureUnconfirmed, holdEnded, refusalOf } from './refusals.ts'

export interface CreditsRailOptions {
  ledger: Ledger
  /** HOLD_TTL: how long a hold of a crashed call may lie beyond the call's own deadline. */
  holdTtlMs: number
  calls?: RailCalls
  /** Whether keys hold play money only; offers say so. */
  sandbox?: boolean
  /** Absent: no page for people is named. */
  pages?: AccountPages
}

/** Member of an offer in a sandbox: no money is asked for. */
const SANDBOX_NOTE = 'Sandbox: test money only. Nothing here costs or pays out real money.'

export interface CreditsRail extends Rail {
  /** Names the routes where credits are bought in offers and documents from now on. */
  sellThrough(sources: readonly CreditSource[]): void
  /** Resolves when every withheld answer's charge is given back; for shutdown, under a deadline. */
  drain(): Promise<void>
}

/** A hold lives this much longer than its call may run, so that it cannot expire under the call. */
const MARGIN_MS = 60_000

const NOT_CONFIRMED = 'answer withheld: the capture could not be confirmed in time'

interface HoldState {
  holdId: string
  accountId: string
  keyId: string
  requestId: string
  /** Free calls and tiers are for it: not for accounts that anybody opens as many of as they like. */
  isAllowed: boolean
  hold: Hold
}

export function creditsRail(options: CreditsRailOptions): CreditsRail {
  const { ledger } = options
  const marginMs = Math.min(MARGIN_MS, options.holdTtlMs)
  let sources: readonly CreditSource[] = []
  let offers = new WeakMap<Quote, { offer: Offer; pages: AccountPageUrls | null }>()
  const givingBack = new GiveBack(ledger)

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
      const spent = {
        holdId: call.holdId,
        accountId: call.identity.accountId,
        keyId: call.identity.keyId,
        requestId: call.requestId,
      }
      const result = await refusable(
        ledger.authorize({
          ...spent,
          skillId: call.quote.skillId,
          productId: call.quote.productId,
          path: call.quote.path,
          amountAtomic,
          ttlMs: Math.max(call.quote.timeoutMs, call.deadline.getTime() - Date.now()) + marginMs,
          // A plan's price stands in no price table.
          priceVersion: call.quote.isOfPlan ? null : call.quote.priceVersion,
          acquisition: call.acquisition,
          free: isAllowed ? (call.quote.price?.free ?? null) : null,
          scope: 'call',
          // A stream of a measured price shows its caller what is held, and is captured at its end.
          isProvisional: !call.quote.price || !isMeasured(call.quote.price),
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
        // A free call holds nothing, so that nothing can be taken.
        authorization: {
          railId: CREDITS_RAIL_ID,
          amountAtomic: result.hold.amountAtomic,
          state: { ...spent, isAllowed, hold: result.hold } satisfies HoldState,
        },
      }
    },
    async capture(authorization, amountAtomic, _answer, account) {
      const state = stateOf(authorization)
      const { holdId, accountId, keyId, isAllowed, hold } = state
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
        // The answer is withheld, so a charge that did go through must not stand.
        return {
          outcome: 'failed',
          failure: captureUnconfirmed(),
          offer: false,
          giveBack: (isWanted) => givingBack.start({ ...state, note: NOT_CONFIRMED }, isWanted),
        }
      }
      if (result.outcome === 'done') {
        return { outcome: 'captured', receipt: receiptOf(result.hold, result.availableAtomic) }
      }
      const ended = result.outcome === 'conflict' ? result.hold.state : 'unknown'
      return { outcome: 'failed', failure: holdEnded(ended), offer: false }
    },
    async undo(authorization, reason) {
      const isDone = await givingBack.start({ ...stateOf(authorization), note: reason })
      if (!isDone) throw new Error('a charge is still not given back after hours')
    },
    async release(authorization) {
      const { holdId, accountId, keyId } = stateOf(authorization)
      // A hold that cannot be reached now is given back by its expiry.
      await refusable(ledger.release({ holdId, accountId, keyId }))
    },
    async stateOf(holdId) {
      if (givingBack.has(holdId)) return 'open'
      const hold = await ledger.hold(holdId)
      if (hold?.state === 'captured') return 'captured'
      return hold?.state === 'authorized' ? 'open' : 'none'
    },
    async giveBack(holdId) {
      const hold = await ledger.hold(holdId)
      if (hold) await givingBack.once({ ...hold, holdId, note: NOT_CONFIRMED })
    },
    async balanceAtomic(_keyId, accountId) {
      const balance = accountId === undefined ? null : await ledger.balance(accountId)
      return balance && balance.availableAtomic
    },
    sellThrough(routes) {
      sources = routes
      offers = new WeakMap()
    },
    drain: () => givingBack.drain(),
  }
}

/** The result, or the GatewayError of a database that stayed away; anything else is thrown. */
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

/** How to pay with prepaid credits: which header, and where credits are bought. */
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
        // What is held: a measured price may end below it, and never above.
        priceCredits: atomicToCredits(quote.amountAtomic),
        priceUsdcAtomic: quote.amountAtomic.toString(),
        ...(quote.price && !isFlat(quote.price) && { rule: priceView(quote.price) }),
        usdcAtomicPerCredit: ATOMIC_PER_CREDIT.toString(),
        header: 'X-Api-Key',
        // A route that the caller itself may ask; none where only the operator sells credits.
        ...(sources[0] && { topup: sources[0].path }),
        ...Object.fromEntries(sources.map(({ name, path }) => [name, path])),
        balance: '/v1/credits/balance',
        // For people, in a browser; programs take the routes above.
        ...(pages && { accountUrl: pages.account, buyUrl: pages.buy }),
      },
    },
  }
}
