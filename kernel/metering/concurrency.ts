/** Slots of a skill's `limits.concurrency`, counted per gateway. */
import type { MountedSkill } from './contract.ts'

export class ConcurrencySlots {
  readonly #running = new Map<string, number>()

  /** Takes a slot and returns its release, or null when all are taken. */
  take(mounted: MountedSkill): (() => void) | null {
    const { id } = mounted.skill
    const running = this.#running.get(id) ?? 0
    if (running >= mounted.limits.concurrency) return null
    this.#running.set(id, running + 1)
    return () => {
      const left = this.#running.get(id)! - 1
      if (left === 0) this.#running.delete(id)
      else this.#running.set(id, left)
    }
  }

  /** Calls running now, over all skills. */
  total(): number {
    let total = 0
    for (const running of this.#running.values()) total += running
    return total
  }
}
