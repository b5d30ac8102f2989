/**
 * Keeps browsers warm, one for each page that is open at the same time, so that a hostile page can
 * be ended with its browser and costs nobody else a thing. The first starts with the first call and
 * is closed when nobody has asked for a while; calls wait for a place, shared fairly by callers.
 */
import type { Browser } from 'puppeteer-core'
import { FairQueue, type Logger } from '#kernel'
import { lackOfFonts } from './fonts.ts'
import { launchBrowser, type RunningBrowser, SlowStart } from './launch.ts'
import { locateBrowser, type LocateOptions } from './locate.ts'
import type { Located } from './binary.ts'
import {
  DEFAULT_MEMORY,
  MemoryWatch,
  type MemoryExcess,
  type MemoryLimits,
} from './memory-watch.ts'

const PLACES = 4
const QUEUE_MAX = 64
const QUEUE_MAX_PER_SHARE = 32
const CALLS_MAX = 100
const IDLE_MS = 5 * 60_000
/** For the second and further ones of a busy moment. */
const IDLE_FURTHER_MS = 30_000
const GRACE_MS = 3_000

export interface KeeperOptions extends LocateOptions {
  log: Logger
  /** Default `DEFAULT_MEMORY`. */
  memory?: MemoryLimits
  /** The last one is closed after this long without a call; default 5 minutes. */
  idleMs?: number
  /** Replaced after this many calls; default 100. */
  callsMax?: number
  /** How long one may take to start; default 30 s. */
  launchTimeoutMs?: number
}

/** One browser process, which shows one page at a time. */
interface Kept {
  running: RunningBrowser
  calls: number
  isUsed: boolean
  /** No more calls; closed when its call ends. */
  isRetired: boolean
  idle: ReturnType<typeof setTimeout> | undefined
  /** Whether the page of the latest call could be closed; true before the first. */
  closing: Promise<boolean>
  /** Resolves when it is known whether the latest page left it fit for another. */
  rested: Promise<void>
  isRested: boolean
}

/**
 * What is done with a browser. `onClosing` is told how the page is being closed, where that goes on
 * after the answer: the browser is not used again before, and not at all where that comes to false.
 */
type Work<T> = (browser: Browser, onClosing: (closing: Promise<boolean>) => void) => Promise<T>

export type KeeperRefusal =
  | {
      ok: false
      reason: 'absent' | 'busy' | 'share_full' | 'stopped' | 'aborted' | 'launch' | 'slow_launch'
      message: string
    }
  | { ok: false; reason: MemoryExcess; message: string }

const STOPPED: KeeperRefusal = {
  ok: false,
  reason: 'stopped',
  message: 'The gateway is shutting down',
}
const ABORTED: KeeperRefusal = { ok: false, reason: 'aborted', message: 'The call was aborted' }
const BUSY: KeeperRefusal = {
  ok: false,
  reason: 'busy',
  message: `${QUEUE_MAX} screenshots are waiting already`,
}
const SHARE_FULL: KeeperRefusal = {
  ok: false,
  reason: 'share_full',
  message: 'Too many screenshots of this caller are waiting already',
}
const EXCESS: Readonly<Record<MemoryExcess, KeeperRefusal>> = {
  page_memory: {
    ok: false,
    reason: 'page_memory',
    message: 'The page takes more memory than a page may',
  },
  browser_memory: {
    ok: false,
    reason: 'browser_memory',
    message: 'All pages together take more memory than they may, and this one takes the most',
  },
}

/** Tells a call that waits that its turn has come (null), or why it never will. */
type Waiting = (refusal: KeeperRefusal | null) => void

