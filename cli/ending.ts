/** What tells this process to end: signals, and the end of the command that it was started as. */
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'

/**
 * Ctrl-C in a terminal reaches the whole process group, and npm, npx and bun pass it on as well: what
 * comes this soon after the first signal is that same one.
 */
const SAME_SIGNAL_MS = 1000
const PARENT_POLL_MS = 500
const HANGUP_BIT = 1n

/**
 * The first SIGINT, SIGTERM or SIGHUP, or `SIGHUP` when the npm script or launcher that started this
 * process is gone: npm passes SIGHUP on to nobody. Under nohup SIGHUP stays ignored. `onSecond` is
 * what to do at a later signal.
 */
export function untilToldToEnd(
  onSecond: () => void = () => {},
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  let firstAtMs: number | null = null
  return new Promise((resolve) => {
    const signals = isHangupIgnored() ? ['SIGINT', 'SIGTERM'] : ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) {
      process.on(signal, () => {
        firstAtMs ??= performance.now()
        if (performance.now() - firstAtMs > SAME_SIGNAL_MS) onSecond()
        resolve(signal)
      })
    }
    if (!endsWithParent(env)) return
    const parent = process.ppid
    const poll = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(poll)
      firstAtMs ??= performance.now()
      resolve('SIGHUP')
    }, PARENT_POLL_MS)
    poll.unref()
  })
}

/** Whether the parent is the command that somebody started: a script that uses `exec`, or bin/coinop.mjs. */
function endsWithParent(env: NodeJS.ProcessEnv): boolean {
  return (
    env['COINOP_LAUNCHER'] === String(process.ppid) ||
    env['npm_lifecycle_script']?.startsWith('exec bun ') === true
  )
}

function isHangupIgnored(): boolean {
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return (BigInt(`0x${ignored ?? '0'}`) & HANGUP_BIT) !== 0n
  } catch {
    // Only Linux tells.
    return false
  }
}

/** The exit code of a command that a signal ended before it was done, as shells say it: 130 for Ctrl-C. */
export function exitCodeOf(signal: string): number {
  return 128 + (constants.signals[signal as NodeJS.Signals] ?? 0)
}
