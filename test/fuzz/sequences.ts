/**
 * Sequences of calls from a seed, on what they make themselves: accounts, keys with budgets, holds,
 * plans, top-ups and webhooks. Each answer is compared with a model of what the caller may expect
 * (sequences/model.ts), and so is every balance after each step. Several calls of one step may come at
 * the same moment; then the model says how many may succeed.
 */
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { randomFrom } from '../simulator/random.ts'
import { close, grant, openAccount, transfer } from './sequences/accounts.ts'
import { endHold, hold } from './sequences/holds.ts'
import { RELAY_FILE, startHooks, type Hooks } from './sequences/hooks.ts'
import { budget, makeKey, revoke, rotate, spy } from './sequences/keys.ts'
import { PLANS_FILE } from './sequences/model.ts'
import { beginPlan, endPlan, givePlan, lookAtPlan } from './sequences/plans.ts'
import { buy, buyAgain, buyAtOnce, echo, fail, refund } from './sequences/purchases.ts'
import { deleteEndpoint, makeEndpoint, park, redeliver, sendWebhook } from './sequences/relay.ts'
import { checkout, playMoney, reverse } from './sequences/topups.ts'
import { World, type SequencesReport } from './sequences/world.ts'

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
  money: playMoney,
  checkout,
  reverse,
  endpoint: makeEndpoint,
  webhook: sendWebhook,
  park,
  redeliver,
} satisfies Record<string, Step>
const RARE = {
  open: openAccount,
  rotate,
  revoke,
  close,
  cancel: endPlan,
  unhook: deleteEndpoint,
} satisfies Record<string, Step>
const STEPS: Readonly<Record<string, Step>> = { ...COMMON, ...RARE }
/** What is at the heart of it comes more often. */
const OFTEN = ['buy', 'race', 'hold', 'end', 'again', 'webhook', 'budget']
export const KINDS = Object.keys(STEPS)

export interface Shop {
  gateway: GatewayProcess
  hooks: Hooks
  close(): Promise<void>
}

/** A gateway that sells all that sequences buy. */
export async function openShop(env: Record<string, string> = {}): Promise<Shop> {
  const hooks = startHooks()
  const gateway = await startGateway({
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    RATE_LIMIT_RPM: '1000000',
    RATE_LIMIT_BURST: '100000',
    ALLOW_PRIVATE_TARGETS: hooks.target,
    MIN_PREPAID_BUNDLE: '0.05',
    ...env,
  })
  const headers = {
    authorization: `Bearer ${gateway.adminToken}`,
    'content-type': 'application/yaml',
  }
  for (const [id, body] of [
    ['plans', PLANS_FILE],
    ['webinfra', RELAY_FILE],
  ]) {
    const put = await gateway.call('PUT', `/v1/admin/products/${id}`, { headers, body })
    if (put.status >= 300) throw new Error(`${id} is not sold: ${put.text}`)
  }
  return {
    gateway,
    hooks,
    async close() {
      await gateway.stop()
      hooks.stop()
    },
  }
}

/** Runs so many histories of `steps` steps, four at a time. */
export async function runSequences(
  shop: Shop,
  { seed, histories, steps }: { seed: number; histories: number; steps: number },
): Promise<SequencesReport> {
  const report = emptyReport()
  const seeds = Array.from({ length: histories }, (_, index) => seed + index)
  const worker = async (): Promise<void> => {
    for (let next = seeds.shift(); next !== undefined; next = seeds.shift())
      await runSequence(shop, { seed: next, steps }, report)
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  const { json, text } = await shop.gateway.admin('POST', '/v1/admin/ledger/verify')
  if (json?.ok !== true) report.findings.push(`the ledger does not verify: ${text.slice(0, 500)}`)
  return report
}

/** One sequence, added to `report`; again where it went over midnight, when budgets begin anew. */
async function runSequence(
  shop: Shop,
  order: { seed: number; steps: number },
  report: SequencesReport,
): Promise<void> {
  const today = () => new Date().toISOString().slice(0, 10)
  for (;;) {
    const day = today()
    const own = emptyReport()
    await runSteps(shop, order, own)
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
})

async function runSteps(
  shop: Shop,
  { seed, steps }: { seed: number; steps: number },
  report: SequencesReport,
): Promise<void> {
  const random = randomFrom(seed)
  const world = new World(shop, { seed, random }, report)
  await openAccount(world)
  await openAccount(world)
  const common = [...Object.keys(COMMON), ...OFTEN]
  const rare = Object.keys(RARE)
  for (let step = 0; step < steps; step++) {
    const kind = random.chance(0.9) ? random.of(common) : random.of(rare)
    world.told.push(kind)
    report.steps++
    report.kinds[kind] = (report.kinds[kind] ?? 0) + 1
    await STEPS[kind]!(world)
    await world.checkBalances()
    if (world.isOff) return
  }
}
