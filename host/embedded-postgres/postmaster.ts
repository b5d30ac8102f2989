/** What PostgreSQL itself writes about a running server: `postmaster.pid` in the data directory. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { codeOf, isAlive, StorageError } from '#kernel/host'

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
    rmSync(path, { force: true })
    return null
  }
  return { pid, socketDir: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' }
}

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
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
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
