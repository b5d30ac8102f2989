/** The contract of one skill, each check a request or a few from outside and what must come back. */
import { compileSchema } from '#kernel'
import { send, type ContractTarget, type Sent } from './ask.ts'
import { expectCode, expectEqual, expectStatus } from './expect.ts'

/** What the suite sends to one skill. */
export interface SkillFixture {
  skill: string
  /** A valid input; for a GET route the query. */
  input: Record<string, unknown>
  /** Values of the route's {parameters}. */
  params?: Record<string, string>
  /** Inputs that the schema or the skill's check must refuse with 4xx, uncharged. */
  badInputs?: unknown[]
  /** Valid inputs whose work fails: not 2xx, uncharged. */
  failingInputs?: Record<string, unknown>[]
  /** False for a skill whose two runs differ (a screenshot): HTTP and MCP results are then not compared. */
  deterministic?: boolean
  /**
   * Credits that a call with `input` costs when that is not the listed price, which is the most: a
   * price that counts units, or a self-billing skill.
   */
  costsCredits?: number
}

/** Its members, so that a misspelled one is not taken for one that is missing. */
const FIXTURE_MEMBERS: Readonly<Record<keyof SkillFixture, true>> = {
  skill: true,
  input: true,
  params: true,
  badInputs: true,
  failingInputs: true,
  deterministic: true,
  costsCredits: true,
}

/** Throws, naming them, when a fixture has members that the suite does not know. */
export function expectKnownMembers(fixture: object): void {
  const unknown = Object.keys(fixture).filter((name) => !Object.hasOwn(FIXTURE_MEMBERS, name))
  if (unknown.length === 0) return
  const known = Object.keys(FIXTURE_MEMBERS).join(', ')
  throw new Error(`the fixture has ${unknown.join(', ')}, which the suite does not know: ${known}`)
}

/** What GET /v1/prices says of the skill. */
export interface Price {
  skill: string
  tool: string | null
  method: string
  path: string
  credits: number
  rule: { per: readonly unknown[] }
}
/** What is read of GET /openapi.json. */
export interface OpenApi {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >
}

/** The checks of one skill by their names; those that do not apply to it pass. */
export class SkillContract {
  readonly #target: ContractTarget
  readonly #fixture: SkillFixture
  readonly #price: Price
  readonly #openApi: OpenApi

  constructor(target: ContractTarget, fixture: SkillFixture, price: Price, openApi: OpenApi) {
    this.#target = target
    this.#fixture = fixture
    this.#price = price
    this.#openApi = openApi
  }

