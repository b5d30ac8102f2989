/**
 * Keeps one browser warm: started with the first call, shared by a few calls at once, replaced
 * after many calls or a crash, closed when nobody has asked for a while.
 */
import type { Browser } from 'puppeteer-core'
import type { Logger } from '#kernel'
import { lackOfFonts } from './fonts.ts'
import { launchBrowser, type RunningBrowser } from './launch.ts'
import { locateBrowser, type Located, type LocateOptions } from './locate.ts'

const SLOTS = 4
const QUEUE_MAX = 64
const CALLS_MAX = 100
const IDLE_MS = 5 * 60_000
const GRACE_MS = 3_000

export interface KeeperOptions extends LocateOptions {
  log: Logger
  /** Closed after this long without a call; default 5 minutes. */
  idleMs?: number
  /** Replaced after this many calls; default 100. */
  callsMax?: number
}

/** One browser process and the calls that use it. */
interface Generation {
  running: RunningBrowser
  active: number
  calls: number
  /** No more calls; closed when the last one ends. */
  isRetired: boolean
}

export type KeeperRefusal = {
  ok: false
  reason: 'absent' | 'busy' | 'stopped' | 'aborted' | 'launch'
  message: string
}

export class BrowserKeeper {
  readonly #options: KeeperOptions
  #located: Promise<Located> | null = null
  #generation: Promise<Generation> | null = null
  readonly #open = new Set<Generation>()
  readonly #waiting: (() => void)[] = []
  #used = 0
  #idle: ReturnType<typeof setTimeout> | undefined
  #isStopped = false

  constructor(options: KeeperOptions) {
    this.#options = options
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

  /** The process id of the running browser; null while none runs. */
  async pid(): Promise<number | null> {
    const generation = await this.#generation?.catch(() => null)
    return generation?.running.browser.process()?.pid ?? null
  }

  /**
   * Runs `work` with a browser in one of the slots. A browser that died meanwhile is replaced and
   * the work tried once more; other errors of `work` are thrown.
   */
  async use<T>(
    work: (browser: Browser) => Promise<T>,
    signal: AbortSignal,
  ): Promise<{ ok: true; value: T } | KeeperRefusal> {
    const located = await this.locate()
    if (!located.ok) return { ok: false, reason: 'absent', message: located.message }
    // A picture without its text must not be sold.
    const lack = lackOfFonts(located.binary.fontFolders)
    if (lack !== null) return { ok: false, reason: 'absent', message: lack }
    const refusal = await this.#enter(signal)
    if (refusal) return refusal
    try {
      for (let attempt = 1; ; attempt += 1) {
        let generation: Generation
        try {
          generation = await this.#current()
        } catch (error) {
          if (this.#isStopped)
            return { ok: false, reason: 'stopped', message: 'The gateway is shutting down' }
          return {
            ok: false,
            reason: 'launch',
            message: `The browser does not start: ${String(error).slice(0, 300)}`,
          }
        }
        const { browser } = generation.running
        generation.active += 1
        generation.calls += 1
        try {
          return { ok: true, value: await work(browser) }
        } catch (error) {
          const isGone = !browser.connected
          if (!isGone || attempt > 1 || signal.aborted || this.#isStopped) throw error
          this.#options.log.warn(
            { error: String(error) },
            'the browser ended during a call; trying once more',
          )
        } finally {
          generation.active -= 1
          if (!browser.connected || generation.calls >= (this.#options.callsMax ?? CALLS_MAX))
            this.#retire(generation)
          this.#closeWhenUnused(generation)
        }
      }
    } finally {
      this.#leave()
    }
  }

  /** Takes the browser out of use, when a call left it in a doubtful state. */
  async retire(browser: Browser): Promise<void> {
    for (const generation of this.#open)
      if (generation.running.browser === browser) this.#retire(generation)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#idle)
    for (const wake of this.#waiting.splice(0)) wake()
    await this.#generation?.catch(() => undefined)
    await Promise.all([...this.#open].map((generation) => this.#close(generation)))
  }

  async #enter(signal: AbortSignal): Promise<KeeperRefusal | null> {
    clearTimeout(this.#idle)
    if (this.#used >= SLOTS) {
      if (this.#waiting.length >= QUEUE_MAX)
        return {
          ok: false,
          reason: 'busy',
          message: `${QUEUE_MAX} screenshots are waiting already`,
        }
      // Whoever leaves hands its slot over, so a new caller cannot slip in between.
      const isHanded = await new Promise<boolean>((resolve) => {
        const wake = (): void => {
          signal.removeEventListener('abort', onAbort)
          resolve(true)
        }
        const onAbort = (): void => {
          this.#waiting.splice(this.#waiting.indexOf(wake), 1)
          resolve(false)
        }
        signal.addEventListener('abort', onAbort, { once: true })
        this.#waiting.push(wake)
        if (signal.aborted) onAbort()
      })
      if (!isHanded) return { ok: false, reason: 'aborted', message: 'The call was aborted' }
    } else this.#used += 1
    if (!this.#isStopped) return null
    this.#leave()
    return { ok: false, reason: 'stopped', message: 'The gateway is shutting down' }
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) return next()
    this.#used -= 1
    if (this.#used > 0 || this.#isStopped) return
    this.#idle = setTimeout(() => void this.#closeIdle(), this.#options.idleMs ?? IDLE_MS)
    this.#idle.unref?.()
  }

  async #closeIdle(): Promise<void> {
    const generation = await this.#generation?.catch(() => null)
    if (generation && generation.active === 0) {
      this.#retire(generation)
      this.#closeWhenUnused(generation)
    }
  }

  async #current(): Promise<Generation> {
    const running = await this.#generation?.catch(() => null)
    if (running && !running.isRetired && running.running.browser.connected) return running
    if (running) this.#retire(running)
    // Between the awaits another call may have started one.
    this.#generation ??= this.#launch()
    return this.#generation
  }

  async #launch(): Promise<Generation> {
    try {
      if (this.#isStopped) throw new Error('stopped')
      const located = await this.locate()
      if (!located.ok) throw new Error(located.message)
      const { log } = this.#options
      const running = await launchBrowser(located.binary, (why) =>
        log.warn({ why }, 'the browser runs without its sandbox'),
      )
      const generation: Generation = { running, active: 0, calls: 0, isRetired: false }
      this.#open.add(generation)
      running.browser.once('disconnected', () => this.#retire(generation))
      if (this.#isStopped) {
        await this.#close(generation)
        throw new Error('stopped')
      }
      return generation
    } catch (error) {
      this.#generation = null
      throw error
    }
  }

  #retire(generation: Generation): void {
    if (generation.isRetired) return
    generation.isRetired = true
    this.#generation = null
    this.#closeWhenUnused(generation)
  }

  #closeWhenUnused(generation: Generation): void {
    if (generation.isRetired && generation.active === 0) void this.#close(generation)
  }

  async #close(generation: Generation): Promise<void> {
    if (!this.#open.delete(generation)) return
    generation.isRetired = true
    await generation.running.close(GRACE_MS)
  }
}
