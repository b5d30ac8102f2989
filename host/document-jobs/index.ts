/**
 * The document pool: a few warm child processes, one job each, a bounded queue before them that is
 * shared fairly (see `FairQueue`). A caller with many slow jobs delays others by one of them at most.
 */
import { FairQueue, within, type JobModule, type JobOptions, type JobOutcome } from '#kernel'
import type { PoolOptions, RunningPool } from '#kernel/host'
import { sweepJobFolders } from './folders.ts'
import { Worker, type Job } from './worker.ts'

interface Queued extends Job {
  share: string
  answer(outcome: JobOutcome<unknown>): void
  /** The queue's own abort listener, which the job has until it has a child. */
  enter(): void
  leave(): void
  /** A child failed the job for no fault of the job's; that happens to a job once. */
  isSecondTry: boolean
}

const MAX_QUEUED = 256
const MAX_QUEUED_PER_SHARE = 128
/** Whose jobs are nobody's in particular. */
const OWN_SHARE = 'pool'
const RECYCLE_AFTER_JOBS = 200
/** What a job loaded makes the next one faster; what nobody needs goes back to the machine. */
const RECYCLE_ABOVE = { mib: 384, idleMs: 10_000 }
/** A child that already holds this share of a job's memory limit would be killed for its past. */
const USABLE_SHARE = 0.75

const STOPPED = { ok: false, reason: 'stopped', message: 'The gateway is shutting down' } as const
const ABORTED = { ok: false, reason: 'aborted', message: 'The job was aborted' } as const
const SHARE_FULL = {
  ok: false,
  reason: 'share_full',
  message: 'Too many jobs of this caller are waiting already',
} as const

class Pool implements RunningPool {
  readonly #options: Required<PoolOptions>
  readonly #workers = new Set<Worker>()
  readonly #queue: FairQueue<Queued>
  #state: 'open' | 'draining' | 'stopped' = 'open'
  readonly #onIdle = new Set<() => void>()
  #done = 0
  #failed = 0

  constructor(options: PoolOptions) {
    this.#options = {
      maxQueued: MAX_QUEUED,
      maxQueuedPerShare: MAX_QUEUED_PER_SHARE,
      recycleAfterJobs: RECYCLE_AFTER_JOBS,
      recycleAbove: RECYCLE_ABOVE,
      ...options,
    }
    const { size, maxQueued, maxQueuedPerShare } = this.#options
    this.#queue = new FairQueue({ places: size, maxQueued, maxQueuedPerShare })
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
    const share = options.share ?? OWN_SHARE
    return new Promise((resolve) => {
      const onAbort = (): void => {
        this.#queue.remove(share, job)
        resolve(ABORTED)
        // It may have been the job that the others were waiting behind.
        this.#assign()
      }
      const job: Queued = {
        share,
        module,
        handler,
        input,
        options,
        answer: (outcome) => resolve(outcome as JobOutcome<R>),
        enter: () => options.signal?.addEventListener('abort', onAbort, { once: true }),
        leave: () => options.signal?.removeEventListener('abort', onAbort),
        isSecondTry: false,
      }
      const entered = this.#queue.enter(share, job)
      if (!entered.ok) {
        const message = `${this.#queue.queued} jobs are waiting already`
        return resolve(
          entered.full === 'share' ? SHARE_FULL : { ok: false, reason: 'overloaded', message },
        )
      }
      entered.displaced?.leave()
      entered.displaced?.answer(SHARE_FULL)
      job.enter()
      this.#assign()
    })
  }

  stats(): ReturnType<RunningPool['stats']> {
    return {
      children: this.#workers.size,
      busy: this.#busy().length,
      queued: this.#queue.queued,
      done: this.#done,
      failed: this.#failed,
    }
  }

  async stop(deadline: Date): Promise<void> {
    if (this.#state === 'open') this.#state = 'draining'
    if (this.#busy().length > 0 || this.#queue.queued > 0) {
      const idle = new Promise<void>((resolve) => this.#onIdle.add(resolve))
      await within(idle, deadline.getTime() - Date.now(), () => {})
    }
    this.#state = 'stopped'
    for (const job of this.#queue.drain()) {
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

  /** A warm child for the next job, which tries it again where it cannot be had now. */
  #trySpawn(): void {
    try {
      this.#spawn()
    } catch (error) {
      this.#options.log.warn({ err: error }, 'no process for jobs can be started')
    }
  }

  async #replaceWhenGone(worker: Worker): Promise<void> {
    await worker.exited
    this.#workers.delete(worker)
    // One that died before its first job would only die again: the next job may try.
    const replace = worker.jobsDone > 0 || worker.busy
    if (this.#state === 'open' && replace && this.#workers.size < this.#options.size)
      this.#trySpawn()
    this.#assign()
  }

  /** A child that may take the job; null when all places are taken, also by one that is too large for it. */
  #workerFor(job: Job): Worker | null {
    const usableMib = (job.options.memoryMib ?? Number.POSITIVE_INFINITY) * USABLE_SHARE
    const idle = [...this.#workers].filter((worker) => !worker.busy && !worker.spent)
    const fit = idle.find((worker) => worker.restingMib <= usableMib)
    if (fit) return fit
    // With every place taken, the job was offered the one that is lent.
    const places = Math.max(this.#options.size, this.#queue.running + 1)
    if (this.#workers.size < places) return this.#spawn()
    idle[0]?.kill()
    return null
  }

  #assign(): void {
    while (this.#state !== 'stopped') {
      const job = this.#queue.peek()
      if (job === null) break
      let worker: Worker | null
      try {
        worker = this.#workerFor(job)
      } catch (error) {
        this.#giveUp(job, error)
        continue
      }
      if (worker === null) return
      this.#queue.take()
      void this.#runOn(worker, job)
    }
    if (this.#queue.queued === 0 && this.#busy().length === 0)
      for (const resolve of this.#onIdle) resolve()
  }

  /** Answers the next job, for which no child can be started: no memory, or no room on the disk. */
  #giveUp(job: Queued, error: unknown): void {
    this.#options.log.warn({ err: error }, 'no process for jobs can be started')
    this.#queue.take()
    this.#queue.end(job.share)
    this.#failed += 1
    job.leave()
    job.answer({ ok: false, reason: 'crashed', message: 'No process for the job can be started' })
  }

  async #runOn(worker: Worker, job: Queued): Promise<void> {
    job.leave()
    const { outcome, isChildsFault } = await worker.run(job)
    if (isChildsFault && !job.isSecondTry && this.#state !== 'stopped') {
      // An idle child that somebody killed, or one that earlier jobs left no memory in.
      job.isSecondTry = true
      job.enter()
      this.#queue.putBack(job.share, job)
      return this.#assign()
    }
    this.#queue.end(job.share)
    if (outcome.ok) this.#done += 1
    else this.#failed += 1
    const { recycleAfterJobs, recycleAbove, size } = this.#options
    const isWorn = worker.jobsDone >= recycleAfterJobs
    // The child more than there are places stays warm while others hold all of them.
    const isSpare = this.#workers.size > size && this.#queue.running < size
    if (worker.spent || isWorn || isSpare) worker.kill()
    else if (worker.restingMib > recycleAbove.mib) worker.killWhenIdle(recycleAbove.idleMs)
    const stopped = this.#state === 'stopped' && !outcome.ok && outcome.reason === 'crashed'
    job.answer(stopped ? STOPPED : outcome)
    this.#assign()
  }
}

/** A running pool with one warm child; `stop` it, or its children end with this process. */
export function createDocumentPool(options: PoolOptions): RunningPool {
  return new Pool(options)
}
