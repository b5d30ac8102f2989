/**
 * Slots of a skill's `limits.concurrency`, counted per gateway. A caller alone may hold them all.
 * Once another has called the skill of late, the last quarter is for callers who hold none, so that
 * one with many long calls never locks the others out.
 */
import type { MountedSkill } from './contract.ts'

/** How long a caller counts as being there. */
const REMEMBERED_MS = 10 * 60_000

export type Slot =
  | { ok: true; release(): void }
  | { ok: false; limit: 'concurrency' | 'concurrency_share' }

/** Who called last, and who called last of the others: enough to know whether somebody is alone. */
interface Seen {
  share: string
  at: number
}
interface Slots {
  running: number
  held: Map<string, number>
  latest: Seen
  other: Seen | null
}

export class ConcurrencySlots {
  readonly #bySkill = new Map<string, Slots>()
  #total = 0

  /**
   * A slot for the holder of the share, or which limit is in the way: 'concurrency' when all are
   * taken, 'concurrency_share' when those left are for others. `now` is in milliseconds.
   */
  take(mounted: MountedSkill, share: string, now: number = performance.now()): Slot {
    const { concurrency } = mounted.limits
    const slots = this.#slots(mounted.skill.id, share, now)
    if (slots.running >= concurrency) return { ok: false, limit: 'concurrency' }
    const held = slots.held.get(share) ?? 0
    const isAlone = slots.other === null || now - slots.other.at > REMEMBERED_MS
    const kept = isAlone || held === 0 ? 0 : keptOf(concurrency)
    if (slots.running >= concurrency - kept) return { ok: false, limit: 'concurrency_share' }
    slots.running += 1
    slots.held.set(share, held + 1)
    this.#total += 1
    return { ok: true, release: () => this.#release(slots, share) }
  }

  /** Calls running now, over all skills. */
  total(): number {
    return this.#total
  }

  #release(slots: Slots, share: string): void {
    const left = slots.held.get(share)! - 1
    if (left === 0) slots.held.delete(share)
    else slots.held.set(share, left)
    slots.running -= 1
    this.#total -= 1
  }

  /** The slots of the skill, which have seen this holder now; `other` is another one. */
  #slots(skill: string, share: string, at: number): Slots {
    let slots = this.#bySkill.get(skill)
    if (!slots) {
      slots = { running: 0, held: new Map(), latest: { share, at }, other: null }
      this.#bySkill.set(skill, slots)
    }
    if (slots.latest.share !== share) slots.other = slots.latest
    slots.latest = { share, at }
    return slots
  }
}

/** Slots that stay for callers without any: a quarter, and one of few; of a single one none. */
function keptOf(concurrency: number): number {
  return concurrency < 2 ? 0 : Math.max(1, Math.floor(concurrency / 4))
}
