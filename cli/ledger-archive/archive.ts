/**
 * Moves holds that ended long ago, with all their postings, out of the ledger into a file. A slice is
 * written and synced to the disk before the transaction that deletes its rows commits, and that
 * transaction notes how much of the file counts and its digest: whatever dies, every row is in the
 * ledger or in the counted part of a file. What the rows took of each account is kept in
 * `coinop.archived_balance`, so that balances go on following from postings.
 */
import { createHash } from 'node:crypto'
import { mkdir, open, rename, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { codeOf } from '../../kernel/errors.ts'
import { firstIdAt, newId } from '../../kernel/ids.ts'
import type { SqlClient, SqlTransaction } from '../../kernel/storage/contract.ts'
import { StorageError } from '../../kernel/storage/errors.ts'

export const ARCHIVE_FORMAT = 'coinop-ledger-1'
const SLICE_HOLDS = 2000
/** A hold's id is as old as its call, whose clock may differ from the database's. */
const ID_SLACK_MS = 86_400_000
/** Of a disk, and of a user's part of it. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export interface ArchiveReport {
  /** Null: nothing was old enough, and no file was made. */
  file: string | null
  holds: number
  entries: number
  bytes: number
  sha256: string
}

export type ArchiveResult =
  | ({ outcome: 'archived' } & ArchiveReport)
  /** Refunds and budgets need the month before the present one. */
  | { outcome: 'too_young'; latest: Date }
  /** The sums of usage do not reach so far yet. */
  | { outcome: 'not_folded'; foldedTo: string }

/**
 * Archives holds made before the first moment of a UTC month, `before`, into a new file in `folder`.
 * Kept are holds that are open, that keep a request id taken, or that had a posting since.
 */
