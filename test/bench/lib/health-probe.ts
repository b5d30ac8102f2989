/**
 * A thread that asks for /health without pause and keeps the longest time an answer took, and the
 * largest memory of the gateway's process: the bench's own loop may be busy with what it sends.
 */
import { readFileSync } from 'node:fs'

declare const self: Worker

/** What a probe saw between two questions. */
export interface ProbeReport {
  asked: number
  longestMs: number
  /** 99 of 100 answers were faster. */
  p99Ms: number
  peakRssMib: number
}

/** Starts the thread; `take` tells what was seen since it was last called. */
export function startProbe(
  url: string,
  pid: number,
): { take(): Promise<ProbeReport>; stop(): void } {
  const worker = new Worker(import.meta.path)
  worker.postMessage({ url, pid })
  return {
    take: () =>
      new Promise((resolve) => {
        worker.onmessage = ({ data }) => resolve(data as ProbeReport)
        worker.postMessage('take')
      }),
    stop: () => worker.terminate(),
  }
}

if (!Bun.isMainThread) {
  let times: number[] = []
  let peakRssMib = 0
  self.onmessage = ({ data }: MessageEvent) => {
    if (data !== 'take') {
      void probe(data.url, data.pid)
      return
    }
    times.sort((a, b) => a - b)
    const report: ProbeReport = {
      asked: times.length,
      longestMs: times.at(-1) ?? 0,
      p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
      peakRssMib,
    }
    times = []
    peakRssMib = 0
    self.postMessage(report)
  }

  async function probe(url: string, pid: number): Promise<void> {
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
}
