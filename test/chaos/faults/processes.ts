/** What gateways have started, and what of it is still there when they have ended. */
import { readdirSync, readFileSync } from 'node:fs'
import { procStat } from '../../support/proc-stat.ts'

export interface Process {
  pid: number
  parent: number
  command: string
  /** Clock ticks from the start of the machine to its own: with its number it names one process. */
  startedAt: string
}

const LOOK_MS = 300
/** The database of a killed gateway outlives it by 20 s, and needs some more to end. */
const PATIENCE_MS = 60_000

/** The processes below this one, the nearest first. */
export function descendantsOf(pid: number): Process[] {
  const all = allProcesses()
  const below = (parent: number): Process[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)])
  return below(pid)
}

export interface Watch {
  /** Waits for what ends by itself; a line for each descendant that was ever seen and still runs. */
  left(): Promise<string[]>
  /** How many descendants were seen. */
  seen(): number
}

/** Notes every descendant of these processes, some times a second, until it is asked for the rest. */
export function watchDescendants(parents: () => readonly number[]): Watch {
  const seen = new Map<string, Process>()
  const look = (): void => {
    for (const one of parents().flatMap(descendantsOf)) seen.set(nameOf(one), one)
  }
  const timer = setInterval(look, LOOK_MS)
  return {
    seen: () => seen.size,
    async left() {
      clearInterval(timer)
      const running = (): Process[] => allProcesses().filter((one) => seen.has(nameOf(one)))
      for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs;) {
        if (running().length === 0) return []
        await Bun.sleep(LOOK_MS)
      }
      return running().map(({ pid, command }) => `process ${pid}: ${command.slice(0, 200)}`)
    },
  }
}

const nameOf = ({ pid, startedAt }: Process): string => `${pid} ${startedAt}`

/** Only Linux has them in files. */
function allProcesses(): Process[] {
  return readdirSync('/proc').flatMap((name): Process[] => {
    if (!/^\d+$/.test(name)) return []
    try {
      const fields = procStat(name)
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      const [state, parent] = fields
      if (state === 'Z') return []
      return [{ pid: Number(name), parent: Number(parent), command, startedAt: fields[19]! }]
    } catch {
      // It ended meanwhile.
      return []
    }
  })
}