export async function archiveLedger(
  sql: SqlClient,
  { before, folder }: { before: Date; folder: string },
): Promise<ArchiveResult> {
  const [limits] = await sql<[{ latest: Date; foldedTo: string; isFolded: boolean }]>`
    SELECT date_trunc('month', now(), 'utc') - interval '1 month' AS latest,
      folded_to::text AS "foldedTo", folded_to >= ${before} AS "isFolded" FROM coinop.usage_fold`
  if (before > limits.latest) return { outcome: 'too_young', latest: limits.latest }
  if (!limits.isFolded) return { outcome: 'not_folded', foldedTo: limits.foldedTo }
  const [first] = await sql.unsafe(DUE('SELECT 1'), [FIRST_ID, lastIdOf(before), before, 1])
  if (!first) {
    return { outcome: 'archived', file: null, holds: 0, entries: 0, bytes: 0, sha256: '' }
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const id = newId()
  const name = `coinop-ledger-before-${before.toISOString().slice(0, 7)}-${id.slice(-12)}.jsonl.gz`
  const path = join(folder, name)
  const handle = await open(path, 'wx', 0o600)
  try {
    // Its name too is on the disk before any row goes.
    await syncFolder(folder)
    const report = await withRoom(path, new Archive(sql, handle, id, name, before).run())
    await withRoom(path, writeDigest(folder, name, report.sha256))
    return { outcome: 'archived', file: path, ...report }
  } finally {
    await handle.close()
  }
}

const lastIdOf = (before: Date): string => firstIdAt(new Date(before.getTime() + ID_SLACK_MS))

/** Holds to archive with $1 < id < $2, made before $3, at most $4. */
const DUE = (select: string): string => `${select} FROM coinop.hold h
  WHERE h.id > $1::uuid AND h.id < $2::uuid AND h.created_at < $3::timestamptz
    AND h.state <> 'authorized' AND h.claim IS NULL
    AND NOT EXISTS (SELECT FROM coinop.entry e
      WHERE e.id IN (h.end_id, h.rest_id, h.refund_id) AND e.at >= $3::timestamptz)
  ORDER BY h.id LIMIT $4::bigint`

class Archive {
  readonly #sql: SqlClient
  readonly #file: FileHandle
  readonly #id: string
  readonly #name: string
  readonly #before: Date
  #hash = createHash('sha256')
  #bytes = 0
  #holds = 0
  #entries = 0

  constructor(sql: SqlClient, file: FileHandle, id: string, name: string, before: Date) {
    this.#sql = sql
    this.#file = file
    this.#id = id
    this.#name = name
    this.#before = before
  }

  async run(): Promise<Omit<ArchiveReport, 'file'>> {
    const before = this.#before.toISOString()
    await this.#append([JSON.stringify({ format: ARCHIVE_FORMAT, id: this.#id, before })])
    await this.#sql`
      INSERT INTO coinop.ledger_archive (id, file, before, bytes, sha256)
      VALUES (${this.#id}, ${this.#name}, ${this.#before}, ${this.#bytes}, ${this.#digest()})`
    for (let cursor: string | null = FIRST_ID; cursor !== null;) cursor = await this.#slice(cursor)
    return {
      holds: this.#holds,
      entries: this.#entries,
      bytes: this.#bytes,
      sha256: this.#digest(),
    }
  }

  /** The id of the slice's last hold; null when there was none. */
  async #slice(cursor: string): Promise<string | null> {
    return this.#sql.begin(async (tx) => {
      // Locked: a refund that comes now waits, and finds no hold.
      const holds = await tx.unsafe<{ id: string; line: string }[]>(
        `${DUE(`SELECT h.id, jsonb_build_object('hold', to_jsonb(h))::text AS line`)} FOR UPDATE OF h`,
        [cursor, lastIdOf(this.#before), this.#before, SLICE_HOLDS],
      )
      if (holds.length === 0) return null
      const ids = holds.map(({ id }) => id)
      const found = await tx<{ id: string; line: string; isLate: boolean }[]>`
        SELECT e.hold_id AS id, jsonb_build_object('entry', to_jsonb(e))::text AS line,
          e.at >= ${this.#before} AS "isLate"
        FROM coinop.entry e
        WHERE e.hold_id = ANY (${ids}::uuid[]) AND e.id IN (
          SELECT unnest(ARRAY[h.id, h.end_id, h.rest_id, h.refund_id]) FROM coinop.hold h
          WHERE h.id = ANY (${ids}::uuid[]))
        ORDER BY e.id, e.kind`
      // The lock waited for a refund, whose posting the statement before could not see.
      const late = new Set(found.flatMap(({ id, isLate }) => (isLate ? [id] : [])))
      const old = holds.filter(({ id }) => !late.has(id))
      const entries = found.filter(({ id }) => !late.has(id))
      await this.#append([...old, ...entries].map(({ line }) => line))
      await remove(
        tx,
        old.map(({ id }) => id),
        entries.length,
      )
      this.#holds += old.length
      this.#entries += entries.length
      await tx`
        UPDATE coinop.ledger_archive SET bytes = ${this.#bytes}, sha256 = ${this.#digest()},
          holds = ${this.#holds}, entries = ${this.#entries} WHERE id = ${this.#id}`
      return ids.at(-1)!
    }) as Promise<string | null>
  }

  /** On the disk when it resolves. Each slice is a gzip member of its own, and so is their sequence. */
  async #append(lines: readonly string[]): Promise<void> {
    const member = gzipSync(lines.map((line) => `${line}\n`).join(''))
    await writeWhole(this.#file, member, this.#bytes)
    await this.#file.datasync()
    this.#hash.update(member)
    this.#bytes += member.length
  }

  #digest(): string {
    return this.#hash.copy().digest('hex')
  }
}

async function remove(tx: SqlTransaction, ids: readonly string[], entries: number): Promise<void> {
  await tx`SELECT set_config('coinop.archiving', 'on', true)`
  const gone = await tx`
    WITH own AS (
      SELECT h.id AS hold_id, unnest(ARRAY[h.id, h.end_id, h.rest_id, h.refund_id]) AS id
      FROM coinop.hold h WHERE h.id = ANY (${ids as string[]}::uuid[])),
    gone AS (
      DELETE FROM coinop.entry e USING own WHERE e.id = own.id AND e.hold_id = own.hold_id
      RETURNING e.account_id, e.kind, e.amount),
    summed AS (
      INSERT INTO coinop.archived_balance AS b (account_id, captured, refunded)
      SELECT account_id, COALESCE(sum(amount) FILTER (WHERE kind = 'capture'), 0),
        COALESCE(sum(amount) FILTER (WHERE kind = 'refund'), 0)
      FROM gone GROUP BY 1 ORDER BY 1
      ON CONFLICT (account_id) DO UPDATE SET captured = b.captured + excluded.captured,
        refunded = b.refunded + excluded.refunded)
    SELECT 1 FROM gone`
  if (gone.length !== entries) throw new Error('postings changed while they were archived')
  await tx`DELETE FROM coinop.hold WHERE id = ANY (${ids as string[]}::uuid[])`
}

/** All of it: on a disk that is nearly full one write takes a part, and only the next one fails. */
export async function writeWhole(
  file: Pick<FileHandle, 'write'>,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    if (bytesWritten === 0) throw new Error('the file of the archive takes no more bytes')
    done += bytesWritten
  }
}

/** Throws a StorageError for a full disk: the error of a write names no file. */
export async function withRoom<T>(path: string, writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    if (!FULL.has(codeOf(error))) throw error
    throw new StorageError(
      `The archive ${path} could not be written to its end: ${(error as Error).message}`,
      'Free some space there, or name another folder, and run it again. Keep the file: every row is in the ledger or in the part of it that counts.',
      { cause: error },
    )
  }
}

/** `sha256sum -c` reads it. */
async function writeDigest(folder: string, name: string, sha256: string): Promise<void> {
  const path = join(folder, `${name}.sha256`)
  const handle = await open(`${path}.new`, 'w', 0o600)
  try {
    await handle.writeFile(`${sha256}  ${name}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${path}.new`, path)
  await syncFolder(folder)
}

async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
