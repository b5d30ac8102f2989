/**
 * Asks every operation of a running gateway what it should and should not be asked, and judges each
 * answer: no failure of the gateway itself, a status and a body that the document declares, nothing
 * charged for a failure, no answer that never comes.
 */
import fc from 'fast-check'
import { compileSchema } from '../../kernel/schema/json.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { pageOperations, signedIn, signedInOperator } from './pages.ts'
import {
  operationsOf,
  requestsFor,
  type Caller,
  type FuzzRequest,
  type Operation,
} from './operations.ts'

export interface Finding {
  operation: string
  problem: string
  /** What was asked, to ask it again. */
  request: string
  answer: string
}
export interface FuzzReport {
  findings: Finding[]
  requests: number
  statuses: Record<string, number>
}

const HANG_MS = 45_000
/** One of the odd texts (values.ts) as a page that escapes nothing would show it. */
const MARKUP = '<script>alert("fuzz")'
/** Answers of the whole gateway, whatever the operation. */
const COMMON_STATUSES = new Set([
  '401',
  '403',
  '404',
  '405',
  '406',
  '411',
  '413',
  '414',
  '415',
  '416',
  '429',
  '431',
])
/** Ids that must stay: the fuzzer's own callers, and what it asks for. */
const ID_MEMBER = /(^id$|Id$|_id$)/

export class Fuzzer {
  readonly #gateway: GatewayProcess
  readonly #operations: Operation[]
  readonly #credentials: Readonly<Record<Caller, Record<string, string>>>
  readonly #keyIds: readonly string[]
  readonly #ids = new Map<string, Set<string>>()
  readonly #protected = new Set<string>()
  readonly #findings = new Map<string, Finding>()
  readonly #statuses: Record<string, number> = {}
  /** Request ids of calls that were refused or failed. */
  readonly #failed = new Set<string>()
  #requests = 0

  private constructor(
    gateway: GatewayProcess,
    operations: Operation[],
    credentials: Readonly<Record<Caller, Record<string, string>>>,
    keyIds: readonly string[],
  ) {
    this.#gateway = gateway
    this.#operations = operations
    this.#credentials = credentials
    this.#keyIds = keyIds
    for (const id of keyIds) this.#protected.add(id)
  }

  /** Over a new gateway in a sandbox; `stop` it. With pages: those and what is behind sessions, alone. */
  static async start(
    env: Record<string, string> = {},
    { isOfPages = false } = {},
  ): Promise<{ fuzzer: Fuzzer; gateway: GatewayProcess }> {
    const gateway = await startGateway({
      SANDBOX: 'true',
      RATE_LIMIT_RPM: '1000000',
      RATE_LIMIT_BURST: '100000',
      ...env,
    })
    const document = (await gateway.call('GET', '/openapi.json')).json
    const [one, other, poor] = await Promise.all([
      gateway.key(50_000),
      gateway.key(50_000),
      gateway.key(0),
    ])
    const credentials = {
      none: {},
      key: { 'x-api-key': one.key },
      'other key': { 'x-api-key': other.key },
      'poor key': { authorization: `Bearer ${poor.key}` },
      admin: { authorization: `Bearer ${gateway.adminToken}` },
      nonsense: { 'x-api-key': 'ck_live_nonsense' },
      person: isOfPages ? await signedIn(gateway, one.key) : {},
      console: isOfPages ? await signedInOperator(gateway) : {},
    }
    const listed = operationsOf(document)
    const operations = isOfPages ? pageOperations(listed) : listed
    const fuzzer = new Fuzzer(gateway, operations, credentials, [one.id, other.id, poor.id])
    const products = await gateway.admin('GET', '/v1/admin/products')
    for (const text of JSON.stringify(products.json).matchAll(/"(?:id|productId)":"([^"]+)"/g))
      fuzzer.#protected.add(text[1]!)
    const keys = await gateway.admin('GET', '/v1/keys')
    for (const text of keys.text.matchAll(/"accountId":"([^"]+)"/g)) fuzzer.#protected.add(text[1]!)
    return { fuzzer, gateway }
  }

