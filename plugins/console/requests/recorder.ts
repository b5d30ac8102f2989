/**
 * Takes down the requests that this instance answered: every one is counted, and has a row as far as
 * its status had not too many a second already. Nothing waits for it: rows gather in a bounded queue
 * and go out in batches over the plugin's own connections, apart from those that calls need. Durations
 * are counted by steps of a factor of √2, off which percentiles are read.
 */
import {
  newId,
  repeat,
  type Background,
  type EndedRequest,
  type Logger,
  type RequestObserver,
} from '#kernel'
import type { RequestStore, StoredRequest, TallyRow } from './store.ts'
import { STEPS, stepOf } from './durations.ts'

/** After a pause, rows of one status may come for so many seconds' worth at once. */
const BURST_S = 10
const QUEUE_MAX = 5000
const FLUSH_EVERY_MS = 1000
const BATCH_MAX = 1000
const TEXT_MAX = 300
const MINUTE_MS = 60_000

interface Counted {
  calls: number
  kept: number
  durations: number[]
}
/** Rows that requests of one status may still have. */
interface Allowance {
  left: number
  /** When that was, by the clock of `performance.now()`, which nobody sets. */
  atMs: number
}

export interface RecorderOptions {
  store: Pick<RequestStore, 'write' | 'count'>
  /** Rows a second of one status. */
  perSecond: number
  sandbox: boolean
  log: Logger
  /** A text without the credentials in it. */
  hide(text: string): string
}

export class Recorder implements RequestObserver {
  readonly #options: RecorderOptions
  readonly #allowances = new Map<number, Allowance>()
  /** By minute, then by skill, mode and status. */
  #minute = 0
  #counts = new Map<string, Map<number, Counted>>()
  #closed: TallyRow[] = []
  #queue: StoredRequest[] = []
  #rounds: Background | null = null

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  start(): void {
    this.#rounds = repeat(
      { name: 'request log', everyMs: FLUSH_EVERY_MS, log: this.#options.log },
      () => this.flush(),
    )
  }

  async stop(): Promise<void> {
    await this.#rounds?.stop()
    await this.flush().catch((err: unknown) =>
      this.#options.log.warn({ err }, 'the last requests could not be written down'),
    )
  }

  ended(request: EndedRequest): void {
    const { status, isForOperators } = request
    // What the console asks for would fill what it shows; what it changes is asked of a route below.
    if (isForOperators && (status < 400 || request.route?.endsWith('/api/*'))) return
    const nowMs = Date.now()
    const counted = this.#countedOf(request, nowMs)
    counted.calls += 1
    const step = stepOf(request.durationMs)
    counted.durations[step] = counted.durations[step]! + 1
    const isRead =
      request.skillId === null && (request.method === 'GET' || request.method === 'HEAD')
    if (status < 400 && isRead) return
    if (this.#queue.length >= QUEUE_MAX || !this.#allows(status)) return
    counted.kept += 1
    this.#queue.push(this.#rowOf(request, nowMs))
    if (this.#queue.length === BATCH_MAX) this.#rounds?.wake()
  }

  /** Writes what has gathered. Rejects when the database does not take it; counts are kept then. */
  async flush(): Promise<void> {
    do await this.#write()
    while (this.#queue.length >= BATCH_MAX)
  }

  /** Counts go first, so that no row is found that is not counted: one that comes meanwhile waits. */
  async #write(): Promise<void> {
    this.#close()
    let rowsLeft = this.#queue.length
    const tallies = this.#closed
    this.#closed = []
    try {
      await this.#options.store.count(tallies)
    } catch (error) {
      // Rows of a minute may come in parts; a database that is away for long costs the oldest counts.
      this.#closed = [...tallies, ...this.#closed].slice(-QUEUE_MAX)
      throw error
    }
    while (rowsLeft > 0) {
      const batch = this.#queue.splice(0, Math.min(BATCH_MAX, rowsLeft))
      rowsLeft -= batch.length
      await this.#options.store.write(batch)
    }
  }

  #countedOf(request: EndedRequest, nowMs: number): Counted {
    const minute = Math.floor(nowMs / MINUTE_MS)
    if (minute !== this.#minute) {
      this.#close()
      this.#minute = minute
    }
    const name = `${this.#modeOf(request)} ${request.skillId ?? ''}`
    let byStatus = this.#counts.get(name)
    if (!byStatus) this.#counts.set(name, (byStatus = new Map()))
    let counted = byStatus.get(request.status)
    if (!counted) {
      counted = { calls: 0, kept: 0, durations: Array.from({ length: STEPS }, () => 0) }
      byStatus.set(request.status, counted)
    }
    return counted
  }

  #modeOf({ identity }: EndedRequest): 'live' | 'test' {
    return identity?.mode ?? (this.#options.sandbox ? 'test' : 'live')
  }

  #rowOf(request: EndedRequest, nowMs: number): StoredRequest {
    const { failure, identity } = request
    const reason = failure?.details?.reason
    const textOf = (text: string | null) => this.#textOf(text)
    return {
      id: newId(),
      at: new Date(nowMs).toISOString(),
      request_id: request.requestId,
      method: request.method,
      route: textOf(request.route),
      path: textOf(request.path)!,
      address: request.clientAddress,
      product: request.product,
      skill: request.skillId,
      status: request.status,
      outcome: request.outcome,
      code: failure?.code ?? null,
      reason: typeof reason === 'string' ? textOf(reason) : null,
      message: textOf(failure?.message ?? null),
      upstream_status: request.upstreamStatus,
      key_id: identity?.keyId ?? null,
      key_name: textOf(identity?.name ?? null),
      account_id: identity?.accountId ?? null,
      mode: this.#modeOf(request),
      payer: textOf(request.payer),
      operator: textOf(request.operator),
      rail: request.rail,
      charged: String(request.chargedAtomic),
      duration_ms: Math.round(request.durationMs * 100) / 100,
      request_bytes: request.requestBytes,
      response_bytes: request.responseBytes,
    }
  }

  /**
   * Cut to what is shown, without credentials, and without what PostgreSQL takes in no text: one such row
   * would cost a batch.
   */
  #textOf(text: string | null): string | null {
    if (text === null) return null
    return this.#options.hide(text).slice(0, TEXT_MAX).replaceAll('\0', '').toWellFormed()
  }

  /** Puts the counts so far among what is to be written. */
  #close(): void {
    const at = new Date(this.#minute * MINUTE_MS)
    for (const [name, byStatus] of this.#counts) {
      const space = name.indexOf(' ')
      const [mode, skill] = [name.slice(0, space), name.slice(space + 1)]
      for (const [status, counted] of byStatus)
        this.#closed.push({ at, skill, mode, status, ...counted })
    }
    this.#counts = new Map()
  }

  #allows(status: number): boolean {
    const { perSecond } = this.#options
    const nowMs = performance.now()
    const most = perSecond * BURST_S
    let allowance = this.#allowances.get(status)
    if (!allowance) this.#allowances.set(status, (allowance = { left: most, atMs: nowMs }))
    const gained = ((nowMs - allowance.atMs) / 1000) * perSecond
    allowance.left = Math.min(most, allowance.left + gained)
    allowance.atMs = nowMs
    if (allowance.left < 1) return false
    allowance.left -= 1
    return true
  }
}
