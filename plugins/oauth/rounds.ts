/** What has an end is deleted after it, in slices, so that no statement is long. */
import { repeat, type Background, type Logger, type PluginDb } from '#kernel'
import type { Grants } from './grants.ts'

const EVERY_MS = 60_000
const SLICE = 1000
const SLICES_MAX = 20
/** A used code stays known for this long, so that its second use is noticed. */
const CODE_KEPT = '1 day'
const CLIENT_KEPT = '24 hours'
const ENDED_GRANT_KEPT = '90 days'

const DELETIONS = [
  ['oauth_request', 'hash', 'ends_at <= now()'],
  ['oauth_code', 'hash', `ends_at <= now() - interval '${CODE_KEPT}'`],
  ['oauth_token', 'hash', 'ends_at <= now()'],
  ['oauth_assertion', 'ctid', 'ends_at <= now()'],
  ['oauth_rate', 'subject', 'full_at <= now()'],
  [
    'oauth_client',
    'id',
    `created_at <= now() - interval '${CLIENT_KEPT}'
      AND NOT EXISTS (SELECT FROM oauth_grant g WHERE g.client_id = oauth_client.id)
      AND (fresh_until IS NULL OR fresh_until <= now())
      AND NOT EXISTS (SELECT FROM oauth_request r WHERE r.client_id = oauth_client.id)`,
  ],
  [
    'oauth_grant',
    'key_id',
    `revoked_at <= now() - interval '${ENDED_GRANT_KEPT}'
      AND NOT EXISTS (SELECT FROM oauth_code c WHERE c.grant_id = oauth_grant.key_id)`,
  ],
] as const

export interface RoundDeps {
  db: PluginDb
  grants: Grants
  graceMs: number
  log: Logger
}

/** Begins the rounds. */
export function startRounds(deps: RoundDeps): Background {
  return repeat({ name: 'oauth leftovers', everyMs: EVERY_MS, log: deps.log }, (stopping) =>
    tidy(deps, stopping),
  )
}

/** One round. */
async function tidy({ db, grants, graceMs }: RoundDeps, stopping: AbortSignal): Promise<void> {
  await db.query(
    `UPDATE oauth_token SET successor = NULL
     WHERE successor IS NOT NULL AND rotated_at <= now() - $1 * interval '1 millisecond'`,
    [graceMs],
  )
  await grants.tidy(SLICE)
  await deleteEnded(db, stopping)
}

/** Deletes what is over, until nothing is left, `stopping` fires or it was enough for one round. */
export async function deleteEnded(db: PluginDb, stopping: AbortSignal): Promise<void> {
  for (const [table, key, isOver] of DELETIONS) {
    for (let slice = 0; slice < SLICES_MAX && !stopping.aborted; slice++) {
      const gone = await db.query(
        `DELETE FROM ${table} WHERE ${key} IN
           (SELECT ${key} FROM ${table} WHERE ${isOver} LIMIT ${SLICE}) RETURNING 1`,
      )
      if (gone.length < SLICE) break
    }
  }
}
