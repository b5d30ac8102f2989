/**
 * A bounded, fair queue for a few places. The holder with the fewest running items goes first, then
 * the one with the fewest turns, then the first to arrive. The queue starts nothing itself: its
 * owner asks for the next item whenever a place may be free.
 *
 * A single holder may use every place (unless `placesPerShare` forbids it) and the whole queue.
 * Others do not suffer from it: one extra place is lent to a holder who runs nothing while another
 * runs several, and a full queue makes room for holders with fewer items in it.
 */

export interface FairLimits {
  /** Items that may run at once, plus one for a holder without any while another has several. */
  places: number
  /** Items of one holder that may run at once. Default: all places. */
  placesPerShare?: number
  /** Most waiting items of all holders together. */
  maxQueued: number
  /** Most waiting items of one holder. */
  maxQueuedPerShare: number
}

/**
 * Whether an item was queued, and which one was displaced: the newest of the holder with the most
 * waiting items. Otherwise what is full: the holder's own share, or the queue.
 */
export type Entered<T> = { ok: true; displaced: T | null } | { ok: false; full: 'share' | 'queue' }

interface Waiting<T> {
  item: T
  order: number
}
interface Holder<T> {
  waiting: Waiting<T>[]
  running: number
  /** Number of turns, counted from the virtual time at which the holder arrived. */
  turns: number
}

/** Above this many, idle holders are forgotten whatever their turns: most never come again. */
const HOLDERS_MAX = 1000

export class FairQueue<T> {
  readonly #limits: FairLimits
  /** Holders with items, and those whose turns are ahead of the virtual time. */
  readonly #holders = new Map<string, Holder<T>>()
  /** The turn of the most recently started item, at which new holders begin to count. */
  #virtualTime = 0
  #order = 0
  #queued = 0
  #running = 0

  constructor(limits: FairLimits) {
    this.#limits = limits
  }

  get queued(): number {
    return this.#queued
  }
  get running(): number {
    return this.#running
  }

  enter(share: string, item: T): Entered<T> {
    const own = this.#holders.get(share)?.waiting.length ?? 0
    if (own >= this.#limits.maxQueuedPerShare) return { ok: false, full: 'share' }
    let displaced: T | null = null
    if (this.#queued >= this.#limits.maxQueued) {
      const largest = this.#largest()
      // With equal shares, the items that were there first stay.
      if (!largest || largest.waiting.length <= own + 1) return { ok: false, full: 'queue' }
      displaced = largest.waiting.pop()!.item
      this.#queued -= 1
    }
    this.#holder(share).waiting.push({ item, order: this.#order++ })
    this.#queued += 1
    return { ok: true, displaced }
  }

  /** Removes a waiting item from the queue; does nothing if it is not waiting. */
  remove(share: string, item: T): void {
    const holder = this.#holders.get(share)
    const index = holder?.waiting.findIndex((one) => one.item === item) ?? -1
    if (!holder || index < 0) return
    holder.waiting.splice(index, 1)
    this.#queued -= 1
    this.#forget(share, holder)
  }

  /** The next item, left in the queue; null if none is waiting or no place is free. */
  peek(): T | null {
    return this.#next()?.holder.waiting[0]!.item ?? null
  }

  /** Takes the next item, which counts as running until `end`. */
  take(): T | null {
    const next = this.#next()
    if (!next) return null
    const { holder } = next
    this.#virtualTime = holder.turns
    holder.turns += 1
    holder.running += 1
    this.#running += 1
    this.#queued -= 1
    const { item } = holder.waiting.shift()!
    this.#forgetPast()
    return item
  }

  /** An item of this holder has ended. */
  end(share: string): void {
    const holder = this.#holders.get(share)
    if (!holder || holder.running === 0) return
    holder.running -= 1
    this.#running -= 1
    this.#forget(share, holder)
  }

  /** Returns a running item to the front of its holder's queue, and undoes its turn. */
  putBack(share: string, item: T): void {
    const holder = this.#holder(share)
    holder.turns -= 1
    holder.waiting.unshift({ item, order: -1 })
    this.#queued += 1
    this.end(share)
  }

  /** Removes and returns all waiting items. */
  drain(): T[] {
    const items = [...this.#holders.values()].flatMap((holder) =>
      holder.waiting.splice(0).map(({ item }) => item),
    )
    this.#queued = 0
    this.#forgetPast()
    return items
  }

  #next(): { share: string; holder: Holder<T> } | null {
    let next: { share: string; holder: Holder<T> } | null = null
    let most = 0
    const { places, placesPerShare = Infinity } = this.#limits
    for (const [share, holder] of this.#holders) {
      most = Math.max(most, holder.running)
      if (holder.waiting.length === 0 || holder.running >= placesPerShare) continue
      if (next === null || isBefore(holder, next.holder)) next = { share, holder }
    }
    if (next === null || this.#running < places) return next
    const isLent = this.#running === places && next.holder.running === 0 && most > 1
    return isLent ? next : null
  }

  #holder(share: string): Holder<T> {
    let holder = this.#holders.get(share)
    if (!holder) {
      holder = { waiting: [], running: 0, turns: this.#virtualTime }
      this.#holders.set(share, holder)
    }
    // Holders gain no credit while absent: turns cannot be saved up.
    if (holder.waiting.length === 0) holder.turns = Math.max(holder.turns, this.#virtualTime)
    return holder
  }

  #largest(): Holder<T> | null {
    let largest: Holder<T> | null = null
    for (const holder of this.#holders.values())
      if (!largest || holder.waiting.length > largest.waiting.length) largest = holder
    return largest
  }

  #forget(share: string, holder: Holder<T>): void {
    const isIdle = holder.running === 0 && holder.waiting.length === 0
    const isPast = holder.turns <= this.#virtualTime || this.#holders.size > HOLDERS_MAX
    if (isIdle && isPast) this.#holders.delete(share)
  }

  #forgetPast(): void {
    for (const [share, holder] of this.#holders) this.#forget(share, holder)
  }
}

function isBefore<T>(a: Holder<T>, b: Holder<T>): boolean {
  if (a.running !== b.running) return a.running < b.running
  if (a.turns !== b.turns) return a.turns < b.turns
  return a.waiting[0]!.order < b.waiting[0]!.order
}
