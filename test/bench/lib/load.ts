/** Closed-loop load: so many callers, each starting its next operation when the last is done. */

export interface LoadOptions {
  callers: number
  durationMs: number
  /** Not measured: fills caches, prepares statements. */
  warmupMs?: number
  operation(caller: number): Promise<unknown>
}
export interface LoadResult {
  perSecond: number
  p50Ms: number
  p99Ms: number
  operations: number
}

/** Throughput and latency of `operation`; the first error ends the run and is thrown. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  if (options.warmupMs) await timed(options, options.warmupMs)
  const { latenciesMs, elapsedMs } = await timed(options, options.durationMs)
  latenciesMs.sort()
  const at = (share: number) =>
    latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * share))] ?? NaN
  return {
    perSecond: (latenciesMs.length / elapsedMs) * 1000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    operations: latenciesMs.length,
  }
}

async function timed(options: LoadOptions, durationMs: number) {
  const latencies: number[] = []
  const startedMs = performance.now()
  const endMs = startedMs + durationMs
  const caller = async (_: unknown, index: number) => {
    for (let beganMs = performance.now(); beganMs < endMs;) {
      await options.operation(index)
      const nowMs = performance.now()
      latencies.push(nowMs - beganMs)
      beganMs = nowMs
    }
  }
  await Promise.all(Array.from({ length: options.callers }, caller))
  return {
    latenciesMs: Float64Array.from(latencies),
    elapsedMs: performance.now() - startedMs,
  }
}

/** The middle one of an odd number of results, by throughput. */
export function median(results: readonly LoadResult[]): LoadResult {
  const sorted = results.toSorted((a, b) => a.perSecond - b.perSecond)
  return sorted[Math.floor(sorted.length / 2)]!
}
