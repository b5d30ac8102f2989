/**
 * Files of an embedded database outside of its DATA_DIR (see place.ts), and their removal once the
 * DATA_DIR is gone. A socket directory is useless without a server. A cluster holds a ledger, so it
 * is removed only if it was a sandbox's: a file in DATA_DIR is hard-linked beside the cluster, and
 * its link count drops to 1 when DATA_DIR is deleted, but not when it is moved.
 */
import {
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Logger } from '#kernel'
import { isAlive } from '#kernel/host'
import { ELSEWHERE, SOCKET_FOLDER, SOCKET_NAME, socketParents } from './place.ts'
import { runningPostmaster } from './postmaster.ts'

const MARK = 'sandbox'
const MARK_IN_DATA_DIR = 'postgres.sandbox'
/** Something younger may still be in use. */
const ABANDONED_AFTER_MS = 10 * 60_000
/**
 * A server touches the lock of its socket every hour. A younger one may belong to a server in another
 * process namespace, whose number says nothing here.
 */
const UNTOUCHED_AFTER_MS = 2 * 3_600_000

/** Marks a cluster that lies elsewhere as a sandbox's, or takes the mark away. */
export function markSandbox(dataDir: string, sandbox: boolean): void {
  const folder = dirname(realpathSync(join(dataDir, 'postgres')))
  if (dirname(folder) !== ELSEWHERE) return
  const mark = join(folder, MARK)
  const twin = join(dataDir, MARK_IN_DATA_DIR)
  if (sandbox && isSameFile(mark, twin)) return
  rmSync(mark, { force: true })
  rmSync(twin, { force: true })
  if (!sandbox) return
  writeFileSync(twin, '')
  try {
    linkSync(twin, mark)
  } catch {
    // On another file system there are no links to tell, so that cluster stays.
    rmSync(twin, { force: true })
  }
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }))
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev
}

/** Removes a socket directory in the temporary folder; the next start makes it anew. */
export function removeSocketDirectory(dataDir: string, socketDir: string): void {
  if (dirname(socketDir) !== resolve(dataDir) && !hasServer(socketDir)) remove(socketDir)
}

/** Removes what one database had outside of a DATA_DIR that is gone. */
export function removeRemains(dataDir: string, socketDir: string, clusterDir: string): void {
  if (existsSync(dataDir)) return
  removeSocketDirectory(dataDir, socketDir)
  const folder = dirname(clusterDir)
  if (dirname(folder) === ELSEWHERE && isDisposable(folder)) remove(folder)
}

/** Removes what databases left that were not ended in order; never what a server uses. */
export function sweepRemains(log: Logger): void {
  for (const path of socketParents().flatMap((parent) => entries(parent, SOCKET_FOLDER))) {
    if (isOld(path) && isOld(lockOf(path), UNTOUCHED_AFTER_MS) && !hasServer(path)) remove(path)
  }
  for (const folder of entries(ELSEWHERE, /^[0-9a-f]{12}$/)) {
    if (!isOld(folder) || !isDisposable(folder)) continue
    log.info({ folder }, 'removing the sandbox database of a DATA_DIR that was deleted')
    remove(folder)
  }
}

/** A cluster that was never completed, or a sandbox's whose DATA_DIR was deleted. */
function isDisposable(folder: string): boolean {
  const cluster = join(folder, 'postgres')
  if (!existsSync(cluster)) return isOld(folder)
  const mark = statSync(join(folder, MARK), { throwIfNoEntry: false })
  return mark?.nlink === 1 && runningPostmaster(cluster) === null
}

/** Whether the server that made the socket here is alive, by the lock file beside the socket. */
function hasServer(socketDir: string): boolean {
  try {
    return isAlive(Number(readFileSync(lockOf(socketDir), 'utf8').split('\n')[0]))
  } catch {
    return false
  }
}

const lockOf = (socketDir: string) => join(socketDir, `${SOCKET_NAME}.lock`)

/** Folders inside of `folder` whose names match. */
function entries(folder: string, pattern: RegExp): string[] {
  return names(folder)
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // It does not exist, or is not for us to read.
    return []
  }
}

/** Whether nothing of that age or younger is there. */
function isOld(path: string, ageMs = ABANDONED_AFTER_MS): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined || Date.now() - found.mtimeMs > ageMs
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Another user's.
  }
}
