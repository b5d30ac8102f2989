/**
 * Whose turn it is: a bounded queue before a few places, shared fairly by those who wait in it. Who
 * runs least goes first, then who had the fewest turns, then who came first. Nothing is started
 * here: the owner asks for the next item whenever a place may be free.
 *
 * One holder alone may use every place (unless `placesPerShare` says otherwise) and the whole queue.
 * Others lose nothing by it: one more place is lent to a holder who runs nothing while another runs
 * several, and a full queue makes room for whoever has less in it.
 */

export interface FairLimits {
  /** Items that may run at once; one more for a holder without any, while another has several. */
  places: number
  /** Items of one holder that may run at once. Default: all places. */
  placesPerShare?: number
  /** Items that may wait, of all holders together. */
  maxQueued: number
  /** Items of one holder that may wait. */
  maxQueuedPerShare: number
}

/**
 * Whether an item waits now, and which one had to go for it: the newest of the holder with most
 * waiting. Otherwise what is full: the holder's own share, or the queue with nobody to make room.
 */
export type Entered<T> = { ok: true; displaced: T | null } | { ok: false; full: 'share' | 'queue' }

interface Waiting<T> {
  item: T
  order: number
}
interface Holder<T> {
  waiting: Waiting<T>[]
  running: number
  /** Turns had, counted from the virtual time at which the holder came. */
  turns: number
}

export class FairQueue<T> {
  readonly #limits: FairLimits
  /** Holders with something here, and those whose turns are ahead of the virtual time. */
  readonly #holders = new Map<string, Holder<T>>()
  /** The turn that the latest started item had: where a newcomer begins to count. */
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
      // Equal shares are fair: whoever was there first stays.
      if (!largest || largest.waiting.length <= own + 1) return { ok: false, full: 'queue' }
      displaced = largest.waiting.pop()!.item
      this.#queued -= 1
    }
    this.#holder(share).waiting.push({ item, order: this.#order++ })
    this.#queued += 1
    return { ok: true, displaced }
  }

  /** Takes an item that waits out of the queue; does nothing when it does not wait. */
  remove(share: string, item: T): void {
    const holder = this.#holders.get(share)
    const index = holder?.waiting.findIndex((one) => one.item === item) ?? -1
    if (!holder || index < 0) return
    holder.waiting.splice(index, 1)
    this.#queued -= 1
    this.#forget(share, holder)
  }

  /** The item whose turn it is, left where it is; null when nobody waits or no place is free. */
  peek(): T | null {
    return this.#next()?.holder.waiting[0]!.item ?? null
  }

  /** What `peek` shows, which runs from now on until `end`. */
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

  /** A running item waits again, before the others of its holder, and the turn was none. */
  putBack(share: string, item: T): void {
    const holder = this.#holder(share)
    holder.turns -= 1
    holder.waiting.unshift({ item, order: -1 })
    this.#queued += 1
    this.end(share)
  }

  /** Everything that waited, which is taken out. */
  drain(): T[] {
    const items = [...this.#holders.values()].flatMap((holder) =>
      holder.waiting.splice(0).map(({ item }) => item),
    )
    this.#queued = 0
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
    // Time away gives no credit: nobody saves turns up.
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
    if (isIdle && holder.turns <= this.#virtualTime) this.#holders.delete(share)
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
