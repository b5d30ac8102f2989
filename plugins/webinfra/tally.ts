/** How attempts ended since the product was loaded, for /metrics. */
import type { Gauge } from '#kernel'
import type { ForwardState } from './status.ts'

export class Tally {
  readonly #counts = new Map<string, number>()

  /** Counts one finished run of a forward; `lost`: another instance has taken it over. */
  note(state: ForwardState | 'lost'): void {
    this.#counts.set(state, (this.#counts.get(state) ?? 0) + 1)
  }

  gauge(): Gauge {
    return {
      name: 'gateway_deliveries_total',
      help: 'Runs of webhook forwards of this instance by how they ended',
      label: 'outcome',
      kind: 'counter',
      read: () => this.#counts,
    }
  }
}
