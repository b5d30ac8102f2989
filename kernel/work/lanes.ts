/**
 * Which of those who wait may go together now. They keep the order in which they came; two of one
 * key never go together, and a lane is in one batch at a time, where its others wait for it.
 */

export interface LaneRules<Member> {
  /** Members of one key go one after another. Without it any two may go together. */
  keyOf?(member: Member): string
  /** Members of one lane go together or wait for each other. Without it nobody waits. */
  laneOf?(member: Member): string
  /** A batch holds members of one lane only. */
  oneLanePerBatch?: boolean
}

export class Lanes<Member> {
  readonly #rules: LaneRules<Member>
  #waiting: Member[] = []
  /** Lanes of the batches under way. */
  readonly #busy = new Set<string>()
  /** Lanes that are held up, with those who wait behind them. */
  readonly #parked = new Map<string, Member[]>()

  constructor(rules: LaneRules<Member>) {
    this.#rules = rules
  }

  /** Whether somebody waits who is not behind a parked lane. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  add(member: Member): void {
    this.#waiting.push(member)
  }

  /** At most `max` who may go now; their lanes are busy until `free`. Empty when nobody may. */
  take(max: number): Member[] {
    const { keyOf, laneOf, oneLanePerBatch = false } = this.#rules
    const batch: Member[] = []
    const left: Member[] = []
    const keys = new Set<string>()
    const lanes = new Set<string>()
    for (const member of this.#waiting) {
      const lane = laneOf?.(member)
      const key = keyOf?.(member)
      const behind = lane === undefined ? undefined : this.#parked.get(lane)
      if (behind) {
        behind.push(member)
        continue
      }
      const isHeldUp =
        (lane !== undefined && this.#busy.has(lane)) ||
        (key !== undefined && keys.has(key)) ||
        (oneLanePerBatch && batch.length > 0 && !lanes.has(lane!))
      if (batch.length >= max || isHeldUp) {
        left.push(member)
        continue
      }
      if (key !== undefined) keys.add(key)
      if (lane !== undefined) lanes.add(lane)
      batch.push(member)
    }
    this.#waiting = left
    for (const lane of lanes) this.#busy.add(lane)
    return batch
  }

  /** The batch's place is free again, and so are its lanes, apart from those that are parked. */
  free(batch: readonly Member[]): void {
    const { laneOf } = this.#rules
    if (laneOf) for (const member of batch) this.#busy.delete(laneOf(member))
  }

  /** Keeps the lane's others aside until `unpark`: one of its members outlasts its batch. */
  park(lane: string): void {
    if (!this.#parked.has(lane)) this.#parked.set(lane, [])
  }

  /** Those behind a parked lane wait in front of all others again. */
  unpark(lane: string): void {
    const behind = this.#parked.get(lane)
    if (behind === undefined) return
    this.#parked.delete(lane)
    this.#waiting.unshift(...behind)
  }
}
