import { createHash } from 'node:crypto'
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { archiveLedger, withRoom, writeWhole } from '../../../cli/ledger-archive/archive.ts'
import { verifyArchives } from '../../../cli/ledger-archive/check.ts'
import { OF_HOLDS } from '../../../host/reporting/invariants.ts'
import { purgeFreeUse } from '../../../kernel/ledger/free-use.ts'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import type { Hold, Ledger, Spender } from '../../../kernel/ledger/contract.ts'
import { REFUND_ONE } from '../../../kernel/ledger/sql/end.ts'
import { foldUsage } from '../../../host/reporting/usage/fold.ts'
import { pluginDb } from '../../../kernel/storage/plugin-db.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { accountServices } from '../../support/account-services.ts'
import { callOf, heldCall, openAccount } from '../../support/spenders.ts'
import { expectBalancedBooks } from './books.ts'

const DAYS = 95
const now = new Date()
/** The latest month that may be archived begins here. */
const BEFORE = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1))

let database: TestDatabase
let ledger: Ledger
let folder: string
let key: Spender
/** Has one call of the archived month, and one of today. */
let planned: Spender
/** Ids of what was made long ago, by what became of it. */
let old: Record<
  'captured' | 'part' | 'released' | 'refunded' | 'open' | 'claimed' | 'later' | 'raced',
  Hold
>

beforeAll(async () => {
  database = await testDatabase()
  folder = mkdtempSync(join(tmpdir(), 'coinop-archive-'))
  ledger = createLedger(database.db)
  const { sql } = database.db
  ;[key] = await openAccount(sql, ledger, { amountAtomic: 100_000n })
  old = {
    captured: await ended('capture'),
    part: await ended('part'),
    released: await ended('release'),
    refunded: await ended('refund'),
    open: await held(),
    claimed: await held({ scope: 'request' }),
    later: await ended('capture'),
    raced: await ended('capture'),
  }
  await ledger.capture({ holdId: old.claimed.id, ...key })
  const services = accountServices(database.db)
  const { accountId } = await services.accounts.open({ name: 'planned', mode: 'test' })
  planned = { accountId, keyId: (await services.accounts.ownKey(accountId, 'demo'))!.keyId }
  const grant = { source: 'sandbox', reference: 'planned', kind: 'grant' as const }
  await ledger.credit({ accountId, amountAtomic: 1000n, ...grant })
  await ended('capture', planned)
  await passDays()
  // A refund of today: the hold has a posting that is young.
  await ledger.refund({ requestId: old.later.requestId })
  await ended('capture')
  const today = await heldCall(ledger, callOf(planned, 7n))
  await ledger.capture({ holdId: today.id, ...planned })
  while ((await foldUsage(sql, { lagMs: 0 })) !== 'done');
  await expectBalancedBooks(sql)
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database.close()
})

async function held(rest: { scope?: 'request' } = {}, by = key): Promise<Hold> {
  const time = (Date.now() - DAYS * 86_400_000).toString(16).padStart(12, '0')
  const holdId = `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`
  const result = await ledger.authorize({ ...callOf(by, 100n), holdId, ...rest })
  if (result.outcome !== 'authorized') throw new Error(result.outcome)
  return result.hold
}

async function ended(how: 'capture' | 'part' | 'release' | 'refund', by = key): Promise<Hold> {
  const hold = await held({}, by)
  const target = { holdId: hold.id, ...by }
  if (how === 'release') await ledger.release(target)
  else await ledger.capture({ ...target, ...(how === 'part' && { amountAtomic: 30n }) })
  if (how === 'refund') await ledger.refund({ requestId: hold.requestId })
  return hold
}

/** As if everything so far had been made long ago. */
async function passDays(): Promise<void> {
  await database.db.sql.unsafe(`
    ALTER TABLE coinop.entry DISABLE TRIGGER entry_append_only;
    UPDATE coinop.entry SET at = at - interval '${DAYS} days';
    UPDATE coinop.hold SET created_at = created_at - interval '${DAYS} days';
    UPDATE coinop.key_spend SET day = day - ${DAYS};
    ALTER TABLE coinop.entry ENABLE TRIGGER entry_append_only`)
}