export class BrowserKeeper {
  readonly #options: KeeperOptions
  readonly #memory: MemoryLimits
  readonly #watch: MemoryWatch
  #located: Promise<Located> | null = null
  readonly #open = new Set<Kept>()
  readonly #launching = new Set<Promise<Kept>>()
  /** Out of use, with a process or a profile that is still there. */
  readonly #closing = new Set<Promise<void>>()
  readonly #turns = new FairQueue<Waiting>({
    places: PLACES,
    maxQueued: QUEUE_MAX,
    maxQueuedPerShare: QUEUE_MAX_PER_SHARE,
  })
  #isStopped = false

  constructor(options: KeeperOptions) {
    this.#options = options
    this.#memory = options.memory ?? DEFAULT_MEMORY
    this.#watch = new MemoryWatch(this.#memory, options.log)
  }

  /** The browser's place; asked again after a failure, so that installing one needs no restart. */
  locate(): Promise<Located> {
    this.#located ??= locateBrowser(this.#options).then((located) => {
      if (!located.ok) this.#located = null
      else {
        const { fontFolders } = located.binary
        const lack = lackOfFonts(fontFolders)
        if (lack !== null) this.#options.log.warn({ lookedInto: fontFolders }, lack)
      }
      return located
    })
    return this.#located
  }

  /** Process ids of the running browsers. */
  pids(): number[] {
    return [...this.#open].map(({ running }) => running.pid)
  }

  /**
   * Runs `work` with a browser of its own, when it is the turn of `share`. `work` throws when the
   * browser itself broke: that one is replaced and the work tried once more, unless it was ended for
   * the memory of its page; what `work` throws then is thrown.
   */
  async use<T>(
    work: Work<T>,
    { signal, share }: { signal: AbortSignal; share: string },
  ): Promise<{ ok: true; value: T } | KeeperRefusal> {
    const located = await this.locate()
    if (!located.ok) return { ok: false, reason: 'absent', message: located.message }
    // A picture without its text must not be sold.
    const lack = lackOfFonts(located.binary.fontFolders)
    if (lack !== null) return { ok: false, reason: 'absent', message: lack }
    const refusal = await this.#turn(share, signal)
    if (refusal) return refusal
    try {
      for (let attempt = 1; ; attempt += 1) {
        let kept: Kept
        try {
          kept = await this.#take()
        } catch (error) {
          if (this.#isStopped) return STOPPED
          const message = `The browser does not start: ${String(error).slice(0, 300)}`
          return {
            ok: false,
            reason: error instanceof SlowStart ? 'slow_launch' : 'launch',
            message,
          }
        }
        try {
          return await this.#watched(kept, work)
        } catch (error) {
          // One that is still connected may have lost a process without which it shows no page.
          kept.isRetired = true
          if (attempt > 1 || signal.aborted || this.#isStopped) throw error
          this.#options.log.warn(
            { error: String(error) },
            'the browser broke during a call; trying once more',
          )
        } finally {
          this.#release(kept)
        }
      }
    } finally {
      this.#turns.end(share)
      this.#startNext()
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const tell of this.#turns.drain()) tell(STOPPED)
    await Promise.allSettled(this.#launching)
    for (const kept of this.#open) void this.#close(kept)
    await Promise.all(this.#closing)
  }

  #turn(share: string, signal: AbortSignal): Promise<KeeperRefusal | null> {
    if (this.#isStopped) return Promise.resolve(STOPPED)
    if (signal.aborted) return Promise.resolve(ABORTED)
    return new Promise((resolve) => {
      const onAbort = (): void => {
        this.#turns.remove(share, tell)
        resolve(ABORTED)
        this.#startNext()
      }
      const tell: Waiting = (refusal) => {
        signal.removeEventListener('abort', onAbort)
        resolve(refusal)
      }
      const entered = this.#turns.enter(share, tell)
      if (!entered.ok) return resolve(entered.full === 'share' ? SHARE_FULL : BUSY)
      entered.displaced?.(SHARE_FULL)
      signal.addEventListener('abort', onAbort, { once: true })
      this.#startNext()
    })
  }

  #startNext(): void {
    for (let tell = this.#turns.take(); tell !== null; tell = this.#turns.take()) tell(null)
  }

  /** What `work` gave, or that its page took too much memory: then the browser is ended. */
  async #watched<T>(kept: Kept, work: Work<T>): Promise<{ ok: true; value: T } | KeeperRefusal> {
    const { running } = kept
    const excess = new Promise<KeeperRefusal>((resolve) =>
      this.#watch.begin(running.pid, (limit) => {
        this.#retire(kept)
        resolve(EXCESS[limit])
      }),
    )
    kept.closing = Promise.resolve(true)
    const onClosing = (closing: Promise<boolean>): void => {
      kept.closing = closing
    }
    const working = work(running.browser, onClosing).then((value) => ({ ok: true as const, value }))
    // What still goes on in a browser that was ended fails, and nobody waits for it.
    working.catch(() => undefined)
    return Promise.race([excess, working])
  }

  /** A browser that nobody uses: the one used last, so that the others may be closed. */
  async #take(): Promise<Kept> {
    for (;;) {
      const unused = [...this.#open].filter((kept) => !kept.isUsed && !kept.isRetired)
      const free = unused.findLast(({ isRested }) => isRested) ?? unused.at(-1)
      if (!free) return this.#launch()
      free.isUsed = true
      clearTimeout(free.idle)
      await free.rested
      if (free.running.browser.connected && !free.isRetired) {
        free.calls += 1
        return free
      }
      free.isUsed = false
      this.#retire(free)
      this.#closeWhenUnused(free)
    }
  }

  #release(kept: Kept): void {
    const { browser } = kept.running
    kept.isUsed = false
    if (!browser.connected || kept.calls >= (this.#options.callsMax ?? CALLS_MAX))
      this.#retire(kept)
    if (kept.isRetired || this.#isStopped) return this.#closeWhenUnused(kept)
    kept.isRested = false
    kept.rested = this.#rest(kept).finally(() => (kept.isRested = true))
    // Used last stands last.
    this.#open.delete(kept)
    this.#open.add(kept)
    this.#closeWhenIdle(kept, this.#options.idleMs ?? IDLE_MS)
  }

  /** Sees the latest page to its end, and takes the browser out of use where it left too much. */
  async #rest(kept: Kept): Promise<void> {
    const { pid } = kept.running
    const isClosed = await kept.closing
    // Until it is closed a page may go on taking memory.
    this.#watch.end(pid)
    if (!isClosed || (await this.#watch.isBloated(pid))) this.#retire(kept)
  }

  /** Closes it after `idleMs` without a call; much sooner where it is not the only one. */
  #closeWhenIdle(kept: Kept, idleMs: number): void {
    const afterMs = Math.min(idleMs, IDLE_FURTHER_MS)
    kept.idle = setTimeout(() => {
      if (afterMs < idleMs && this.#open.size === 1) this.#closeWhenIdle(kept, idleMs - afterMs)
      else this.#retire(kept)
    }, afterMs)
    kept.idle.unref?.()
  }

  async #launch(): Promise<Kept> {
    const launching = this.#start()
    this.#launching.add(launching)
    return launching.finally(() => this.#launching.delete(launching))
  }

  async #start(): Promise<Kept> {
    if (this.#isStopped) throw new Error('stopped')
    const located = await this.locate()
    if (!located.ok) throw new Error(located.message)
    const { log, launchTimeoutMs: timeoutMs } = this.#options
    const order = { pageMib: this.#memory.pageMib, timeoutMs }
    const running = await launchBrowser(located.binary, order, (why) =>
      log.warn({ why }, 'the browser runs without its sandbox'),
    )
    const kept: Kept = {
      running,
      calls: 1,
      isUsed: true,
      isRetired: false,
      idle: undefined,
      closing: Promise.resolve(true),
      rested: Promise.resolve(),
      isRested: true,
    }
    this.#open.add(kept)
    this.#watch.add(running.pid)
    running.browser.once('disconnected', () => this.#retire(kept))
    if (this.#isStopped) {
      await this.#close(kept)
      throw new Error('stopped')
    }
    return kept
  }

  #retire(kept: Kept): void {
    kept.isRetired = true
    this.#closeWhenUnused(kept)
  }

  #closeWhenUnused(kept: Kept): void {
    if (kept.isRetired && !kept.isUsed) void this.#close(kept)
  }

  async #close(kept: Kept): Promise<void> {
    if (!this.#open.delete(kept)) return
    kept.isRetired = true
    clearTimeout(kept.idle)
    this.#watch.remove(kept.running.pid)
    const closing = kept.running.close(GRACE_MS)
    this.#closing.add(closing)
    await closing.finally(() => this.#closing.delete(closing))
  }
}
