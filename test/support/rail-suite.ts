/**
 * What every rail does alike, shown on a real gateway: nothing is given unpaid, nothing is charged
 * without an answer or twice, and the rail is shown wherever calls, prices and headers are.
 */
import { describe, expect, it } from 'vitest'
import type { Answer, GatewayProcess } from './gateway.ts'
import type { RailWorld } from './rail-world.ts'
import { comeBack, until } from './x402/gateways.ts'

const RUN = '/v1/work/run'
const PRICE_ATOMIC = 20_000

/** What pays one call; sent again it is the same payment. */
export interface Credential {
  headers: Record<string, string>
  /** Of an MCP tool call. */
  meta?: Record<string, unknown>
}

export interface RailFixture {
  rail: string
  /** The rail by which its money comes, where that is another one: ledger and revenue name that. */
  booksBy?: string
  requestHeaders: readonly string[]
  /** Of the 402, and of receipts. */
  offerHeaders: readonly string[]
  receiptHeaders: readonly string[]
  /** A member that the rail's offer adds to the body of a 402. */
  offerMember: string
  /** Member of `structuredContent` of an unpaid tool call. */
  mcpOfferMember: string
  /** The member of `_meta` of a paid result, if the rail has one. */
  mcpReceiptKey?: string
  securityScheme: string
  /** How /llms.txt names it. */
  llms: string
  /** A new credential that pays a call of this path and body. */
  credential(gateway: GatewayProcess, path: string, body: object): Promise<Credential>
  /** The same of another payer than any before. */
  credentialOfAnother(gateway: GatewayProcess, path: string, body: object): Promise<Credential>
  mcpCredential(gateway: GatewayProcess, unpaid: any): Promise<Credential>
  /** The status of its refusal to pay for another request. */
  reusedStatus: number
  /** After a crash amid a stream its credential has the stream once more; else its charge stands. */
  owesStreams: boolean
  /** Statements after which the leases of all calls under way are over. */
  expire: readonly string[]
}

