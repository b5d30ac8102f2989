/** `coinop ledger verify --archives`: reads archives back and holds them against the ledger. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { SqlClient, SqlTransaction } from '../../kernel/storage/contract.ts'
import type { VerifyReport } from '../../kernel/ledger/contract.ts'
import type { Invariant } from '../../kernel/services/reporting.ts'

type Violation = VerifyReport['violations'][number]
interface ArchiveRow {
  id: string
  file: string
  bytes: bigint
  sha256: string
  holds: bigint
  entries: bigint
}
/** `archives` and `holds` were read and are what was recorded; `unknown` are archive files that nobody recorded. */
export interface ArchivesReport {
  archives: number
  holds: number
  unknown: string[]
  violations: Violation[]
}

const SHOWN = 20
const LINES_AT_ONCE = 5000

/**
 * What is wrong with the archives in `folder`: each is there, unchanged, has whole holds whose
 * postings agree (`ofHolds`), none of which is in the ledger too, and together they took what the ledger says.
 * Rows are compared by the database, in temporary tables; nothing of the ledger changes.
 */
export async function verifyArchives(
  sql: SqlClient,
  folder: string,
  ofHolds: readonly Invariant[],
): Promise<ArchivesReport> {
  // One snapshot: an archive that is made meanwhile is in neither its files nor its sums.
  return sql.begin('isolation level repeatable read', async (tx) => {
    const archives = await tx<ArchiveRow[]>`
      SELECT id, file, bytes, sha256, holds, entries FROM coinop.ledger_archive ORDER BY id`
    await tx.unsafe(`
      CREATE TEMP TABLE archived_hold (LIKE coinop.hold) ON COMMIT DROP;
      CREATE TEMP TABLE archived_entry (LIKE coinop.entry) ON COMMIT DROP;
      CREATE TEMP TABLE archived_sum (account_id uuid, captured numeric, refunded numeric) ON COMMIT DROP`)
    const violations: Violation[] = []
    let read = 0
    let holds = 0
    for (const archive of archives) {
      const wrong = await load(tx, archive, folder, archives)
      if (wrong === null) {
        violations.push(...(await checkLoaded(tx, archive, ofHolds)))
        read++
        holds += Number(archive.holds)
      } else violations.push(wrong)
      await tx.unsafe('TRUNCATE pg_temp.archived_hold, pg_temp.archived_entry')
    }
    if (violations.length === 0) violations.push(...(await compareSums(tx)))
    const unknown = await unknownFiles(folder, new Set(archives.map(({ file }) => file)))
    return { archives: read, holds, unknown, violations }
  }) as Promise<ArchivesReport>
}

/** A copy under another name, or what a run left that died before its rows were removed. */
async function unknownFiles(folder: string, known: ReadonlySet<string>): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith('.jsonl.gz') && !known.has(name)).sort()
}

const broken = (archive: ArchiveRow, message: string): Violation => ({
  invariant: 'archives_are_whole',
  subject: archive.file,
  message,
})

/** Puts the rows of one file into the temporary tables; the violation when it cannot. */
async function load(
  tx: SqlTransaction,
  archive: ArchiveRow,
  folder: string,
  all: readonly ArchiveRow[],
): Promise<Violation | null> {
  const path = join(folder, archive.file)
  // What follows the counted part was written by a run that died before its rows were removed.
  const end = Number(archive.bytes) - 1
  const digest = await digestOf(path, end).catch(() => null)
  if (digest === null) return broken(archive, 'is missing or cannot be read')
  if (digest !== archive.sha256) {
    for (const { file, bytes, sha256 } of all)
      if (file !== archive.file && (await digestOf(path, Number(bytes) - 1)) === sha256)
        return broken(archive, `has the content of ${file}`)
    return broken(archive, `was changed: its digest is ${digest}, not ${archive.sha256}`)
  }
  for await (const lines of linesOf(path, end)) {
    for (const [member, table] of [
      ['hold', 'archived_hold'],
      ['entry', 'archived_entry'],
    ] as const) {
      // As text: a number of JSON read here would lose digits.
      await tx.unsafe(
        `INSERT INTO pg_temp.${table}
         SELECT r.* FROM unnest($1::text[]) AS line,
           jsonb_populate_record(NULL::pg_temp.${table}, line::jsonb -> '${member}') AS r
         WHERE line::jsonb ? '${member}'`,
        [lines],
      )
    }
  }
  return null
}

