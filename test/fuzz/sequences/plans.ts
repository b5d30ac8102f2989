/** Steps on plans: begun, given, ended, brought to the end of a month, and what is told of them. */
import { allows, isFor, PLANS, type Account, type Key, type Plan } from './model.ts'
import { hasPrices, hasTurn } from './turns.ts'
import type { Heard, World } from './world.ts'

const PATH = '/v1/plans/subscription'
const GIVEN = '/v1/admin/plans/subscriptions'
/** One that there is not, too. */
const NAMES = [...PLANS.map(({ id }) => id), 'no-such']

/** With a key that may spend the first month, once, however often it is asked at the same moment. */
export async function beginPlan(world: World): Promise<void> {
  const { random } = world
  const [cheapest] = PLANS
  const able = world.keys.filter((key) => mayBegin(key, cheapest!))
  const isAble = able.length > 0 && random.chance(0.5)
  const key = random.of(isAble ? able : world.keys)
  const { account } = key
  const plan = isAble ? cheapest! : planOf(random.of(NAMES))
  const answers = await world.sometimesAtOnce(() =>
    world.as(key, 'POST', PATH, { plan: plan?.id ?? 'no-such' }),
  )
  const isResumed = plan !== null && mayPay(key, plan) && resumes(account, plan, false)
  const isGood = plan !== null && mayBegin(key, plan)
  isBegunOnce(world, answers, isGood || isResumed)
  if (isGood) await has(world, account, { plan, price: plan.price!, isGiven: false, answers })
}

/** By the operator, as a gift or charged: no budget of a key counts. */
export async function givePlan(world: World): Promise<void> {
  const key = world.random.of(world.keys)
  const { account } = key
  const plan = planOf(world.random.of(NAMES))
  const charge = world.random.chance(0.4)
  const body = { plan: plan?.id ?? 'no-such', apiKeyId: key.id, charge }
  const answers = await world.sometimesAtOnce(() => world.admin('POST', GIVEN, body))
  const price = charge ? (plan?.price ?? null) : 0
  const isSold = plan !== null && price !== null
  const isResumed = isSold && resumes(account, plan, !charge)
  const isGood = isSold && canHave(account) && account.available >= price
  isBegunOnce(world, answers, isGood || isResumed)
  if (isGood) await has(world, account, { plan, price, isGiven: !charge, answers })
}

/** What was paid stays until the month ends; one whose month is unpaid ends at once. */
export async function endPlan(world: World): Promise<void> {
  const { random } = world
  const subscribed = world.keys.filter(({ account }) => account.subscription !== null)
  const key = random.of(subscribed.length > 0 && random.chance(0.7) ? subscribed : world.keys)
  const { account } = key
  const { subscription } = account
  if (account.isClosed) return
  const isGood = !key.isRevoked && isFor(key, 'plans') && subscription !== null
  const isPastDue = subscription?.state === 'past_due'
  // One that is past due ends while the others still ask.
  const answers = isPastDue
    ? [await world.as(key, 'DELETE', PATH)]
    : await world.sometimesAtOnce(() => world.as(key, 'DELETE', PATH))
  for (const answer of answers) world.expect('ending a plan', answer, isGood)
  if (!isGood) return
  subscription.isCancelled = true
  if (isPastDue) await hasTurn(world, account, false)
}

/** The month of a plan ends: what was not used lapses, and the next one is paid and given once. */
export async function endMonth(world: World): Promise<void> {
  const { random } = world
  const subscribed = world.accounts.filter(({ subscription }) => subscription !== null)
  if (subscribed.length === 0) return beginPlan(world)
  const account = random.of(subscribed)
  const subscription = account.subscription!
  const isGraceOver = subscription.state === 'past_due' && random.chance(0.4)
  await world.shop.calendar.endMonth(subscription.id, isGraceOver)
  await hasTurn(world, account, isGraceOver)
}

export async function lookAtPlan(world: World): Promise<void> {
  const key = world.random.of(world.keys)
  const answer = await world.as(key, 'GET', PATH)
  if (!world.expect('the plan of a key', answer, !key.isRevoked)) return
  const told = answer.json.subscription?.plan ?? null
  const own = key.account.subscription?.plan.id ?? null
  if (told !== own) world.found(`the plan is ${told}, not ${own}`, answer)
}

const planOf = (id: string): Plan | null => PLANS.find((plan) => plan.id === id) ?? null
function mayBegin(key: Key, plan: Plan): boolean {
  const { account } = key
  return mayPay(key, plan) && canHave(account) && account.available >= plan.price!
}

/** Whether the key is good and its budgets cover a month; of the balance nothing is said. */
function mayPay(key: Key, { price }: Plan): boolean {
  if (price === null || key.isRevoked) return false
  return isFor(key, 'plans') && allows(key, 'plans', price)
}

/** Takes back that the plan ends with its month; false: the account has it not, or it was not to end. */
function resumes({ subscription, isClosed }: Account, plan: Plan, isGiven: boolean): boolean {
  if (isClosed || subscription?.plan !== plan || subscription.isGiven !== isGiven) return false
  const wasToEnd = subscription.isCancelled && subscription.state === 'active'
  if (wasToEnd) subscription.isCancelled = false
  return wasToEnd
}

const canHave = ({ subscription, isClosed }: Account): boolean => subscription === null && !isClosed

function isBegunOnce(world: World, answers: readonly Heard[], isGood: boolean): void {
  for (const answer of answers) world.expect('beginning a plan', answer, answer.status < 300)
  const begun = answers.filter(({ status }) => status < 300).length
  if (begun !== Number(isGood))
    world.found(`${begun} of ${answers.length} began a plan, not ${Number(isGood)}`, answers[0])
}

interface Begun {
  plan: Plan
  price: number
  isGiven: boolean
  answers: readonly Heard[]
}

async function has(world: World, account: Account, begun: Begun): Promise<void> {
  const { plan, price, isGiven, answers } = begun
  const good = answers.find(({ status }) => status < 300)
  const id = String(good?.json?.id)
  account.plan = plan
  account.subscription = {
    id,
    plan,
    isGiven,
    turn: 1,
    carried: 0,
    state: 'active',
    isCancelled: false,
  }
  account.available += plan.monthly - price
  account.monthSpent = 0
  await hasPrices(world, account, good?.from ?? null)
}
