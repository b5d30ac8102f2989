/**
 * The batcher: orders that arrive together run as one statement. Under load it turns hundreds of
 * commits on one row into a few; a single order runs as the plain statement.
 */
export interface BatcherOptions<Order, Outcome> {
  /** Concurrent batches; orders that arrive meanwhile are collected for the next one. */
  maxInFlight: number
  maxBatch: number
  /** Most waiting and running orders; beyond it `submit` rejects. */
  maxPending?: number
  /** What `submit` then rejects with; default: `error`. */
  whenFull?(error: Error): Error
  /** Orders of one key never share a batch; they run one after another. */
  keyOf?(order: Order): string
  /**
   * The resource that an order locks in the database, such as its account: orders of one lane share
   * a batch or wait for each other here, where they can be batched, instead of for the row's lock.
   */
  laneOf?(order: Order): string
  /** A batch holds orders of one lane only, because one transaction may lock one account only. */
  oneLanePerBatch?: boolean
  /**
   * Decides a single order; `submittedAtMs` (performance.now) bounds its retries. Without it a
   * single order goes through `many`, and an error of `many` rejects every order.
   */
  one?(order: Order, submittedAtMs: number): Promise<Outcome>
  /**
   * Decides many orders at once, all or nothing on a throw. An undefined member was not decided
   * and is run through `one`.
   */
  many(orders: readonly Order[]): Promise<readonly (Outcome | undefined)[]>
}

export interface Batcher<Order, Outcome> {
  /** The order's own outcome; rejects with the error of the order. */
  submit(order: Order): Promise<Outcome>
  /** Resolves when every order submitted so far is answered. */
  drain(): Promise<void>
}

interface Member<Order, Outcome> {
  order: Order
  submittedAtMs: number
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/** How many lanes of a failed batch are rerun concurrently. */
const LANES_AT_ONCE = 8
/** A batch's place is freed after this time, even if single orders are still running. */
const PLACE_MS = 200

/** A new batcher; it needs no closing and holds no timer while idle. */
export function createBatcher<Order, Outcome>(
  options: BatcherOptions<Order, Outcome>,
): Batcher<Order, Outcome> {
  type Waiting = Member<Order, Outcome>
  const { laneOf, one, maxPending = Infinity } = options
  const lanes = new Lanes<Order, Waiting>(options)
  let inFlight = 0
  let pending = 0
  let flushing = false
  let idle: (() => void)[] = []

  function schedule(): void {
    if (flushing || lanes.isEmpty || inFlight >= options.maxInFlight) return
    flushing = true
    // Orders submitted in the same turn of the event loop go out together.
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

  /** Resolves when the batch is decided or its place can be used by the next one. */
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
      // One member failed the batch for all; run singly, each gets its own result or error.
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

  /** Lanes run concurrently, the orders of one lane one after the other. */
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
        const error = new Error(`${pending} orders are waiting already`)
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

type LaneRules<Order> = Pick<BatcherOptions<Order, unknown>, 'keyOf' | 'laneOf' | 'oneLanePerBatch'>

/**
 * Chooses the waiting members for the next batch, in order of arrival. Two members with one key
 * never share a batch, and a lane is in only one batch at a time, for which its other members wait.
 */
class Lanes<Order, Waiting extends { order: Order }> {
  readonly #rules: LaneRules<Order>
  #waiting: Waiting[] = []
  /** Lanes of the running batches. */
  readonly #busy = new Set<string>()
  /** Blocked lanes, with the members that wait behind them. */
  readonly #parked = new Map<string, Waiting[]>()

  constructor(rules: LaneRules<Order>) {
    this.#rules = rules
  }

  /** Whether no member waits, apart from those behind parked lanes. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  add(member: Waiting): void {
    this.#waiting.push(member)
  }

  /** Takes at most `max` members that can run now; their lanes are busy until `free`. */
  take(max: number): Waiting[] {
    const { keyOf, laneOf, oneLanePerBatch = false } = this.#rules
    const batch: Waiting[] = []
    const left: Waiting[] = []
    const keys = new Set<string>()
    const lanes = new Set<string>()
    for (const member of this.#waiting) {
      const lane = laneOf?.(member.order)
      const key = keyOf?.(member.order)
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

  /** Frees the batch's place and its lanes, except for parked ones. */
  free(batch: readonly Waiting[]): void {
    const { laneOf } = this.#rules
    if (laneOf) for (const member of batch) this.#busy.delete(laneOf(member.order))
  }

  /** Holds back the lane until `unpark`, because one of its members outlasts its batch. */
  park(lane: string): void {
    if (!this.#parked.has(lane)) this.#parked.set(lane, [])
  }

  /** Puts the members behind a parked lane back in front of all others. */
  unpark(lane: string): void {
    const behind = this.#parked.get(lane)
    if (behind === undefined) return
    this.#parked.delete(lane)
    this.#waiting.unshift(...behind)
  }
}
