/**
 * Keeps the choice of the fee payer up to date: asks facilitators whom to name, and the node what the
 * own sponsor has left, and chooses anew as settlers close and open.
 */
import { repeat, type Background, type Logger } from '#kernel'
import type { SettlerState } from '../settle/settlers.ts'
import type { FeePayers, FeePayerSource } from './fee-payers.ts'
import type { SolanaRpc } from './rpc.ts'

export interface FeePayerRoundsOptions {
  feePayers: FeePayers
  /** In the order in which they settle. */
  facilitators: readonly FeePayerSource[]
  /** Address of the own sponsor, who settles last; null: there is none. */
  own: string | null
  rpc: Pick<SolanaRpc, 'account'>
  settlerStates(): readonly SettlerState[]
  /** Offers name another fee payer from now on. */
  changed(feePayer: string | null): void
  log: Logger
  refreshEveryMs?: number
}

const REFRESH_EVERY_MS = 300_000
/** Whether settlers are open is looked at so many times as often as facilitators are asked. */
const ROUNDS_PER_LOOK = 150
/** What an account without data must keep to exist (`Rent::minimum_balance`): no fee is taken of it. */
const KEPT_LAMPORTS = 890_880n
/** What the next few fees may cost; with less the own sponsor is not offered. */
const ENOUGH_LAMPORTS = KEPT_LAMPORTS + 100_000n

export class FeePayerRounds {
  readonly #options: FeePayerRoundsOptions
  #ownLamports: bigint | null = null
  #task: Background | null = null

  constructor(options: FeePayerRoundsOptions) {
    this.#options = options
  }

  /** Resolves after the first round. Never throws. */
  async start(): Promise<void> {
    const { log, refreshEveryMs = REFRESH_EVERY_MS } = this.#options
    await this.#refresh()
    let rounds = 0
    const everyMs = refreshEveryMs / ROUNDS_PER_LOOK
    this.#task = repeat({ name: 'x402 fee payers', everyMs, log }, async () => {
      if (++rounds % ROUNDS_PER_LOOK === 0) await this.#refresh()
      this.#choose()
    })
  }

  async stop(): Promise<void> {
    await this.#task?.stop()
  }

  troubles(): string[] {
    return [
      ...this.#options.feePayers.troubles(),
      ...(this.#isOwnPoor() ? [`own sponsor has ${this.#ownLamports} lamports left`] : []),
    ]
  }

  async #refresh(): Promise<void> {
    const { feePayers, own, rpc } = this.#options
    const [, account] = await Promise.all([
      feePayers.refresh(),
      own === null ? undefined : rpc.account(own).catch(() => undefined),
    ])
    if (own !== null && account !== undefined) this.#ownLamports = account?.lamports ?? 0n
    this.#choose()
  }

  #choose(): void {
    const { feePayers, facilitators, settlerStates, changed } = this.#options
    const states = settlerStates()
    const isOpen = (at: number) => states[at]?.breaker !== 'open'
    const hasChanged = feePayers.choose((source) =>
      source === 'own'
        ? isOpen(states.length - 1) && !this.#isOwnPoor()
        : isOpen(facilitators.indexOf(source)),
    )
    if (hasChanged) changed(feePayers.current)
  }

  #isOwnPoor(): boolean {
    return this.#ownLamports !== null && this.#ownLamports < ENOUGH_LAMPORTS
  }
}
