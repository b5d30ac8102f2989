/**
 * Sequences of calls from a seed, on accounts, keys and holds that they make themselves: each answer
 * is compared with a model of what the caller may expect, and so is the balance after each step.
 * Several calls of one step may come at the same moment; then the model says how many may succeed.
 */
import { newId } from '../../kernel/ids.ts'
import type { Answer, GatewayProcess } from '../support/gateway.ts'
import { randomFrom, type Random } from '../simulator/random.ts'

const PRICE = 2
const FUNDS = [0, 3, 10, 50]
/** specs/contract.md says a second; on a full machine an answer may be late itself. */
const ENDED_WITHIN_MS = 5000

interface Account {
  id: string
  available: number
  held: number
  isClosed: boolean
}
interface Key {
  id: string
  secret: string
  account: Account
  isRevoked: boolean
  /** Credits a day; null: no limit. */
  dayCap: number | null
  spentToday: number
}
interface Hold {
  id: string
  requestId: string
  key: Key
  credits: number
  state: 'authorized' | 'captured' | 'released' | 'refunded'
}
/** An answered call, or a captured hold, that may be refunded. */
interface Charge {
  requestId: string
  key: Key
  credits: number
  isRefunded: boolean
}
interface Bought {
  key: Key
  idempotencyKey: string
  input: string
  answer: string
}

export interface SequencesReport {
  findings: string[]
  steps: number
  calls: number
  /** How often each kind of step came. */
  kinds: Record<string, number>
}

