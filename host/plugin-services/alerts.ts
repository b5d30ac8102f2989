/** The `alerts` service: events of the gateway, in the outbox that those of accounts stand in. */
import { assert, type Alert, type Alerts } from '#kernel'
import { transactionOf, type SqlClient } from '#kernel/host'

/** A state that nobody spoke of for so long is over, and told again when it comes back. */
const OVER_AFTER = '10 minutes'
const TYPE = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/
const SUBJECT_MAX = 200

const TELL = `INSERT INTO coinop.outbox (topic, body) VALUES ($1, $2::text::jsonb)`

/** One row for a type and subject, which only one of several instances finds new. */
const HOLDS = `
WITH seen AS (
  INSERT INTO coinop.alert AS a (type, subject) VALUES ($1, $2)
  ON CONFLICT (type, subject) DO UPDATE
    SET is_new = a.seen_at < now() - interval '${OVER_AFTER}', seen_at = now()
  RETURNING is_new)
INSERT INTO coinop.outbox (topic, body) SELECT $1, $3::text::jsonb FROM seen WHERE is_new
RETURNING 1`

export function createAlerts(sql: SqlClient): Alerts {
  return {
    async tell(alert, tx) {
      const parameters = [typeOf(alert), JSON.stringify(alert.data)]
      await (tx ? transactionOf(tx) : sql).unsafe(TELL, parameters)
    },
    async holds(alert) {
      const { subject, data } = alert
      const told = await sql.unsafe(HOLDS, [
        typeOf(alert),
        subject.slice(0, SUBJECT_MAX),
        JSON.stringify(data),
      ])
      return told.length > 0
    },
  }
}

function typeOf({ type }: Alert): string {
  assert(TYPE.test(type), `a type such as settlement.stuck, got ${type}`)
  return type
}
