/**
 * One history of streams whose price is known at their end: the maximum is held before the first byte,
 * what went out is charged after the last one, and nobody ever pays for what was not seen, whatever
 * fails: statements, the upstream, the reader who leaves, the gateway.
 */
import type { MeterOutcome } from '../../kernel/metering/call.ts'
import { newId } from '../../kernel/ids.ts'
import { SimulatedGateway, type Tenant } from './gateway.ts'
import type { HistoryReport, Rule, Violation } from './history.ts'
import { Disk } from './disk.ts'
import { MemoryStore } from './memory-store.ts'
import { costOfStream, STREAM_MAX_ATOMIC, STREAM_UNITS, type StreamUnit } from './prices.ts'
import { randomFrom, type Random } from './random.ts'
import type { VirtualTime } from './virtual-time.ts'
import { CALM, World, type Weather } from './world.ts'

const GATEWAYS = 2
const GRANT_ATOMIC = 6n * STREAM_MAX_ATOMIC
const HOUR_MS = 3_600_000
/** The longest hold, and rounds of the sweeper. */
const SETTLE_MS = 1_200_000

const WEATHERS: readonly Weather[] = [
  CALM,
  { fault: 0.05, crash: 0, slow: 0, outage: 0, lostCapture: 0 },
  { fault: 0.1, crash: 0.05, slow: 0.05, outage: 0.01, lostCapture: 0 },
  { fault: 0.3, crash: 0, slow: 0, outage: 0.05, lostCapture: 0 },
]

/** A stream, as its upstream, its gateway and its reader know it. */
interface Stream {
  requestId: string
  tenant: Tenant
  gateway: SimulatedGateway
  unit: StreamUnit
  /** Bytes that the upstream gave to the gateway, and that the reader had. */
  givenBytes: number
  readBytes: number
  /** The last number of tokens that the upstream gave; null: none yet. */
  givenTokens: number | null
  /** The upstream's answer came to its end, whether or not the reader saw it; or the reader left. */
  isEnded: boolean
  hasLeft: boolean
  isReadToEnd: boolean
  /** What the reader was told at the end; null: nothing. */
  chargedAtomic: bigint | null
  isRefused: boolean
}

export async function runStreamHistory(
  seed: number,
  time: VirtualTime,
  options: { isTraced?: boolean; useRandom?: (random: Random) => void } = {},
): Promise<HistoryReport> {
  const random = randomFrom(seed)
  options.useRandom?.(random)
  time.clear()
  const history = new StreamHistory(random, time)
  history.world.isTraced = options.isTraced ?? false
  try {
    await history.run()
  } finally {
    time.clear()
  }
  return history.report()
}

class StreamHistory {
  readonly world: World
  readonly #random: Random
  readonly #store: MemoryStore
  readonly #network = { name: 'network', isAlive: true }
  readonly #tenants: Tenant[]
  readonly #gateways: SimulatedGateway[] = []
  readonly #disks: Disk[]
  readonly #streams: Stream[] = []
  readonly #violations: Violation[] = []
  /** Told of a gateway's death: its readers. */
  readonly #cut = new Map<SimulatedGateway, Set<() => void>>()
  #born = 0

