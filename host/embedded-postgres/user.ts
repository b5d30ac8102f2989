/** Who the embedded server runs as: PostgreSQL refuses to run as root. */
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { StorageError } from '#kernel/host'

export interface ServerUser {
  uid: number
  gid: number
}

/** What to do where root is not enough of a root. */
export const NOT_AS_ROOT =
  "Run Coinop as a user who is not root (the image's own is 10001), or set DATABASE_URL."

/**
 * The user to switch to, or null to stay who we are. As root: the owner of a cluster that exists,
 * else `postgres`, else `nobody`. As anyone else the cluster must be one's own.
 */
export function serverUser(clusterDir: string): ServerUser | null {
  const own = process.geteuid?.() ?? 0
  const owner = statSync(clusterDir, { throwIfNoEntry: false })
  if (own !== 0) {
    if (owner !== undefined && owner.uid !== own) {
      throw new StorageError(
        `${clusterDir} belongs to user ${owner.uid}, this process runs as user ${own}.`,
        'Run Coinop as that user, or choose another DATA_DIR.',
      )
    }
    return null
  }
  if (owner !== undefined && owner.uid !== 0)
    return whomWeMayBecome({ uid: owner.uid, gid: owner.gid })
  const found = lookUp('postgres') ?? lookUp('nobody')
  if (found === null) {
    throw new StorageError(
      'PostgreSQL does not run as root, and this system has neither a user postgres nor nobody.',
      'Run Coinop as another user, or set DATABASE_URL.',
    )
  }
  return whomWeMayBecome(found)
}

/** That user. A StorageError where a container took root's right to change users, or has no other. */
function whomWeMayBecome(user: ServerUser): ServerUser {
  if (canEnter(user, '/')) return user
  throw new StorageError(
    `PostgreSQL does not run as root, and this process may not become user ${user.uid}: its container has no such user, or took the right away (CAP_SETUID, CAP_SETGID).`,
    NOT_AS_ROOT,
  )
}

/** spawn options that become `user`, from a directory that everybody can read. */
export function runAs(user: ServerUser | null): { cwd: string; uid?: number; gid?: number } {
  return { cwd: '/', ...(user !== null && { uid: user.uid, gid: user.gid }) }
}

/** Whether that user can enter a directory, asked of the system itself (modes, ACLs, mounts). */
export function canEnter(user: ServerUser | null, directory: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], runAs(user)).status === 0
}

function lookUp(name: string): ServerUser | null {
  const id = (flag: string) => {
    const answer = spawnSync('id', [flag, name], { encoding: 'utf8' })
    return answer.status === 0 ? Number(answer.stdout.trim()) : Number.NaN
  }
  const uid = id('-u')
  const gid = id('-g')
  return Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0 ? { uid, gid } : null
}
