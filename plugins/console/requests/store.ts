/** The tables of answered requests: written in batches, read in pages, emptied in slices. */
import { isIP } from 'node:net'
import { firstIdAt, type PluginDb } from '#kernel'
import { STEPS } from './durations.ts'

/** A row of `request` as JSON, by the names of its columns. */
export interface StoredRequest {
  id: string
  at: string
  request_id: string
  method: string
  route: string | null
  path: string
  address: string
  product: string | null
  skill: string | null
  status: number
  outcome: string | null
  code: string | null
  reason: string | null
  message: string | null
  upstream_status: number | null
  key_id: string | null
  key_name: string | null
  account_id: string | null
  mode: string
  payer: string | null
  operator: string | null
  rail: string | null
  /** Atomic units. */
  charged: string
  duration_ms: number
  request_bytes: number | null
  response_bytes: number | null
}

/** Requests of a minute that have skill, mode and status in common. */
export interface TallyRow {
  at: Date
  /** '' for requests to no skill. */
  skill: string
  mode: string
  status: number
  calls: number
  kept: number
  durations: readonly number[]
}

export interface RequestFilter {
  requestId: string | undefined
  /** Id or name of a key. */
  key: string | undefined
  /** Of the caller: a network address or the wallet that pays. */
  address: string | undefined
  skill: string | undefined
  /** Error code or reason. */
  code: string | undefined
  /** '402', or '4xx' for all of them. */
  status: string | undefined
}

export interface RequestPage {
  requests: StoredRequest[]
  /** Id below which the next page begins; null: there is none. */
  next: string | null
  /** The page is short because so much was looked through: everything younger than this. */
  lookedBackTo: Date | null
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000'
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** Rows that one page looks through when no index answers its filter. */
const LOOK_ROWS = 20_000
const SLICE_ROWS = 2000
const MAX_SLICES = 500
/** Some gigabytes with their indexes: untrusted callers decide how many requests are refused. */
const ROWS_MAX = 10_000_000
/** Figures of minutes are for the last day, those of hours for the last month. */
const TALLY_KEPT = { minute: '26 hours', hour: '32 days' } as const

export class RequestStore {
  readonly #db: PluginDb

  constructor(db: PluginDb) {
    this.#db = db
  }

  async write(rows: readonly StoredRequest[]): Promise<void> {
    await this.#db.query(
      `INSERT INTO request SELECT * FROM jsonb_populate_recordset(NULL::request, $1::text::jsonb)
       ON CONFLICT DO NOTHING`,
      [JSON.stringify(rows)],
    )
  }

