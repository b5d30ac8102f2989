/** Resident memory of another process, cheap enough to be polled while a job runs. */
import { readFileSync } from 'node:fs'

const isLinux = process.platform === 'linux'

/** MiB resident of process `pid` (its own, not its children's); null when it is gone. */
export async function residentMib(pid: number): Promise<number | null> {
  const text = isLinux ? statusOf(pid) : await psOf(pid)
  const kib = Number(/(?:VmRSS:)?\s*(\d+)/.exec(text)?.[1])
  return Number.isFinite(kib) && kib > 0 ? kib / 1024 : null
}

function statusOf(pid: number): string {
  try {
    return /VmRSS:.*/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[0] ?? ''
  } catch {
    return ''
  }
}

async function psOf(pid: number): Promise<string> {
  const ps = Bun.spawn(['ps', '-o', 'rss=', '-p', String(pid)], { stderr: 'ignore' })
  return new Response(ps.stdout).text()
}
