/**
 * A clock that stands still until it is moved, in place of the globals that the gateway's code reads:
 * Date, performance.now, timers, Bun.sleep, new ids, and Math.random for its jitter. One at a time in a process.
 */
import type { Random } from './random.ts'

interface Timer {
  atMs: number
  serial: number
  fire(): void
  everyMs: number | null
}

export interface VirtualTime {
  nowMs(): number
  /** When the next timer is due; null without one. */
  nextMs(): number | null
  /** Moves to the next timer and fires it; false without one. */
  fireNext(): boolean
  /** Moves on, firing what becomes due. */
  advance(ms: number): void
  /** Forgets all timers, as those of a history that is over. */
  clear(): void
  /** Gives the globals back. */
  restore(): void
}

const START_MS = Date.UTC(2030, 0, 15, 12)

/** Takes the globals' places until `restore`. */
export function takeTime(random: () => Random): VirtualTime {
  const real = {
    Date: globalThis.Date,
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    setInterval: globalThis.setInterval,
    clearInterval: globalThis.clearInterval,
    now: performance.now,
    sleep: Bun.sleep,
    random: Math.random,
    randomUUIDv7: Bun.randomUUIDv7,
  }
  let nowMs = START_MS
  let serial = 0
  let ids = 0
  const timers = new Map<object, Timer>()

  class VirtualDate extends real.Date {
    constructor(...given: unknown[]) {
      // Every form of the constructor but the empty one is the real one's.
      super(...((given.length === 0 ? [nowMs] : given) as [number]))
    }
    static override now(): number {
      return nowMs
    }
  }

  function add(
    work: (...given: unknown[]) => void,
    ms: unknown,
    everyMs: number | null,
    given: unknown[],
  ) {
    const handle = { unref: () => handle, ref: () => handle, hasRef: () => true }
    const atMs = nowMs + Math.max(0, Number(ms) || 0)
    timers.set(handle, { atMs, serial: serial++, everyMs, fire: () => work(...given) })
    return handle
  }
  function next(): [object, Timer] | null {
    let first: [object, Timer] | null = null
    for (const entry of timers) {
      const [, timer] = entry
      if (!first || timer.atMs < first[1].atMs) first = entry
      else if (timer.atMs === first[1].atMs && timer.serial < first[1].serial) first = entry
    }
    return first
  }
  function fireNext(): boolean {
    const entry = next()
    if (!entry) return false
    const [handle, timer] = entry
    nowMs = Math.max(nowMs, timer.atMs)
    if (timer.everyMs === null) timers.delete(handle)
    else timer.atMs = nowMs + timer.everyMs
    timer.fire()
    return true
  }

  type Work = (...given: unknown[]) => void
  const taken = {
    Date: VirtualDate,
    setTimeout: (work: Work, ms?: number, ...given: unknown[]) => add(work, ms, null, given),
    clearTimeout: (handle?: object) => void (handle && timers.delete(handle)),
    setInterval: (work: Work, ms?: number, ...given: unknown[]) => add(work, ms, ms ?? 0, given),
    clearInterval: (handle?: object) => void (handle && timers.delete(handle)),
  }
  Object.assign(globalThis, taken)
  Object.assign(performance, { now: () => nowMs - START_MS + 1000 })
  Object.assign(Bun, {
    sleep: (ms: number) => new Promise<void>((done) => add(() => done(), ms, null, [])),
  })
  Math.random = () => random().next()
  Object.assign(Bun, { randomUUIDv7: () => idAt(nowMs, ids++) })

  return {
    nowMs: () => nowMs,
    nextMs: () => next()?.[1].atMs ?? null,
    fireNext,
    advance(ms) {
      const untilMs = nowMs + ms
      for (let due = next(); due && due[1].atMs <= untilMs; due = next()) fireNext()
      nowMs = untilMs
    },
    clear() {
      timers.clear()
      ids = 0
    },
    restore() {
      const { now, sleep, random: drawn, randomUUIDv7, ...globals } = real
      Object.assign(globalThis, globals)
      Object.assign(performance, { now })
      Object.assign(Bun, { sleep, randomUUIDv7 })
      Math.random = drawn
    },
  }
}

/** The UUIDv7 of that instant with this number. */
function idAt(atMs: number, count: number): string {
  const time = Math.floor(atMs).toString(16).padStart(12, '0')
  const tail = count.toString(16).padStart(15, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${tail.slice(0, 3)}-8${tail.slice(3, 6)}-000${tail.slice(6)}`
}
