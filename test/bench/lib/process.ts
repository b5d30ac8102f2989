/** A server under measurement as its own process: its address and the CPU time it used. */
import { join, resolve } from 'node:path'
import { procStat } from '../../support/proc-stat.ts'

const root = resolve(import.meta.dirname, '../../..')
const TICKS_PER_SECOND = 100

export interface MeasuredProcess {
  url: string
  pid: number
  /** User and system CPU seconds used so far. */
  cpuS(): number
  stop(): Promise<void>
}

/** Starts `script` (a path below the project) and waits for its 'listening on' line. */
export async function startProcess(
  script: string,
  args: string[] = [],
  env: Record<string, string> = {},
  /** A file below the project that runs in the server before its own. */
  preload: string | null = null,
): Promise<MeasuredProcess> {
  const before = preload === null ? [] : ['--preload', join(root, preload)]
  const child = Bun.spawn([process.execPath, ...before, join(root, script), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const url = await listeningUrl(script, child.stdout.getReader())
  return { url, pid: child.pid, cpuS: () => cpuSeconds(child.pid), stop: () => stopChild(child) }
}

/** Reads on after the line was found: a closed pipe would make the server's log fail. */
async function listeningUrl(
  script: string,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<string> {
  const decoder = new TextDecoder()
  let printed = ''
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    printed += decoder.decode(next.value, { stream: true })
    const match = /listening on (http:\/\/\S+)/.exec(printed)
    if (!match) continue
    void drain(reader)
    return match[1]!
  }
  throw new Error(`${script} ended before it listened:\n${printed}`)
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let next = await reader.read()
  while (!next.done) next = await reader.read()
}

async function stopChild(child: Bun.Subprocess): Promise<void> {
  child.kill('SIGTERM')
  await child.exited
}

/** CPU seconds of a process from /proc (Linux). */
export function cpuSeconds(pid: number): number {
  return secondsOf(pid)
}

/** CPU seconds of its first thread, on which a server's JavaScript runs. */
export function mainThreadSeconds(pid: number): number {
  return secondsOf(`${pid}/task/${pid}`)
}

function secondsOf(of: number | string): number {
  const fields = procStat(of)
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