/** Call it in a describe block whose `beforeAll` makes the world. */
export function railSuite(name: string, world: () => RailWorld, fixture: RailFixture): void {
  const { rail } = fixture
  const books = fixture.booksBy ?? rail
  let serial = 0
  const newText = (): string => `${rail} ${(serial += 1)}`
  const gateway = (): GatewayProcess => world().gateway
  const pay = (
    { headers }: Credential,
    body: object,
    path = RUN,
    more: Record<string, string> = {},
  ): Promise<Answer> => gateway().call('POST', path, { body, headers: { ...headers, ...more } })
  const credentialFor = (body: object, path = RUN): Promise<Credential> =>
    fixture.credential(gateway(), path, body)
  const callTool = async (text: string, { headers, meta = {} }: Credential): Promise<any> => {
    const params = { name: 'work.run', arguments: { text }, _meta: meta }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const answer = await gateway().call('POST', '/mcp', { body, headers })
    expect(answer.json?.result, answer.text).toBeDefined()
    return answer.json.result
  }
  const calls = async (query: string): Promise<any[]> => {
    const answer = await gateway().admin('GET', `/v1/admin/calls?rail=${rail}&limit=200&${query}`)
    expect(answer.status, answer.text).toBe(200)
    return answer.json.calls
  }
  const charged = async (): Promise<number> => (await calls('outcome=charged')).length
  const expire = async (): Promise<void> => {
    for (const statement of fixture.expire) await world().sql.unsafe(statement)
  }
  function expectPaid(answer: Answer): void {
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('x-payment-rail')).toBe(rail)
    expect(answer.headers.get('x-charged-credits')).toBe('2')
    for (const header of fixture.receiptHeaders)
      expect(answer.headers.has(header), header).toBe(true)
  }

  describe(name, () => {
    it('offers itself to an unpaid call', async () => {
      const text = newText()
      const unpaid = await gateway().call('POST', RUN, { body: { text } })
      expect(unpaid.status).toBe(402)
      expect(unpaid.json).toHaveProperty(fixture.offerMember)
      for (const header of fixture.offerHeaders) {
        expect(unpaid.headers.has(header), header).toBe(true)
      }
      expect(world().runs(text)).toBe(0)
    })

    it('is charged once for a success, and its credential gives the same answer again', async () => {
      const body = { text: newText() }
      const before = await charged()
      const credential = await credentialFor(body)
      const first = await pay(credential, body)
      expectPaid(first)
      const again = await pay(credential, body)
      expect([again.status, again.json]).toEqual([200, first.json])
      expect(again.headers.get('x-charged-credits')).toBe('0')
      expect(world().runs(body.text)).toBe(1)
      expect((await charged()) - before).toBe(1)
    })

    it('keeps the Idempotency-Key of one payer apart from that of another', async () => {
      const body = { text: newText() }
      const key = { 'idempotency-key': crypto.randomUUID() }
      const credential = await credentialFor(body)
      const first = await pay(credential, body, RUN, key)
      expectPaid(first)
      const another = await fixture.credentialOfAnother(gateway(), RUN, body)
      const second = await pay(another, body, RUN, key)
      expectPaid(second)
      expect(second.json.token).not.toBe(first.json.token)
      expect((await pay(credential, body, RUN, key)).json).toEqual(first.json)
    })

    it('does not pay another request by a credential that was used', async () => {
      const body = { text: newText() }
      const credential = await credentialFor(body)
      expectPaid(await pay(credential, body))
      const other = newText()
      const refused = await pay(credential, { text: other })
      expect(refused.status, refused.text).toBe(fixture.reusedStatus)
      expect(world().runs(other)).toBe(0)
    })

    it('is not charged for work that failed, and pays by the same credential afterwards', async () => {
      const body = { text: newText() }
      const credential = await credentialFor(body)
      const before = await charged()
      const mend = world().failing()
      try {
        const failed = await pay(credential, body)
        expect(failed.status, failed.text).toBe(503)
        expect(await charged()).toBe(before)
      } finally {
        mend()
      }
      expectPaid(await comeBack(() => pay(credential, body)))
      expect((await charged()) - before).toBe(1)
    })

    it('is not charged for bad input', async () => {
      const body = { text: newText() }
      const credential = await credentialFor(body)
      const before = await charged()
      for (const bad of [{}, { text: 5 }, { text: '' }, { ...body, more: 1 }]) {
        expect((await pay(credential, bad)).status).toBe(400)
      }
      expect(await charged()).toBe(before)
      expectPaid(await pay(credential, body))
    })

    it('runs the work once for two calls with one credential at a time', async () => {
      const body = { text: newText() }
      const credential = await credentialFor(body)
      const before = await charged()
      const letGo = world().hold()
      const both = [pay(credential, body), pay(credential, body)]
      try {
        await until(() => world().runs(body.text) > 0)
        const early = await Promise.race(both)
        expect([early.status, early.problem?.retryable], early.text).toEqual([409, true])
      } finally {
        letGo()
      }
      const statuses = (await Promise.all(both)).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([200, 409])
      expect((await comeBack(() => pay(credential, body))).status).toBe(200)
      expect(world().runs(body.text)).toBe(1)
      expect((await charged()) - before).toBe(1)
    })

    it('sells a tool as it sells the route', async () => {
      const text = newText()
      const unpaid = await callTool(text, { headers: {} })
      expect(unpaid.isError).toBe(true)
      expect(unpaid.structuredContent).toHaveProperty(fixture.mcpOfferMember)
      const paid = await callTool(text, await fixture.mcpCredential(gateway(), unpaid))
      expect(paid.isError, JSON.stringify(paid)).toBeFalsy()
      expect(paid._meta['coinop/call']).toMatchObject({ rail, chargedCredits: 2 })
      if (fixture.mcpReceiptKey) expect(paid._meta).toHaveProperty([fixture.mcpReceiptKey])
      const byHttp = await pay(await credentialFor({ text }), { text })
      const { token: _ofTool, ...tool } = paid.structuredContent
      const { token: _ofRoute, ...route } = byHttp.json
      expect(tool).toEqual(route)
    })

    it('is listed with its calls, its ledger rows and its revenue', async () => {
      const body = { text: newText() }
      const paid = await pay(await credentialFor(body), body)
      const requestId = paid.headers.get('x-request-id')!
      const listed = await calls(`requestId=${requestId}`)
      expect(listed).toHaveLength(1)
      const row = { rail, outcome: 'charged', skill: 'work.run', chargedUsdcAtomic: PRICE_ATOMIC }
      expect(listed[0]).toMatchObject({ ...row, requestId })
      expect(await calls('skill=work.run')).toContainEqual(listed[0])
      expect(await calls('skill=no.such')).toEqual([])
      const single = await gateway().admin('GET', `/v1/admin/calls/${listed[0].id}`)
      expect(single.json).toMatchObject(row)
      expect(single.json.entries.length).toBeGreaterThan(0)
      const ledger = await gateway().admin('GET', `/v1/ledger?requestId=${requestId}`)
      expect(ledger.json.rows.map((entry: any) => entry.rail)).toContain(books)
      const overview = await gateway().admin('GET', '/v1/admin/overview')
      expect(overview.json.rails.map(({ id }: { id: string }) => id)).toContain(rail)
      expect(JSON.stringify(overview.json.revenue)).toContain(`"${books}"`)
    })

    it('gives pages of its calls by cursors', async () => {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const place: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
        const { json } = await gateway().admin(
          'GET',
          `/v1/admin/calls?rail=${rail}&limit=2${place}`,
        )
        seen.push(...json.calls.map(({ id }: { id: string }) => id))
        cursor = json.nextCursor
      } while (cursor !== null)
      const all = await calls('')
      expect(seen).toEqual(all.map(({ id }) => id))
    })

    it('is in OpenAPI, in llms.txt, in prices and in the CORS headers', async () => {
      const [openapi, llms, prices] = await Promise.all(
        ['/openapi.json', '/llms.txt', '/v1/prices'].map((path) => gateway().call('GET', path)),
      )
      expect(openapi!.json.components.securitySchemes).toHaveProperty(fixture.securityScheme)
      const { security } = openapi!.json.paths[RUN].post
      expect(security.some((one: object) => fixture.securityScheme in one)).toBe(true)
      const { headers } = openapi!.json.paths[RUN].post.responses[402]
      const listed = Object.keys(headers ?? {}).map((header) => header.toLowerCase())
      expect(listed).toEqual(expect.arrayContaining([...fixture.offerHeaders]))
      expect(llms!.text).toContain(fixture.llms)
      const priced = prices!.json.skills.find(
        ({ skill }: { skill: string }) => skill === 'work.run',
      )
      expect(priced).toMatchObject({ usdcAtomic: String(PRICE_ATOMIC) })
      const origin = { origin: 'https://app.example' }
      const preflight = await gateway().call('OPTIONS', RUN, { headers: origin })
      const unpaid = await gateway().call('POST', RUN, { body: { text: 'x' }, headers: origin })
      const told = (answer: Answer, which: string) =>
        answer.headers.get(`access-control-${which}-headers`)!.toLowerCase().split(', ')
      expect(told(preflight, 'allow')).toEqual(expect.arrayContaining([...fixture.requestHeaders]))
      expect(told(unpaid, 'expose')).toEqual(
        expect.arrayContaining([...fixture.offerHeaders, ...fixture.receiptHeaders]),
      )
    })

    it('shows its credential to no skill and no upstream', async () => {
      const body = { text: 'headers' }
      const credential = await credentialFor(body)
      expectPaid(await pay(credential, body, RUN, { 'x-harmless': '1' }))
      const path = '/v1/far/get'
      const other = await credentialFor({}, path)
      expectPaid(await pay(other, {}, path))
      const sent = world().upstream.requests.at(-1)!.headers
      for (const header of fixture.requestHeaders) {
        expect(Object.keys(sent)).not.toContain(header)
        expect(
          world()
            .textsRun()
            .filter((text) => text.split(' ').includes(header)),
        ).toEqual([])
      }
      expect(
        world()
          .textsRun()
          .some((text) => text.includes('x-harmless')),
      ).toBe(true)
    })

    it('makes a stream good that broke off: the same credential has all of it, charged once', async () => {
      const path = '/v1/far/events'
      const credential = await credentialFor({}, path)
      const before = await charged()
      const mend = world().breaking()
      const broken = await pay(credential, {}, path).catch(() => 'broken')
      mend()
      expect(broken).toBe('broken')
      const whole = await comeBack(() => pay(credential, {}, path))
      expect([whole.status, whole.text]).toEqual([200, 'data: 1\n\ndata: 2\n\n'])
      await until(async () => (await charged()) - before === 1)
      expect(await calls('outcome=open')).toEqual([])
    })

    it('leaves nothing charged without an answer when the gateway is killed at work', async () => {
      const body = { text: newText() }
      const credential = await credentialFor(body)
      const before = await charged()
      const letGo = world().hold()
      const cut = pay(credential, body).catch(() => null)
      try {
        await until(() => world().runs(body.text) === 1)
        await world().killAndRestart()
      } finally {
        letGo()
      }
      await cut
      expect(await charged()).toBe(before)
      await expire()
      const answer = await comeBack(() => pay(credential, body))
      expectPaid(answer)
      expect((await charged()) - before).toBe(1)
      expect((await pay(credential, body)).json).toEqual(answer.json)
      expect(world().runs(body.text)).toBe(2)
    })

    if (fixture.owesStreams)
      it('gives a stream once more that the gateway was killed in, charged once', async () => {
        const path = '/v1/far/events'
        const credential = await credentialFor({}, path)
        const before = await charged()
        const mend = world().stalling()
        try {
          const headers = { 'content-type': 'application/json', ...credential.headers }
          // It is charged before its first byte; until its end its call is open.
          const head = await fetch(gateway().url + path, { method: 'POST', headers, body: '{}' })
          expect(head.status).toBe(200)
          const cut = head.text().catch(() => null)
          await world().killAndRestart()
          await cut
        } finally {
          mend()
        }
        await expire()
        const whole = await comeBack(() => pay(credential, {}, path))
        expect([whole.status, whole.text]).toEqual([200, 'data: 1\n\ndata: 2\n\n'])
        await until(async () => (await charged()) - before === 1)
      })
  })
}
