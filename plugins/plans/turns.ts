/**
 * The turns of subscriptions: what a month costs and gives, in one transaction with the row that says
 * so. Its entries in the ledger are named by subscription and turn, so none can be made twice.
 */
import { atomicToCredits, newId, type Accounts, type Logger, type PluginTx } from '#kernel'
import type { Plan } from './config.ts'
import { monthEnd } from './lapse.ts'
import type { Members } from './members.ts'
import type { Outcome, PlanStore } from './store.ts'
import {
  endOf,
  firstPeriod,
  graceEnd,
  monthPrice,
  nextPeriod,
  retryAt,
  type EndReason,
  type Period,
  type Subscription,
  type TurnOutcome,
} from './subscription.ts'

export interface TurnDeps {
  store: PlanStore
  members: Pick<Members, 'announce'>
  accounts: Accounts
  log: Logger
}

export interface StartOrder {
  accountId: string
  keyId: string
  plan: Plan
  /** The operator gives it: no month of it costs anything. */
  isGiven: boolean
  /** Its first month is its last one. */
  isOneMonth?: boolean
  /** Credits the account before the charge: after the subscription was written, whose lock comes first. */
  prepay?(): Promise<void>
}
export type Started =
  | { outcome: 'started'; subscription: Subscription }
  | { outcome: 'exists' }
  | { outcome: 'insufficient'; priceAtomic: bigint }
  | { outcome: 'closed' }

/** Thrown to roll back what a start has written when its first month cannot be paid. */
class NotStarted extends Error {
  readonly started: Started
  constructor(started: Started) {
    super(started.outcome)
    this.started = started
  }
}

/**
 * Begins a plan inside `tx`: charges its first month and gives that month's credits. Rejects with a
 * NotStarted, for `startedOf`, when the account has a plan or cannot pay: then nothing of `tx` stands.
 */
export async function start(
  { store, members, accounts }: Pick<TurnDeps, 'store' | 'members' | 'accounts'>,
  tx: PluginTx,
  { accountId, keyId, plan, isGiven, isOneMonth = false, prepay }: StartOrder,
  now: Date,
): Promise<Started & { outcome: 'started' }> {
  const period = firstPeriod(now)
  const subscription: Subscription = {
    id: newId(),
    accountId,
    keyId,
    planId: plan.id,
    state: 'active',
    agreedAtomic: isGiven ? null : plan.priceAtomic,
    ...period,
    lapsingAtomic: plan.rollsOver ? 0n : plan.monthlyAtomic,
    endsAtPeriodEnd: isOneMonth,
    turn: 1,
    dueAt: period.periodEnd,
    createdAt: now,
    endedAt: null,
    endedReason: null,
  }
  if (!(await store.add(tx, subscription))) throw new NotStarted({ outcome: 'exists' })
  await members.announce(tx)
  await prepay?.()
  const priceAtomic = monthPrice(subscription, plan)
  const paid = await payMonth(accounts, tx, subscription, plan, 1, priceAtomic)
  if (paid !== 'paid') {
    throw new NotStarted(
      paid === 'closed' ? { outcome: 'closed' } : { outcome: 'insufficient', priceAtomic },
    )
  }
  await store.addTurn(tx, subscription.id, {
    number: 1,
    at: now,
    outcome: 'started',
    chargedAtomic: priceAtomic,
    grantedAtomic: plan.monthlyAtomic,
    lapsedAtomic: 0n,
  })
  return { outcome: 'started', subscription }
}

/**
 * The account's plan goes on after the month with which it was to end; 'exists': it was not to. Rejects as
 * `start` does where the account is closed.
 */
export async function resume(
  { store, members, accounts }: Pick<TurnDeps, 'store' | 'members' | 'accounts'>,
  tx: PluginTx,
  { accountId, plan, isGiven }: Pick<StartOrder, 'accountId' | 'plan' | 'isGiven'>,
): Promise<Started> {
  const agreedAtomic = isGiven ? null : plan.priceAtomic
  const subscription = await store.resume(tx, { accountId, planId: plan.id, agreedAtomic })
  if (subscription === null) return { outcome: 'exists' }
  if (await isClosed(accounts, tx, accountId)) throw new NotStarted({ outcome: 'closed' })
  await members.announce(tx)
  return { outcome: 'started', subscription }
}

/** What `start` came to, of its promise in a transaction. */
export async function startedOf(work: Promise<Started>): Promise<Started> {
  try {
    return await work
  } catch (error) {
    if (error instanceof NotStarted) return error.started
    throw error
  }
}

