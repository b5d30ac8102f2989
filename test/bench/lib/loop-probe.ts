/**
 * Preloaded into a gateway under attack: writes a line for each turn of its event loop that used the
 * processor for long. Time on the processor says what the gateway did, whatever else the machine
 * runs. Linux only.
 */
import { appendFileSync, readFileSync } from 'node:fs'

const NOTED_ABOVE_MS = 10
const file = process.env['LOOP_PROBE_FILE']!

/** Milliseconds that this thread has been on a processor. */
function processorMs(): number {
  return (
    Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  )
}

let lastMs = processorMs()
function tick(): void {
  const nowMs = processorMs()
  if (nowMs - lastMs > NOTED_ABOVE_MS) appendFileSync(file, `${Date.now()} ${nowMs - lastMs}\n`)
  lastMs = processorMs()
  setTimeout(tick, 1)
}
tick()
