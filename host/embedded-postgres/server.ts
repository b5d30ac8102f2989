/**
 * The embedded PostgreSQL server: a child process in a session of its own, so that Ctrl-C in the
 * terminal reaches the gateway only and the gateway still has a database while it drains. It
 * outlives a gateway that was killed; the next one adopts it.
 */
import { spawn } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statfsSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Logger, within } from '#kernel'
import { codeOf, isAlive, StorageError } from '#kernel/host'
import { createClient } from '../database/client.ts'
import { socketUrl } from './connection-text.ts'
import type { Binaries } from './binaries.ts'
import { checkVersion, fixOfScarcity, reasonOf, serverEnvironment, SUPERUSER } from './cluster.ts'
import { privateDirectory, type Place } from './place.ts'
import { freeSocket, isServerOf, runningPostmaster } from './postmaster.ts'
import { runAs } from './user.ts'

const POLL_MS = 10
/** Crash recovery replays the log since the last checkpoint; that may take a while. */
const READY_TIMEOUT_MS = 120_000
/** A live server that answers nobody for this long is stopped and started anew. */
const ANSWER_TIMEOUT_MS = 15_000
const STOP_TIMEOUT_MS = 30_000
/** What PostgreSQL may need at once: a file of its write-ahead log. */
const SEGMENT_BYTES = 16 * 1024 * 1024
/** SQLSTATEs of a server that lets somebody not in: its pg_hba.conf was changed, such as for a server of one's own. */
const REFUSED_CLASS = '28'
/** SQLSTATE of a server all of whose connections are taken: it is well, and others use it. */
export const TOO_MANY_CONNECTIONS = '53300'
const NO_SPACE = /No space left on device|Disk quota exceeded/
const LOG_MAX_BYTES = 10 * 1024 * 1024

/** Given on the command line, so nothing in the cluster's own files overrides them. */
export const SETTINGS = {
  listen_addresses: '',
  // It names the socket too.
  port: '5432',
  unix_socket_permissions: '0700',
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '100',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
  // Short prepared statements gain nothing from it.
  jit: 'off',
} as const

export interface RunningServer {
  pid: number
  /** Connection text of the maintenance database. */
  url: string
  adopted: boolean
}

/** Adopts the live server of this place or starts one, and returns it when it answers. */
export async function ensureServer(
  place: Place,
  binaries: () => Binaries,
  log: Logger,
): Promise<RunningServer> {
  const deadline = performance.now() + READY_TIMEOUT_MS
  let spawned: SpawnedServer | null = null
  while (performance.now() < deadline) {
    const postmaster = runningPostmaster(place.clusterLink)
    if (postmaster?.ready === true) {
      const url = socketUrl(postmaster.socketDir, SUPERUSER, 'postgres')
      const isUp = await answers(url, place.clusterLink).catch(async (error: unknown) => {
        // One that ran before may have other users.
        if (postmaster.pid === spawned?.pid) await stopServer(place, 'fast')
        throw error
      })
      if (isUp) {
        return { pid: postmaster.pid, url, adopted: postmaster.pid !== spawned?.pid }
      }
      if (isAlive(postmaster.pid)) {
        log.warn({ pid: postmaster.pid }, 'the embedded database does not answer; starting it anew')
        await stopServer(place, 'immediate')
      }
      spawned = null
    } else if (postmaster === null) {
      const exit = spawned?.exit() ?? null
      if (exit !== null) {
        // Another process started one first, or processes of a killed server are still ending.
        const mayPass = /shared memory block|lock file/.test(exit) && !NO_SPACE.test(exit)
        if (!mayPass) throw notStarted(exit, place)
        spawned = null
        await delay(200)
      } else {
        spawned ??= spawnServer(place, binaries())
      }
    }
    await delay(POLL_MS)
  }
  throw notStarted(`it was not ready within ${READY_TIMEOUT_MS / 1000} s`, place)
}

function notStarted(reason: string, place: Place): StorageError {
  const fix =
    fixOfScarcity(reason) ??
    (isOfFullDisk(reason, place)
      ? 'Free some space on the disk of DATA_DIR.'
      : 'A long recovery goes on by itself; start again later.')
  return new StorageError(
    `The embedded PostgreSQL did not start: ${reason}`,
    `${fix} Its log is ${place.logFile}.`,
  )
}

/** Whether the disk is what is missing: where it is full, the log may not have room to say so. */
function isOfFullDisk(reason: string, { clusterLink }: Place): boolean {
  if (NO_SPACE.test(reason)) return true
  try {
    const { bavail, bsize } = statfsSync(clusterLink)
    return bavail * bsize < SEGMENT_BYTES
  } catch {
    // A disk that says nothing of itself has another trouble, which the reason is about.
    return false
  }
}

