/** Months of plans are brought to their end in the database, because gateways have no other clock than the machine's. */
import { connectDatabase } from '../../../host/database/connect.ts'
import { silentLog } from '../../support/log.ts'
import type { Gateways } from './gateways.ts'

export interface Calendar {
  /**
   * The month of a subscription that runs ends at this moment, and so does the time that is left for
   * one that is past due if `isGraceOver`.
   */
  endMonth(subscriptionId: string, isGraceOver?: boolean): Promise<void>
  /** Whether a gateway has done what was due of it. */
  hadTurn(subscriptionId: string): Promise<boolean>
  /** Has each gateway look for months that ended, which they would do by themselves some seconds later. */
  ring(): Promise<void>
  close(): Promise<void>
}

export async function openCalendar(gateways: Gateways, url: string): Promise<Calendar> {
  const db = connectDatabase({ url, kind: 'server', log: silentLog })
  // A gateway looks when a plan is ended: the plan of nobody in the sequences, again and again.
  const [gateway] = gateways.running()
  const bell = await gateway!.key(0)
  const body = { plan: 'partner', apiKeyId: bell.id }
  const given = await gateway!.admin('POST', '/v1/admin/plans/subscriptions', body)
  if (given.status !== 201) throw new Error(`no plan to end: ${given.text}`)
  return {
    async endMonth(subscriptionId, isGraceOver = false) {
      // The anchor is of the same day of the year, so that the next month begins at this moment.
      await db.sql`
        UPDATE plugin_plans.subscription
        SET anchor_at = now() - interval '4 years', month = 47, due_at = now(),
          period_end = now() - CASE WHEN ${isGraceOver} THEN 4 ELSE 0 END * interval '1 day',
          period_start = CASE WHEN ${isGraceOver} THEN now() - interval '34 days' ELSE period_start END
        WHERE id = ${subscriptionId}`
    },
    async hadTurn(subscriptionId) {
      const rows = await db.sql`
        SELECT 1 FROM plugin_plans.subscription
        WHERE id = ${subscriptionId} AND (state = 'ended' OR due_at > now())`
      return rows.length > 0
    },
    async ring() {
      const headers = { 'x-api-key': bell.key }
      const rings = await Promise.all(
        gateways.running().map((one) => one.call('DELETE', '/v1/plans/subscription', { headers })),
      )
      for (const { status, text } of rings)
        if (status !== 200) throw new Error(`nothing to end any more: ${text}`)
    },
    close: () => db.close(),
  }
}