  /** Each operation `runs` times, from one seed. `until` ends it early. */
  async round(seed: number, runs: number, until: () => boolean = () => false): Promise<void> {
    const waiting = [...this.#operations]
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next && !until(); next = waiting.shift())
        await this.#fuzz(next, seed, runs)
    }
    await Promise.all(Array.from({ length: 4 }, worker))
    await this.#checkLedger()
  }

  report(): FuzzReport {
    return {
      findings: [...this.#findings.values()],
      requests: this.#requests,
      statuses: this.#statuses,
    }
  }

  async #fuzz(operation: Operation, seed: number, runs: number): Promise<void> {
    // A browser's page costs a second: few of them show the same.
    const numRuns = /screenshot/.test(operation.path) ? Math.ceil(runs / 5) : runs
    const known = (name: string): readonly string[] => [
      ...(this.#ids.get(name) ?? this.#ids.get('id') ?? []),
    ]
    // Sampled, not shrunk: what was found shows by the request itself, and a gateway has a memory.
    for (const request of fc.sample(requestsFor(operation, known), { seed, numRuns })) {
      await this.#ask(operation, request)
    }
  }

  async #ask(operation: Operation, request: FuzzRequest): Promise<void> {
    const { path, query, headers, body, caller } = request
    const filled = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
      // Without a text, or with dots alone, it would be the path of another operation.
      encodeURIComponent(wellFormed(path[name] || 'x')).replace(/^\.{1,2}$/, 'x'),
    )
    const search = new URLSearchParams(
      query.map(([name, value]) => [name, wellFormed(value)]),
    ).toString()
    const url = `${this.#gateway.url}${filled}${search && `?${search}`}`
    const hasBody = body !== null && operation.method !== 'GET'
    const isForm = operation.isForm === true && body !== null && isObject(body)
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
    const sent = {
      ...(hasBody && { 'content-type': type }),
      ...headers,
      ...this.#credentials[caller],
    }
    const shown = `${operation.method} ${url.slice(this.#gateway.url.length)} as ${caller} ${JSON.stringify(headers)} ${hasBody ? body.slice(0, 600) : ''}`
    const note = (problem: string, answer: string): void =>
      this.#note(operation, problem, shown, answer)
    this.#requests++
    let response: Response
    let text: string
    try {
      response = await fetch(url, {
        method: operation.method,
        headers: sent,
        ...(hasBody && { body: isForm ? asForm(body) : body }),
        redirect: 'manual',
        signal: AbortSignal.timeout(HANG_MS),
      })
      text = await response.text()
    } catch (error) {
      return note(`no answer: ${(error as Error).name}`, String(error))
    }
    const status = String(response.status)
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1
    const answer = `${status} ${text.slice(0, 500)}`
    const code = /"code":"([A-Z_]+)"/.exec(text)?.[1]
    // Without a chain x402 is closed, and what only x402 buys cannot be bought: said by 503.
    const isClosed = status === '503' && text.includes('No way to pay for this call is open')
    if (status === '500' || (code === 'INTERNAL_ERROR' && !isClosed))
      note(`failure of the gateway: ${status}`, answer)
    if (!operation.answers.has(status) && !COMMON_STATUSES.has(status))
      note(`undeclared status ${status}`, answer)
    this.#checkBody(operation, response, text, (problem) => note(problem, answer))
    const problem = problemOfPage(response, text, this.#gateway.url)
    if (problem !== null) note(problem, answer)
    const charged = response.headers.get('x-charged-credits')
    if (response.status >= 400 && charged !== null && Number(charged) > 0)
      note('charged failure', `${charged} credits: ${answer}`)
    const requestId = response.headers.get('x-request-id')
    if (response.status >= 400 && requestId !== null) this.#failed.add(requestId)
    if (response.ok && caller !== 'none') this.#learn(text)
  }

  #checkBody(
    operation: Operation,
    response: Response,
    text: string,
    note: (problem: string) => void,
  ): void {
    const declared = operation.answers.get(String(response.status))
    const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? ''
    if (!declared || declared.size === 0 || text === '') return
    if (!declared.has(type)) return note(`undeclared content type ${type} with ${response.status}`)
    const schema = declared.get(type)
    if (!schema || !type.endsWith('json')) return
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return note(`no JSON with ${response.status}`)
    }
    const compiled = compileSchema(schema as never)
    if (compiled.check(value)) return
    const [issue] = compiled.issues(value)
    note(`answer ${response.status} breaks its schema at ${issue?.path}: ${issue?.message}`)
  }

  /** Ids of an answer, for the parameters of later requests. */
  #learn(text: string): void {
    if (!text.startsWith('{') || text.length > 200_000) return
    const visit = (value: unknown, name: string): void => {
      if (typeof value === 'string') {
        if (!ID_MEMBER.test(name) || value.length > 100 || this.#protected.has(value)) return
        const ids = this.#ids.get(name) ?? new Set<string>()
        this.#ids.set(name, ids.add(value))
        if (ids.size > 40) ids.delete([...ids][0]!)
        if (name !== 'id')
          this.#ids.set('id', (this.#ids.get('id') ?? new Set<string>()).add(value))
      } else if (typeof value === 'object' && value !== null) {
        for (const [member, one] of Object.entries(value)) visit(one, member)
      }
    }
    visit(JSON.parse(text), '')
  }

  /** The ledger after all this, and what the log calls an error. */
  async #checkLedger(): Promise<void> {
    const verified = await this.#gateway.admin('POST', '/v1/admin/ledger/verify')
    const about = { id: 'ledger', path: '/v1/admin/ledger/verify' } as Operation
    if (verified.json?.ok !== true)
      this.#note(about, 'the ledger does not verify', '', verified.text.slice(0, 500))
    for (const line of this.#gateway.output().split('\n')) {
      if (!line.includes('"level":50') && !line.includes('"level":"error"')) continue
      const message = /"msg":"([^"]*)"/.exec(line)?.[1] ?? line.slice(0, 100)
      this.#note({ id: 'log' } as Operation, `error in the log: ${message}`, '', line.slice(0, 800))
    }
    // What an answer says of its charge is one thing, what was taken another.
    for (const keyId of this.#keyIds) {
      const captures = await this.#gateway.admin(
        'GET',
        `/v1/ledger?apiKeyId=${keyId}&kind=capture&limit=500`,
      )
      if (captures.status !== 200)
        this.#note(about, 'rows of a key are not shown', keyId, captures.text.slice(0, 300))
      for (const row of captures.json?.rows ?? [])
        if (this.#failed.has(row.requestId))
          this.#note(about, 'charged failure', row.requestId, JSON.stringify(row))
    }
  }

  #note({ id, path }: Operation, problem: string, request: string, answer: string): void {
    const key = `${id} ${problem}`
    if (!this.#findings.has(key))
      this.#findings.set(key, { operation: `${id} ${path ?? ''}`, problem, request, answer })
  }
}

/** What a page must not do: show what it was sent as markup, or lead to where a caller says. */
function problemOfPage({ headers }: Response, text: string, gatewayUrl: string): string | null {
  const isPage = headers.get('content-type')?.startsWith('text/html') === true
  if (isPage && text.includes(MARKUP)) return 'a page shows what it was sent as markup'
  const location = headers.get('location')
  if (location === null) return null
  const { origin } = new URL(location, gatewayUrl)
  return origin === new URL(gatewayUrl).origin ? null : `it leads to ${origin}`
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function asForm(text: string): URLSearchParams {
  const fields = Object.entries(JSON.parse(text) as Record<string, unknown>)
  return new URLSearchParams(
    fields.map(([name, value]) => [
      wellFormed(name),
      wellFormed(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')),
    ]),
  )
}

const wellFormed = (text: string): string => text.toWellFormed()
