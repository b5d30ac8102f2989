/** The processes of a browser and the memory they hold together. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

const isLinux = process.platform === 'linux'
/** Programs and libraries in one process, which all processes of a browser have in common. */
const PROGRAM_MIB = 192
const OOM_SCORE_MAX = '1000'

export interface TreeSample {
  /** Root first; empty when it is gone. */
  pids: number[]
  /** What each holds, added up: memory that several share counts several times. */
  residentMib: number
  /** What each holds for itself alone, added up. */
  privateMib: number
}

/** The tree below `root`, with both bounds of its memory in MiB. Costs under 1 ms on Linux. */
export async function sampleTree(root: number): Promise<TreeSample> {
  if (!isLinux) return sampleByPs(root)
  const sample: TreeSample = { pids: [], residentMib: 0, privateMib: 0 }
  // A browser starts its helpers from several threads; they themselves fork from the main one.
  const waiting = [root, ...threadsOf(root).flatMap((thread) => childrenOf(root, thread))]
  for (let pid = waiting.shift(); pid !== undefined; pid = waiting.shift()) {
    const status = textOf(`/proc/${pid}/status`)
    const resident = fieldMib(status, 'VmRSS')
    // A process that has ended, but not for its parent, holds nothing.
    if (resident === null) continue
    sample.pids.push(pid)
    sample.residentMib += resident
    sample.privateMib += fieldMib(status, 'RssAnon') ?? 0
    if (pid !== root) waiting.push(...childrenOf(pid, pid))
  }
  return sample
}

/**
 * MiB that the processes hold together, what they share counted once. Linux walks their page tables
 * for it, which takes milliseconds, so it is asked only where a limit lies between the bounds.
 */
export async function proportionalMib({ pids, residentMib }: TreeSample): Promise<number> {
  if (!isLinux) return residentMib
  const each = await Promise.all(pids.map(proportionalOf))
  return each.reduce((sum, mib) => sum + mib, 0)
}

async function proportionalOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const proportional = fieldMib(rollup, 'Pss')
  if (proportional !== null) return proportional
  // A sandboxed renderer hides its page tables from its own user: all but the program counts.
  const status = textOf(`/proc/${pid}/status`)
  const [anonymous, shared, files] = ['RssAnon', 'RssShmem', 'RssFile'].map(
    (name) => fieldMib(status, name) ?? 0,
  ) as [number, number, number]
  return anonymous + shared + Math.max(0, files - PROGRAM_MIB)
}

/** When the machine runs out of memory these go first; a container may forbid that. */
export function offerToOomKiller(pids: readonly number[]): void {
  if (!isLinux) return
  for (const pid of pids) {
    try {
      writeFileSync(`/proc/${pid}/oom_score_adj`, OOM_SCORE_MAX)
    } catch {
      // The browser's own, lower value stays, which is still above the gateway's.
    }
  }
}

/** SIGKILL to a browser, which leads a process group, and to everything in it. */
export function killTree(root: number): void {
  try {
    process.kill(-root, 'SIGKILL')
  } catch {
    // It is gone, and its helpers end with the pipes between them.
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function fieldMib(text: string, name: string): number | null {
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]
  return kib === undefined ? null : Number(kib) / 1024
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return []
  }
}

function childrenOf(pid: number, thread: number): number[] {
  return textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number)
}

async function sampleByPs(root: number): Promise<TreeSample> {
  const ps = Bun.spawn(['ps', '-A', '-o', 'pid=,ppid=,rss='], { stderr: 'ignore' })
  const rows = (await new Response(ps.stdout).text())
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number, number])
  const sample: TreeSample = { pids: [], residentMib: 0, privateMib: 0 }
  const waiting = [root]
  for (let pid = waiting.shift(); pid !== undefined; pid = waiting.shift()) {
    const row = rows.find(([one]) => one === pid)
    if (!row) continue
    sample.pids.push(pid)
    sample.residentMib += row[2] / 1024
    waiting.push(...rows.filter(([, parent]) => parent === pid).map(([one]) => one))
  }
  return sample
}
