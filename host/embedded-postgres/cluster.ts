/** The database cluster on disk: made once, complete or not at all. */
import { spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Logger } from '#kernel'
import { StorageError } from '#kernel/host'
import type { Binaries } from './binaries.ts'
import type { Place } from './place.ts'
import { runAs } from './user.ts'

export const SUPERUSER = 'coinop'
/** What initdb writes of a user without a line in /etc/passwd, as `docker run --user 12345` makes one. */
const NO_SUCH_USER = /could not look up effective user ID/
/** What it writes when it, or the server that it runs, is told to end: Ctrl-C reaches it too. */
const INTERRUPTED = /caught signal|by signal (1|2|15):/
/** What the server writes where the machine gives it too little of something that is on no disk. */
const SCARCE: readonly [RegExp, string][] = [
  [
    /shared memory segment .*No space left on device/,
    'Give /dev/shm 64 MiB or more (docker run --shm-size 64m), or set DATABASE_URL.',
  ],
  [
    /insufficient file descriptors/,
    'Allow this process 1024 open files or more (ulimit -n), or set DATABASE_URL.',
  ],
]
/** An unfinished cluster of this age was abandoned. */
const ABANDONED_AFTER_MS = 10 * 60_000

/**
 * Makes a cluster by initdb. It works under a temporary name and is renamed when complete, so an
 * interrupted one leaves nothing that looks finished; of two at once one wins.
 */
export async function makeCluster(place: Place, binaries: Binaries, log: Logger): Promise<void> {
  const startedAt = performance.now()
  log.info({ directory: place.newCluster }, 'preparing the embedded database')
  mkdirSync(dirname(place.newCluster), { recursive: true, mode: 0o711 })
  removeAbandoned(place.newCluster)
  const temporary = `${place.newCluster}.new-${process.pid}-${Date.now()}`
  mkdirSync(temporary, { mode: 0o700 })
  try {
    if (place.user !== null) chownSync(temporary, place.user.uid, place.user.gid)
    await initdb(temporary, place, binaries)
    publish(temporary, place)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  const elapsedMs = Math.round(performance.now() - startedAt)
  log.info({ directory: place.newCluster, elapsedMs }, 'the embedded database is prepared')
}

function publish(temporary: string, place: Place): void {
  try {
    renameSync(temporary, place.newCluster)
    syncDirectory(dirname(place.newCluster))
    if (place.newCluster !== place.clusterLink) {
      symlinkSync(place.newCluster, place.clusterLink)
      syncDirectory(dirname(place.clusterLink))
    }
  } catch (error) {
    // Another process published its cluster first: use that one.
    if (!existsSync(join(place.clusterLink, 'PG_VERSION'))) throw error
    if (place.newCluster !== place.clusterLink) {
      rmSync(dirname(place.newCluster), { recursive: true, force: true })
    }
  }
}

async function initdb(directory: string, place: Place, binaries: Binaries): Promise<void> {
  const child = spawn(
    binaries.initdb,
    [
      `--pgdata=${directory}`,
      `--username=${SUPERUSER}`,
      // Only those who can enter the socket directory reach the server, and it has no TCP port.
      '--auth=trust',
      '--encoding=UTF8',
      // The same order of text on every system, whatever its libc.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
      // A cluster has a thousand files: one call for all of them takes half the time of as many. macOS
      // has no such call.
      ...(process.platform === 'linux' ? ['--sync-method=syncfs'] : []),
    ],
    { ...runAs(place.user), env: serverEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) {
    if (INTERRUPTED.test(output))
      throw new StorageError(
        `The first start was interrupted while it made the database ${directory}.`,
        'Start again: nothing of it is left.',
      )
    throw new StorageError(
      `initdb could not make ${directory}: ${reasonOf(output)}`,
      NO_SUCH_USER.test(output)
        ? "The embedded PostgreSQL needs a user that the system knows: add one with this number to /etc/passwd, run as another (the image's own is 10001), or set DATABASE_URL."
        : (fixOfScarcity(output) ??
            'Check space and permissions of DATA_DIR, or set DATABASE_URL.'),
    )
  }
}

/** What a PostgreSQL program that failed wrote of the reason, else its last lines. */
export function reasonOf(output: string): string {
  const lines = output.trim().split('\n')
  const fatal = lines.filter((line) => / (FATAL|PANIC): /.test(line))
  return (fatal.length > 0 ? fatal : lines).slice(-3).join(' ')
}

/** What to change where something scarce is what a server lacks, else null. */
export function fixOfScarcity(reason: string): string | null {
  return SCARCE.find(([said]) => said.test(reason))?.[1] ?? null
}

/** The server's environment: the gateway's own holds secrets, so nothing of it is passed on. */
export function serverEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

/** Refuses a cluster of another major version before its server is started: that would not run on it. */
export function checkVersion({ clusterLink }: Pick<Place, 'clusterLink'>, major: string): void {
  const file = join(clusterLink, 'PG_VERSION')
  // PostgreSQL itself names what else is missing of a cluster without it.
  if (!existsSync(file)) return
  const found = readFileSync(file, 'utf8').trim()
  if (found === major) return
  throw new StorageError(
    `${clusterLink} was made by PostgreSQL ${found}, and this version of Coinop brings ${major}.`,
    'Nothing was changed. Start the version of Coinop that made it, or move the database to a server of your own (specs/operations.md) and set DATABASE_URL.',
  )
}

function removeAbandoned(cluster: string): void {
  const folder = dirname(cluster)
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(cluster)}.new-`)) continue
    const path = join(folder, name)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found !== undefined && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) {
      rmSync(path, { recursive: true, force: true })
    }
  }
}

/** Makes entries that were made, renamed or removed in a folder durable. */
export function syncDirectory(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