async function digestOf(path: string, end: number): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path, { end })) hash.update(part as Buffer)
  return hash.digest('hex')
}

/** In slices: an archive of years is larger than the memory. */
async function* linesOf(path: string, end: number): AsyncGenerator<string[]> {
  const decoder = new TextDecoder()
  let rest = ''
  let lines: string[] = []
  // What breaks the source or the gunzip is thrown where its end is read.
  const text = pipeline(createReadStream(path, { end }), createGunzip(), () => {})
  for await (const part of text) {
    const ended = (rest + decoder.decode(part as Buffer, { stream: true })).split('\n')
    rest = ended.pop()!
    lines.push(...ended)
    if (lines.length < LINES_AT_ONCE) continue
    yield lines
    lines = []
  }
  yield lines
}

async function checkLoaded(
  tx: SqlTransaction,
  archive: ArchiveRow,
  ofHolds: readonly Invariant[],
): Promise<Violation[]> {
  const violations: Violation[] = []
  const [count] = await tx<[{ holds: bigint; entries: bigint; twice: bigint }]>`
    SELECT (SELECT count(*) FROM pg_temp.archived_hold) AS holds,
      (SELECT count(*) FROM pg_temp.archived_entry) AS entries,
      (SELECT count(*) FROM pg_temp.archived_hold JOIN coinop.hold USING (id)) AS twice`
  if (count.holds !== archive.holds || count.entries !== archive.entries) {
    const found = `${count.holds} holds and ${count.entries} postings`
    violations.push(broken(archive, `has ${found}, not ${archive.holds} and ${archive.entries}`))
  }
  if (count.twice > 0n) {
    violations.push(broken(archive, `has ${count.twice} holds that are in the ledger too`))
  }
  for (const { name, query } of ofHolds) {
    const own = query
      .replaceAll('coinop.hold', 'pg_temp.archived_hold')
      .replaceAll('coinop.entry', 'pg_temp.archived_entry')
      .replaceAll('pg_temp.archived_entry_kind', 'coinop.entry_kind')
    const rows = await tx.unsafe<{ subject: string; message: string }[]>(
      `SELECT subject, message FROM (${own}) AS broken LIMIT ${SHOWN}`,
    )
    violations.push(...rows.map((row) => ({ invariant: name, ...row })))
  }
  await tx`
    INSERT INTO pg_temp.archived_sum
    SELECT account_id, COALESCE(sum(amount) FILTER (WHERE kind = 'capture'), 0),
      COALESCE(sum(amount) FILTER (WHERE kind = 'refund'), 0)
    FROM pg_temp.archived_entry GROUP BY 1`
  return violations
}

async function compareSums(tx: SqlTransaction): Promise<Violation[]> {
  const rows = await tx.unsafe<{ subject: string; message: string }[]>(
    `WITH filed AS (
       SELECT account_id, sum(captured) AS captured, sum(refunded) AS refunded
       FROM pg_temp.archived_sum GROUP BY 1)
     SELECT account_id::text AS subject, format('%s captured and %s refunded, archives say %s and %s',
       b.captured, b.refunded, f.captured, f.refunded) AS message
     FROM coinop.archived_balance b FULL JOIN filed f USING (account_id)
     WHERE (b.captured, b.refunded) IS DISTINCT FROM (f.captured, f.refunded) LIMIT ${SHOWN}`,
  )
  return rows.map((row) => ({ invariant: 'archives_match_balances', ...row }))
}
