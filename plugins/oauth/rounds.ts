/** What has an end is deleted after it, in slices, so that no statement is long. */
import { repeat, type Background, type Logger, type PluginDb } from '#kernel'
import { deleteInSlices, type Ended } from '../shared/storage/delete-in-slices.ts'
import type { Grants } from './grants/grants.ts'

const EVERY_MS = 60_000
const SLICE = 1000
const SLICES_MAX = 20
/** A used code stays known for this long, so that its second use is noticed. */
const CODE_KEPT = '1 day'
/**
 * A client that nobody has allowed anything yet. Its host registers once and comes back with that id, so
 * that whoever puts a sign-in off must find it still there. Anybody registers clients without end: while
 * there are many, such a one is kept a day.
 */
const CLIENT_KEPT = '90 days'
const CLIENT_KEPT_OF_MANY = '24 hours'
const MANY_CLIENTS = 5000
const ENDED_GRANT_KEPT = '90 days'

const DELETIONS: readonly Ended[] = [
  { table: 'oauth_request', key: 'hash', isOver: 'ends_at <= now()' },
  { table: 'oauth_code', key: 'hash', isOver: `ends_at <= now() - interval '${CODE_KEPT}'` },
  { table: 'oauth_token', key: 'hash', isOver: 'ends_at <= now()' },
  { table: 'oauth_assertion', key: 'ctid', isOver: 'ends_at <= now()' },
  { table: 'oauth_rate', key: 'subject', isOver: 'full_at <= now()' },
  {
    table: 'oauth_client',
    key: 'id',
    isOver: `created_at <= now() - interval '${CLIENT_KEPT_OF_MANY}'
      AND (created_at <= now() - interval '${CLIENT_KEPT}'
        OR EXISTS (SELECT FROM oauth_client OFFSET ${MANY_CLIENTS}))
      AND NOT EXISTS (SELECT FROM oauth_grant g WHERE g.client_id = oauth_client.id)
      AND (fresh_until IS NULL OR fresh_until <= now())
      AND NOT EXISTS (SELECT FROM oauth_request r WHERE r.client_id = oauth_client.id)`,
  },
  {
    table: 'oauth_grant',
    key: 'key_id',
    isOver: `revoked_at <= now() - interval '${ENDED_GRANT_KEPT}'
      AND NOT EXISTS (SELECT FROM oauth_code c WHERE c.grant_id = oauth_grant.key_id)`,
  },
]

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
  for (const ended of DELETIONS) await deleteInSlices(db, ended, stopping, SLICES_MAX)
}
