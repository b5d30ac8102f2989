/** Preloaded into a process under measurement: on SIGUSR2 it prints its live heap after a full GC. */
import { heapStats } from 'bun:jsc'

process.on('SIGUSR2', () => {
  Bun.gc(true)
  process.stderr.write(`live heap ${heapStats().heapSize} bytes\n`)
})
