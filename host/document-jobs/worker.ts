/**
 * One child process of the pool, seen from the gateway: it runs a job at a time and is killed when
 * the job breaks a limit.
 */
import type { Logger, JobModule, JobOptions, JobOutcome } from '#kernel'
import { watchMemory } from './memory-watch.ts'
import { residentMib } from './resident.ts'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeJobFolder } from './folders.ts'
import type { ChildMessage, JobRequest } from './protocol.ts'

export interface Job {
  module: JobModule
  handler: string
  input: unknown
  options: JobOptions
}
type Outcome = JobOutcome<unknown>
/** How a job ended here. */
export interface Ran {
  outcome: Outcome
  /** The job is not at fault for the end: the child was gone before, or full of what others left. */
  isChildsFault: boolean
}
type FailureReason = Extract<Outcome, { ok: false }>['reason']

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url))
const DEFAULT_MEMORY_MIB = 512
const STDERR_TAIL = 2000

/** The child sets its own hard limit, see data-limit.ts: with more here it would reserve 4 GiB. */
const START_LIMIT_KIB = 2560 * 1024
const LIMITED = 'ulimit -S -d "$1" 2>/dev/null; shift; exec "$@"'

function childCommand(): string[] {
  // The runtime ends a child whose parent died, even one that is stuck in a loop and deaf to IPC.
  const bun = [process.execPath, '--no-orphans', CHILD]
  return ['/bin/sh', '-c', LIMITED, 'sh', String(START_LIMIT_KIB), ...bun]
}

/** All that a child may know of the gateway's environment: where programs and locales are. */
function childEnvironment(folder: string): Record<string, string> {
  const env: Record<string, string> = { TMPDIR: folder, HOME: folder }
  for (const name of ['PATH', 'LANG', 'LC_ALL', 'TZ', 'LD_LIBRARY_PATH', 'TESSDATA_PREFIX']) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  return env
}

const failure = (reason: FailureReason, message: string): Outcome => ({
  ok: false,
  reason,
  message,
})

export class Worker {
  /** Resolves when the process is gone, whatever ended it. */
  readonly exited: Promise<void>
  /** Jobs that ran to their end here. */
  jobsDone = 0
  /** MiB after the latest job; 0 before the first. */
  restingMib = 0
  /** A job left something behind, or the process is ending: no more jobs for this one. */
  spent = false
  busy = false
  readonly #process: ReturnType<typeof Bun.spawn>
  readonly #log: Logger
  #gone = false
  #isKilledByUs = false
  #stderr = ''
  #nextId = 1
  #onMessage: ((message: ChildMessage) => void) | null = null
  #onGone: (() => void) | null = null
  #idle: ReturnType<typeof setTimeout> | undefined

