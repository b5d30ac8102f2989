/** What a run of the tests leaves behind: entries of its temporary folder, and processes that use it. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isAlive } from '../../kernel/work/process.ts'

/** Folders of runs begin with this and the number of their process. */
export const RUN_FOLDER = 'coinop-run-'

/** The database of a killed gateway outlives it by 20 s, and needs some more to end. */
const PATIENCE_MS = 60_000

/** Waits for what ends by itself, then returns a line for each thing that is left. */
export async function leftovers(folder: string): Promise<string[]> {
  const until = Date.now() + PATIENCE_MS
  while (processesOf(folder).length > 0 && Date.now() < until) await delay(200)
  return [
    ...processesOf(folder).map(({ pid, command }) => `process ${pid}: ${command}`),
    ...readdirSync(folder).map((name) => `in the temporary folder: ${name}`),
  ]
}

/** Removes the folders of runs that were killed; their databases end by themselves. */
export function removeKilledRuns(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${RUN_FOLDER}(\\d+)-`).exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // Another user's.
    }
  }
}

/** Processes that were given this temporary folder or name it; only Linux tells. */
function processesOf(folder: string): { pid: string; command: string }[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .map((pid) => ({ pid, command: textOf(pid, 'cmdline').replaceAll('\0', ' ').slice(0, 200) }))
    .filter(
      ({ pid, command }) =>
        command.includes(folder) || textOf(pid, 'environ').includes(`TMPDIR=${folder}`),
    )
}

function textOf(pid: string, name: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
