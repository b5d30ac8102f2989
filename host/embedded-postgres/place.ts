/**
 * Where the cluster, its socket and its log live. All are under DATA_DIR, except where that cannot
 * work: a data directory that the server's user cannot enter (root's home), and a socket path that
 * is longer than the 107 bytes which the system allows.
 */
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  rmdirSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { codeOf, StorageError } from '#kernel/host'
import { canEnter, NOT_AS_ROOT, serverUser, type ServerUser } from './user.ts'

/** sun_path holds 107 bytes on Linux and 103 on macOS. */
const SOCKET_PATH_MAX_BYTES = 103
export const SOCKET_NAME = '.s.PGSQL.5432'
/** Clusters of root whose DATA_DIR the server's user cannot enter. */
export const ELSEWHERE = '/var/lib/coinop'
/** Socket directories in `socketParents`, for a DATA_DIR where none can be. */
export const SOCKET_FOLDER = /^coinop-[0-9a-f]{16}$/

export interface Place {
  user: ServerUser | null
  /** The cluster's name in DATA_DIR; a symlink when the cluster lies elsewhere. */
  clusterLink: string
  /** Where a new cluster goes: `clusterLink` itself, or a fresh folder elsewhere. */
  newCluster: string
  socketDir: string
  logFile: string
}

/** Makes DATA_DIR and the socket directory; the cluster itself may not exist yet. */
export function preparePlace(dataDir: string): Place {
  const home = resolve(dataDir)
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StorageError(
      `DATA_DIR ${home} cannot be made: ${(error as Error).message}`,
      'Set DATA_DIR to a folder that this user may write to, or use DATABASE_URL.',
      { cause: error },
    )
  }
  const clusterLink = join(home, 'postgres')
  const user = serverUser(clusterLink)
  return {
    user,
    clusterLink,
    newCluster: reachable(home, user) ? clusterLink : join(elsewhere(), 'postgres'),
    socketDir: socketDirectory(home, user),
    logFile: join(home, 'postgres.log'),
  }
}

/** A StorageError when the server's user cannot pass to a cluster that is there: one that was moved. */
export function checkReachable({ user, clusterLink }: Place): void {
  if (user === null) return
  const cluster = realpathSync(clusterLink)
  const owner = statSync(cluster).uid
  if (owner !== user.uid) {
    throw new StorageError(
      `${clusterLink} belongs to user ${owner}, and PostgreSQL runs as user ${user.uid} here: it was copied without its owners, as \`cp -r\` does.`,
      `Copy it again with \`cp -a\`, or give it back: chown -R ${user.uid}:${user.gid} ${cluster}`,
    )
  }
  if (canEnter(user, cluster)) return
  throw new StorageError(
    `${clusterLink} cannot be entered by user ${user.uid}, whom it belongs to and who runs the server.`,
    'Let everybody pass through the folders above it (chmod o+x), or move DATA_DIR to where that is so.',
  )
}

/** Opens DATA_DIR itself for passing through (never for reading) when only that is missing. */
function reachable(home: string, user: ServerUser | null): boolean {
  if (user === null || canEnter(user, home)) return true
  const { mode } = statSync(home)
  chmodSync(home, (mode & 0o777) | 0o011)
  if (canEnter(user, home)) return true
  chmodSync(home, mode & 0o777)
  return false
}

function elsewhere(): string {
  const folder = join(ELSEWHERE, randomBytes(6).toString('hex'))
  mkdirSync(ELSEWHERE, { recursive: true, mode: 0o711 })
  return folder
}

function socketDirectory(home: string, user: ServerUser | null): string {
  const inside = join(home, 'run')
  if (isShort(inside) && (user === null || canEnter(user, home)))
    return privateDirectory(inside, user)
  const hash = createHash('sha256').update(realpathSync(home)).digest('hex').slice(0, 16)
  const folders = socketParents().map((parent) => join(parent, `coinop-${hash}`))
  return privateDirectory(folders.find(isShort) ?? folders[0]!, user)
}

/** Whether the path of a socket in this directory is one that the system allows. */
const isShort = (directory: string): boolean =>
  Buffer.byteLength(join(directory, SOCKET_NAME)) <= SOCKET_PATH_MAX_BYTES

/** Where socket directories go that cannot be in DATA_DIR: a build system's TMPDIR is long as well. */
export const socketParents = (): string[] => [...new Set([tmpdir(), '/tmp'])]

/** Gives a new directory to the server's user; it is gone where that is not allowed. */
function giveAway(path: string, { uid, gid }: ServerUser): void {
  try {
    chownSync(path, uid, gid)
  } catch (cause) {
    rmdirSync(path)
    throw new StorageError(
      `PostgreSQL does not run as root, and this process may not give ${path} to user ${uid}: its container took the right away (CAP_CHOWN).`,
      NOT_AS_ROOT,
      { cause },
    )
  }
}

/**
 * A directory that only the server's user (and root) can enter. The server trusts anybody on its
 * socket, so in a shared temporary directory somebody else's folder of that name is refused.
 */
export function privateDirectory(path: string, user: ServerUser | null): string {
  try {
    mkdirSync(path, { mode: 0o700 })
    if (user !== null) giveAway(path, user)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const found = lstatSync(path)
  const owner = user?.uid ?? process.geteuid?.()
  if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0) {
    throw new StorageError(
      `${path} is not a private directory of the database's user.`,
      'Remove it, or choose another DATA_DIR.',
    )
  }
  return path
}
