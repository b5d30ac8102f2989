/**
 * A copy of DATA_DIR that a gateway can be started on, made while another one runs. The cluster is
 * copied as PostgreSQL's manual makes a base backup with the low-level API (section 26.3.4): its
 * files between pg_backup_start and pg_backup_stop, then the write-ahead log of that time. The copy
 * recovers to the moment the backup ended.
 */
import { chmod, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { existsSync } from 'node:fs'
import type { Logger } from '#kernel'
import { codeOf, type Backup, StorageError } from '#kernel/host'
import { createClient } from '../database/client.ts'
import { syncDirectory } from './cluster.ts'
import { copyTree, type Copied, type CopyOptions } from './copy-tree.ts'
import { openEmbedded } from './embedded.ts'
import { serverUser } from './user.ts'

/** What a server makes anew at its start, or must not take from another one (as pg_basebackup). */
const LEFT_OUT =
  /^(?:postmaster\.(?:pid|opts)|backup_label(?:\.old)?|tablespace_map|backup_manifest|pgsql_tmp.*|pg_internal\.init.*|.*\.tmp)$/
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
/** Says where recovery begins, so it is copied when everything else is there. */
const CONTROL = 'pg_control'
const SEGMENT = /^[0-9A-F]{24}$/
/** The journal of charges that a gateway owes to callers whose answers it withheld. */
const GIVE_BACKS = 'give-backs'

/**
 * Copies the embedded database of `dataDir`, the secrets and the charges that are still to be given
 * back beside it to `folder`, which must not exist: it appears when it is complete. Throws a
 * StorageError where it cannot, and the reason of `signal` once that aborts.
 */
export async function backUp(
  dataDir: string,
  folder: string,
  log: Logger,
  signal: AbortSignal,
): Promise<Backup> {
  const startedAt = performance.now()
  const from = resolve(dataDir)
  const to = resolve(folder)
  checkPlaces(from, to)
  const partial = `${to}.partial`
  try {
    await mkdir(dirname(partial), { recursive: true })
    await mkdir(partial, { mode: 0o700 })
  } catch (error) {
    throw new StorageError(
      `${partial} cannot be made: ${(error as Error).message}`,
      'If it is left from a backup that was broken off, remove it; else choose another folder.',
      { cause: error },
    )
  }
  try {
    const server = await openEmbedded({ dataDir: from, role: 'tool', sandbox: false, log })
    const copied = await copyAll(server.url, from, partial, signal).finally(() => server.close())
    signal.throwIfAborted()
    await rename(partial, to)
    syncDirectory(dirname(to))
    return { folder: to, ...copied, elapsedMs: Math.round(performance.now() - startedAt) }
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}

function checkPlaces(from: string, to: string): void {
  if (!existsSync(join(from, 'postgres'))) {
    throw new StorageError(
      `There is no embedded database in ${from}.`,
      'Set DATA_DIR to the folder of the gateway.',
    )
  }
  if (existsSync(to)) {
    throw new StorageError(`${to} exists already.`, 'Name a folder that does not exist yet.')
  }
  if (to.startsWith(from + sep)) {
    throw new StorageError(
      `${to} lies inside DATA_DIR.`,
      'Name a folder elsewhere, best on another disk.',
    )
  }
}

async function copyAll(
  url: string,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<Copied> {
  const owner = serverUser(join(from, 'postgres'))
  // The server's user must be able to pass through.
  if (owner !== null) await chmod(to, 0o711)
  const owedBefore = await copyGiveBacks(from, to)
  const cluster = await copyCluster(url, join(to, 'postgres'), owner, signal)
  const owedSince = await copyGiveBacks(from, to)
  const secrets = await copyTree(from, to, {
    owner: null,
    takes: (path, isFolder) => !isFolder && !path.startsWith('postgres.log'),
  })
  syncDirectory(to)
  return [owedBefore, cluster, owedSince, secrets].reduce(sum)
}

/**
 * Copies the orders to give charges back. An order that was carried out or written while the database
 * was copied is found before or after that, and carrying one out twice changes nothing.
 */
async function copyGiveBacks(from: string, to: string): Promise<Copied> {
  const known = new Set(await namesIn(join(to, GIVE_BACKS)))
  if ((await namesIn(join(from, GIVE_BACKS))).length === 0) return { files: 0, bytes: 0 }
  const copied = await copyTree(join(from, GIVE_BACKS), join(to, GIVE_BACKS), {
    owner: null,
    takes: (path) => path.endsWith('.json') && !known.has(path),
  })
  syncDirectory(join(to, GIVE_BACKS))
  return copied
}

/** What a folder contains; nothing where there is none, or a file in its place. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return []
    throw error
  }
}

/** One session from start to stop: PostgreSQL ends a backup with the session that began it. */
async function copyCluster(
  url: string,
  to: string,
  owner: CopyOptions['owner'],
  signal: AbortSignal,
): Promise<Copied> {
  const sql = createClient(url, { max: 1, applicationName: 'coinop backup', permanent: true })
  try {
    const [place] = await sql<{ directory: string }[]>`
      SELECT current_setting('data_directory') AS directory`
    const from = place!.directory
    await refuseTablespaces(join(from, 'pg_tblspc'))
    // Keeps the log of the backup's time; gone with the session.
    await sql`SELECT pg_create_physical_replication_slot(${`coinop_backup_${process.pid}`}, true, true)`
    const [begun] = await sql<{ segment: string }[]>`
      SELECT pg_walfile_name(pg_backup_start('coinop', fast => true)) AS segment`
    const body = await copyTree(from, to, {
      owner,
      takes(path) {
        signal.throwIfAborted()
        return !LEFT_OUT.test(path.slice(path.lastIndexOf(sep) + 1)) && !isEmptied(path)
      },
      last: CONTROL,
    })
    const [ended] = await sql<{ label: string; segment: string }[]>`
      SELECT labelfile AS label, pg_walfile_name(lsn) AS segment
      FROM pg_backup_stop(wait_for_archive => false)`
    await writeLabel(join(to, 'backup_label'), ended!.label, owner)
    const wal = await copyTree(join(from, 'pg_wal'), join(to, 'pg_wal'), {
      owner,
      takes: (path, isFolder) =>
        !isFolder &&
        (path.endsWith('.history') ||
          (SEGMENT.test(path) && path >= begun!.segment && path <= ended!.segment)),
    })
    return sum(body, wal)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

function sum(one: Copied, other: Copied): Copied {
  return { files: one.files + other.files, bytes: one.bytes + other.bytes }
}

/** Contents of folders that a server fills anew; the folders themselves are kept. */
function isEmptied(path: string): boolean {
  const [first, rest] = path.split(sep, 2)
  return rest !== undefined && EMPTIED.has(first!)
}

async function refuseTablespaces(folder: string): Promise<void> {
  if ((await readdir(folder)).length === 0) return
  throw new StorageError(
    'The embedded database has tablespaces of its own, which this backup does not follow.',
    'Stop the gateway and copy DATA_DIR and the tablespaces by hand.',
  )
}

async function writeLabel(path: string, text: string, owner: CopyOptions['owner']): Promise<void> {
  await writeFile(path, text, { mode: 0o600 })
  const file = await open(path, 'r')
  try {
    if (owner !== null) await file.chown(owner.uid, owner.gid)
    await file.sync()
  } finally {
    await file.close()
  }
}