/** Ends the month of a due subscription inside `tx`, and begins the next where it is paid. */
export async function turn(
  { store, members, accounts, log }: TurnDeps,
  tx: PluginTx,
  subscription: Subscription,
  plan: Plan | null,
  now: Date,
): Promise<void> {
  const { id, accountId } = subscription
  const number = subscription.turn + 1
  const { lapsedAtomic, carriedAtomic } = await lapse(accounts, tx, subscription, number)
  const record = async (outcome: TurnOutcome, chargedAtomic = 0n, grantedAtomic = 0n) => {
    await store.addTurn(tx, id, {
      number,
      at: now,
      outcome,
      chargedAtomic,
      grantedAtomic,
      lapsedAtomic,
    })
    log.info({ subscription: id, accountId, turn: number, outcome }, 'a plan had its turn')
  }
  const tell = (type: string, data: Record<string, unknown>) =>
    accounts.tell(
      { accountId, type, data: { subscription: id, plan: subscription.planId, ...data } },
      tx,
    )
  const endWith = async (outcome: Outcome): Promise<void> => {
    await store.endTurn(tx, id, outcome)
    // A month more of the same is in force as it was.
    if (outcome.state !== subscription.state) await members.announce(tx)
  }
  const ended = async (reason: EndReason): Promise<void> => {
    await record('ended')
    const period: Period = subscription
    const rest = { lapsingAtomic: 0n, turn: number, dueAt: now }
    await endWith({ state: 'ended', period, ...rest, ended: { at: now, reason } })
    await tell('plan.ended', { reason })
  }

  const reason = endOf(subscription, plan, now)
  if (reason !== null || plan === null) return ended(reason ?? 'plan_gone')
  const priceAtomic = monthPrice(subscription, plan)
  const paid = await payMonth(accounts, tx, subscription, plan, number, priceAtomic)
  if (paid === 'closed') return ended('account_closed')
  if (paid === 'insufficient') {
    const isFirst = subscription.state === 'active'
    if (isFirst) {
      await record('unpaid')
      await tell('plan.past_due', {
        priceCredits: atomicToCredits(priceAtomic),
        endsAt: graceEnd(subscription, plan).toISOString(),
      })
    }
    await endWith({
      state: 'past_due',
      period: subscription,
      lapsingAtomic: 0n,
      turn: isFirst ? number : subscription.turn,
      dueAt: retryAt(subscription, plan, now),
    })
    return
  }
  await record('renewed', priceAtomic, plan.monthlyAtomic)
  const period = nextPeriod(subscription, now)
  await endWith({
    state: 'active',
    period,
    lapsingAtomic: plan.rollsOver ? 0n : plan.monthlyAtomic + carriedAtomic,
    turn: number,
    dueAt: period.periodEnd,
  })
}

/** Takes what is left of credits that do not outlive their month; `carriedAtomic` is held of them. */
async function lapse(
  accounts: Accounts,
  tx: PluginTx,
  { id, accountId, planId, periodStart, lapsingAtomic: grantedAtomic }: Subscription,
  number: number,
): Promise<{ lapsedAtomic: bigint; carriedAtomic: bigint }> {
  const nothing = { lapsedAtomic: 0n, carriedAtomic: 0n }
  if (grantedAtomic === 0n) return nothing
  // The account is locked first: a call that ends now must not be taken for one that never was.
  const standing = await accounts.standing(accountId, periodStart, tx)
  if (standing === null) return nothing
  const { lapsesAtomic, carriedAtomic } = monthEnd({ grantedAtomic, ...standing })
  if (lapsesAtomic === 0n) return { lapsedAtomic: 0n, carriedAtomic }
  const taken = await accounts.take(
    {
      accountId,
      amountAtomic: lapsesAtomic,
      to: ledgerAccount(planId),
      reference: referenceOf(id, number, 'lapse'),
      note: `monthly credits of plan ${planId} that were not used`,
    },
    tx,
  )
  return { lapsedAtomic: taken.ok ? taken.takenAtomic : 0n, carriedAtomic }
}

/** Takes the price of a month in full and gives its credits, or does neither. */
async function payMonth(
  accounts: Accounts,
  tx: PluginTx,
  { id, accountId }: Subscription,
  { id: planId, monthlyAtomic }: Plan,
  number: number,
  priceAtomic: bigint,
): Promise<'paid' | 'insufficient' | 'closed'> {
  if (priceAtomic > 0n) {
    const charged = await accounts.charge(
      {
        accountId,
        amountAtomic: priceAtomic,
        to: ledgerAccount(planId),
        reference: referenceOf(id, number, 'price'),
        note: `plan ${planId}, month paid`,
      },
      tx,
    )
    if (!charged.ok) return charged.reason === 'insufficient' ? 'insufficient' : 'closed'
  }
  if (monthlyAtomic > 0n) {
    const given = await accounts.credit(
      {
        accountId,
        amountAtomic: monthlyAtomic,
        source: ledgerAccount(planId),
        reference: referenceOf(id, number, 'credits'),
        note: `plan ${planId}, monthly credits`,
      },
      tx,
    )
    if (!given.ok) {
      // A month that was charged gives its credits, or is not charged.
      if (priceAtomic > 0n) throw new Error(`credits of plan ${planId} refused: ${given.reason}`)
      return 'closed'
    }
  }
  // Nothing moved that a closed account would have refused.
  const isUnasked = priceAtomic === 0n && monthlyAtomic === 0n
  return isUnasked && (await isClosed(accounts, tx, accountId)) ? 'closed' : 'paid'
}

async function isClosed(accounts: Accounts, tx: PluginTx, accountId: string): Promise<boolean> {
  const standing = await accounts.standing(accountId, new Date(), tx)
  return standing === null || standing.isClosed
}

const ledgerAccount = (planId: string): string => `plan:${planId}`

function referenceOf(subscriptionId: string, number: number, what: string): string {
  return `${subscriptionId}:${number}:${what}`
}
