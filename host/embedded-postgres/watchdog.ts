/**
 * Stops the embedded server after its users were killed. A small shell of this process waits at the
 * end of a pipe: the system closes the pipe however we die, and keeps it open while we are only
 * stopped (SIGSTOP) or slow. Some seconds later the shell runs retire.ts, which takes the locks
 * that an orderly end takes, so a server that another process has adopted is left alone.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { serverEnvironment } from './cluster.ts'
import type { Place } from './place.ts'

/** The next gateway, of a service manager for example, has this long to adopt the server. */
export const GRACE_MS = 20_000
const RESPAWN_MS = 1000
const SCRIPT = fileURLToPath(new URL('./watchdog.sh', import.meta.url))
const RETIRE = fileURLToPath(new URL('./retire.ts', import.meta.url))

export interface Watchdog {
  /** Says which server is in use now. */
  watch(server: { pid: number }, clusterDir: string): void
  /**
   * Ends the watch: `closed` when the server has ended or others use it, `left` when that is
   * unknown and is to be looked after at once.
   */
  end(how: 'closed' | 'left'): void
}

/** Starts the watch of this process; a watchdog that is killed itself is started anew. */
export function startWatchdog(dataDir: string, place: Place, graceMs: number): Watchdog {
  const graceS = String(Math.ceil(graceMs / 1000))
  const command = [process.execPath, RETIRE, dataDir, place.socketDir]
  let last = ''
  let isOver = false
  let child = spawnShell()

  function spawnShell(): ChildProcess {
    const shell = spawn('/bin/sh', [SCRIPT, graceS, ...command], {
      cwd: '/',
      env: { ...serverEnvironment(), BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0' },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    shell.unref()
    let isLost = false
    const replace = () => {
      if (isLost || isOver) return
      isLost = true
      setTimeout(() => {
        if (!isOver) child = spawnShell()
      }, RESPAWN_MS).unref()
    }
    // It could not be started, such as without a free process or file, which passes.
    shell.once('error', replace)
    // It may end before it reads.
    shell.stdin?.on('error', () => {})
    shell.once('exit', replace)
    if (last !== '') shell.stdin?.write(last)
    return shell
  }

  return {
    watch({ pid }, clusterDir) {
      last = `server ${pid} ${clusterDir}\n`
      child.stdin?.write(last)
    },
    end(how) {
      isOver = true
      child.stdin?.end(`${how}\n`)
    },
  }
}
