/**
 * The document pool: a few warm child processes, one job each, a bounded first-in first-out queue
 * before them. A caller with many slow jobs delays others by at most the jobs queued ahead.
 */
import type { Logger } from '../plugins/contract.ts'
import type { DocumentPool, JobModule, JobOptions, JobOutcome } from './contract.ts'
import { sweepJobFolders } from './folders.ts'
import { Worker, type Job } from './worker.ts'

export interface PoolOptions {
  /** Child processes at most; one is started at once, the others when needed. */
  size: number
  log: Logger
  /** Jobs that may wait; one more is answered 'overloaded'. Default 256. */
  maxQueued?: number
  /** A child is replaced after this many jobs. Default 200. */
  recycleAfterJobs?: number
  /** A child that keeps more than this between jobs is replaced. Default 384. */
  recycleAboveMib?: number
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

interface Queued extends Job {
  answer(outcome: JobOutcome<unknown>): void
  /** The queue's own abort listener, which the job has until it has a child. */
  enter(): void
  leave(): void
  /** A child was gone before the job reached it; that happens to a job once. */
  isSecondTry: boolean
}

const MAX_QUEUED = 256
const RECYCLE_AFTER_JOBS = 200
const RECYCLE_ABOVE_MIB = 384
/** A child that already holds this share of a job's memory limit would be killed for its past. */
const USABLE_SHARE = 0.75

const STOPPED = { ok: false, reason: 'stopped', message: 'The gateway is shutting down' } as const
const ABORTED = { ok: false, reason: 'aborted', message: 'The job was aborted' } as const

class Pool implements RunningPool {
  readonly #options: Required<PoolOptions>
  readonly #workers = new Set<Worker>()
  readonly #queue: Queued[] = []
  #state: 'open' | 'draining' | 'stopped' = 'open'
  readonly #onIdle = new Set<() => void>()
  #done = 0
  #failed = 0

  constructor(options: PoolOptions) {
    this.#options = {
      maxQueued: MAX_QUEUED,
      recycleAfterJobs: RECYCLE_AFTER_JOBS,
      recycleAboveMib: RECYCLE_ABOVE_MIB,
      ...options,
    }
    sweepJobFolders()
    this.#spawn()
  }

  run<R>(
    module: JobModule,
    handler: string,
    input: unknown,
    options: JobOptions,
  ): Promise<JobOutcome<R>> {
    if (this.#state !== 'open') return Promise.resolve(STOPPED)
    if (options.signal?.aborted) return Promise.resolve(ABORTED)
    if (this.#queue.length >= this.#options.maxQueued) {
      const message = `${this.#queue.length} jobs are waiting already`
      return Promise.resolve({ ok: false, reason: 'overloaded', message })
    }
    return new Promise((resolve) => {
      const onAbort = (): void => {
        this.#queue.splice(this.#queue.indexOf(job), 1)
        resolve(ABORTED)
      }
      const job: Queued = {
        module,
        handler,
        input,
        options,
        answer: (outcome) => resolve(outcome as JobOutcome<R>),
        enter: () => options.signal?.addEventListener('abort', onAbort, { once: true }),
        leave: () => options.signal?.removeEventListener('abort', onAbort),
        isSecondTry: false,
      }
      job.enter()
      this.#queue.push(job)
      this.#assign()
    })
  }

  stats(): PoolStats {
    return {
      children: this.#workers.size,
      busy: this.#busy().length,
      queued: this.#queue.length,
      done: this.#done,
      failed: this.#failed,
    }
  }

  async stop(deadline: Date): Promise<void> {
    if (this.#state === 'open') this.#state = 'draining'
    if (this.#busy().length > 0 || this.#queue.length > 0) {
      let timer: ReturnType<typeof setTimeout> | undefined
      await new Promise<void>((resolve) => {
        this.#onIdle.add(resolve)
        timer = setTimeout(resolve, Math.max(0, deadline.getTime() - Date.now()))
      })
      clearTimeout(timer)
    }
    this.#state = 'stopped'
    for (const job of this.#queue.splice(0)) {
      job.leave()
      job.answer(STOPPED)
    }
    const gone = [...this.#workers].map((worker) => worker.exited)
    for (const worker of this.#workers) worker.kill()
    await Promise.all(gone)
  }

  #busy(): Worker[] {
    return [...this.#workers].filter((worker) => worker.busy)
  }

  #spawn(): Worker {
    const worker = new Worker(this.#options.log)
    this.#workers.add(worker)
    void this.#replaceWhenGone(worker)
    return worker
  }

  async #replaceWhenGone(worker: Worker): Promise<void> {
    await worker.exited
    this.#workers.delete(worker)
    // One that died before its first job would only die again: the next job may try.
    const replace = worker.jobsDone > 0 || worker.busy
    if (this.#state === 'open' && replace && this.#workers.size < this.#options.size) this.#spawn()
    this.#assign()
  }

  /** A child that may take the job; null when all places are taken. Unfit idle ones are retired. */
  #workerFor(job: Job): Worker | null {
    const usableMib = (job.options.memoryMib ?? Number.POSITIVE_INFINITY) * USABLE_SHARE
    for (const worker of this.#workers) {
      if (worker.busy || worker.spent) continue
      if (worker.restingMib <= usableMib) return worker
      worker.kill()
    }
    return this.#workers.size < this.#options.size ? this.#spawn() : null
  }

  #assign(): void {
    while (this.#queue.length > 0 && this.#state !== 'stopped') {
      const worker = this.#workerFor(this.#queue[0]!)
      if (worker === null) return
      void this.#runOn(worker, this.#queue.shift()!)
    }
    if (this.#queue.length === 0 && this.#busy().length === 0)
      for (const resolve of this.#onIdle) resolve()
  }

  async #runOn(worker: Worker, job: Queued): Promise<void> {
    job.leave()
    const { outcome, begun } = await worker.run(job)
    if (!begun && !job.isSecondTry && this.#state !== 'stopped') {
      // An idle child that somebody killed: no fault of the job that came next.
      job.isSecondTry = true
      job.enter()
      this.#queue.unshift(job)
      return this.#assign()
    }
    if (outcome.ok) this.#done += 1
    else this.#failed += 1
    const { recycleAfterJobs, recycleAboveMib } = this.#options
    if (worker.spent || worker.jobsDone >= recycleAfterJobs || worker.restingMib > recycleAboveMib)
      worker.kill()
    const stopped = this.#state === 'stopped' && !outcome.ok && outcome.reason === 'crashed'
    job.answer(stopped ? STOPPED : outcome)
    this.#assign()
  }
}

/** A running pool with one warm child; `stop` it, or its children end with this process. */
export function createDocumentPool(options: PoolOptions): RunningPool {
  return new Pool(options)
}
