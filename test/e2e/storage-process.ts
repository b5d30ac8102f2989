/** Starts storage-child.ts and talks to it. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createClient } from '../../host/database/client.ts'
import { bundled } from '../support/program.ts'

export interface StorageProcess {
  pid: number
  /** Resolves with the first line that has `field`, past or to come; rejects when it ended before. */
  line<T = unknown>(field: string): Promise<Record<string, T>>
  /** All values of `field` so far. */
  all<T>(field: string): T[]
  tell(command: string): void
  /** Asks and returns the next answer. */
  ask<T>(command: string, field: string): Promise<T>
  kill(signal: NodeJS.Signals): void
  /** Ends its input; resolves with the exit code after its orderly close. */
  close(): Promise<number | null>
  ended: Promise<number | null>
}

export interface EmbeddedSettings {
  sandbox?: boolean
  /** How long the server outlives its killed process. */
  graceMs?: number
}

export interface ProcessOptions {
  role?: 'gateway' | 'tool'
  user?: { uid: number; gid: number }
  embedded?: EmbeddedSettings
}

export function startStorage(dataDir: string, options: ProcessOptions = {}): StorageProcess {
  const child = spawn(
    process.execPath,
    [
      bundled('storage-child', join(import.meta.dirname, 'storage-child.ts')),
      dataDir,
      options.role ?? 'gateway',
      JSON.stringify(options.embedded ?? {}),
    ],
    {
      ...options.user,
      cwd: '/',
      // A group of its own, as a shell gives it: Ctrl-C signals the whole group.
      detached: true,
      env: {
        PATH: process.env['PATH'],
        HOME: '/nonexistent',
        TMPDIR: process.env['TMPDIR'] ?? '/tmp',
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const lines: Record<string, unknown>[] = []
  const waiting = new Set<() => void>()
  child.stdin.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', (text) => {
    // The last line of a process that was killed may be half of one.
    if (!text.endsWith('}')) return
    lines.push(JSON.parse(text))
    for (const wake of waiting) wake()
  })
  let over = false
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      over = true
      for (const wake of waiting) wake()
      resolve(code)
    })
  })
  function from<T>(start: number, field: string): Promise<Record<string, T>> {
    return new Promise((resolve, reject) => {
      const wake = () => {
        const found = lines.slice(start).find((line) => field in line)
        if (found === undefined && !over) return
        waiting.delete(wake)
        if (found === undefined)
          reject(new Error(`ended without ${field}: ${JSON.stringify(lines.slice(-3))}`))
        else resolve(found as Record<string, T>)
      }
      waiting.add(wake)
      wake()
    })
  }
  return {
    pid: child.pid!,
    ended,
    line: (field) => from(0, field),
    all: <T>(field: string) =>
      lines.filter((line) => field in line).map((line) => line[field] as T),
    tell: (command) => void child.stdin.write(`${command}\n`),
    async ask<T>(command: string, field: string) {
      const start = lines.length
      child.stdin.write(`${command}\n`)
      return (await from<T>(start, field))[field]!
    },
    kill: (signal) => void child.kill(signal),
    close() {
      child.stdin.end()
      return ended
    },
  }
}

/** Backends that hold the lock of a gateway on the embedded server behind this text. */
export async function lockHolders(url: string): Promise<number[]> {
  const sql = createClient(url, { max: 1, applicationName: 'test' })
  try {
    const rows = await sql<{ pid: number }[]>`
      select distinct pid from pg_locks where locktype = 'advisory' and objid = 2 and granted`
    return rows.map((row) => row.pid)
  } finally {
    await sql.end()
  }
}

/** Signals processes; one that is gone by then is left alone. */
export function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** Process number of the server of a DATA_DIR, from its own file. */
export function serverPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
}

/** Process numbers whose command line names `word` as one of its words. */
export function processesNaming(word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => wordsOf(pid).includes(word))
    .map(Number)
}

function wordsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
