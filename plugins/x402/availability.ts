/** Whether an entry may take money: its boot checks, asked again while the node is silent. */
import type { Logger } from '#kernel'
import type { BootCheck } from './chain/chain-check.ts'

const RETRY_MS = 5000

export type Availability = { ok: true } | { ok: false; reason: string }

export interface AvailabilityOptions {
  /** CAIP-2. */
  network: string
  /** Compares the settings with the network; null without a node. */
  bootCheck: (() => Promise<BootCheck>) | null
  /**
   * With a remote facilitator the entry opens while its node is silent, because that can settle
   * without our own node.
   */
  hasFacilitators: boolean
  settlers: { usable(): boolean }
  log: Logger
}

export const NOT_CHECKED = 'the boot checks have not run yet'

/** Closed until the first check. */
export class AvailabilityCheck {
  readonly #options: AvailabilityOptions
  /** Why it is closed, or null. */
  #closed: string | null = NOT_CHECKED
  #timer: ReturnType<typeof setTimeout> | null = null
  #stopped = false

  constructor(options: AvailabilityOptions) {
    this.#options = options
  }

  available(): Availability {
    if (this.#closed !== null) return { ok: false, reason: this.#closed }
    return this.#options.settlers.usable()
      ? { ok: true }
      : { ok: false, reason: 'no facilitator or signer answers' }
  }

  /** One round of checks; a node that does not answer is asked again in the background. */
  async check(): Promise<void> {
    const { network, bootCheck, hasFacilitators, log } = this.#options
    const checked = (await bootCheck?.()) ?? { state: 'ok' as const }
    if (this.#stopped) return
    if (checked.state === 'ok') {
      if (this.#timer) log.info({ network }, 'x402 is open')
      this.#closed = null
      return
    }
    const tolerable = checked.state === 'unreachable' && hasFacilitators
    this.#closed = tolerable ? null : checked.reason
    log.error({ network, reason: checked.reason, open: tolerable }, 'x402 boot check failed')
    if (checked.state === 'unreachable') {
      this.#timer = setTimeout(() => void this.check(), RETRY_MS)
    }
  }

  /** Ends the checks; calls under way still see whether the entry is open. */
  stop(): void {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
  }
}
