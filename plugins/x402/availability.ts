/** Whether the rail may take money: the boot checks, asked again while the node is silent. */
import type { Logger } from '#kernel'
import { checkChain } from './chain/chain-check.ts'
import type { Core } from './rail-parts.ts'

const RETRY_MS = 5000

export type Availability = { ok: true } | { ok: false; reason: string }

export interface GateOptions {
  /** The parts, or why the configuration makes none. */
  built: { ok: true; core: Core } | { ok: false; reason: string }
  /** A remote facilitator can settle while our own node is down. */
  hasFacilitators: boolean
  log: Logger
}

export class Gate {
  readonly #options: GateOptions
  /** Why it is closed, or null. */
  #closed: string | null
  #timer: ReturnType<typeof setTimeout> | null = null
  #stopped = false

  constructor(options: GateOptions) {
    this.#options = options
    this.#closed = options.built.ok ? 'the boot checks have not run yet' : options.built.reason
  }

  available(): Availability {
    const { built } = this.#options
    if (this.#closed !== null || !built.ok) {
      return { ok: false, reason: this.#closed ?? 'not configured' }
    }
    if (!built.core.settlers.usable()) {
      return { ok: false, reason: 'no facilitator or signer answers' }
    }
    return { ok: true }
  }

  /** One round of checks; a node that does not answer is asked again in the background. */
  async check(): Promise<void> {
    const { built, hasFacilitators, log } = this.#options
    if (!built.ok) return
    const { chain, asset } = built.core
    const checked = chain ? await checkChain(chain, asset) : { state: 'ok' as const }
    if (this.#stopped) return
    if (checked.state === 'ok') {
      if (this.#timer) log.info({ network: asset.network }, 'x402 is open')
      this.#closed = null
      return
    }
    const tolerable = checked.state === 'unreachable' && hasFacilitators
    this.#closed = tolerable ? null : checked.reason
    log.error({ reason: checked.reason, open: tolerable }, 'x402 boot check failed')
    if (checked.state === 'unreachable') this.#timer = setTimeout(() => void this.check(), RETRY_MS)
  }

  stop(): void {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
  }
}
