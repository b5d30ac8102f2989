/**
 * One history: buyers of two accounts call two gateways that share a storage, while statements fail,
 * answers get lost, calls come twice, gateways die and come back. Then everything is well again, every
 * buyer who does not know asks once more, and the ledger is compared with what buyers were told:
 * acknowledged means done once, refused means not done, unknown resolves.
 */
import type { MeterOutcome } from '../../kernel/metering/call.ts'
import { ERROR_TABLE } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { signVoucher } from '../sample-rail/voucher.ts'
import {
  SimulatedGateway,
  TIMEOUT_MS,
  VOUCHER_SECRET,
  type Tenant,
  type Worked,
  type WorkInput,
} from './gateway.ts'
import { Disk } from './disk.ts'
import { MemoryStore } from './memory-store.ts'
import { costOfPages, PAGES_FROM, PRICE_ATOMIC } from './prices.ts'
import { randomFrom, type Random } from './random.ts'
import type { VirtualTime } from './virtual-time.ts'
import { CALM, World, type Weather } from './world.ts'

/** Which rule a history broke; the names are those of specs/proof.md. */
export type Rule =
  | 'acknowledged once'
  | 'refused not done'
  | 'unknown resolves'
  | 'same answer'
  | 'own answer'
  | 'paid before work'
  | 'nothing stays held'
  | 'released at once'
  | 'answered in time'
  | 'charged by what was seen'
  | 'given back as said'
export interface Violation {
  rule: Rule
  message: string
}
export interface HistoryReport {
  violations: Violation[]
  steps: number
  faults: number
  calls: number
  acknowledged: number
  refused: number
  /** Buyers without an Idempotency-Key who were never told. */
  untold: number
  trace: readonly string[]
}

/** One thing that a buyer wants once. */
interface Purchase {
  name: string
  tenant: number
  headers: Record<string, string>
  input: WorkInput
  /** Sent again it is the same purchase. */
  isRepeatable: boolean
  requestIds: string[]
  /** Of those, the ones whose answer said that any charge is given back. */
  promised: string[]
  told: 'nothing' | 'unknown' | 'acknowledged' | 'refused'
  /** The network brought it twice, so that a refusal may be followed by what its other copy did. */
  isDoubled: boolean
  /** Bodies of the answers. */
  answers: string[]
}
type Told =
  | { kind: 'answer'; body: string }
  | { kind: 'refused' }
  /** Not done, and worth another try; `isBusy`: an earlier call of the same purchase is under way. */
  | { kind: 'again'; isBusy: boolean; isGivenBack: boolean }
  | { kind: 'unknown' }

const GRANT_ATOMIC = 4n * PRICE_ATOMIC
/** The work's limit, three statements that each may take their patience twice, and some. */
const ANSWER_LIMIT_MS = TIMEOUT_MS + 60_000
const GATEWAYS = 2
const decoder = new TextDecoder()

const WEATHERS: readonly Weather[] = [
  CALM,
  { fault: 0.03, crash: 0, slow: 0, outage: 0, lostCapture: 0 },
  { fault: 0.08, crash: 0.02, slow: 0.02, outage: 0.005, lostCapture: 0 },
  { fault: 0.02, crash: 0.05, slow: 0.05, outage: 0, lostCapture: 0 },
  { fault: 0.2, crash: 0.01, slow: 0, outage: 0.02, lostCapture: 0 },
]

/** Those in which charges are given back: captures whose outcome their gateway never learns. */
const LOST_CAPTURES: readonly Weather[] = [
  { fault: 0.02, crash: 0, slow: 0, outage: 0, lostCapture: 0.6 },
  { fault: 0.02, crash: 0.03, slow: 0.02, outage: 0, lostCapture: 0.6 },
  { fault: 0.1, crash: 0.06, slow: 0, outage: 0.01, lostCapture: 0.8 },
]

export interface HistoryOptions {
  isTraced?: boolean
  unsafeMs?: number
  losesCaptures?: boolean
  useRandom?: (random: Random) => void
}

