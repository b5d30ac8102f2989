/** Reckons a second time what each customer has, from the steps that were done and from the ledger. */
import { connectDatabase } from '../../../host/database/connect.ts'
import type { GatewayProcess } from '../../support/gateway.ts'
import { silentLog } from '../../support/log.ts'
import type { TestProvider } from '../../support/topup.ts'
import { patiently } from '../patiently.ts'
import { entriesOf, entryLine } from './account-entries.ts'
import { PLAN_CREDITS } from './customer-plan.ts'

/** Credits of one who bought; each sum is of steps whose answer said that they are done. */
export interface Customer {
  keyId: string
  provider: TestProvider
  reference: string
  bought: number
  /** No callback told that the checkout was paid. */
  isForgotten: boolean
  hasPlan: boolean
  captured: number
  refunded: number
  /** Of the checkout, by the provider. */
  reversed: number
}

/** Rounds that find what no callback told come twice a minute, holds end within seconds. */
const PATIENCE_MS = 120_000

/** A line for each customer whose credits are not what was bought, spent and given back. */
export async function auditCustomers(
  customers: readonly Customer[],
  gateways: readonly GatewayProcess[],
  url: string,
): Promise<string[]> {
  const wrong: string[] = []
  const db = connectDatabase({ url, kind: 'server', log: silentLog })
  try {
    const endMs = performance.now() + PATIENCE_MS
    for (const customer of customers) {
      const { keyId } = customer
      const due = dueCredits(customer)
      const credits = await settledCredits(gateways[0]!, keyId, due, endMs)
      if (credits !== due) wrong.push(`${keyId} has ${credits} credits of ${due}`)
      const expected = expectedEntries(customer)
      const found = await entriesOf(db.sql, keyId)
      if (found.join() !== expected.join()) {
        wrong.push(`${keyId}: in the ledger ${found.join(', ')}; done ${expected.join(', ')}`)
      }
    }
    return wrong
  } finally {
    await db.close()
  }
}

function dueCredits({ bought, hasPlan, captured, refunded, reversed }: Customer): number {
  const plan = hasPlan ? PLAN_CREDITS.monthly - PLAN_CREDITS.price : 0
  return bought + plan - captured + refunded - reversed
}

/** Every entry that must have moved credits of the account for good, as `entriesOf` shows them. */
function expectedEntries(customer: Customer): string[] {
  const { bought, hasPlan, captured, refunded, reversed, provider } = customer
  const plan = hasPlan ? PLAN_CREDITS : { price: 0, monthly: 0 }
  return [
    { what: `topup: topup:${provider.id} to available`, credits: bought },
    { what: 'topup: plan:starter to available', credits: plan.monthly },
    { what: 'adjustment: available to plan:starter', credits: plan.price },
    { what: 'capture: held to revenue', credits: captured },
    { what: 'refund: revenue to available', credits: refunded },
    { what: `adjustment: available to topup:${provider.id}`, credits: reversed },
  ]
    .map(({ what, credits }) => entryLine(what, credits))
    .filter((line) => line !== null)
    .toSorted()
}

/** What the key's account has once it is what it must be, or when time is up. */
async function settledCredits(
  gateway: GatewayProcess,
  keyId: string,
  due: number,
  endMs: number,
): Promise<number> {
  for (;;) {
    const { json } = await patiently(async () => {
      const answer = await gateway.admin('GET', `/v1/keys/${keyId}`)
      if (answer.status !== 200) throw new Error(answer.text)
      return answer
    })
    const { credits } = json.balance
    if (credits === due || performance.now() > endMs) return credits
    await Bun.sleep(250)
  }
}
