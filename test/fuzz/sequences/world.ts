/** One sequence's part of the gateways: what it made there, how it asks, and what it found. */
import { newId } from '../../../kernel/ids.ts'
import type { Answer, GatewayProcess } from '../../support/gateway.ts'
import { randomFrom, type Random } from '../../simulator/random.ts'
import {
  creditsOf,
  monthOf,
  type Account,
  type Charge,
  type Delivery,
  type Endpoint,
  type Grant,
  type Hold,
  type Kept,
  type Key,
  type Paid,
  type Payer,
  type Product,
  type Topup,
} from './model.ts'
import type { Shop } from './shop.ts'

export interface SequencesReport {
  findings: string[]
  steps: number
  calls: number
  /** How often each kind of step came. */
  kinds: Record<string, number>
  /** How often an answer that was sought in such a step was no refusal. */
  accepted: Record<string, number>
  /** USDC that payers paid. */
  usdc: number
  /** Gateways that were killed, and requests whose answer was lost with them. */
  deaths: number
  lost: number
}

/** An answer, and how it came. */
export interface Heard extends Answer {
  from: GatewayProcess
  /** The same request was sent before to a gateway that died, and perhaps did it. */
  isRepeated: boolean
}

/**
 * Whoever is not told of a change looks by itself after 15 seconds at the earliest (plans) or a second
 * (keys): sooner than that each gateway must have heard of it.
 */
const HEARD_WITHIN_MS = 12_000

export class World {
  readonly shop: Shop
  readonly random: Random
  readonly seed: number
  readonly accounts: Account[] = []
  readonly keys: Key[] = []
  readonly holds: Hold[] = []
  readonly charges: Charge[] = []
  readonly kept: Kept[] = []
  readonly topups: Topup[] = []
  readonly endpoints: Endpoint[] = []
  readonly deliveries: Delivery[] = []
  readonly grants: Grant[] = []
  readonly payers: Payer[] = []
  readonly paid: Paid[] = []
  /** The kinds of the steps so far. */
  readonly told: string[] = []
  /** Something was found: the model says nothing any more. */
  isOff = false
  readonly #report: SequencesReport
  /** Which gateway is asked: apart, because how often that is drawn is no part of the history. */
  readonly #ways: Random
  /** What must not be disturbed is under way. */
  #isFirm = false

  constructor(
    shop: Shop,
    { seed, random }: { seed: number; random: Random },
    report: SequencesReport,
  ) {
    this.shop = shop
    this.seed = seed
    this.random = random
    this.#report = report
    this.#ways = randomFrom(seed + 0x9e3779b9)
  }

  get hooks(): Shop['hooks'] {
    return this.shop.hooks
  }

  get chain(): Shop['chain'] {
    return this.shop.chain
  }

