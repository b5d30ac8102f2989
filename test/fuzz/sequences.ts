/**
 * Sequences of calls from a seed, on what they make themselves: accounts, keys with budgets, apps, holds,
 * plans and their months, top-ups, webhooks and wallets. Each answer is compared with a model of what the
 * caller may expect (sequences/model.ts), and so is every balance after each step. Several calls of one
 * step may come at the same moment; then the model says how many may succeed. Each call goes to one of
 * two gateways, which are killed now and then: whose answer was lost is sent again, and is done once.
 */
import { randomFrom, type Random } from '../simulator/random.ts'
import { close, grant, openAccount, transfer } from './sequences/accounts.ts'
import { allowApp, appBuys, appEnds, appRefreshes } from './sequences/grants.ts'
import { endHold, hold } from './sequences/holds.ts'
import { budget, makeKey, revoke, rotate, spy } from './sequences/keys.ts'
import {
  newPayer,
  pay,
  payAgain,
  payAtOnce,
  payForAccount,
  payForNothing,
} from './sequences/payments.ts'
import { beginPlan, endMonth, endPlan, givePlan, lookAtPlan } from './sequences/plans.ts'
import { buy, buyAgain, buyAtOnce, echo, fail, refund } from './sequences/purchases.ts'
import {
  deleteEndpoint,
  makeEndpoint,
  park,
  redeliver,
  rotateSecret,
  sendSigned,
  sendWebhook,
} from './sequences/relay.ts'
import type { Shop } from './sequences/shop.ts'
import { Slots } from './sequences/slots.ts'
import { checkout, playMoney, reverse } from './sequences/topups.ts'
import { World, type SequencesReport } from './sequences/world.ts'

export { openShop } from './sequences/shop.ts'

type Step = (world: World) => Promise<void>

const COMMON = {
  buy,
  race: buyAtOnce,
  echo,
  again: buyAgain,
  fail,
  hold,
  end: endHold,
  refund,
  transfer,
  grant: (world) => grant(world),
  key: (world) => makeKey(world),
  budget,
  spy,
  plan: beginPlan,
  give: givePlan,
  look: lookAtPlan,
  month: endMonth,
  money: playMoney,
  checkout,
  reverse,
  endpoint: (world) => makeEndpoint(world),
  webhook: (world) => sendWebhook(world),
  signed: sendSigned,
  park,
  redeliver,
  allow: allowApp,
  app: appBuys,
  pay,
  'pay again': payAgain,
  'pay at once': payAtOnce,
  'pay for nothing': payForNothing,
  'pay for account': payForAccount,
} satisfies Record<string, Step>
const RARE = {
  open: openAccount,
  rotate,
  revoke,
  close,
  cancel: endPlan,
  unhook: deleteEndpoint,
  secret: rotateSecret,
  refresh: appRefreshes,
  'end app': appEnds,
} satisfies Record<string, Step>
const STEPS: Readonly<Record<string, Step>> = { ...COMMON, ...RARE }
/** What is at the heart of it comes more often. */
const OFTEN = [
  'buy',
  'race',
  'hold',
  'end',
  'again',
  'webhook',
  'budget',
  'app',
  'app',
  'signed',
  'pay',
]
/** Steps with calls that have no name by which they could be repeated: no gateway is killed meanwhile. */
const UNDISTURBED: ReadonlySet<string> = new Set([
  'echo',
  'plan',
  'give',
  'cancel',
  'month',
  'checkout',
  'reverse',
  'allow',
  'app',
  'refresh',
  'end app',
  'pay for account',
])
export const KINDS = Object.keys(STEPS)
/** So many histories run at the same moment. */
const AT_ONCE = 4
/**
 * A key's holds of the last ten seconds are counted in another way than older ones when one of its
 * products gets a budget; so each history rests once for so long, while others go on.
 */
const REST_MS = 10_500

/** Runs so many histories of `steps` steps, four at a time. */
export async function runSequences(
  shop: Shop,
  { seed, histories, steps }: { seed: number; histories: number; steps: number },
): Promise<SequencesReport> {
  const report = emptyReport()
  const before = await shop.received()
  const seeds = Array.from({ length: histories }, (_, index) => seed + index)
  const slots = new Slots(AT_ONCE)
  const worker = async (): Promise<void> => {
    for (let next = seeds.shift(); next !== undefined; next = seeds.shift())
      await runSequence(shop, { seed: next, steps, slots }, report)
  }
  const stop = new AbortController()
  const { gateways } = shop
  const killing = gateways.killAfter(between, randomFrom(seed), stop.signal)
  await Promise.all(Array.from({ length: 3 * AT_ONCE }, worker))
  stop.abort()
  await killing
  report.deaths = gateways.deaths
  report.lost = gateways.lost
  const moved = (await shop.received()) - before
  if (moved !== report.usdc)
    report.findings.push(`${moved} USDC came in, and ${report.usdc} were owed`)
  const { json, text } = await gateways.running()[0]!.admin('POST', '/v1/admin/ledger/verify')
  if (json?.ok !== true) report.findings.push(`the ledger does not verify: ${text.slice(0, 500)}`)
  return report
}

interface Order {
  seed: number
  steps: number
  slots: Slots
}

/** One sequence, added to `report`; again where it went over midnight, when budgets begin anew. */
async function runSequence(shop: Shop, order: Order, report: SequencesReport): Promise<void> {
  const today = () => new Date().toISOString().slice(0, 10)
  for (;;) {
    const day = today()
    const own = emptyReport()
    await runSteps(shop, order, own)
    report.usdc += own.usdc
    if (day !== today()) continue
    report.findings.push(...own.findings)
    report.steps += own.steps
    report.calls += own.calls
    for (const name of ['kinds', 'accepted'] as const)
      for (const [kind, count] of Object.entries(own[name]))
        report[name][kind] = (report[name][kind] ?? 0) + count
    return
  }
}

const emptyReport = (): SequencesReport => ({
  findings: [],
  steps: 0,
  calls: 0,
  kinds: {},
  accepted: {},
  usdc: 0,
  deaths: 0,
  lost: 0,
})

/** So many requests that change something come between two deaths. */
const between = ({ below }: Random): number => 60 + below(140)

async function runSteps(
  shop: Shop,
  { seed, steps, slots }: Order,
  report: SequencesReport,
): Promise<void> {
  const random = randomFrom(seed)
  const world = new World(shop, { seed, random }, report)
  const common = [...Object.keys(COMMON), ...OFTEN]
  // Only where there are several is one closed.
  const rare = [...Object.keys(RARE), 'open', 'close']
  const run = async (count: number): Promise<void> => {
    for (let step = 0; step < count && !world.isOff; step++) {
      const kind = random.chance(0.85) ? random.of(common) : random.of(rare)
      world.told.push(kind)
      report.steps++
      report.kinds[kind] = (report.kinds[kind] ?? 0) + 1
      const work = () => STEPS[kind]!(world)
      await (UNDISTURBED.has(kind) ? world.undisturbed(work) : work()).catch((error: unknown) =>
        world.found(`it broke off: ${error}`),
      )
      await world.checkBalances()
    }
  }
  const half = Math.floor(steps / 2)
  await slots.with(async () => {
    await openAccount(world)
    await openAccount(world)
    await newPayer(world)
    await newPayer(world)
    await run(half)
  })
  await Bun.sleep(REST_MS)
  await slots.with(() => run(steps - half))
}
