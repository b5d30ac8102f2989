/** Tells the operator of skills whose calls fail, of what all instances answered. */
import type { Alerts, PluginDb } from '#kernel'

const WINDOW_MINUTES = 10
/** Fewer are chance where few call. */
const FAILED_LEAST = 5
/** Of the calls that were paid for or would have been: refusals of callers do not count. */
const FAILED_PERCENT = 10

interface Failing {
  skill: string
  mode: string
  failed: number
  calls: number
}

/** One look at the last ten minutes; the skills that the operator was told of now. */
export async function lookForFailing(
  db: Pick<PluginDb, 'query'>,
  alerts: Pick<Alerts, 'holds'>,
): Promise<string[]> {
  const failing = await db.query<Failing>(
    `SELECT skill, mode, failed, calls FROM (
       SELECT skill, mode, sum(calls) FILTER (WHERE status >= 500)::float8 AS failed,
         sum(calls) FILTER (WHERE status < 400 OR status >= 500)::float8 AS calls
       FROM tally
       WHERE grain = 'minute' AND skill <> '' AND at > now() - $1 * interval '1 minute'
       GROUP BY skill, mode) counted
     WHERE failed >= $2 AND failed * 100 >= calls * $3 ORDER BY skill, mode`,
    [WINDOW_MINUTES, FAILED_LEAST, FAILED_PERCENT],
  )
  const told: string[] = []
  for (const { skill, mode, failed, calls } of failing) {
    const isNew = await alerts.holds({
      type: 'skill.failing',
      subject: `${mode} ${skill}`,
      data: { skill, mode, failed, calls, minutes: WINDOW_MINUTES },
    })
    if (isNew) told.push(skill)
  }
  return told
}