export async function runHistory(
  seed: number,
  time: VirtualTime,
  options: HistoryOptions = {},
): Promise<HistoryReport> {
  const random = randomFrom(seed)
  options.useRandom?.(random)
  time.clear()
  const weathers = options.losesCaptures ? LOST_CAPTURES : WEATHERS
  const history = new History(random, time, weathers, options.unsafeMs ?? 0)
  history.world.isTraced = options.isTraced ?? false
  try {
    await history.run()
  } finally {
    time.clear()
  }
  return history.report()
}

class History {
  readonly world: World
  readonly #random: Random
  readonly #weathers: readonly Weather[]
  readonly #store: MemoryStore
  readonly #network = { name: 'network', isAlive: true }
  readonly #tenants: Tenant[]
  readonly #gateways: SimulatedGateway[] = []
  readonly #disks: Disk[]
  readonly #purchases: Purchase[] = []
  readonly #violations: Violation[] = []
  /** Who waits for an answer of a gateway, to hear of its death. */
  readonly #cut = new Map<SimulatedGateway, Set<() => void>>()
  /** What each call's work came to, by request; null: it does not say. */
  readonly #pages = new Map<string, number | null>()
  /** What an answer of a call's own work said that it cost, by request. */
  readonly #toldAtomic = new Map<string, bigint>()
  #runs = 0
  #calls = 0
  #lossy = 0
  #born = 0

  constructor(random: Random, time: VirtualTime, weathers: readonly Weather[], unsafeMs: number) {
    this.#random = random
    this.#weathers = weathers
    this.world = new World(random, time)
    this.world.onCrash = (owner) => {
      for (const tell of this.#cut.get(owner as SimulatedGateway) ?? []) tell()
    }
    this.#store = new MemoryStore(this.world, unsafeMs)
    this.#disks = Array.from({ length: GATEWAYS }, () => new Disk(this.world))
    this.#tenants = [0, 1].map((i) => ({ accountId: `account-${i}`, keyId: `key-${i}` }))
    for (const tenant of this.#tenants) {
      const { ledger } = this.#store.tables
      ledger.open(tenant.accountId, null)
      ledger.addKey(tenant)
      ledger.credit(tenant.accountId, GRANT_ATOMIC, `grant-${tenant.accountId}`)
    }
    for (let i = 0; i < GATEWAYS; i++) this.#gateways.push(this.#start(i))
  }

  async run(): Promise<void> {
    const { world } = this
    world.weather = this.#random.of(this.#weathers)
    this.#lossy = this.#random.of([0, 0.05, 0.15])
    const buyers = Array.from({ length: 2 + this.#random.below(5) }, (_, i) => this.#buy(i))
    const isOver = await world.until(Promise.all(buyers), 3_600_000)
    if (!isOver) this.#violate('answered in time', 'buyers still wait for an answer after an hour')
    // Everything is well again; leases, deadlines and holds of whoever died run out.
    world.calmDown()
    this.#lossy = 0
    for (const [i, gateway] of this.#gateways.entries())
      if (!gateway.isAlive) this.#gateways[i] = this.#start(i)
    await this.#wait(180_000)
    for (const purchase of this.#purchases) await this.#resolve(purchase)
    await this.#wait(SETTLE_MS)
    this.#audit()
  }

  report(): HistoryReport {
    const count = (told: Purchase['told']) =>
      this.#purchases.filter((one) => one.told === told).length
    return {
      violations: this.#violations,
      steps: this.world.steps,
      faults: this.world.faults,
      calls: this.#calls,
      acknowledged: count('acknowledged'),
      refused: count('refused'),
      untold: count('unknown') + count('nothing'),
      trace: this.world.trace,
    }
  }

  /** One more gateway over the disk of this place. */
  #start(place: number): SimulatedGateway {
    const name = `gateway ${++this.#born}`
    const gateway = new SimulatedGateway(
      name,
      this.#store,
      this.#disks[place]!,
      this.#tenants,
      (...given) => this.#work(...given),
    )
    this.#cut.set(gateway, new Set())
    return gateway
  }

  #wait(ms: number): Promise<boolean> {
    return this.world.until(new Promise((done) => setTimeout(done, ms)))
  }

  #violate(rule: Rule, message: string): void {
    this.#violations.push({ rule, message })
    this.world.note(`VIOLATION ${rule}: ${message}`)
  }

  /** One buyer, who asks again where that is the same purchase. */
  async #buy(index: number): Promise<void> {
    const random = this.#random
    await Bun.sleep(random.below(3000))
    const purchase = this.#newPurchase(index)
    const attempts = purchase.isRepeatable ? 1 + random.below(4) : 1
    for (let attempt = 0; attempt < attempts; attempt++) {
      this.#hear(purchase, await this.#ask(purchase))
      // Some come back for an answer that they have already.
      if (isTold(purchase) && !random.chance(0.2)) return
      await Bun.sleep(random.of([0, 500, 3000, 80_000]))
      if (!random.chance(0.02)) continue
      // Often in the middle of another buyer's call.
      await Bun.sleep(random.below(2000))
      this.#cutPower()
    }
  }

  #newPurchase(index: number): Purchase {
    const random = this.#random
    const tenant = random.below(this.#tenants.length)
    const name = `purchase ${index}`
    const kind = random.of(['ok', 'ok', 'ok', 'ok', 'fail', 'throw', 'slow', 'flaky'] as const)
    // Keys and texts of both accounts come from the same few, so that they meet.
    const text = `text ${random.below(2)}`
    const headers: Record<string, string> = {}
    const isVoucher = random.chance(0.35)
    const isKeyed = random.chance(0.6)
    if (isVoucher) {
      const voucher = {
        id: newId(),
        amountAtomic: PRICE_ATOMIC,
        endsAt: new Date(this.world.time.nowMs() + 86_400_000),
      }
      headers['voucher-authorization'] = signVoucher(VOUCHER_SECRET, voucher)
    } else headers['x-api-key'] = this.#tenants[tenant]!.keyId
    const pagesFrom = isVoucher || random.chance(0.6) ? null : random.of(PAGES_FROM)
    const idempotencyKey = isKeyed ? `${kind} ${text} ${pagesFrom} ${random.below(2)}` : null
    if (idempotencyKey !== null) headers['idempotency-key'] = idempotencyKey
    const purchase: Purchase = {
      name,
      tenant: isVoucher ? -1 : tenant,
      headers,
      input: { text, kind, pagesFrom },
      isRepeatable: isVoucher || isKeyed,
      requestIds: [],
      promised: [],
      told: 'nothing',
      answers: [],
      isDoubled: false,
    }
    // The same account and key: two clients of one buyer, and one purchase.
    const same = this.#purchases.find(
      (known) => !isVoucher && idempotencyKey !== null && known.tenant === tenant &&
        known.headers['idempotency-key'] === idempotencyKey,
    ) // prettier-ignore
    if (same) return same
    this.#purchases.push(purchase)
    return purchase
  }