/** Runs so many histories of `steps` steps, four at a time. */
export async function runSequences(
  gateway: GatewayProcess,
  { seed, histories, steps }: { seed: number; histories: number; steps: number },
): Promise<SequencesReport> {
  const report: SequencesReport = { findings: [], steps: 0, calls: 0, kinds: {} }
  const seeds = Array.from({ length: histories }, (_, index) => seed + index)
  const worker = async (): Promise<void> => {
    for (let next = seeds.shift(); next !== undefined; next = seeds.shift())
      await new Sequence(gateway, next, report).run(steps)
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  const { json, text } = await gateway.admin('POST', '/v1/admin/ledger/verify')
  if (json?.ok !== true) report.findings.push(`the ledger does not verify: ${text.slice(0, 500)}`)
  return report
}

class Sequence {
  readonly #gateway: GatewayProcess
  readonly #report: SequencesReport
  readonly #random: Random
  readonly #seed: number
  readonly #accounts: Account[] = []
  readonly #keys: Key[] = []
  readonly #holds: Hold[] = []
  readonly #charges: Charge[] = []
  readonly #bought: Bought[] = []
  readonly #told: string[] = []

  constructor(gateway: GatewayProcess, seed: number, report: SequencesReport) {
    this.#gateway = gateway
    this.#seed = seed
    this.#report = report
    this.#random = randomFrom(seed)
  }

  async run(steps: number): Promise<void> {
    await this.#openAccount()
    await this.#openAccount()
    const found = this.#report.findings.length
    const kinds = {
      open: () => this.#openAccount(),
      key: () => this.#makeKey(this.#random.of(this.#accounts)),
      grant: () => this.#grant(),
      buy: () => this.#buy(),
      race: () => this.#buyAtOnce(),
      again: () => this.#buyAgain(),
      fail: () => this.#fail(),
      hold: () => this.#hold(),
      end: () => this.#endHold(),
      refund: () => this.#refund(),
      transfer: () => this.#transfer(),
      cap: () => this.#cap(),
      rotate: () => this.#rotate(),
      revoke: () => this.#revoke(),
      close: () => this.#close(),
      spy: () => this.#spy(),
    }
    const common = ['buy', 'buy', 'race', 'again', 'hold', 'hold', 'end', 'end', 'refund', 'transfer', 'grant', 'fail', 'spy', 'key', 'cap'] as const // prettier-ignore
    const rare = ['open', 'rotate', 'revoke', 'close'] as const
    for (let step = 0; step < steps; step++) {
      const kind = this.#random.chance(0.9) ? this.#random.of(common) : this.#random.of(rare)
      this.#told.push(kind)
      this.#report.steps++
      this.#report.kinds[kind] = (this.#report.kinds[kind] ?? 0) + 1
      await kinds[kind]()
      await this.#checkBalances()
      // After one difference the model says nothing any more.
      if (this.#report.findings.length > found) return
    }
  }

  #found(what: string, answer?: Answer): void {
    const said = answer ? `: ${answer.status} ${answer.text.slice(0, 300)}` : ''
    this.#report.findings.push(
      `seed ${this.#seed}, ${this.#told.slice(-6).join(' > ')}: ${what}${said}`,
    )
  }

  /** Notes an answer that is not as the model says. A refusal must be one of the caller's own, uncharged. */
  #expect(what: string, answer: Answer, isGood: boolean): boolean {
    this.#report.calls++
    const { status, headers } = answer
    if (status >= 500) this.#found(`${what} failed`, answer)
    else if (status < 300 !== isGood)
      this.#found(`${what} ${isGood ? 'was refused' : 'must be refused'}`, answer)
    const charged = headers.get('x-charged-credits')
    if (status >= 400 && charged !== null && charged !== '0')
      this.#found(`${what} was refused and charged ${charged}`, answer)
    return status < 300
  }

  #admin = (method: string, path: string, body?: object): Promise<Answer> =>
    this.#gateway.admin(method, path, body)
  #as = (key: Key, method: string, path: string, body?: object, more = {}): Promise<Answer> =>
    this.#gateway.call(method, path, { body, headers: { 'x-api-key': key.secret, ...more } })

  async #openAccount(): Promise<void> {
    const answer = await this.#admin('POST', '/v1/accounts', { name: `seed ${this.#seed}` })
    if (!this.#expect('opening an account', answer, true)) return
    const account = { id: answer.json.id as string, available: 0, held: 0, isClosed: false }
    this.#accounts.push(account)
    await this.#makeKey(account)
    await this.#grant(account)
  }

  async #makeKey(account: Account): Promise<void> {
    const dayCap = this.#random.of([null, null, 1, 6, 20])
    const body = { name: 'sequence', accountId: account.id, budget: { day: dayCap } }
    const answer = await this.#admin('POST', '/v1/keys', body)
    if (!this.#expect('making a key', answer, !account.isClosed)) return
    const { id, key } = answer.json as { id: string; key: string }
    this.#keys.push({ id, secret: key, account, isRevoked: false, dayCap, spentToday: 0 })
  }

  async #grant(account = this.#random.of(this.#accounts)): Promise<void> {
    const credits = this.#random.of(FUNDS)
    if (credits === 0) return
    const body = { accountId: account.id, amountCredits: credits, note: 'n', reference: newId() }
    // The same one, several times at the same moment, is one.
    const sent = Array.from({ length: 1 + this.#random.below(3) }, () =>
      this.#admin('POST', '/v1/credits/grant', body),
    )
    const answers = await Promise.all(sent)
    // A closed account gets what was paid for it all the same.
    for (const answer of answers) this.#expect('a grant', answer, true)
    account.available += credits
    const fresh = answers.filter(({ json }) => json?.duplicate === false)
    if (fresh.length !== 1) this.#found(`${fresh.length} grants are no duplicates`)
    const other = await this.#admin('POST', '/v1/credits/grant', { ...body, amountCredits: 1000 })
    this.#expect('a grant of another amount by the same reference', other, false)
  }

  /** How many purchases of this price the key can make now. */
  #affordable({ isRevoked, account, dayCap, spentToday }: Key, credits: number): number {
    if (isRevoked || account.isClosed) return 0
    const byBalance = Math.floor(account.available / credits)
    return dayCap === null ? byBalance : Math.min(byBalance, Math.floor((dayCap - spentToday) / credits)) // prettier-ignore
  }

  #charged(key: Key, credits: number, requestId: string): void {
    key.account.available -= credits
    key.spentToday += credits
    this.#charges.push({ requestId, key, credits, isRefunded: false })
  }

  async #buy(): Promise<void> {
    const key = this.#random.of(this.#keys)
    const [idempotencyKey, input] = [newId(), newId()]
    const isGood = this.#affordable(key, PRICE) > 0
    const headers = { 'idempotency-key': idempotencyKey }
    const answer = await this.#as(key, 'POST', '/v1/paid/hash', { input }, headers)
    if (!this.#expect('a purchase', answer, isGood)) return
    this.#charged(key, PRICE, answer.headers.get('x-request-id')!)
    this.#bought.push({ key, idempotencyKey, input, answer: answer.text })
    const left = answer.headers.get('x-balance-credits')
    if (left !== String(key.account.available)) this.#found(`X-Balance-Credits is ${left}`, answer)
  }

  /** Purchases at the same moment, of one key or of several of one account. */
  async #buyAtOnce(): Promise<void> {
    const first = this.#random.of(this.#keys)
    const count = 2 + this.#random.below(6)
    const answers = await Promise.all(
      Array.from({ length: count }, () =>
        this.#as(first, 'POST', '/v1/paid/hash', { input: newId() }),
      ),
    )
    const good = answers.filter(({ status }) => status < 300)
    for (const answer of answers) this.#expect('one of many', answer, answer.status < 300)
    const may = Math.min(count, Math.max(0, this.#affordable(first, PRICE)))
    if (good.length !== may) this.#found(`${good.length} of ${count} bought, ${may} could be paid`)
    for (const { headers } of good) this.#charged(first, PRICE, headers.get('x-request-id')!)
  }

  /** By the Idempotency-Key of an earlier purchase: the kept answer, or a refusal; never a charge. */
  async #buyAgain(): Promise<void> {
    if (this.#bought.length === 0) return
    const { key, idempotencyKey, input, answer: kept } = this.#random.of(this.#bought)
    if (key.isRevoked || key.account.isClosed) return
    const isSame = this.#random.chance(0.6)
    const body = { input: isSame ? input : newId() }
    const headers = { 'idempotency-key': idempotencyKey }
    const answer = await this.#as(key, 'POST', '/v1/paid/hash', body, headers)
    this.#expect('a retry', answer, isSame)
    if (isSame && answer.text !== kept) this.#found('a retry got another answer', answer)
    if (isSame && answer.headers.get('x-charged-credits') !== '0')
      this.#found('a retry was charged', answer)
  }

  async #fail(): Promise<void> {
    const key = this.#random.of(this.#keys)
    const body = this.#random.of<object>([{}, { input: 5 }, { input: 'x', algorithm: 'none' }])
    const headers = this.#random.chance(0.5) ? { 'idempotency-key': newId() } : {}
    this.#expect(
      'a call with a wrong input',
      await this.#as(key, 'POST', '/v1/paid/hash', body, headers),
      false,
    )
  }

  async #hold(): Promise<void> {
    const key = this.#random.of(this.#keys)
    const credits = 1 + this.#random.below(8)
    const body = { requestId: newId(), skill: 'demo.hash', amountCredits: credits }
    const answers = await Promise.all(
      Array.from({ length: 1 + this.#random.below(3) }, () =>
        this.#as(key, 'POST', '/v1/credits/authorize', body),
      ),
    )
    const isGood = this.#affordable(key, credits) > 0
    for (const answer of answers) this.#expect('a hold', answer, isGood)
    if (!isGood) return
    const ids = new Set(answers.map(({ json }) => json.authorizationId as string))
    if (ids.size !== 1) this.#found(`one requestId made ${ids.size} holds`)
    const other = { ...body, amountCredits: credits + 1 }
    const clash = await this.#as(key, 'POST', '/v1/credits/authorize', other)
    this.#expect('another hold by the same requestId', clash, false)
    key.account.available -= credits
    key.account.held += credits
    key.spentToday += credits
    const [id] = [...ids]
    this.#holds.push({ id: id!, requestId: body.requestId, key, credits, state: 'authorized' })
  }

  /** Capture and release at the same moment: one of them ends the hold, and stays. */
  async #endHold(): Promise<void> {
    if (this.#holds.length === 0) return
    const hold = this.#random.of(this.#holds)
    const { key, credits } = hold
    const stranger = this.#keys.find(({ account }) => account !== key.account)
    const body = { authorizationId: hold.id }
    if (stranger && this.#random.chance(0.3)) {
      const way = this.#random.of(['capture', 'release'])
      const answer = await this.#as(stranger, 'POST', `/v1/credits/${way}`, body)
      this.#expect("ending a stranger's hold", answer, false)
      return
    }
    if (key.isRevoked || key.account.isClosed) return
    const ways = Array.from({ length: 1 + this.#random.below(3) }, () =>
      this.#random.of(['capture', 'release'] as const),
    )
    const answers = await Promise.all(
      ways.map((way) => this.#as(key, 'POST', `/v1/credits/${way}`, body)),
    )
    const good = new Set(ways.filter((_, index) => answers[index]!.status < 300))
    for (const answer of answers) this.#expect('ending a hold', answer, answer.status < 300)
    const ending = { capture: 'captured', release: 'released' } as const
    if (hold.state !== 'authorized') {
      // A capture that is repeated says so even after the refund.
      const state = hold.state === 'refunded' ? 'captured' : hold.state
      for (const way of good)
        if (ending[way] !== state) this.#found(`a hold was ${hold.state}, and ${way} succeeded`)
      return
    }
    if (good.size !== 1) return this.#found(`a hold ended in ${good.size} ways`)
    const [way] = [...good]
    hold.state = ending[way!]
    key.account.held -= credits
    if (hold.state === 'captured') {
      this.#charges.push({ requestId: hold.requestId, key, credits, isRefunded: false })
      return
    }
    key.account.available += credits
    key.spentToday -= credits
  }

  async #refund(): Promise<void> {
    if (this.#charges.length === 0) return
    const charge = this.#random.of(this.#charges)
    const { requestId, key, credits } = charge
    const body = { requestId, apiKeyId: key.id, note: 'sequence' }
    const answers = await Promise.all(
      Array.from({ length: 1 + this.#random.below(3) }, () =>
        this.#admin('POST', '/v1/credits/refund', body),
      ),
    )
    for (const answer of answers) this.#expect('a refund', answer, true)
    if (!charge.isRefunded) key.account.available += credits
    charge.isRefunded = true
    for (const hold of this.#holds) if (hold.requestId === requestId) hold.state = 'refunded'
    const own = await this.#as(key, 'POST', '/v1/credits/refund', body)
    this.#expect('a refund that a buyer gives itself', own, false)
  }

  async #transfer(): Promise<void> {
    const [from, to] = [this.#random.of(this.#accounts), this.#random.of(this.#accounts)]
    const credits = 1 + this.#random.below(12)
    const reference = newId()
    const body = { toAccountId: to.id, amountCredits: credits, reference }
    const answers = await Promise.all(
      Array.from({ length: 1 + this.#random.below(3) }, () =>
        this.#admin('POST', `/v1/accounts/${from.id}/transfer`, body),
      ),
    )
    const isGood = from !== to && from.available >= credits && !from.isClosed && !to.isClosed
    for (const answer of answers) this.#expect('a transfer', answer, isGood)
    if (!isGood) return
    from.available -= credits
    to.available += credits
  }

  async #cap(): Promise<void> {
    const key = this.#random.of(this.#keys)
    const day = this.#random.of([null, 0, 4, 30])
    const answer = await this.#admin('PATCH', `/v1/keys/${key.id}`, { budget: { day } })
    if (this.#expect('a change of a budget', answer, true)) key.dayCap = day
  }

  async #rotate(): Promise<void> {
    const key = this.#random.of(this.#keys)
    const answer = await this.#admin('POST', `/v1/keys/${key.id}/rotate`, { graceSeconds: 0 })
    if (!this.#expect('a rotation', answer, !key.isRevoked)) return
    const before = key.secret
    key.secret = answer.json.key as string
    await this.#ends('the credential of before', { ...key, secret: before })
  }

  async #revoke(): Promise<void> {
    if (this.#keys.length < 3) return
    const key = this.#random.of(this.#keys)
    const answer = await this.#admin('POST', `/v1/keys/${key.id}/revoke`)
    this.#expect('revoking a key', answer, true)
    key.isRevoked = true
    await this.#ends('a revoked key', key)
  }

  /** A credential that has ended is refused within a second, and from then on. */
  async #ends(what: string, key: Key): Promise<void> {
    const untilMs = performance.now() + ENDED_WITHIN_MS
    let answer = await this.#as(key, 'GET', '/v1/account')
    while (answer.status < 300 && performance.now() < untilMs)
      answer = await this.#as(key, 'GET', '/v1/account')
    this.#expect(what, answer, false)
  }

  async #close(): Promise<void> {
    if (this.#accounts.filter(({ isClosed }) => !isClosed).length < 3) return
    const account = this.#random.of(this.#accounts)
    const answer = await this.#admin('POST', `/v1/accounts/${account.id}/close`)
    if (this.#expect('closing an account', answer, true)) account.isClosed = true
  }

  /** What a key may see names nothing of another account. */
  async #spy(): Promise<void> {
    const key = this.#random.of(this.#keys)
    if (key.isRevoked) return
    const paths = ['/v1/account', '/v1/usage?limit=200', '/v1/credits/balance']
    const foreign = this.#charges.find((charge) => charge.key.account !== key.account)
    if (foreign) paths.push(`/v1/usage?requestId=${foreign.requestId}`)
    for (const path of paths) {
      const answer = await this.#as(key, 'GET', path)
      this.#expect(path, answer, true)
      for (const { id, account } of this.#keys) {
        if (account === key.account) continue
        if (answer.text.includes(id) || answer.text.includes(account.id))
          this.#found(`${path} of ${key.id} names ${id}`, answer)
      }
      if (
        foreign &&
        answer.json?.rows?.some(
          (row: { requestId?: string }) => row.requestId === foreign.requestId,
        )
      )
        // prettier-ignore
        this.#found(`${path} shows a call of another account`, answer)
    }
    this.#expect("an operator's list", await this.#as(key, 'GET', '/v1/keys'), false)
  }

  async #checkBalances(): Promise<void> {
    for (const { id, available, held } of this.#accounts) {
      const answer = await this.#admin('GET', `/v1/accounts/${id}`)
      this.#expect('an account', answer, true)
      const { credits, heldCredits } = answer.json.balance as Record<string, number>
      if (credits !== available || heldCredits !== held) {
        this.#found(
          `account ${id} has ${credits} and holds ${heldCredits}, not ${available} and ${held}`,
        )
      }
    }
  }
}