  constructor(log: Logger) {
    this.#log = log
    const folder = makeJobFolder()
    try {
      this.#process = Bun.spawn(childCommand(), {
        cwd: folder,
        env: childEnvironment(folder),
        stdio: ['ignore', 'ignore', 'pipe'],
        // A group of its own: a job's own processes die with it, and Ctrl-C leaves the drain to us.
        detached: true,
        serialization: 'advanced',
        ipc: (message: ChildMessage) => this.#receive(message),
      })
    } catch (error) {
      rmSync(folder, { recursive: true, force: true })
      throw error
    }
    void this.#readStderr()
    this.exited = this.#awaitExit(folder)
  }

  get pid(): number {
    return this.#process.pid
  }

  /** SIGKILL to the child and to whatever it started. */
  kill(): void {
    this.spent = true
    this.#isKilledByUs = true
    clearTimeout(this.#idle)
    // Once it is reaped, its id may belong to somebody else.
    if (this.#gone) return
    try {
      process.kill(-this.pid, 'SIGKILL')
    } catch {
      this.#process.kill('SIGKILL')
    }
  }

  /** Kills the child unless it gets a job before. */
  killWhenIdle(idleMs: number): void {
    this.#idle = setTimeout(() => this.kill(), idleMs)
    this.#idle.unref()
  }

  /** Runs one job within its limits; never rejects. After a limit was broken the child is dead. */
  async run({ module, handler, input, options }: Job): Promise<Ran> {
    const request: JobRequest = { id: this.#nextId++, url: module.url, handler, input }
    const { timeoutMs, memoryMib = DEFAULT_MEMORY_MIB, signal } = options
    this.busy = true
    clearTimeout(this.#idle)
    let begun = false
    let settle!: (outcome: Outcome) => void
    const settled = new Promise<Outcome>((resolve) => (settle = resolve))
    const killFor = (reason: FailureReason, message: string): void => {
      begun = true
      this.kill()
      settle(failure(reason, message))
    }
    let isFull = false
    const onFull = (message: string): void => {
      isFull = true
      this.kill()
      this.#log.warn({ handler, error: message, jobsDone: this.jobsDone }, 'job out of memory')
    }
    const onAbort = (): void => killFor('aborted', 'The job was aborted')
    const timer = setTimeout(
      () => killFor('timeout', `The job took longer than ${timeoutMs} ms`),
      timeoutMs,
    )
    const endWatch = watchMemory({
      read: () => residentMib(this.pid),
      limitMib: memoryMib,
      onAbove: (mib) => {
        // What earlier jobs left is not this one's.
        isFull = mib - this.restingMib <= memoryMib
        this.#log.warn({ handler, limitMib: memoryMib, residentMib: Math.round(mib) }, 'job memory')
        killFor('memory', `The job used more than ${memoryMib} MiB of memory`)
      },
    })
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#onGone = () => settle(this.#crash(handler))
    this.#onMessage = (message) => {
      if (message.kind === 'tainted' || message.id !== request.id) return
      begun = true
      if (message.kind === 'begun') return
      if (message.kind === 'done') settle({ ok: true, value: message.value })
      else if (message.kind === 'failed') {
        if (message.isOutOfMemory) onFull(message.message)
        settle(failure('crashed', message.message))
      } else this.#report(options, message.progress)
    }
    if (this.spent) {
      settle(this.#crash(handler))
    } else {
      const unsent = this.#post(request)
      begun = unsent !== null
      if (unsent) settle(unsent)
    }

    const outcome = await settled
    clearTimeout(timer)
    endWatch()
    signal?.removeEventListener('abort', onAbort)
    this.#onGone = null
    this.#onMessage = null
    const isChildsFault = !begun || (isFull && this.jobsDone > 0)
    this.jobsDone += begun ? 1 : 0
    this.restingMib = this.spent ? 0 : ((await residentMib(this.pid)) ?? 0)
    this.busy = false
    return { outcome, isChildsFault }
  }

  async #awaitExit(folder: string): Promise<void> {
    await this.#process.exited
    this.#gone = true
    this.spent = true
    rmSync(folder, { recursive: true, force: true })
    this.#onGone?.()
  }

  /** Null when it was sent, else what is wrong with the job. */
  #post(request: JobRequest): Outcome | null {
    try {
      this.#process.send(request)
      return null
    } catch (error) {
      return failure('crashed', `The input cannot be sent to a job: ${String(error)}`)
    }
  }

  #receive(message: ChildMessage): void {
    if (message.kind === 'tainted') {
      this.spent = true
      // After a job the pool looks; between two jobs nobody would, and the place would be lost.
      if (!this.busy) this.kill()
    }
    this.#onMessage?.(message)
  }

  #report({ onProgress }: JobOptions, progress: unknown): void {
    try {
      onProgress?.(progress)
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'a progress listener threw')
    }
  }

  #crash(handler: string): Outcome {
    const { exitCode, signalCode } = this.#process
    // A machine or a container with less memory than its children need has the kernel end one.
    const isBySystem = signalCode === 'SIGKILL' && !this.#isKilledByUs
    const what = isBySystem
      ? 'job process was killed, as the system does where memory is short'
      : 'job process ended'
    this.#log.warn({ handler, exitCode, signalCode, stderr: this.#stderr }, what)
    return failure('crashed', `The job's process ended (${signalCode ?? `exit ${exitCode}`})`)
  }

  async #readStderr(): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of this.#process.stderr as ReadableStream<Uint8Array>)
      this.#stderr = (this.#stderr + decoder.decode(chunk, { stream: true })).slice(-STDERR_TAIL)
  }
}