  constructor(random: Random, time: VirtualTime) {
    this.#random = random
    this.world = new World(random, time)
    this.world.onCrash = (owner) => {
      for (const tell of this.#cut.get(owner as SimulatedGateway) ?? []) tell()
    }
    this.#store = new MemoryStore(this.world)
    this.#disks = Array.from({ length: GATEWAYS }, () => new Disk(this.world))
    this.#tenants = [0, 1].map((i) => ({ accountId: `account-${i}`, keyId: `key-${i}` }))
    const { ledger } = this.#store.tables
    for (const tenant of this.#tenants) {
      ledger.open(tenant.accountId, null)
      ledger.addKey(tenant)
      ledger.credit(tenant.accountId, GRANT_ATOMIC, `grant-${tenant.accountId}`)
    }
    for (let i = 0; i < GATEWAYS; i++) this.#gateways.push(this.#start(i))
  }

  async run(): Promise<void> {
    const { world } = this
    world.weather = this.#random.of(WEATHERS)
    const readers = Array.from({ length: 1 + this.#random.below(4) }, () => this.#read())
    if (!(await world.until(Promise.all(readers), HOUR_MS)))
      this.#violate('answered in time', 'readers still wait after an hour')
    world.calmDown()
    for (const [i, gateway] of this.#gateways.entries())
      if (!gateway.isAlive) this.#gateways[i] = this.#start(i)
    await world.until(new Promise((done) => setTimeout(done, SETTLE_MS)))
    this.#audit()
  }

  report(): HistoryReport {
    const count = (is: (stream: Stream) => boolean) => this.#streams.filter(is).length
    const { steps, faults, trace } = this.world
    return {
      violations: this.#violations,
      steps,
      faults,
      calls: this.#streams.length,
      acknowledged: count(({ chargedAtomic }) => chargedAtomic !== null),
      refused: count(({ isRefused }) => isRefused),
      untold: count(({ chargedAtomic, isRefused }) => chargedAtomic === null && !isRefused),
      trace,
    }
  }

  /** One more gateway over the disk of this place. */
  #start(place: number): SimulatedGateway {
    const gateway = new SimulatedGateway(
      `gateway ${++this.#born}`,
      this.#store,
      this.#disks[place]!,
      this.#tenants,
      async () => ({ ok: false }),
      (self, requestId) => this.#upstream(self, requestId),
    )
    this.#cut.set(gateway, new Set())
    return gateway
  }

  #violate(rule: Rule, message: string): void {
    this.#violations.push({ rule, message })
    this.world.note(`VIOLATION ${rule}: ${message}`)
  }

  /** Gives some chunks, each when its turn has come; then it ends, breaks off or hangs. */
  #upstream(gateway: SimulatedGateway, requestId: string): Response {
    const stream = this.#streams.find((one) => one.requestId === requestId)!
    const random = this.#random
    if (this.#heldAtomic(requestId) !== STREAM_MAX_ATOMIC)
      this.#violate('paid before work', `${requestId} streams and its maximum is not held`)
    let left = random.below(6)
    const ending = random.of(['ends', 'ends', 'breaks', 'hangs'] as const)
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          await this.world.step(gateway, 'network', `chunk for ${requestId.slice(-4)}`, () => {})
          if (left-- > 0) {
            const chunk = stream.unit === 'byte' ? someBytes(random) : this.#event(stream)
            stream.givenBytes += chunk.byteLength
            return controller.enqueue(chunk)
          }
          if (ending === 'breaks') return controller.error(new Error('broke off'))
          if (ending === 'hangs') return new Promise<void>(() => {})
          stream.isEnded = true
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  /** One event, which may name the tokens so far. */
  #event(stream: Stream): Uint8Array {
    const random = this.#random
    const data: Record<string, unknown> = { text: 'x'.repeat(random.below(20)) }
    if (random.chance(0.5)) {
      stream.givenTokens = (stream.givenTokens ?? 0) + 1 + random.below(300)
      data['usage'] = { tokens: stream.givenTokens }
    }
    return new TextEncoder().encode(`data: ${JSON.stringify(data)}\n\n`)
  }

  async #read(): Promise<void> {
    const random = this.#random
    await Bun.sleep(random.below(2000))
    const alive = this.#gateways.filter((gateway) => gateway.isAlive)
    if (alive.length === 0) {
      alive.push((this.#gateways[0] = this.#start(0)))
    }
    const gateway = random.of(alive)
    const tenant = random.of(this.#tenants)
    const stream: Stream = {
      requestId: newId(),
      tenant,
      gateway,
      unit: random.of(STREAM_UNITS),
      givenBytes: 0,
      readBytes: 0,
      givenTokens: null,
      isEnded: false,
      isReadToEnd: false,
      hasLeft: false,
      chargedAtomic: null,
      isRefused: false,
    }
    this.#streams.push(stream)
    await this.world.step(this.#network, 'network', `a reader at ${gateway.name}`, () => {})
    const dead = Promise.withResolvers<null>()
    const tell = (): void => dead.resolve(null)
    this.#cut.get(gateway)!.add(tell)
    await Promise.race([this.#follow(stream, dead.promise), dead.promise])
    this.#cut.get(gateway)!.delete(tell)
  }

  async #follow(stream: Stream, dead: Promise<null>): Promise<void> {
    const { gateway, tenant, requestId, unit } = stream
    const outcome = await Promise.race([gateway.stream(tenant, requestId, unit), dead])
    // A dead gateway says nothing.
    if (outcome === null || !gateway.isAlive) return
    this.world.note(`${requestId.slice(-4)}: ${gateway.name} answers ${outcome.kind}`)
    if (outcome.kind === 'stream') return this.#drain(stream, outcome)
    stream.isRefused = outcome.kind === 'failure' && !outcome.pending
  }

  async #drain(stream: Stream, outcome: Extract<MeterOutcome, { kind: 'stream' }>): Promise<void> {
    const random = this.#random
    const reader = outcome.response.body!.getReader()
    const leavesAfter = random.chance(0.25) ? random.below(600) : Infinity
    try {
      for (;;) {
        if (stream.readBytes >= leavesAfter) {
          stream.hasLeft = true
          await reader.cancel(new Error('the reader leaves'))
          break
        }
        const { done, value } = await reader.read()
        if (!stream.gateway.isAlive) return
        if (done) {
          stream.isReadToEnd = true
          break
        }
        stream.readBytes += value.byteLength
      }
    } catch {
      await outcome.onBroken()
    }
    const { chargedAtomic } = await outcome.charging!
    if (!stream.gateway.isAlive) return
    stream.chargedAtomic = chargedAtomic
    this.world.note(`${stream.requestId.slice(-4)} is told ${chargedAtomic}`)
  }

  #holdOf(requestId: string) {
    const holds = [...this.#store.tables.ledger.holds.values()]
    return holds.find(({ order }) => order.requestId === requestId)
  }
  #heldAtomic(requestId: string): bigint {
    const hold = this.#holdOf(requestId)
    return hold?.state === 'authorized' ? hold.amount : 0n
  }

  #audit(): void {
    for (const stream of this.#streams) {
      const { requestId, unit, givenBytes, readBytes, chargedAtomic, isRefused } = stream
      const hold = this.#holdOf(requestId)
      const takenAtomic = hold?.state === 'captured' ? (hold.captured ?? 0n) : 0n
      const what = `${requestId} (${readBytes} of ${givenBytes} bytes read)`
      if (isRefused && takenAtomic > 0n)
        this.#violate('refused not done', `${what} was refused and charged ${takenAtomic}`)
      if (chargedAtomic !== null && chargedAtomic > 0n && takenAtomic !== chargedAtomic)
        this.#violate(
          'acknowledged once',
          `${what} was told ${chargedAtomic}, taken ${takenAtomic}`,
        )
      const givenUnits = unit === 'byte' ? givenBytes : stream.givenTokens
      const dueAtomic = costOfStream(unit, givenUnits, stream.isEnded || stream.hasLeft)
      // Who left early, or met a fault, may have been charged for less.
      const isExact = stream.isReadToEnd && chargedAtomic !== null && chargedAtomic > 0n
      if (takenAtomic > dueAtomic || (isExact && takenAtomic !== dueAtomic)) {
        const charge = `${takenAtomic} instead of ${dueAtomic}`
        this.#violate('charged by what was seen', `${what} was charged ${charge}`)
      }
    }
    for (const { accountId } of this.#tenants) {
      const { heldAtomic } = this.#store.tables.ledger.balance(accountId)
      if (heldAtomic !== 0n)
        this.#violate('nothing stays held', `${accountId} has ${heldAtomic} held`)
    }
  }
}

const someBytes = (random: Random): Uint8Array => new Uint8Array(1 + random.below(400))