  found(what: string, answer?: Answer): void {
    this.isOff = true
    const said = answer ? `: ${answer.status} ${answer.text.slice(0, 300)}` : ''
    this.#report.findings.push(
      `seed ${this.seed}, ${this.told.slice(-6).join(' > ')}: ${what}${said}`,
    )
  }

  /** Notes an answer that is not as the model says. A refusal must be one of the caller's own, uncharged. */
  expect(what: string, answer: Answer, isGood: boolean): boolean {
    this.#report.calls++
    const { status, headers } = answer
    const kind = this.told.at(-1) ?? 'open'
    if (status < 300) this.#report.accepted[kind] = (this.#report.accepted[kind] ?? 0) + 1
    if (status >= 500) this.found(`${what} failed`, answer)
    else if (status < 300 !== isGood)
      this.found(`${what} ${isGood ? 'was refused' : 'must be refused'}`, answer)
    const charged = headers.get('x-charged-credits')
    if (status >= 400 && charged !== null && charged !== '0')
      this.found(`${what} was refused and charged ${charged}`, answer)
    return status < 300
  }

  /** Notes a charge that is not of this sum. */
  expectCharge(what: string, answer: Heard, amount: number): void {
    const { headers, isRepeated } = answer
    const charged = headers.get('x-charged-credits')
    // The answer of whom died had the charge.
    if (isRepeated && charged === '0') return
    if (charged !== String(creditsOf(amount)))
      this.found(`${what} was charged ${charged}, not ${creditsOf(amount)}`, answer)
  }

  /** A wallet paid: what was owed to it was answered. */
  usdcPaid(payer: Payer, amount: number): void {
    payer.usdc -= amount
    this.#report.usdc += amount
  }

  /** Notes that something was done in such a step that its calls do not tell. */
  done(): void {
    const kind = this.told.at(-1) ?? 'open'
    this.#report.accepted[kind] = (this.#report.accepted[kind] ?? 0) + 1
  }

  /**
   * A request of anybody, to one of the gateways. If that one dies it is repeated at the other: whatever
   * is done by it must be done once all the same, or be `undisturbed`.
   */
  async call(
    method: string,
    path: string,
    { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Heard> {
    const sent = { 'x-request-id': newId(), ...headers }
    const { answer, from, isRepeated } = await this.shop.gateways.ask(this.#ways, {
      isChange: method !== 'GET',
      send: (gateway) => gateway.call(method, path, { body, headers: sent }),
    })
    return { ...answer, from, isRepeated }
  }

  admin(
    method: string,
    path: string,
    body?: object,
    more: Record<string, string> = {},
  ): Promise<Heard> {
    const [{ adminToken }] = this.shop.gateways.running() as [GatewayProcess]
    const headers = { authorization: `Bearer ${adminToken}`, ...more }
    return this.call(method, path, { body, headers })
  }

  /** The operator's request to one gateway, which must run until it has answered. */
  async adminAt(gateway: GatewayProcess, path: string, body: object): Promise<Heard> {
    const send = (from: GatewayProcess) => from.admin('POST', path, body)
    const answer = await this.shop.gateways.askAt(gateway, { isChange: true, send })
    if (answer === null) throw new Error('the gateway died of what must not be disturbed')
    return { ...answer, from: gateway, isRepeated: false }
  }

  as(
    { secret }: Pick<Key, 'secret'>,
    method: string,
    path: string,
    body?: object,
    more: Record<string, string> = {},
  ): Promise<Heard> {
    return this.call(method, path, { body, headers: { 'x-api-key': secret, ...more } })
  }

  /** The answers of the same request one to three times at the same moment. */
  sometimesAtOnce(ask: () => Promise<Heard>): Promise<Heard[]> {
    return Promise.all(Array.from({ length: 1 + this.random.below(3) }, ask))
  }

  /** For what cannot be repeated: no gateway is killed before the work is done. */
  async undisturbed<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isFirm) return work()
    return this.shop.gateways.undisturbed(async () => {
      this.#isFirm = true
      try {
        return await work()
      } finally {
        this.#isFirm = false
      }
    })
  }

  /**
   * Notes what is not so at a gateway: at once at the one that made the change (`by`), at the others as
   * soon as they have heard of it.
   */
  async isHeard(
    what: string,
    by: GatewayProcess | null,
    isSo: (gateway: GatewayProcess) => Promise<boolean>,
  ): Promise<void> {
    const { gateways } = this.shop
    const request = { isChange: false, send: isSo }
    for (const gateway of gateways.running()) {
      const untilMs = performance.now() + (gateway === by ? 0 : HEARD_WITHIN_MS)
      for (;;) {
        // One that died has heard it: the next one reads it at its start.
        if ((await gateways.askAt(gateway, request)) !== false) break
        if (performance.now() < untilMs) continue
        this.found(`${what} is not known at ${gateway === by ? 'its own' : 'the other'} gateway`)
        break
      }
    }
  }

  /** Notes that other than one of the answers to the same request says that it did it. */
  isOnce(what: string, did: readonly Heard[], all: readonly Heard[]): void {
    // One that did it died before it could say so.
    const isUnheard = did.length === 0 && all.some(({ isRepeated }) => isRepeated)
    if (did.length !== 1 && !isUnheard) this.found(`${did.length} ${what} are no duplicates`)
  }

  /** A call of a key took this from its account at once. */
  spent(key: Key, product: Product, amount: number): void {
    key.account.available -= amount
    key.account.monthSpent += amount
    key.spent[product] += amount
  }

  charged(key: Key, amount: number, requestId: string): void {
    this.spent(key, 'demo', amount)
    if (amount > 0) this.#mayBeRefunded(key, amount, requestId)
  }

  /** What was held for a key was captured. */
  captured(key: Key, amount: number, requestId: string): void {
    key.account.monthSpent += amount
    this.#mayBeRefunded(key, amount, requestId)
  }

  #mayBeRefunded(key: Key, amount: number, requestId: string): void {
    const month = monthOf(key.account)
    this.charges.push({ requestId, key, amount, isRefunded: false, month })
  }

  /** Compares every account's balance with the model's, and every wallet's. */
  async checkBalances(): Promise<void> {
    await Promise.all([
      ...this.payers.map((payer) => this.#checkPayer(payer)),
      ...this.accounts.map((account) => this.#checkAccount(account)),
    ])
  }

  async #checkPayer({ wallet, usdc }: Payer): Promise<void> {
    const has = Number(await this.chain.balanceOf(wallet.address))
    if (has !== usdc) this.found(`${wallet.address} has ${has} USDC, not ${usdc}`)
  }

  async #checkAccount({ id, available, held }: Account): Promise<void> {
    const answer = await this.admin('GET', `/v1/accounts/${id}`)
    this.#report.calls++
    if (answer.status !== 200) return this.found(`account ${id} cannot be read`, answer)
    const { credits, heldCredits } = answer.json.balance as Record<string, number>
    const [has, holds] = [creditsOf(available), creditsOf(held)]
    if (credits !== has || heldCredits !== holds)
      this.found(`account ${id} has ${credits} and holds ${heldCredits}, not ${has} and ${holds}`)
  }
}
