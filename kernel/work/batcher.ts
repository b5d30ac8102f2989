/**
 * The batcher: whatever orders have gathered go out as one statement. Under load it turns hundreds
 * of commits on one row into a few; a lone order goes out as the plain statement.
 */
export interface BatcherOptions<Order, Outcome> {
  /** Batches under way at once; what arrives meanwhile gathers for the next one. */
  maxInFlight: number
  maxBatch: number
  /** Orders waiting or under way; beyond it `submit` rejects with BatcherFullError. Default: no limit. */
  maxPending?: number
  /** What `submit` rejects with instead of BatcherFullError. */
  whenFull?(error: BatcherFullError): Error
  /** Orders of one key never share a batch; they run one after another. */
  keyOf?(order: Order): string
  /**
   * What an order has to itself in the database, such as its account: orders of one lane share a
   * batch or wait for each other here, where they gather, and not there for a row's lock.
   */
  laneOf?(order: Order): string
  /** A batch holds orders of one lane only, because one transaction may lock one account only. */
  oneLanePerBatch?: boolean
  /**
   * Decides a single order; `submittedAtMs` (performance.now) bounds its retries. Without it a lone
   * order goes through `many`, and what `many` throws is every order's answer.
   */
  one?(order: Order, submittedAtMs: number): Promise<Outcome>
  /**
   * Decides many orders at once, all or nothing on a throw. An undefined member was not decided
   * and is run through `one`.
   */
  many(orders: readonly Order[]): Promise<readonly (Outcome | undefined)[]>
}

export interface Batcher<Order, Outcome> {
  /** The order's own outcome; rejects with what was thrown for it, or with BatcherFullError. */
  submit(order: Order): Promise<Outcome>
  /** Resolves when every order submitted so far is answered. */
  drain(): Promise<void>
}

export class BatcherFullError extends Error {
  constructor(pending: number) {
    super(`${pending} orders are waiting already`)
    this.name = 'BatcherFullError'
  }
}

interface Member<Order, Outcome> {
  order: Order
  submittedAtMs: number
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/** How many lanes of a failed batch are rerun side by side. */
const LANES_AT_ONCE = 8
/** A batch's place is free again after this long, though single orders may still be running. */
const PLACE_MS = 200

/** A batcher of its own; it has nothing to close, and holds no timer while nothing is under way. */
export function createBatcher<Order, Outcome>(
  options: BatcherOptions<Order, Outcome>,
): Batcher<Order, Outcome> {
  type Waiting = Member<Order, Outcome>
  const { keyOf, laneOf, one, maxPending = Infinity } = options
  const lanes = new Lanes<Waiting>({
    ...(keyOf && { keyOf: ({ order }) => keyOf(order) }),
    ...(laneOf && { laneOf: ({ order }) => laneOf(order) }),
    oneLanePerBatch: options.oneLanePerBatch ?? false,
  })
  let inFlight = 0
  let pending = 0
  let flushing = false
  let idle: (() => void)[] = []

  function schedule(): void {
    if (flushing || lanes.isEmpty || inFlight >= options.maxInFlight) return
    flushing = true
    // What is submitted in this turn of the event loop goes out together.
    setImmediate(flush)
  }

  function flush(): void {
    flushing = false
    while (!lanes.isEmpty && inFlight < options.maxInFlight) {
      const batch = lanes.take(options.maxBatch)
      if (batch.length === 0) return
      inFlight += 1
      void run(batch).finally(() => {
        inFlight -= 1
        lanes.free(batch)
        schedule()
      })
    }
  }

  /** Resolves when the batch is decided, or its place may be given to the next one. */
  async function run(batch: Waiting[]): Promise<void> {
    const outcomes = one && batch.length === 1 ? [] : await decideTogether(batch)
    if (outcomes === 'answered') return
    const undecided = batch.filter((member, index) => {
      const outcome = outcomes[index]
      if (outcome === undefined) return true
      answer(() => member.resolve(outcome))
      return false
    })
    if (undecided.length === 0) return
    if (one) return untilDoneOrSlow(undecided, one)
    for (const { reject } of undecided)
      answer(() => reject(new Error('an order was left undecided')))
  }

  async function decideTogether(
    batch: Waiting[],
  ): Promise<readonly (Outcome | undefined)[] | 'answered'> {
    try {
      return await options.many(batch.map(({ order }) => order))
    } catch (error) {
      // One member spoils the batch for all; singly each gets its own answer or error.
      if (one) return []
      for (const { reject } of batch) answer(() => reject(error))
      return 'answered'
    }
  }

  function untilDoneOrSlow(undecided: Waiting[], decide: NonNullable<typeof one>): Promise<void> {
    const open = new Map<string, Waiting[]>()
    for (const [index, member] of undecided.entries()) {
      const lane = laneOf ? laneOf(member.order) : String(index)
      const mates = open.get(lane)
      if (mates) mates.push(member)
      else open.set(lane, [member])
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        if (laneOf) for (const lane of open.keys()) lanes.park(lane)
        resolve()
      }, PLACE_MS)
      void decideSingly(open, decide).finally(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  /** Lanes run side by side, the orders of one lane one after the other. */
  async function decideSingly(
    open: Map<string, Waiting[]>,
    decide: NonNullable<typeof one>,
  ): Promise<void> {
    const waiting = [...open]
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [lane, members] = next
        for (const { order, submittedAtMs, resolve, reject } of members) {
          try {
            const outcome = await decide(order, submittedAtMs)
            answer(() => resolve(outcome))
          } catch (error) {
            answer(() => reject(error))
          }
        }
        open.delete(lane)
        if (!laneOf) continue
        lanes.unpark(lane)
        schedule()
      }
    }
    await Promise.all(Array.from({ length: Math.min(LANES_AT_ONCE, waiting.length) }, worker))
  }

  function answer(settle: () => void): void {
    settle()
    pending -= 1
    if (pending > 0) return
    const waiting = idle
    idle = []
    for (const resolve of waiting) resolve()
  }

  return {
    submit(order) {
      if (pending >= maxPending) {
        const error = new BatcherFullError(pending)
        return Promise.reject(options.whenFull?.(error) ?? error)
      }
      pending += 1
      return new Promise((resolve, reject) => {
        lanes.add({ order, submittedAtMs: performance.now(), resolve, reject })
        schedule()
      })
    },
    drain() {
      return pending === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))
    },
  }
}

interface LaneRules<Member> {
  /** Members of one key go one after another. Without it any two may go together. */
  keyOf?(member: Member): string
  /** Members of one lane go together or wait for each other. Without it nobody waits. */
  laneOf?(member: Member): string
  /** A batch holds members of one lane only. */
  oneLanePerBatch?: boolean
}

/**
 * Which of those who wait may go together now. They keep the order in which they came; two of one
 * key never go together, and a lane is in one batch at a time, where its others wait for it.
 */
class Lanes<Member> {
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