  /** Sends the purchase to a gateway; the network may lose it, bring it twice, or lose the answer. */
  async #ask(purchase: Purchase): Promise<Told> {
    const random = this.#random
    const alive = this.#gateways.filter((gateway) => gateway.isAlive)
    if (alive.length === 0) {
      // An operator starts it again.
      const at = random.below(GATEWAYS)
      alive.push((this.#gateways[at] = this.#start(at)))
    }
    const gateway = random.of(alive)
    await this.world.step(
      this.#network,
      'network',
      `${purchase.name} goes to ${gateway.name}`,
      () => {},
    )
    if (random.chance(this.#lossy)) return { kind: 'unknown' }
    if (purchase.isRepeatable && random.chance(this.#lossy)) {
      purchase.isDoubled = true
      void this.#sent(purchase, random.of(alive))
    }
    const told = await this.#sent(purchase, gateway)
    return random.chance(this.#lossy) ? { kind: 'unknown' } : told
  }

  async #sent(purchase: Purchase, gateway: SimulatedGateway): Promise<Told> {
    if (!gateway.isAlive) return { kind: 'unknown' }
    this.#calls++
    const requestId = newId()
    purchase.requestIds.push(requestId)
    const { world } = this
    const beganMs = world.time.nowMs()
    const faultsBefore = world.faults
    const cut = Promise.withResolvers<Told>()
    const tell = (): void => cut.resolve({ kind: 'unknown' })
    this.#cut.get(gateway)!.add(tell)
    const answered = Promise.resolve(
      gateway.call(purchase.headers, purchase.input, requestId),
    ).then((outcome) => {
      if (!gateway.isAlive) return { kind: 'unknown' } as const
      world.note(`${purchase.name}: ${gateway.name} answers ${described(outcome)}`)
      const tookMs = world.time.nowMs() - beganMs
      if (tookMs > ANSWER_LIMIT_MS) {
        this.#violate(
          'answered in time',
          `${purchase.name} waited ${tookMs} ms for ${described(outcome)}`,
        )
      }
      // A storage that is slow may be late with it.
      const isPlain = world.faults === faultsBefore && world.weather.slow === 0
      if (isPlain && this.#holdsOpen(requestId)) {
        this.#violate('released at once', `${purchase.name} was answered and its hold is open`)
      }
      if (outcome.kind === 'answer' && !outcome.replayed)
        this.#toldAtomic.set(requestId, outcome.receipt.chargedAtomic)
      return toldBy(outcome)
    })
    const told = await Promise.race([answered, cut.promise])
    this.#cut.get(gateway)!.delete(tell)
    if (told.kind === 'again' && told.isGivenBack) purchase.promised.push(requestId)
    return told
  }

  #hear(purchase: Purchase, told: Told): void {
    switch (told.kind) {
      case 'answer':
        purchase.answers.push(told.body)
        purchase.told = 'acknowledged'
        return
      case 'refused':
        if (purchase.told === 'acknowledged') {
          this.#violate('same answer', `${purchase.name} had an answer and is refused now`)
        }
        purchase.told = purchase.isDoubled && this.#lossy > 0 ? 'unknown' : 'refused'
        return
      default:
        // Whoever asks again after a refusal may be charged by what it asked now.
        if (purchase.told !== 'acknowledged') purchase.told = 'unknown'
    }
  }

  async #resolve(purchase: Purchase): Promise<void> {
    if (!purchase.isRepeatable || isTold(purchase)) return
    const asking = (async () => {
      for (let attempt = 0; attempt < 6 && !isTold(purchase); attempt++) {
        const told = await this.#ask(purchase)
        // Work that always fails is told so each time: nothing of it was done.
        const fails = told.kind === 'again' && !told.isBusy && attempt > 2
        this.#hear(purchase, fails ? { kind: 'refused' } : told)
        if (!isTold(purchase)) await Bun.sleep(30_000)
      }
    })()
    await this.world.until(asking, 3_600_000)
    if (!isTold(purchase))
      this.#violate('unknown resolves', `${purchase.name} is never told what became of it`)
  }

  /** The machine of all gateways and of the storage goes dark for a moment. */
  #cutPower(): void {
    if (this.world.weather.crash === 0) return
    this.world.note('the power goes')
    for (const [i, gateway] of this.#gateways.entries()) {
      if (gateway.isAlive) this.world.crash(gateway)
      this.#gateways[i] = this.#start(i)
    }
    this.#store.loseWhatIsNotDurable()
  }