/** Stops it and waits: 'fast' checkpoints and ends sessions, 'immediate' leaves it to recovery. */
export async function stopServer(
  { clusterLink }: Pick<Place, 'clusterLink'>,
  mode: 'fast' | 'immediate',
): Promise<void> {
  const postmaster = runningPostmaster(clusterLink)
  if (postmaster !== null) await stopProcess(postmaster.pid, clusterLink, mode)
}

/** The same for the server with this process number; nothing where it is not one of that cluster. */
export async function stopProcess(
  pid: number,
  clusterDir: string,
  mode: 'fast' | 'immediate',
): Promise<void> {
  if (await gone(clusterDir, pid, 0)) return
  signal(pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
  if (await gone(clusterDir, pid, STOP_TIMEOUT_MS)) return
  signal(pid, 'SIGQUIT')
  if (await gone(clusterDir, pid, 5000)) return
  signal(pid, 'SIGKILL')
  await gone(clusterDir, pid, 5000)
}

interface SpawnedServer {
  pid: number
  /** What it wrote of the reason when it has ended, else null. */
  exit(): string | null
}

function spawnServer(place: Place, binaries: Binaries): SpawnedServer {
  checkVersion(place, binaries.major)
  // It may have been swept from the temporary folder.
  privateDirectory(place.socketDir, place.user)
  freeSocket(place.socketDir, place.clusterLink)
  rotateLog(place.logFile)
  const output = openSync(place.logFile, 'a', 0o600)
  const logStart = statSync(place.logFile).size
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const directory = realpathSync(place.clusterLink)
  const child = spawn(binaries.postgres, ['-D', directory, '-k', place.socketDir, ...settings], {
    ...runAs(place.user),
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  child.unref()
  let ended: string | null = null
  child.once('error', (error) => (ended = error.message))
  child.once('exit', (code, by) => (ended ??= `it ended with ${by ?? `status ${code}`}`))
  return {
    pid: child.pid ?? -1,
    exit: () => ended && (reasonIn(place.logFile, logStart) || ended),
  }
}

/** What a server that ended wrote of the reason. */
const reasonIn = (path: string, fromByte: number): string =>
  reasonOf(readFileSync(path).subarray(fromByte).toString())

/** True when a server answers on that socket and it is the one of this directory. */
async function answers(url: string, clusterDir: string): Promise<boolean> {
  const until = performance.now() + ANSWER_TIMEOUT_MS
  const sql = createClient(url, { max: 1, applicationName: 'coinop probe' })
  let isCrowded = false
  try {
    while (performance.now() < until) {
      try {
        const [row] = await within(
          sql<{ directory: string }[]>`select current_setting('data_directory') as directory`,
          ANSWER_TIMEOUT_MS,
          () => [],
        )
        if (row !== undefined) return row.directory === realpathSync(clusterDir)
      } catch (error) {
        if (codeOf(error).startsWith(REFUSED_CLASS))
          throw new StorageError(
            `The embedded PostgreSQL of ${clusterDir} refuses its user ${SUPERUSER}: ${(error as Error).message}`,
            `Let it in again: the line \`local all ${SUPERUSER} trust\` first in ${join(clusterDir, 'pg_hba.conf')}; nobody else can enter the folder of its socket.`,
            { cause: error },
          )
        isCrowded = codeOf(error) === TOO_MANY_CONNECTIONS
        // Starting up, shutting down, or too many connections: ask again while it lives.
        if (runningPostmaster(clusterDir) === null) return false
      }
      await delay(50)
    }
    if (!isCrowded) return false
    throw new StorageError(
      `All ${SETTINGS.max_connections} connections of the embedded PostgreSQL of ${clusterDir} are taken.`,
      'End other programs that are connected to it; it is not stopped while they use it.',
    )
  } finally {
    await sql.end({ timeout: 0 })
  }
}

async function gone(clusterDir: string, pid: number, timeoutMs: number): Promise<boolean> {
  const until = performance.now() + timeoutMs
  for (;;) {
    if (!isAlive(pid) || !isServerOf(pid, clusterDir)) return true
    if (performance.now() >= until) return false
    await delay(POLL_MS)
  }
}

function signal(pid: number, name: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

function rotateLog(path: string): void {
  if (isLong(path)) renameSync(path, `${path}.1`)
}

/**
 * Keeps the log of a running server within bounds, which writes each statement that fails: callers can
 * cause some. It appends, so what it has written can be moved away under it.
 */
export function trimLog(path: string): void {
  if (!isLong(path)) return
  copyFileSync(path, `${path}.1`)
  truncateSync(path, 0)
}

function isLong(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_MAX_BYTES
}