/** How many of this database wait for a lock: other tests share its server. */
const waiting = async (): Promise<number> => {
  const [row] = await database.db.sql<[{ count: number }]>`
    SELECT count(*)::int AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE NOT granted AND datname = current_database()`
  return row.count
}
const archived = async () => {
  const result = await archiveLedger(database.db.sql, { before: BEFORE, folder })
  if (result.outcome !== 'archived') throw new Error(result.outcome)
  return result
}
const problems = async () =>
  (await verifyArchives(database.db.sql, folder, OF_HOLDS)).violations.map(
    ({ invariant }) => invariant,
  )

describe('an archive of the ledger', () => {
  it('takes whole holds that ended long ago, and leaves books that balance', async () => {
    const { sql } = database.db
    const balance = await ledger.balance(key.accountId)
    // A refund that the archive waits for, at the lock of its hold.
    const { run } = await sql.begin(async (tx) => {
      await tx.unsafe(REFUND_ONE, [old.raced.id, null, newId(), false])
      const work = archived()
      while ((await waiting()) === 0);
      return { run: work }
    })
    const first = await run
    expect(first).toMatchObject({ holds: 5, entries: 2 + 3 + 2 + 3 + 2 })
    for (const name of ['captured', 'part', 'released', 'refunded'] as const) {
      expect(await ledger.hold(old[name].id)).toBeNull()
    }
    for (const name of ['open', 'claimed', 'later', 'raced'] as const) {
      expect(await ledger.hold(old[name].id)).not.toBeNull()
    }
    const availableAtomic = balance!.availableAtomic + 100n
    expect(await ledger.balance(key.accountId)).toEqual({ ...balance, availableAtomic })
    await expectBalancedBooks(sql)
    expect(await verifyArchives(sql, folder, OF_HOLDS)).toEqual({
      archives: 1,
      holds: 5,
      unknown: [],
      violations: [],
    })
    // What ended meanwhile goes into the next file.
    await ledger.release({ holdId: old.open.id, ...key })
    expect(await archived()).toMatchObject({ file: null, holds: 0 })
  })

  it('refuses what is too young, and postings stay append-only', async () => {
    const { sql } = database.db
    const result = await archiveLedger(sql, { before: now, folder })
    expect(result).toEqual({ outcome: 'too_young', latest: BEFORE })
    await expect(sql`DELETE FROM coinop.entry`).rejects.toThrow('append-only')
  })

  it('that was changed, cut, lost or left in the ledger is found', async () => {
    const { sql } = database.db
    const name = readdirSync(folder).find((file) => file.endsWith('.gz'))!
    const path = join(folder, name)
    // A run that died leaves lines behind the counted part: they count for nothing.
    appendFileSync(path, 'half a slice')
    expect(await problems()).toEqual([])
    const bytes = Buffer.from(await Bun.file(path).arrayBuffer())
    truncateSync(path, bytes.length - 40)
    expect(await problems()).toEqual(['archives_are_whole'])
    const flipped = Buffer.from(bytes)
    flipped[200]! ^= 1
    writeFileSync(path, flipped)
    const copy = join(folder, 'copy.jsonl.gz')
    writeFileSync(copy, bytes)
    const changed = await verifyArchives(sql, folder, OF_HOLDS)
    // What could not be read is not counted as read.
    expect(changed).toMatchObject({ archives: 0, holds: 0, unknown: ['copy.jsonl.gz'] })
    expect(changed.violations).toMatchObject([
      { invariant: 'archives_are_whole', subject: name, message: expect.stringMatching(/changed/) },
    ])
    // Another archive's content under this name.
    const [made] = await sql<[{ bytes: bigint }]>`SELECT bytes FROM coinop.ledger_archive`
    const counted = flipped.subarray(0, Number(made.bytes))
    await sql`
      INSERT INTO coinop.ledger_archive (id, before, file, bytes, sha256)
      SELECT ${newId()}, before, 'copy.jsonl.gz', bytes,
        ${createHash('sha256').update(counted).digest('hex')}
      FROM coinop.ledger_archive`
    const swapped = (await verifyArchives(sql, folder, OF_HOLDS)).violations
    expect(swapped.map(({ subject, message }) => [subject, message])).toContainEqual([
      name,
      'has the content of copy.jsonl.gz',
    ])
    await sql`DELETE FROM coinop.ledger_archive WHERE file = 'copy.jsonl.gz'`
    rmSync(copy)
    rmSync(path)
    expect(await problems()).toEqual(['archives_are_whole'])
    writeFileSync(path, bytes)
    await sql`UPDATE coinop.archived_balance SET captured = captured + 1 WHERE account_id = ${key.accountId}`
    expect(await problems()).toEqual(['archives_match_balances'])
    await sql`UPDATE coinop.archived_balance SET captured = captured - 1 WHERE account_id = ${key.accountId}`
    expect(await problems()).toEqual([])
  })
})

