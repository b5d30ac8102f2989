/**
 * The scheduler of one history. Whatever leaves a gateway's own memory (a statement to the storage, a
 * message of the network, a file on its disk) is a step that waits here; the seed says which of the waiting steps happens
 * next, whether it fails before or after it took effect, and whether its gateway dies at it.
 */
import type { Random } from './random.ts'
import type { VirtualTime } from './virtual-time.ts'

/** Somebody whose steps end when it dies: a gateway's process. */
export interface Owner {
  name: string
  isAlive: boolean
}

interface Step {
  owner: Owner
  name: string
  kind: 'storage' | 'network' | 'disk'
  effect: () => unknown
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** How often things go wrong, as probabilities of a step. */
export interface Weather {
  /** A statement that fails before or after it took effect. */
  fault: number
  /** The gateway dies at this step. */
  crash: number
  /** The step waits while a timer comes first. */
  slow: number
  /** The storage is away for some seconds. */
  outage: number
  /** A capture that takes effect while its connection ends, so that nobody may send it again. */
  lostCapture: number
}
export const CALM: Weather = { fault: 0, crash: 0, slow: 0, outage: 0, lostCapture: 0 }

class LostConnection extends Error {
  constructor(readonly code: 'ECONNREFUSED' | 'CONNECTION_CLOSED' | 'CONNECTION_ENDED') {
    super(`simulated: ${code}`)
  }
}

/** So many turns of the event loop without a step: nothing will come any more. */
const IDLE_TURNS = 8
const realImmediate = globalThis.setImmediate
const turn = (): Promise<void> => new Promise((done) => realImmediate(() => done()))

export class World {
  readonly random: Random
  readonly time: VirtualTime
  weather: Weather = CALM
  /** What happened, for a history that is shown. */
  readonly trace: string[] = []
  isTraced = false
  steps = 0
  /** Statements that took effect while their caller was not told so, and the like. */
  faults = 0
  #waiting: Step[] = []
  #awayUntilMs = 0
  onCrash: (owner: Owner) => void = () => {}

  constructor(random: Random, time: VirtualTime) {
    this.random = random
    this.time = time
  }

  note(text: string): void {
    if (this.isTraced) this.trace.push(`${this.time.nowMs() % 1e8} ${text}`)
  }

  /** What `effect` gives, once this step's turn has come; never, when its owner is dead by then. */
  step<T>(
    owner: Owner,
    kind: Step['kind'],
    name: string,
    effect: () => T | Promise<T>,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ owner, kind, name, effect, resolve: resolve as Step['resolve'], reject })
    })
  }

  /** From now on all goes well. */
  calmDown(): void {
    this.weather = CALM
    this.#awayUntilMs = 0
    this.note('calm')
  }

  /** Kills a gateway: what it has sent may still take effect, and nothing comes back to it. */
  crash(owner: Owner): void {
    owner.isAlive = false
    this.faults++
    this.note(`${owner.name} dies`)
    for (const step of this.#waiting) {
      if (step.owner === owner && step.kind !== 'network' && this.random.chance(0.3)) {
        this.note(`${owner.name}: ${step.name} takes effect all the same`)
        // One that would be refused is refused unheard.
        void Promise.resolve()
          .then(step.effect)
          .catch(() => {})
      }
    }
    this.#waiting = this.#waiting.filter((step) => step.owner !== owner)
    this.onCrash(owner)
  }

  /** Lets things happen until `done` settles; false when nothing is left that could settle it. */
  async until(done: Promise<unknown>, limitMs = Infinity): Promise<boolean> {
    let isDone = false
    void done.then(
      () => (isDone = true),
      () => (isDone = true),
    )
    const untilMs = this.time.nowMs() + limitMs
    for (let idle = 0; ;) {
      await turn()
      if (isDone) return true
      this.#waiting = this.#waiting.filter(({ owner }) => owner.isAlive)
      if (this.#waiting.length === 0) {
        if (++idle < IDLE_TURNS) continue
        idle = 0
        const nextMs = this.time.nextMs()
        if (nextMs === null || nextMs > untilMs) return false
        this.time.fireNext()
        continue
      }
      idle = 0
      if (this.weather.slow > 0 && this.random.chance(this.weather.slow)) {
        const nextMs = this.time.nextMs()
        if (nextMs !== null && nextMs <= untilMs) this.time.fireNext()
        continue
      }
      await this.#take(this.#waiting.splice(this.random.below(this.#waiting.length), 1)[0]!)
    }
  }

  async #take(step: Step): Promise<void> {
    this.steps++
    const { owner, name } = step
    const { random, weather } = this
    if (step.kind === 'network') return this.#apply(step)
    if (step.kind === 'disk') {
      // A disk of its own fails with its gateway alone.
      if (!random.chance(weather.crash)) return this.#apply(step)
      if (random.chance(0.5)) await this.#effect(step)
      this.note(`at ${name}`)
      return this.crash(owner)
    }
    if (this.time.nowMs() < this.#awayUntilMs)
      return step.reject(new LostConnection('ECONNREFUSED'))
    if (random.chance(weather.outage)) {
      this.#awayUntilMs = this.time.nowMs() + random.of([100, 2000, 30_000, 600_000])
      this.note('the storage is away')
      this.faults++
      return step.reject(new LostConnection('ECONNREFUSED'))
    }
    if (random.chance(weather.crash)) {
      if (random.chance(0.5)) await this.#effect(step)
      this.note(`at ${name}`)
      return this.crash(owner)
    }
    if (weather.lostCapture > 0 && name.startsWith('capture')) {
      if (!random.chance(weather.lostCapture)) return this.#apply(step)
      this.faults++
      await this.#effect(step)
      this.note(`${owner.name}: ${name} takes effect, its connection ends`)
      if (random.chance(0.5)) this.#awayUntilMs = this.time.nowMs() + random.of([500, 5000, 40_000])
      return step.reject(new LostConnection('CONNECTION_ENDED'))
    }
    if (!random.chance(weather.fault)) return this.#apply(step)
    this.faults++
    const isEnded = random.chance(0.3)
    if (random.chance(0.4)) {
      this.note(`${owner.name}: ${name} does not reach the storage`)
      return step.reject(new LostConnection(isEnded ? 'CONNECTION_ENDED' : 'ECONNREFUSED'))
    }
    await this.#effect(step)
    this.note(`${owner.name}: ${name} takes effect, its answer is lost`)
    step.reject(new LostConnection(isEnded ? 'CONNECTION_ENDED' : 'CONNECTION_CLOSED'))
  }

  async #effect(step: Step): Promise<void> {
    try {
      await step.effect()
    } catch {
      // A refusal of the storage that nobody hears.
    }
  }

  async #apply(step: Step): Promise<void> {
    try {
      const value = await step.effect()
      this.note(`${step.owner.name}: ${step.name}`)
      step.resolve(value)
    } catch (error) {
      this.note(`${step.owner.name}: ${step.name} throws ${String(error)}`)
      step.reject(error)
    }
  }
}
