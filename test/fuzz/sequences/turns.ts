/** The turn of a plan whose month is over: renewed, unpaid, or the last one. */
import type { GatewayProcess } from '../../support/gateway.ts'
import { makeKey } from './keys.ts'
import { creditsOf, HASH_PRICE, type Account, type Key, type Subscription } from './model.ts'
import type { World } from './world.ts'

const WITHIN_MS = 30_000

/**
 * Waits until the account's subscription, which is due, has had its turn, and expects what that comes
 * to. The gateways are told at the same moment to look.
 */
export async function hasTurn(world: World, account: Account, isGraceOver: boolean): Promise<void> {
  const { calendar } = world.shop
  const subscription = account.subscription!
  const expected = turnOf(account, subscription, isGraceOver)
  const isTurned = await within(async () => {
    await Promise.all([calendar.ring(), calendar.ring()])
    return calendar.hadTurn(subscription.id)
  })
  if (!isTurned) return world.found('a month that is over had no turn')
  // One that stays unpaid is looked at, and nothing is written down.
  const isNew = expected.outcome !== 'unpaid' || subscription.state === 'active'
  if (isNew) subscription.turn += 1
  await isTold(world, subscription, isNew ? expected : null)
  account.available += expected.granted - expected.charged - expected.lapsed
  if (isNew) account.monthSpent = 0
  subscription.carried = expected.carried
  const isPaid = expected.outcome === 'renewed'
  account.plan = isPaid ? subscription.plan : null
  if (expected.outcome === 'ended') account.subscription = null
  else subscription.state = isPaid ? 'active' : 'past_due'
  await hasPrices(world, account, null)
}

interface Turn {
  outcome: 'renewed' | 'unpaid' | 'ended'
  charged: number
  granted: number
  lapsed: number
  /** What is held of the month's credits, and lapses a month later. */
  carried: number
}

function turnOf(account: Account, subscription: Subscription, isGraceOver: boolean): Turn {
  const { plan, isGiven, isCancelled, state } = subscription
  const { available, held, monthSpent, isClosed } = account
  const granted = plan.monthly + subscription.carried
  const unspent = state === 'active' ? Math.max(0, granted - monthSpent) : 0
  const carried = Math.min(held, unspent)
  const lapsed = Math.min(unspent - carried, available)
  const none = { charged: 0, granted: 0, lapsed, carried: 0 }
  if (isCancelled || isClosed || isGraceOver) return { outcome: 'ended', ...none }
  const charged = isGiven ? 0 : (plan.price ?? 0)
  if (available - lapsed < charged) return { outcome: 'unpaid', ...none }
  return { outcome: 'renewed', charged, granted: plan.monthly, lapsed, carried }
}

/** The operator is shown the last turn, and none after it; null: whichever it was. */
async function isTold(world: World, { id, turn }: Subscription, last: Turn | null): Promise<void> {
  const answer = await world.admin('GET', `/v1/admin/plans/subscriptions/${id}`)
  if (!world.expect('a plan whose month is over', answer, true)) return
  const [shown] = answer.json.turns as Record<string, unknown>[]
  const members = ['number', 'outcome', 'chargedCredits', 'grantedCredits', 'lapsedCredits']
  const told = members.map((name) => shown?.[name]).join()
  const sums = last && [last.charged, last.granted, last.lapsed].map(creditsOf)
  const wanted = [turn, ...(last ? [last.outcome, ...sums!] : [])].join()
  if (last ? told !== wanted : shown?.['number'] !== turn)
    world.found(`the last turn of a plan was ${told}, not ${wanted}`, answer)
}

/**
 * Each gateway sells at the plan's prices, and gives its free calls, while it is paid, and at the list's
 * again afterwards; the one that began it does so at once (`by`).
 */
export async function hasPrices(
  world: World,
  account: Account,
  by: GatewayProcess | null,
): Promise<void> {
  if (account.isClosed) return
  const isOwn = (one: Key): boolean => one.account === account && !one.isRevoked
  if (!world.keys.some(isOwn)) await makeKey(world, account)
  const key = world.keys.find(isOwn)
  if (!key) return
  const { plan } = account
  const wanted = [creditsOf(plan?.hashPrice ?? HASH_PRICE), plan?.freeEchoes || undefined].join()
  await world.isHeard(`a price of ${wanted}`, by, async (gateway) => {
    const [hash, echo] = await Promise.all(
      ['demo.hash', 'demo.echo'].map((skill) =>
        gateway.call('POST', '/v1/quote', {
          headers: { 'x-api-key': key.secret },
          body: { skill },
        }),
      ),
    )
    return [hash!.json?.held?.credits, echo!.json?.account?.free?.calls].join() === wanted
  })
}

async function within(isSo: () => Promise<boolean>): Promise<boolean> {
  for (const untilMs = performance.now() + WITHIN_MS; performance.now() < untilMs;)
    if (await isSo()) return true
  return false
}
