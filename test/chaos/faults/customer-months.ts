/** Plans of customers: begun, ended, and brought to the end of their months. */
import { connectDatabase } from '../../../host/database/connect.ts'
import { silentLog } from '../../support/log.ts'
import { patiently } from '../patiently.ts'
import type { Customer } from './customer.ts'
import { insist, type Street } from './insist.ts'

const PATH = '/v1/plans/subscription'

export async function beginPlan(street: Street, customer: Customer): Promise<void> {
  const begun = await insist(
    street,
    'a plan',
    (gateway) =>
      gateway.call('POST', PATH, { headers: headersOf(customer), body: { plan: 'starter' } }),
    (answer) => answer.problem?.details?.reason === 'plan_exists',
  )
  if (begun !== null) customer.planBegun()
}

/** The plan ends with its month. */
export async function cancelPlan(street: Street, customer: Customer): Promise<void> {
  const cancelled = await insist(street, 'the end of a plan', (gateway) =>
    gateway.call('DELETE', PATH, { headers: headersOf(customer) }),
  )
  if (cancelled !== null) customer.month!.isCancelled = true
}

/** Whether the month that ended last had its turn; false also while no gateway tells. */
export async function hadTurn({ gateways, random }: Street, customer: Customer): Promise<boolean> {
  const headers = headersOf(customer)
  const answer = await random
    .pick(gateways)
    .call('GET', PATH, { headers })
    .catch(() => null)
  const periodEnd = answer?.status === 200 ? answer.json.subscription?.periodEnd : undefined
  return periodEnd !== undefined && Date.parse(periodEnd) > Date.now()
}

export interface Calendar {
  /** The month that runs ends at this moment, and is for the next gateway that looks. */
  endMonth(customer: Customer): Promise<void>
  close(): Promise<void>
}

/** Moves the months in the database at `url`, because gateways have no other clock than the machine's. */
export function calendarOf(url: string): Calendar {
  const db = connectDatabase({ url, kind: 'server', log: silentLog })
  return {
    async endMonth(customer) {
      const { keyId } = customer.checkout
      // The anchor is of the same day of the year, so that the next month begins at this moment.
      await patiently(
        () => db.sql`
          UPDATE plugin_plans.subscription
          SET anchor_at = now() - interval '4 years', month = 47, period_end = now(), due_at = now()
          WHERE account_id = (SELECT account_id::text FROM coinop.api_key WHERE id = ${keyId})
            AND state = 'active' AND turn = ${customer.month!.number} AND due_at > now()`,
      )
      customer.monthEnded()
    },
    close: () => db.close(),
  }
}

const headersOf = ({ checkout }: Customer) => ({ 'x-api-key': checkout.key })
