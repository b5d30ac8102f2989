/**
 * Settlements of one payer that are under way at once, for settlers that pay the network's fee
 * themselves. Each looks good by itself while the ones before it are in no block: who has the money for
 * one could have any number of them sent, and each that fails costs us its fee and the payer nothing.
 */

interface UnderWay {
  /** Units of the token. */
  units: bigint
  ended: Promise<void>
}

export class PayersUnderWay {
  readonly #byPayer = new Map<string, Set<UnderWay>>()

  /**
   * The result of `work`, which begins once the payer has enough for it and for all that began before
   * it, or those have ended. Nobody waits for a balance that cannot be had.
   */
  async beside<T>(
    order: { payer: string; units: bigint; balance(): Promise<bigint> },
    work: () => Promise<T>,
  ): Promise<T> {
    const { payer, units, balance } = order
    const all = this.#byPayer.get(payer) ?? new Set()
    this.#byPayer.set(payer, all)
    const before = [...all]
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const own = { units, ended }
    all.add(own)
    try {
      for (;;) {
        const open = before.filter((one) => all.has(one))
        if (open.length === 0) break
        const needed = open.reduce((sum, one) => sum + one.units, units)
        const has = await balance().catch(() => needed)
        if (has >= needed) break
        await Promise.race(open.map((one) => one.ended))
      }
      return await work()
    } finally {
      all.delete(own)
      if (all.size === 0) this.#byPayer.delete(payer)
      resolve()
    }
  }
}
