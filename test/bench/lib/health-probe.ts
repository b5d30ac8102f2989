/**
 * A thread that asks for /health without pause and keeps the longest time an answer took, and the
 * largest memory of the gateway's process: the bench's own loop may be busy with what it sends.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** What a probe saw between two questions. */
export interface ProbeReport {
  asked: number
  longestMs: number
  /** 99 of 100 answers were faster. */
  p99Ms: number
  peakRssMib: number
}

interface Probed {
  url: string
  pid: number
}

/** Starts the thread; `take` tells what was seen since it was last called. */
export function startProbe(
  url: string,
  pid: number,
): { take(): Promise<ProbeReport>; stop(): Promise<unknown> } {
  const worker = new Worker(import.meta.filename, { workerData: { url, pid } satisfies Probed })
  return {
    take: async () => {
      const report = once(worker, 'message')
      worker.postMessage('take', [])
      return (await report)[0] as ProbeReport
    },
    stop: () => worker.terminate(),
  }
}

async function probe({ url, pid }: Probed): Promise<never> {
  let times: number[] = []
  let peakRssMib = 0
  parentPort!.on('message', () => {
    times.sort((a, b) => a - b)
    const report: ProbeReport = {
      asked: times.length,
      longestMs: times.at(-1) ?? 0,
      p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
      peakRssMib,
    }
    times = []
    peakRssMib = 0
    parentPort!.postMessage(report, [])
  })
  for (;;) {
    const startedMs = performance.now()
    const answer = await fetch(`${url}/health`)
    await answer.arrayBuffer()
    times.push(performance.now() - startedMs)
    const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    peakRssMib = Math.max(peakRssMib, Number(rss ?? 0) / 1024)
    await Bun.sleep(2)
  }
}

if (!isMainThread) await probe(workerData as Probed)
