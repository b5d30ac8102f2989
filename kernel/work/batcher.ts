/**
 * The write combiner: whatever orders have gathered go out as one statement. Under load it turns
 * hundreds of commits on one account row into a few; a lone order goes out as the plain statement.
 */

export interface CombinerOptions<Order, Outcome> {
  /** Statements under way at once; what arrives meanwhile gathers for the next one. */
  maxInFlight: number
  maxBatch: number
  /** Orders waiting or under way; beyond it `submit` rejects with CombinerFullError. */
  maxPending: number
  /** Orders of one key never share a statement; they run one after another. */
  keyOf(order: Order): string
  /**
   * What an order has to itself in the database, its account say: orders of one lane share a
   * statement or wait for each other here, where they gather, and not there for a row's lock.
   */
  laneOf(order: Order): string
  /** Decides a single order; `submittedAtMs` (performance.now) bounds its retries. */
  one(order: Order, submittedAtMs: number): Promise<Outcome>
  /**
   * Decides many orders in one statement, all or nothing on a throw. An undefined member was not
   * decided and is run through `one`.
   */
  many(orders: readonly Order[]): Promise<readonly (Outcome | undefined)[]>
}

export interface Combiner<Order, Outcome> {
  /** The order's own outcome; rejects only with what `one` threw for it, or when full. */
  submit(order: Order): Promise<Outcome>
  /** Resolves when every order submitted so far is answered. */
  drain(): Promise<void>
}

export class CombinerFullError extends Error {
  constructor(pending: number) {
    super(`${pending} ledger writes are waiting already`)
    this.name = 'CombinerFullError'
  }
}

interface Waiting<Order, Outcome> {
  order: Order
  submittedAtMs: number
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/** How many lanes of a failed batch are rerun side by side. */
const LANES_AT_ONCE = 8
/** A statement's place is free again after this long, though single orders may still be running. */
const PLACE_MS = 200

export function createCombiner<Order, Outcome>(
  options: CombinerOptions<Order, Outcome>,
): Combiner<Order, Outcome> {
  type Member = Waiting<Order, Outcome>
  let queue: Member[] = []
  let inFlight = 0
  let pending = 0
  let flushing = false
  let idle: (() => void)[] = []
  /** Lanes of the statements under way. */
  const busy = new Set<string>()
  /** Lanes with an order that outlasts its place, and what waits behind it. */
  const slow = new Map<string, Member[]>()

  function schedule(): void {
    if (flushing || queue.length === 0 || inFlight >= options.maxInFlight) return
    flushing = true
    setImmediate(flush)
  }

  function flush(): void {
    flushing = false
    while (queue.length > 0 && inFlight < options.maxInFlight) {
      const batch = takeBatch()
      if (batch.length === 0) return
      inFlight += 1
      const lanes = batch.map((member) => options.laneOf(member.order))
      for (const lane of lanes) busy.add(lane)
      void run(batch).finally(() => {
        inFlight -= 1
        for (const lane of lanes) busy.delete(lane)
        schedule()
      })
    }
  }

  function takeBatch(): Member[] {
    const batch: Member[] = []
    const left: Member[] = []
    const keys = new Set<string>()
    for (const member of queue) {
      const key = options.keyOf(member.order)
      const lane = options.laneOf(member.order)
      const behind = slow.size > 0 ? slow.get(lane) : undefined
      if (behind) behind.push(member)
      else if (batch.length >= options.maxBatch || keys.has(key) || busy.has(lane))
        left.push(member)
      else {
        keys.add(key)
        batch.push(member)
      }
    }
    queue = left
    return batch
  }

  /** Resolves when the batch is decided, or its place may be given to the next one. */
  async function run(batch: Member[]): Promise<void> {
    const outcomes = batch.length === 1 ? [] : await decideMany(batch)
    const lanes = new Map<string, Member[]>()
    for (const [index, member] of batch.entries()) {
      const outcome = outcomes[index]
      if (outcome !== undefined) {
        settle(() => member.resolve(outcome))
        continue
      }
      const lane = options.laneOf(member.order)
      const mates = lanes.get(lane)
      if (mates) mates.push(member)
      else lanes.set(lane, [member])
    }
    if (lanes.size > 0) await untilDoneOrSlow(lanes)
  }

  function untilDoneOrSlow(lanes: Map<string, Member[]>): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        for (const lane of lanes.keys()) if (!slow.has(lane)) slow.set(lane, [])
        resolve()
      }, PLACE_MS)
      void decideLanes(lanes).finally(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  /** Lanes run side by side, the orders of one lane one after the other. */
  async function decideLanes(lanes: Map<string, Member[]>): Promise<void> {
    const waiting = [...lanes]
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [lane, members] = next
        for (const member of members) await decideOne(member)
        lanes.delete(lane)
        unpark(lane)
      }
    }
    await Promise.all(Array.from({ length: Math.min(LANES_AT_ONCE, waiting.length) }, worker))
  }

  function unpark(lane: string): void {
    const behind = slow.get(lane)
    if (behind === undefined) return
    slow.delete(lane)
    queue.unshift(...behind)
    schedule()
  }

  async function decideMany(batch: Member[]): Promise<readonly (Outcome | undefined)[]> {
    try {
      return await options.many(batch.map((member) => member.order))
    } catch {
      // One member spoils the statement for all; singly each gets its own answer or error.
      return []
    }
  }

  async function decideOne(member: Member): Promise<void> {
    try {
      const outcome = await options.one(member.order, member.submittedAtMs)
      settle(() => member.resolve(outcome))
    } catch (error) {
      settle(() => member.reject(error))
    }
  }

  function settle(answer: () => void): void {
    answer()
    pending -= 1
    if (pending > 0) return
    const waiting = idle
    idle = []
    for (const resolve of waiting) resolve()
  }

  return {
    submit(order) {
      if (pending >= options.maxPending) return Promise.reject(new CombinerFullError(pending))
      pending += 1
      return new Promise((resolve, reject) => {
        queue.push({ order, submittedAtMs: performance.now(), resolve, reject })
        schedule()
      })
    },
    drain() {
      return pending === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))
    },
  }
}
