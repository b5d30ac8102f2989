/** Compares what each customer has with what was done, from the balance and from the ledger. */
import { connectDatabase } from '../../../host/database/connect.ts'
import type { GatewayProcess } from '../../support/gateway.ts'
import { silentLog } from '../../support/log.ts'
import { patiently } from '../patiently.ts'
import { entriesOf } from './account-entries.ts'
import type { Customer } from './customer.ts'

/** Rounds that find what no callback told come twice a minute, those of months four times. */
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
      const { keyId } = customer.checkout
      const { found, expected } = await comparedInTheEnd(db.sql, customer, endMs)
      if (found.join() !== expected.join()) {
        wrong.push(`${keyId}: in the ledger ${found.join(', ')}; done ${expected.join(', ')}`)
      }
      const credits = await settledCredits(gateways[0]!, keyId, customer.credits, endMs)
      if (credits !== customer.credits) {
        wrong.push(`${keyId} has ${credits} credits of ${customer.credits}`)
      }
    }
    return wrong
  } finally {
    await db.close()
  }
}

/** The entries of the account once they are what they must be, or when time is up. */
async function comparedInTheEnd(
  sql: Parameters<typeof entriesOf>[0],
  { checkout, entries, undecided }: Customer,
  endMs: number,
): Promise<{ found: string[]; expected: string[] }> {
  for (;;) {
    const found = await entriesOf(sql, checkout.keyId)
    const isDone = undecided.some((line) => found.includes(line) && !entries.includes(line))
    const expected = [...entries, ...(isDone ? undecided : [])].toSorted()
    if (found.join() === expected.join() || performance.now() > endMs) return { found, expected }
    await Bun.sleep(250)
  }
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
