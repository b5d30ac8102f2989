/** Steps on plans: begun from the balance, given by the operator, ended, and what is told of them. */
import type { Answer } from '../../support/gateway.ts'
import { allows, isFor, PLANS, type Account, type Plan } from './model.ts'
import type { World } from './world.ts'

const PATH = '/v1/plans/subscription'
const GIVEN = '/v1/admin/plans/subscriptions'
/** One that there is not, too. */
const NAMES = [...PLANS.map(({ id }) => id), 'no-such']

/** With a key that may spend the first month, once, however often it is asked at the same moment. */
export async function beginPlan(world: World): Promise<void> {
  const key = world.random.of(world.keys)
  const { account } = key
  const plan = planOf(world.random.of(NAMES))
  const answers = await world.sometimesAtOnce(() =>
    world.as(key, 'POST', PATH, { plan: plan?.id ?? 'no-such' }),
  )
  const price = plan?.price ?? null
  const mayBuy = price !== null && isFor(key, 'plans') && allows(key, 'plans', price)
  const isGood = mayBuy && !key.isRevoked && canHave(account) && account.available >= price
  isBegunOnce(world, answers, isGood)
  if (isGood) has(account, plan!, price)
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
  const isGood = plan !== null && price !== null && canHave(account) && account.available >= price
  isBegunOnce(world, answers, isGood)
  if (isGood) has(account, plan, price)
}

/** What was paid stays until the month ends, so that nothing changes by it today. */
export async function endPlan(world: World): Promise<void> {
  const key = world.random.of(world.keys)
  const { account } = key
  if (account.isClosed) return
  const isGood = !key.isRevoked && isFor(key, 'plans') && account.plan !== null
  const answers = await world.sometimesAtOnce(() => world.as(key, 'DELETE', PATH))
  for (const answer of answers) world.expect('ending a plan', answer, isGood)
}

export async function lookAtPlan(world: World): Promise<void> {
  const key = world.random.of(world.keys)
  const answer = await world.as(key, 'GET', PATH)
  if (!world.expect('the plan of a key', answer, !key.isRevoked)) return
  const told = answer.json.subscription?.plan ?? null
  const own = key.account.plan?.id ?? null
  if (told !== own) world.found(`the plan is ${told}, not ${own}`, answer)
}

const planOf = (id: string): Plan | null => PLANS.find((plan) => plan.id === id) ?? null
const canHave = ({ plan, isClosed }: Account): boolean => plan === null && !isClosed

function isBegunOnce(world: World, answers: readonly Answer[], isGood: boolean): void {
  for (const answer of answers) world.expect('beginning a plan', answer, answer.status < 300)
  const begun = answers.filter(({ status }) => status < 300).length
  if (begun !== Number(isGood))
    world.found(`${begun} of ${answers.length} began a plan, not ${Number(isGood)}`, answers[0])
}

function has(account: Account, plan: Plan, price: number): void {
  account.plan = plan
  account.available += plan.monthly - price
}