  /** Adds to the counts of minutes and hours, in one order so that two instances never wait in a ring. */
  async count(rows: readonly TallyRow[]): Promise<void> {
    if (rows.length === 0) return
    await this.#db.query(
      `INSERT INTO tally AS t (grain, at, skill, mode, status, calls, kept, durations)
       SELECT grain, slot, skill, mode, status, sum(calls), sum(kept),
         (SELECT array_agg(n ORDER BY step) FROM (
           SELECT step, sum(n) AS n FROM unnest(array_agg(durations)) WITH ORDINALITY AS d (n, place),
             LATERAL (SELECT (place - 1) % ${STEPS} AS step) s GROUP BY step) by_step)
       FROM (SELECT grain, date_trunc(grain, at) AS slot, skill, mode, status, calls, kept,
           ARRAY(SELECT jsonb_array_elements_text(durations)::bigint) AS durations
         FROM jsonb_to_recordset($1::text::jsonb) AS r
           (at timestamptz, skill text, mode text, status smallint, calls bigint, kept bigint, durations jsonb),
           unnest(ARRAY['minute', 'hour']) AS grain) g
       GROUP BY grain, slot, skill, mode, status
       ORDER BY grain, slot, skill, mode, status
       ON CONFLICT (grain, at, skill, mode, status) DO UPDATE SET
         calls = t.calls + EXCLUDED.calls, kept = t.kept + EXCLUDED.kept,
         durations = (SELECT array_agg(a + b ORDER BY place)
           FROM unnest(t.durations, EXCLUDED.durations) WITH ORDINALITY AS u (a, b, place))`,
      [JSON.stringify(rows)],
    )
  }

  /** Newest first, from below the id `cursor`; `after`: only ids above it. */
  async list(
    filter: RequestFilter,
    page: { limit: number; cursor: string | null; after: string | null },
  ): Promise<RequestPage> {
    const values: unknown[] = []
    const bind = (value: unknown): string => `$${values.push(value)}`
    const { requestId, key, address, skill, code, status } = filter
    const isNetworkAddress = address !== undefined && isIP(address) !== 0
    const found = {
      below: `${bind(page.cursor ?? HIGHEST_ID)}::uuid`,
      above: `${bind(page.after ?? LOWEST_ID)}::uuid`,
      requestId: requestId === undefined ? null : bind(requestId),
      key: key === undefined ? null : bind(key),
      address: isNetworkAddress ? bind(address) : null,
    }
    const tests: string[] = []
    if (address !== undefined && !isNetworkAddress) {
      // Rails write a wallet with its network in front of it.
      const text = bind(address)
      tests.push(`right(lower(payer), length(${text}::text)) = lower(${text})`)
    }
    if (skill !== undefined) tests.push(`skill = ${bind(skill)}`)
    if (code !== undefined) tests.push(`(code = ${bind(code)} OR reason = ${bind(code)})`)
    if (status !== undefined) {
      const [from, below] = /^\dxx$/.test(status)
        ? [Number(status[0]) * 100, Number(status[0]) * 100 + 100]
        : [Number(status), Number(status) + 1]
      tests.push(`status >= ${bind(from)} AND status < ${bind(below)}`)
    }
    const look = tests.length === 0 ? page.limit + 1 : LOOK_ROWS
    const rows = await this.#db.query<
      StoredRequest & { looked: number; last: string; lastAt: Date }
    >(
      `WITH looked AS (${newest(found, look)}),
       found AS (SELECT * FROM looked WHERE ${['true', ...tests].join(' AND ')} ORDER BY id DESC LIMIT ${bind(page.limit + 1)})
       SELECT f.*, f.charged::text AS charged, f.request_bytes::float8 AS request_bytes,
         f.response_bytes::float8 AS response_bytes, e.looked, e.last, e."lastAt"
       FROM (SELECT count(*)::int AS looked, (array_agg(id ORDER BY id))[1] AS last,
           min(at) AS "lastAt" FROM looked) e
         LEFT JOIN found f ON true ORDER BY f.id DESC`,
      values,
    )
    const end = rows[0]
    const requests = rows
      .filter(({ id }) => id !== null)
      .map(({ looked: _looked, last: _last, lastAt: _lastAt, ...row }) => row)
    if (requests.length > page.limit) {
      requests.pop()
      return { requests, next: requests.at(-1)!.id, lookedBackTo: null }
    }
    if (!end || end.looked < look) return { requests, next: null, lookedBackTo: null }
    return { requests, next: end.last, lookedBackTo: end.lastAt }
  }

  /**
   * Removes requests older than `keepMs`, those of the hours before the one that made them more than
   * `rowsMax`, and counts past their use.
   */
  async purge(keepMs: number, stopping: AbortSignal, rowsMax = ROWS_MAX): Promise<void> {
    // By the database's clock: a gateway whose own is ahead for a moment would remove all of them.
    const [full] = await this.#db.query<{ at: Date | null; now: Date }>(
      `SELECT max(at) AS at, now() AS now FROM (
         SELECT at, sum(sum(kept)) OVER (ORDER BY at DESC) AS rows FROM tally
         WHERE grain = 'hour' GROUP BY at) hours WHERE rows > $1`,
      [rowsMax],
    )
    const before = new Date(Math.max(full!.now.getTime() - keepMs, full!.at?.getTime() ?? 0))
    for (let slice = 0; slice < MAX_SLICES && !stopping.aborted; slice++) {
      const gone = await this.#db.query(
        `DELETE FROM request WHERE id IN (
           SELECT id FROM request WHERE id < $1::uuid ORDER BY id LIMIT ${SLICE_ROWS} FOR UPDATE SKIP LOCKED)
         RETURNING 1`,
        [firstIdAt(before)],
      )
      if (gone.length < SLICE_ROWS) break
    }
    for (const [grain, kept] of Object.entries(TALLY_KEPT))
      await this.#db.query('DELETE FROM tally WHERE grain = $1 AND at < now() - $2::interval', [
        grain,
        kept,
      ])
    await this.#db.query(`DELETE FROM revenue_hour WHERE at < now() - $1::interval`, [
      TALLY_KEPT.hour,
    ])
  }
}

/** What indexes find, as SQL; null: it is not asked for. */
interface Found {
  below: string
  above: string
  requestId: string | null
  key: string | null
  address: string | null
}

/** The newest rows of what is asked for, at most `limit`. */
function newest({ below, above, requestId, key, address }: Found, limit: number): string {
  const at = address === null ? [] : [`address = ${address}`]
  const rows = (conditions: readonly string[], order = 'id DESC'): string =>
    `SELECT * FROM request WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${limit}`
  // Compared and ordered by both columns, so that no index has the order but the one of both: by an
  // equality alone, the planner looks for rows of long ago in all that are newer.
  const of = (column: string, value: string, conditions: readonly string[]): string =>
    rows(
      [
        `(${column}, id) < (${value}, ${below})`,
        `(${column}, id) > (${value}, ${above})`,
        ...conditions,
      ],
      `${column} DESC, id DESC`,
    )
  if (requestId !== null) {
    const isKey = key === null ? [] : [`(key_id = ${key} OR lower(key_name) = lower(${key}))`]
    const bounds = [`id < ${below}`, `id > ${above}`, `request_id = ${requestId}`]
    return rows([...bounds, ...isKey, ...at])
  }
  if (key !== null) {
    const byId = of('key_id', key, ['key_id IS NOT NULL', ...at])
    const isOther = ['key_name IS NOT NULL', `key_id IS DISTINCT FROM ${key}`]
    const byName = of('lower(key_name)', `lower(${key})`, [...isOther, ...at])
    return `SELECT * FROM ((${byId}) UNION ALL (${byName})) AS named ORDER BY id DESC LIMIT ${limit}`
  }
  if (address !== null) return of('address', address, [])
  return rows([`id < ${below}`, `id > ${above}`])
}
