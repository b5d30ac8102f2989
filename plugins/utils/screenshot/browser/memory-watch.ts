/**
 * Ends browsers that take too much memory. Pages are untrusted programs: they grow in a renderer,
 * in several of them (frames, workers), in the graphics process (canvases) or in the browser's own
 * (blobs), so what counts is the whole process tree of the one browser that shows the page.
 */
import { RESIDENT_POLL_MS, type Logger } from '#kernel'
import {
  killTree,
  offerToOomKiller,
  proportionalMib,
  sampleTree,
  type TreeSample,
} from './process-tree.ts'

export interface MemoryLimits {
  /** MiB that one page may take, beyond `BROWSER_OWN_MIB` for the browser that shows it. */
  pageMib: number
  /** MiB of all browsers together. */
  totalMib: number
}

export const DEFAULT_MEMORY: MemoryLimits = { pageMib: 512, totalMib: 2048 }

/** What a browser takes by itself, before it shows anything. */
export const BROWSER_OWN_MIB = 256

/** Which limit was broken: the page's own, or that of all browsers by the largest of them. */
export type MemoryExcess = 'page_memory' | 'browser_memory'

/** The operating system, as far as this needs it. */
export interface Processes {
  sample(root: number): Promise<TreeSample>
  proportionalMib(sample: TreeSample): Promise<number>
  offerToOomKiller(pids: readonly number[]): void
  kill(root: number): void
}
const REAL: Processes = { sample: sampleTree, proportionalMib, offerToOomKiller, kill: killTree }

/** How often new processes are looked for that the OOM killer should take first. */
const OOM_EVERY = 8

class Watched {
  readonly pid: number
  /** Told when it was ended; null while no page is open in it. */
  onExcess: ((excess: MemoryExcess) => void) | null = null
  isEnded = false
  sample: TreeSample = { pids: [], residentMib: 0, privateMib: 0 }
  /** MiB at most: what was measured last, and what came to be resident since. */
  mib = 0
  #measured = { residentMib: 0, mib: 0 }

  constructor(pid: number) {
    this.pid = pid
  }

  estimate(sample: TreeSample): void {
    this.sample = sample
    const grown = sample.residentMib - this.#measured.residentMib
    this.mib = Math.min(sample.residentMib, this.#measured.mib + Math.max(0, grown))
  }

  measured(mib: number): void {
    this.#measured = { residentMib: this.sample.residentMib, mib }
    this.mib = mib
  }
}

export class MemoryWatch {
  readonly #limits: MemoryLimits
  readonly #log: Logger
  readonly #processes: Processes
  readonly #watched = new Map<number, Watched>()
  #timer: ReturnType<typeof setInterval> | undefined
  #isLooking = false
  #looks = 0

  constructor(limits: MemoryLimits, log: Logger, processes: Processes = REAL) {
    this.#limits = limits
    this.#log = log
    this.#processes = processes
  }

  /** From now on the browser counts among all browsers. */
  add(pid: number): void {
    this.#watched.set(pid, new Watched(pid))
  }

  remove(pid: number): void {
    this.#watched.delete(pid)
    this.#pause()
  }

  /** A page is open in the browser: `onExcess` is called once, when it was ended for its memory. */
  begin(pid: number, onExcess: (excess: MemoryExcess) => void): void {
    const watched = this.#watched.get(pid)
    if (!watched) return
    watched.onExcess = onExcess
    this.#timer ??= setInterval(() => void this.look(), RESIDENT_POLL_MS)
  }

  end(pid: number): void {
    const watched = this.#watched.get(pid)
    if (watched) watched.onExcess = null
    this.#pause()
  }

  /** Whether the browser holds so much between two pages that the next one would pay for it. */
  async isBloated(pid: number): Promise<boolean> {
    const sample = await this.#processes.sample(pid)
    const most = BROWSER_OWN_MIB + this.#limits.pageMib / 2
    if (sample.residentMib <= most) return false
    return (await this.#processes.proportionalMib(sample)) > most
  }

  /** Looks at every browser once, and ends what is over a limit; the timer does this. */
  async look(): Promise<void> {
    // The look before this one may still be waiting for the operating system.
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      const all = [...this.#watched.values()].filter(({ isEnded }) => !isEnded)
      await Promise.all(all.map((one) => this.#estimate(one)))
      if (this.#looks++ % OOM_EVERY === 0)
        for (const { sample } of all) this.#processes.offerToOomKiller(sample.pids)
      await this.#checkPages(all)
      await this.#checkTotal(all)
    } finally {
      this.#isLooking = false
    }
  }

  async #estimate(watched: Watched): Promise<void> {
    watched.estimate(await this.#processes.sample(watched.pid))
  }

  async #measure(watched: Watched): Promise<void> {
    watched.measured(await this.#processes.proportionalMib(watched.sample))
  }

  async #checkPages(all: readonly Watched[]): Promise<void> {
    const limitMib = BROWSER_OWN_MIB + this.#limits.pageMib
    const suspects = all.filter(({ onExcess, mib }) => onExcess !== null && mib > limitMib)
    await Promise.all(
      suspects.map(async (suspect) => {
        const { onExcess } = suspect
        // Measuring takes a while, in which a page may grow by a lot.
        if (suspect.sample.privateMib > limitMib)
          return this.#kill(suspect, 'page_memory', limitMib)
        await this.#measure(suspect)
        // The page may have been closed meanwhile, and another one must not be taken for it.
        const isSamePage = suspect.onExcess === onExcess
        if (isSamePage && suspect.mib > limitMib) this.#kill(suspect, 'page_memory', limitMib)
      }),
    )
  }

  async #checkTotal(all: readonly Watched[]): Promise<void> {
    const endLargestOf = (memoryOf: (one: Watched) => number): void => {
      const living = all.filter(({ isEnded }) => !isEnded).sort((a, b) => memoryOf(a) - memoryOf(b))
      let total = living.reduce((sum, one) => sum + memoryOf(one), 0)
      for (let one = living.pop(); one && total > this.#limits.totalMib; one = living.pop()) {
        this.#kill(one, 'browser_memory', this.#limits.totalMib)
        total -= memoryOf(one)
      }
    }
    endLargestOf(({ sample }) => sample.privateMib)
    const left = all.filter(({ isEnded }) => !isEnded)
    if (left.reduce((sum, { mib }) => sum + mib, 0) <= this.#limits.totalMib) return
    await Promise.all(left.map((one) => this.#measure(one)))
    endLargestOf(({ mib }) => mib)
  }

  #kill(watched: Watched, excess: MemoryExcess, limitMib: number): void {
    watched.isEnded = true
    this.#processes.kill(watched.pid)
    const { pid, mib, onExcess } = watched
    this.#log.warn({ pid, limit: excess, limitMib, memoryMib: Math.round(mib) }, 'browser memory')
    watched.onExcess = null
    onExcess?.(excess)
  }

  #pause(): void {
    if ([...this.#watched.values()].some(({ onExcess }) => onExcess !== null)) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
