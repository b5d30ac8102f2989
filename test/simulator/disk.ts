/** The disk of a gateway, which its successor finds as it was left: the journal of give-backs on it. */
import type {
  GiveBackJournal,
  GiveBackOrder,
  KeptOrder,
} from '../../kernel/metering/give-back-contract.ts'
import type { Owner, World } from './world.ts'

interface Written {
  order: GiveBackOrder
  by: Owner
}

export class Disk {
  readonly #world: World
  readonly #written = new Set<Written>()

  constructor(world: World) {
    this.#world = world
  }

  /** The journal as one gateway over this disk has it. */
  journalOf(owner: Owner): GiveBackJournal {
    const step = <T>(name: string, effect: () => T): Promise<T> =>
      this.#world.step(owner, 'disk', name, effect)
    const keptOf = (written: Written): KeptOrder => ({
      order: written.order,
      forget: () => step('disk: forget', () => void this.#written.delete(written)),
    })
    return {
      keep: (order) => {
        const written = { order, by: owner }
        return step('disk: keep', () => {
          this.#written.add(written)
          return keptOf(written)
        })
      },
      left: async () => [...this.#written].filter(({ by }) => by !== owner).map(keptOf),
    }
  }
}