  checks(): [string, () => Promise<void>][] {
    return [
      ['unpaid is 402 whatever the body', () => this.#unpaid()],
      ['a wrong key is 401', () => this.#wrongKey()],
      ['bad input is refused and not charged', () => this.#badInput()],
      ['an over-long body is refused and not charged', () => this.#overLong()],
      ['a success is charged its price once and matches its schema', () => this.#success()],
      ['a balance too small is 402 and nothing runs', () => this.#poor()],
      ['failed work is not charged', () => this.#failing()],
      ['a retry under one Idempotency-Key is charged once', () => this.#retry()],
      ['the MCP tool gives the same result', () => this.#tool()],
    ]
  }

  async #unpaid(): Promise<void> {
    for (const body of [this.#fixture.input, '{"broken', []]) {
      const answer = await this.#send(body)
      expectStatus(answer, [402])
      expectCode(answer, ['PAYMENT_REQUIRED'])
    }
  }

  async #wrongKey(): Promise<void> {
    expectStatus(await this.#send(this.#fixture.input, { 'x-api-key': 'ck_test_nonsense' }), [401])
  }

  async #badInput(): Promise<void> {
    const wrong = this.#price.method === 'GET' ? [] : ['{"broken', '[]', 'null', '"text"']
    for (const input of [...wrong, ...(this.#fixture.badInputs ?? [])]) {
      await this.#uncharged(input, [400, 403, 404, 409])
    }
  }

  async #overLong(): Promise<void> {
    if (this.#price.method === 'GET') return
    await this.#uncharged(
      JSON.stringify({ ...this.#fixture.input, padding: 'x'.repeat(32 * 1024 * 1024) }),
      [400],
    )
  }

  async #success(): Promise<void> {
    const key = await this.#key()
    const answer = await this.#send(this.#fixture.input, key.headers)
    expectStatus(answer, [200, 201, 202])
    const charged = Number(answer.headers.get('x-charged-credits'))
    expectEqual(`X-Charged-Credits${this.#costHint}`, charged, this.#cost)
    expectEqual(
      'credits taken from the balance',
      round(key.credits - (await this.#balance(key))),
      charged,
    )
    for (const name of ['x-request-id', 'x-payment-rail', 'x-price-version', 'x-balance-credits']) {
      if (!answer.headers.get(name)) throw new Error(`the answer has no ${name} header`)
    }
    const schema = this.#outputSchema()
    const issues = schema ? compileSchema(schema).issues(answer.json) : []
    if (issues.length > 0)
      throw new Error(`the output breaks its schema: ${JSON.stringify(issues)}`)
  }

  async #poor(): Promise<void> {
    if (this.#cost === 0) return
    const key = await this.#key(0)
    const answer = await this.#send(this.#fixture.input, key.headers)
    // A self-billing skill may accept the work and park it until there are funds.
    if (this.#fixture.costsCredits === undefined) expectStatus(answer, [402])
    expectEqual('balance', await this.#balance(key), 0)
  }

  async #failing(): Promise<void> {
    for (const input of this.#fixture.failingInputs ?? [])
      await this.#uncharged(input, [400, 403, 404, 409, 503])
  }

  async #retry(): Promise<void> {
    const key = await this.#key()
    const headers = { ...key.headers, 'idempotency-key': `contract-${this.#price.skill}` }
    const first = await this.#send(this.#fixture.input, headers)
    const again = await this.#send(this.#fixture.input, headers)
    expectStatus(again, [first.status])
    expectEqual('the second answer', JSON.stringify(again.json), JSON.stringify(first.json))
    expectEqual('credits taken', round(key.credits - (await this.#balance(key))), this.#cost)
  }

  async #tool(): Promise<void> {
    if (!this.#price.tool || this.#fixture.deterministic === false) return
    const mcp = await send(this.#target, 'POST', '/mcp', { jsonrpc: '2.0', id: 0, method: 'ping' })
    if (mcp.status === 404) return
    const key = await this.#key()
    const http = await this.#send(this.#fixture.input, key.headers)
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: this.#price.tool,
        arguments: { ...this.#fixture.input, ...this.#fixture.params },
      },
    }
    const answer = await send(this.#target, 'POST', '/mcp', call, {
      ...key.headers,
      accept: 'application/json, text/event-stream',
    })
    const result = (answer.json as { result?: { structuredContent?: unknown } }).result
    expectEqual(
      'the tool result',
      JSON.stringify(result?.structuredContent),
      JSON.stringify(http.json),
    )
  }

  /** Credits a call costs. */
  get #cost(): number {
    return this.#fixture.costsCredits ?? this.#price.credits
  }

  /** What an author may have left out, where the listed price is only the most that a call costs. */
  get #costHint(): string {
    const isTold = this.#fixture.costsCredits !== undefined || this.#price.rule.per.length === 0
    return isTold ? '' : ' (the price counts units: `costsCredits` says what `input` costs)'
  }

  async #uncharged(input: unknown, statuses: readonly number[]): Promise<void> {
    const key = await this.#key()
    const answer = await this.#send(input, key.headers)
    expectStatus(answer, statuses)
    expectCode(answer, null)
    expectEqual('balance', await this.#balance(key), key.credits)
  }

  async #key(
    credits = 1000,
  ): Promise<{ id: string; credits: number; headers: Record<string, string> }> {
    const admin = { authorization: `Bearer ${this.#target.adminToken}` }
    const made = (await send(this.#target, 'POST', '/v1/keys', { name: 'contract' }, admin))
      .json as { id: string; key: string }
    if (credits > 0) await this.#grant(made.id, credits, admin)
    return { id: made.id, credits, headers: { 'x-api-key': made.key } }
  }

  /** Test credits. A gateway that has no product of the plugin topup, which gives them, gets one. */
  async #grant(apiKeyId: string, amount: number, admin: Record<string, string>): Promise<void> {
    const order = { apiKeyId, amount, provider: 'sandbox' }
    const give = () => send(this.#target, 'POST', '/v1/sandbox/topup', order, admin)
    let granted = await give()
    if (granted.status === 404) {
      const topup = { product_id: 'topup', plugin: 'topup', metered: false }
      await send(this.#target, 'PUT', '/v1/admin/products/topup', topup, admin)
      granted = await give()
    }
    expectStatus(granted, [200, 201])
  }

  async #balance(key: { headers: Record<string, string> }): Promise<number> {
    const { json } = await send(this.#target, 'GET', '/v1/credits/balance', undefined, key.headers)
    return (json as { credits: number }).credits
  }

  #send(input: unknown, headers: Record<string, string> = {}): Promise<Sent> {
    let path = this.#price.path
    for (const [name, value] of Object.entries(this.#fixture.params ?? {}))
      path = path.replace(`{${name}}`, value)
    if (this.#price.method !== 'GET')
      return send(this.#target, this.#price.method, path, input, headers)
    const query =
      typeof input === 'object' && input !== null && !Array.isArray(input)
        ? `?${new URLSearchParams(input as Record<string, string>)}`
        : ''
    return send(this.#target, 'GET', path + query, undefined, headers)
  }

  #outputSchema(): object | undefined {
    const operation = this.#openApi.paths[this.#price.path]?.[this.#price.method.toLowerCase()]
    return operation?.responses['200']?.content?.['application/json']?.schema
  }
}

function round(credits: number): number {
  return Math.round(credits * 10_000) / 10_000
}