  async #work(
    gateway: SimulatedGateway,
    call: { requestId: string; keyId: string | null },
    input: WorkInput,
  ): Promise<Worked> {
    if (!this.#holdsOpen(call.requestId)) {
      this.#violate('paid before work', `work began for ${input.text} and nothing is held for it`)
    }
    const run = ++this.#runs
    await this.world.step(gateway, 'network', `work ${run}`, () => {})
    if (input.kind === 'slow') await Bun.sleep(this.#random.of([1000, TIMEOUT_MS + 2000]))
    if (input.kind === 'throw') throw new Error('the work throws')
    if (input.kind === 'fail' || (input.kind === 'flaky' && run % 2 === 0)) return { ok: false }
    const pages = this.#random.of([0, 1, 2, 3, 5, 6, 40, null])
    this.#pages.set(call.requestId, pages)
    return { ok: true, output: { run, text: input.text, keyId: call.keyId }, pages }
  }

  #holdsOpen(requestId: string): boolean {
    const { ledger, vouchers } = this.#store.tables
    for (const { order, state } of ledger.holds.values()) {
      if (order.requestId === requestId && state === 'authorized') return true
    }
    return vouchers.some((row) => row.request_id === requestId && row.state === 'claimed')
  }

  /** How often the purchase was paid and not given back. */
  #charges({ requestIds }: Pick<Purchase, 'requestIds'>): number {
    const { ledger, settlements } = this.#store.tables
    let charges = 0
    for (const { order, state } of ledger.holds.values()) {
      if (state === 'captured' && requestIds.includes(order.requestId)) charges++
    }
    for (const requestId of settlements.values()) if (requestIds.includes(requestId)) charges++
    return charges
  }

  #audit(): void {
    for (const purchase of this.#purchases) {
      const { name, told, answers, tenant } = purchase
      const charges = this.#charges(purchase)
      if (told === 'acknowledged' && charges !== 1) {
        this.#violate('acknowledged once', `${name} was acknowledged and charged ${charges} times`)
      }
      if (told === 'refused' && charges !== 0) {
        this.#violate('refused not done', `${name} was refused and charged ${charges} times`)
      }
      if (told === 'unknown' && charges > 1) {
        this.#violate('acknowledged once', `${name} was sent once and charged ${charges} times`)
      }
      // A retry that came first may have got the answer, which the charge is for then.
      const owed = this.#charges({ requestIds: purchase.promised })
      if (answers.length === 0 && owed > 0) {
        this.#violate(
          'given back as said',
          `${name} was told that its charge is given back, and it stands`,
        )
      }
      if (new Set(answers).size > 1) {
        this.#violate('same answer', `${name} had different answers: ${answers.join(' and ')}`)
      }
      const keyId = tenant === -1 ? null : this.#tenants[tenant]!.keyId
      for (const answer of answers) {
        if ((JSON.parse(answer) as { keyId: string | null }).keyId !== keyId) {
          this.#violate('own answer', `${name} of ${keyId} had the answer ${answer}`)
        }
      }
    }
    this.#auditPages()
    const { ledger } = this.#store.tables
    for (const { accountId } of this.#tenants) {
      const { heldAtomic } = ledger.balance(accountId)
      if (heldAtomic !== 0n)
        this.#violate('nothing stays held', `${accountId} has ${heldAtomic} held`)
    }
  }

  /** Each charged call of a price by the page cost what its own pages cost, and what its caller was told. */
  #auditPages(): void {
    for (const { order, state, captured } of this.#store.tables.ledger.holds.values()) {
      const from = PAGES_FROM.find((one) => order.skillId === `t.pages_${one}`)
      if (from === undefined || state !== 'captured') continue
      const pages = this.#pages.get(order.requestId)
      const dueAtomic = pages === undefined ? 0n : costOfPages(from, pages)
      if (captured !== dueAtomic) {
        const what = `${order.requestId} of ${pages} pages (${from})`
        this.#violate(
          'charged by what was seen',
          `${what} cost ${captured} instead of ${dueAtomic}`,
        )
      }
      const told = this.#toldAtomic.get(order.requestId)
      if (told !== undefined && told !== captured) {
        this.#violate('acknowledged once', `${order.requestId} was told ${told}, taken ${captured}`)
      }
    }
  }
}

const SETTLE_MS = 120_000
const isTold = ({ told }: Purchase): boolean => told === 'acknowledged' || told === 'refused'

function toldBy(outcome: MeterOutcome): Told {
  if (outcome.kind === 'answer')
    return { kind: 'answer', body: decoder.decode(outcome.answer.body) }
  if (outcome.kind === 'stream') return { kind: 'unknown' }
  if (outcome.pending) return { kind: 'unknown' }
  const { code, retryable = ERROR_TABLE[code].retryable } = outcome.failure
  if (!retryable) return { kind: 'refused' }
  const { status, message } = outcome.failure
  const isGivenBack = message.endsWith('any charge is given back')
  return { kind: 'again', isBusy: status === 409, isGivenBack }
}

function described(outcome: MeterOutcome): string {
  if (outcome.kind !== 'failure') return outcome.kind
  return `${outcome.failure.code} ${outcome.failure.message}`
}
