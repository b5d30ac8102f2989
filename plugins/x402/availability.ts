/** Whether the rail may take money: the boot checks, asked again while the node is silent. */
import type { Logger } from '#kernel'
import { checkChain } from './chain/chain-check.ts'
import type { RailParts } from './rail-parts.ts'

const RETRY_MS = 5000

export type Availability = { ok: true } | { ok: false; reason: string }

/** Closed until the first check. */
export class AvailabilityCheck {
  readonly #log: Logger
  #core: RailParts | null = null
  /** Why it is closed, or null. */
  #closed: string | null = 'the boot checks have not run yet'
  #timer: ReturnType<typeof setTimeout> | null = null
  #stopped = false

  constructor(log: Logger) {
    this.#log = log
  }

  available(): Availability {
    if (this.#closed !== null) return { ok: false, reason: this.#closed }
    if (this.#core?.settlers.usable() === false) {
      return { ok: false, reason: 'no facilitator or signer answers' }
    }
    return { ok: true }
  }

  /** The settings make no rail; `reason` names the one that is missing or wrong. */
  close(reason: string): void {
    this.#closed = reason
  }

  /**
   * One round of checks; a node that does not answer is asked again in the background. With a remote
   * facilitator the rail opens meanwhile, because that can settle without our own node.
   */
  async check(core: RailParts): Promise<void> {
    const { chain, asset, hasFacilitators } = core
    const checked = chain ? await checkChain(chain, asset) : { state: 'ok' as const }
    if (this.#stopped) return
    this.#core = core
    if (checked.state === 'ok') {
      if (this.#timer) this.#log.info({ network: asset.network }, 'x402 is open')
      this.#closed = null
      return
    }
    const tolerable = checked.state === 'unreachable' && hasFacilitators
    this.#closed = tolerable ? null : checked.reason
    this.#log.error({ reason: checked.reason, open: tolerable }, 'x402 boot check failed')
    if (checked.state === 'unreachable') {
      this.#timer = setTimeout(() => void this.check(core), RETRY_MS)
    }
  }

  /** Ends the checks; calls under way still see whether the rail is open. */
  stop(): void {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
  }
}
