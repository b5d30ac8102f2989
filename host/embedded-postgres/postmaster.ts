/** What PostgreSQL itself writes about a running server: `postmaster.pid` in the data directory. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { codeOf, isAlive, StorageError } from '#kernel/host'
import { SOCKET_NAME } from './place.ts'

export interface Postmaster {
  pid: number
  socketDir: string
  /** Accepts connections (it wrote `ready` on its status line). */
  ready: boolean
}

/**
 * The live server of a cluster, or null. A file left by a crash whose process number now belongs to
 * another program is removed: PostgreSQL alone would refuse to start over it.
 */
export function runningPostmaster(clusterDir: string): Postmaster | null {
  const path = join(clusterDir, 'postmaster.pid')
  let lines: string[]
  try {
    lines = readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
  // Lines: pid, data directory, start time, port, socket directory, address, shared memory, status.
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return null
  if (!isServerOf(pid, clusterDir)) {
    refuseMoved(pid, clusterDir)
    rmSync(path, { force: true })
    return null
  }
  return { pid, socketDir: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' }
}

/**
 * Removes the lock of a socket that a crash left, or that was copied with its folder, where its process
 * number belongs to another program: PostgreSQL refuses to start over it as long as that one lives.
 */
export function freeSocket(socketDir: string, clusterDir: string): void {
  const path = join(socketDir, `${SOCKET_NAME}.lock`)
  if (!existsSync(path)) return
  const pid = Number(readFileSync(path, 'utf8').split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid) || isServerOf(pid, clusterDir)) return
  refuseMoved(pid, clusterDir)
  rmSync(path, { force: true })
}

/** Throws where that process is the server of this directory under the name that it had before. */
function refuseMoved(pid: number, clusterDir: string): void {
  try {
    if (!wordsOf(pid).includes('-D')) return
    const [used, own] = [statSync(`/proc/${pid}/cwd`), statSync(clusterDir)]
    if (used.dev !== own.dev || used.ino !== own.ino) return
  } catch {
    // It ended just now, or nothing tells: PostgreSQL itself looks at its shared memory.
    return
  }
  throw new StorageError(
    `${clusterDir} was moved while its PostgreSQL server (process ${pid}) was running.`,
    'Stop the gateway that uses it, and start again. The server of a gateway that was killed ends by itself after 20 s.',
  )
}

/** The command line of a process; only Linux tells. */
const wordsOf = (pid: number): string[] => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')

/**
 * Whether that process is a server of this directory, by its command line: unlike its working
 * directory, root may read that in a container too. A dead process that nobody collected has none.
 * A directory that is gone is compared as it was resolved before.
 */
export function isServerOf(pid: number, clusterDir: string): boolean {
  const directory = existsSync(clusterDir) ? realpathSync(clusterDir) : clusterDir
  if (process.platform !== 'linux') {
    const answer = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return answer.stdout.includes(`postgres -D ${directory} `)
  }
  try {
    const words = wordsOf(pid)
    const named = words[words.indexOf('-D') + 1]
    return words.includes('-D') && named !== undefined && resolve(named) === directory
  } catch (cause) {
    if (!isAlive(pid)) return false
    throw new StorageError(
      `It cannot be told whether process ${pid} is the PostgreSQL server of ${directory}.`,
      `If it is not, remove ${join(directory, 'postmaster.pid')}.`,
      { cause },
    )
  }
}