it('what a month had spent is known after its calls were archived', async () => {
  const { accounts } = accountServices(database.db)
  const since = new Date(now.getTime() - (DAYS + 1) * 86_400_000)
  const standing = await pluginDb(database.db, 'demo').transaction((tx) =>
    accounts.standing(planned.accountId, since, tx),
  )
  // One call of the archived month and one of today.
  expect(standing!.spentAtomic).toBe(100n + 7n)
})

it('archives are verified as they were when it began', async () => {
  const { sql } = database.db
  const { verifying } = await sql.begin(async (tx) => {
    await tx`LOCK TABLE coinop.archived_balance`
    const run = problems()
    while ((await waiting()) === 0);
    // As an archive that ends now does it.
    await tx`UPDATE coinop.archived_balance SET captured = captured + 1 WHERE account_id = ${key.accountId}`
    return { verifying: run }
  })
  expect(await verifying).toEqual([])
  await sql`UPDATE coinop.archived_balance SET captured = captured - 1 WHERE account_id = ${key.accountId}`
})

it('a write that takes a part is followed by the rest', async () => {
  const disk = new Uint8Array(9)
  const file = (atMost: number) => ({
    write: async (bytes: Uint8Array, from: number, length: number, at: number) => {
      const bytesWritten = Math.min(length, atMost)
      disk.set(bytes.subarray(from, from + bytesWritten), at)
      return { bytesWritten, buffer: bytes }
    },
  })
  const bytes = Uint8Array.from([1, 2, 3, 4, 5, 6, 7])
  await writeWhole(file(3) as never, bytes, 2)
  expect([...disk]).toEqual([0, 0, 1, 2, 3, 4, 5, 6, 7])
  await expect(writeWhole(file(0) as never, bytes, 2)).rejects.toThrow('no more')
})

it('a full disk is told with the file and what to do; other errors stay what they are', async () => {
  const failing = (code: string) => ({
    write: () => Promise.reject(Object.assign(new Error(`${code}: write`), { code })),
  })
  const written = (code: string) =>
    withRoom('/archive/a.gz', writeWhole(failing(code) as never, Uint8Array.of(1), 0))
  await expect(written('ENOSPC')).rejects.toMatchObject({
    name: 'StorageError',
    message: 'The archive /archive/a.gz could not be written to its end: ENOSPC: write',
    fix: expect.stringMatching(/^Free some space there.*run it again/),
  })
  await expect(written('EIO')).rejects.toThrow(/^EIO: write$/)
})

it('free calls of months that are long over are forgotten, in slices', async () => {
  const { sql } = database.db
  await sql`
    INSERT INTO coinop.free_use (account_id, skill_id, bucket, cap, used)
    SELECT ${key.accountId}, 'demo.' || n, b, 5, 0 FROM generate_series(1, 4) n,
      unnest(ARRAY['2020-01', '2020-01-31', to_char(now() AT TIME ZONE 'utc', 'YYYY-MM')]) b`
  expect([await purgeFreeUse(sql, 5), await purgeFreeUse(sql, 5)]).toEqual([5, 3])
  const rows = await sql`SELECT 1 FROM coinop.free_use`
  expect(rows).toHaveLength(4)
  await expectBalancedBooks(sql)
})
