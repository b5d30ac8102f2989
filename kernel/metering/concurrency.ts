/**
 * Slots of a skill's `limits.concurrency`, counted per gateway. A single caller may hold all of
 * them. While several callers use the skill, the last quarter is reserved for callers who hold no
 * slot, so that one caller with many long calls cannot lock the others out. A call over its
 * caller's share waits for up to a second: short calls end sooner than their caller could retry.
 */
import type { MountedSkill } from '../plugins/catalog.ts'

/** How long after its last call a caller still counts as active. */
const REMEMBERED_MS = 10 * 60_000
/** How long a call over its caller's share waits for another of the caller's calls to end. */
const WAIT_MS = 1000

export type Slot =
  | { ok: true; release(): void }
  | { ok: false; limit: 'concurrency' | 'concurrency_share' }

const FULL: Slot = { ok: false, limit: 'concurrency' }
const SHARE_FULL: Slot = { ok: false, limit: 'concurrency_share' }

/** The last caller and the last different one: enough to know whether a caller is alone. */
interface Seen {
  share: string
  at: number
}
interface Slots {
  running: number
  held: Map<string, number>
  latest: Seen
  other: Seen | null
  /** Waiting calls by share; a share that was served moves to the end. */
  waiting: Map<string, Waiting[]>
}
interface Waiting {
  concurrency: number
  resolve(slot: Slot): void
}

export class ConcurrencySlots {
  readonly #bySkill = new Map<string, Slots>()
  #total = 0

  /**
   * A slot for the holder of the share, or the limit that was reached: 'concurrency' when all slots
   * are taken, 'concurrency_share' when the remaining ones are reserved for others and none of the
   * holder's own calls ended within a second or before the caller's signal. `now` is in
   * milliseconds.
   */
  enter(
    mounted: MountedSkill,
    share: string,
    caller: { readonly signal: AbortSignal },
    now: number = performance.now(),
  ): Slot | Promise<Slot> {
    const { concurrency } = mounted.limits
    const slots = this.#slots(mounted.skill.id, share, now)
    const line = slots.waiting.get(share)
    if (line === undefined) {
      const slot = this.#take(slots, concurrency, share, now)
      if (slot.ok || slot.limit === 'concurrency') return slot
    }
    const isFull = (line?.length ?? 0) >= concurrency
    if (isFull || caller.signal.aborted) return SHARE_FULL
    return this.#wait(slots, concurrency, share, caller.signal)
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
    this.#admit(slots)
  }

  #take(slots: Slots, concurrency: number, share: string, now: number): Slot {
    if (slots.running >= concurrency) return FULL
    const held = slots.held.get(share) ?? 0
    const isAlone = slots.other === null || now - slots.other.at > REMEMBERED_MS
    const kept = isAlone || held === 0 ? 0 : keptOf(concurrency)
    if (slots.running >= concurrency - kept) return SHARE_FULL
    slots.running += 1
    slots.held.set(share, held + 1)
    this.#total += 1
    return { ok: true, release: () => this.#release(slots, share) }
  }

  #wait(slots: Slots, concurrency: number, share: string, signal: AbortSignal): Promise<Slot> {
    return new Promise((resolve) => {
      const end = (slot: Slot): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', giveUp)
        resolve(slot)
      }
      const waiting: Waiting = { concurrency, resolve: end }
      const giveUp = (): void => {
        leave(slots, share, waiting)
        end(SHARE_FULL)
      }
      const timer = setTimeout(giveUp, WAIT_MS)
      signal.addEventListener('abort', giveUp, { once: true })
      const line = slots.waiting.get(share)
      if (line) line.push(waiting)
      else slots.waiting.set(share, [waiting])
    })
  }

  /** Gives free slots to waiting calls, one share after the other. */
  #admit(slots: Slots): void {
    if (slots.waiting.size === 0) return
    const now = performance.now()
    for (const [share, line] of slots.waiting) {
      const first = line[0]!
      const slot = this.#take(slots, first.concurrency, share, now)
      if (!slot.ok) continue
      slots.waiting.delete(share)
      if (line.length > 1) slots.waiting.set(share, line.slice(1))
      first.resolve(slot)
      return
    }
  }

  /** The skill's slots, with this holder recorded as seen; `other` is the last different holder. */
  #slots(skill: string, share: string, at: number): Slots {
    let slots = this.#bySkill.get(skill)
    if (!slots) {
      this.#forgetUnused(at)
      const latest = { share, at }
      slots = { running: 0, held: new Map(), latest, other: null, waiting: new Map() }
      this.#bySkill.set(skill, slots)
    }
    if (slots.latest.share !== share) slots.other = slots.latest
    slots.latest = { share, at }
    return slots
  }

  /** Forgets skills that nobody calls any more, such as those of products that are gone. */
  #forgetUnused(now: number): void {
    for (const [skill, { running, latest }] of this.#bySkill) {
      if (running === 0 && now - latest.at > REMEMBERED_MS) this.#bySkill.delete(skill)
    }
  }
}

function leave(slots: Slots, share: string, waiting: Waiting): void {
  const left = slots.waiting.get(share)?.filter((one) => one !== waiting) ?? []
  if (left.length > 0) slots.waiting.set(share, left)
  else slots.waiting.delete(share)
}

/** Slots reserved for callers who hold none: a quarter, at least one; none of a single slot. */
function keptOf(concurrency: number): number {
  return concurrency < 2 ? 0 : Math.max(1, Math.floor(concurrency / 4))
}
