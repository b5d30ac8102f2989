/**
 * The document pool: untrusted PDF, image, HTML, schema and diff work runs in child processes with
 * memory and time limits, so a bomb costs one child and never the gateway.
 */
import type { Logger } from '../log/logger.ts'

/** A module that a child loads; it must default-export `JobHandlers`. */
export interface JobModule {
  /** Absolute file URL: `new URL('./worker.ts', import.meta.url).href`. */
  url: string
}
/** What a job module default-exports: named pure functions of structured-cloneable input. */
export type JobHandlers = Record<
  string,
  // oxlint-disable-next-line typescript/no-explicit-any
  (input: any, report: (progress: unknown) => void) => unknown
>

export interface JobOptions {
  /** Wall-clock limit in milliseconds; the child is killed (SIGKILL) when over it. */
  timeoutMs: number
  /** Resident memory limit in MiB of the child; it is killed when over it. Default 512. */
  memoryMib?: number
  signal?: AbortSignal
  /** The share whose turn the job uses while several wait. Set by the gateway, not by skills. */
  share?: string
  onProgress?(progress: unknown): void
}

/**
 * How a job ended. 'crashed' includes a handler that threw, with its message; 'overloaded' means
 * that the queue was full, 'share_full' that the caller's share of it was. Time in the queue does
 * not count for `timeoutMs`: the caller's signal limits it.
 */
export type JobOutcome<R> =
  | { ok: true; value: R }
  | {
      ok: false
      reason: 'timeout' | 'memory' | 'crashed' | 'aborted' | 'overloaded' | 'share_full' | 'stopped'
      message: string
    }

export interface DocumentPool {
  /**
   * Runs `handler` of `module` in a warm child. Input and result are structured-cloned; bytes
   * (Uint8Array) are allowed. Never throws for what the job does: see JobOutcome. A handler that
   * throws ends as 'crashed' with its message; expected refusals should be returned as values. One
   * that throws for want of memory (the engine's own error, or one with code ENOMEM) in a child
   * that ran other jobs before is run once more in a fresh child.
   */
  run<R>(
    module: JobModule,
    handler: string,
    input: unknown,
    options: JobOptions,
  ): Promise<JobOutcome<R>>
}

export interface PoolOptions {
  /**
   * Number of child processes; one is started at once, the others when needed. One extra may be
   * lent to a caller without any, see `FairQueue`.
   */
  size: number
  log: Logger
  /** Jobs that may wait; one more is answered 'overloaded'. Default 256. */
  maxQueued?: number
  /** Jobs of one share that may wait; one more is answered 'share_full'. Default 128. */
  maxQueuedPerShare?: number
  /** A child is replaced after this many jobs. Default 200. */
  recycleAfterJobs?: number
  /** A child that keeps more than this is replaced when no job came for so long. Default 384, 10,000. */
  recycleAbove?: { mib: number; idleMs: number }
}

export interface PoolStats {
  children: number
  busy: number
  queued: number
  done: number
  failed: number
}

export interface RunningPool extends DocumentPool {
  stats(): PoolStats
  /**
   * Takes no more jobs, lets running and queued ones go on until the deadline, then kills; what was
   * killed is answered 'stopped'. Resolves when every child is gone.
   */
  stop(deadline: Date): Promise<void>
}

/** The pool with `share` as the default share of its jobs. */
export function poolOf(pool: DocumentPool, share: string): DocumentPool {
  return {
    run: (module, handler, input, options) =>
      pool.run(module, handler, input, { share, ...options }),
  }
}

/** How often it makes sense to ask for another process's memory: `ps` costs a process, /proc about 15 µs. */
export const RESIDENT_POLL_MS = process.platform === 'linux' ? 25 : 250
