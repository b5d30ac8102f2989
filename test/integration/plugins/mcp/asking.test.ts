/** Tools that need answers: as a result in the new era, on the stream in the old one; never charged twice. */
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inputRequired } from '../../../../kernel/plugins/mcp-contract.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import { legacy, mcpOver, modern } from '../../../support/mcp.ts'
import { mount } from '../../../support/metering.ts'
import { ownAccount } from '../../../support/accounts.ts'

let database: TestDatabase
let mcp: Awaited<ReturnType<typeof mcpOver>>
let runs = 0

const QUESTION = {
  method: 'elicitation/create' as const,
  params: { message: 'Which one?', requestedSchema: { type: 'object', properties: {} } },
}
const asking = mount({
  output: Type.Object({ got: Type.Unknown(), state: Type.Unknown() }),
  handler: async ({ client }) => {
    runs++
    const got = client?.answers['which']
    if (got === undefined) return inputRequired({ which: QUESTION }, 'private state')
    return { ok: true, output: { got, state: client!.state } }
  },
})
const endless = mount({ handler: async () => inputRequired({ again: QUESTION }) })
const talking = mount({
  handler: async ({ client }) => {
    client?.log('debug', 'detail')
    client?.log('info', { step: 1 })
    client?.log('error', 'broken')
    return { ok: true, output: {} }
  },
})
const region = mount({
  input: Type.Object({
    region: Type.String({ 'x-mcp-header': 'Region' }),
    n: Type.Optional(Type.Number({ 'x-mcp-header': 'N' })),
  }),
  handler: async () => ({ ok: true, output: {} }),
})

beforeAll(async () => {
  database = await testDatabase()
  mcp = await mcpOver(database.db, {
    skills: [
      { ...asking, tools: [{ name: 'a.ask' }] },
      { ...endless, tools: [{ name: 'a.endless' }] },
      { ...talking, skill: { ...talking.skill, logs: true }, tools: [{ name: 'a.talk' }] },
      { ...region, tools: [{ name: 'a.region' }] },
    ],
  })
})
afterAll(async () => {
  await mcp.close()
  await database.close()
})

const available = async (id: string) =>
  (await mcp.world.ledger.balance(ownAccount(id)))!.availableAtomic
const held = async (id: string) => (await mcp.world.ledger.balance(ownAccount(id)))!.heldAtomic
const elicitation = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
const stream = { accept: 'application/json, text/event-stream' }

describe('2026-07-28', () => {
  it('asks with a result, charges nothing, and goes on with the answer', async () => {
    const { id, key } = await mcp.world.key(10_000n)
    const [body, headers] = modern('tools/call', { name: 'a.ask' }, elicitation)
    const asked = (await mcp.post(body, { ...headers, 'x-api-key': key })).json.result
    expect(asked).toMatchObject({
      resultType: 'input_required',
      inputRequests: { which: QUESTION },
    })
    expect(asked.requestState).not.toContain('private')
    expect([await available(id), await held(id)]).toEqual([10_000n, 0n])

    const { requestState } = asked
    const answer = { which: { action: 'accept', content: { n: 1 } } }
    const [again] = modern(
      'tools/call',
      { name: 'a.ask', inputResponses: answer, requestState },
      elicitation,
    )
    const done = (await mcp.post(again, { ...headers, 'x-api-key': key })).json.result
    expect(done).toMatchObject({
      resultType: 'complete',
      structuredContent: { got: answer.which, state: 'private state' },
    })
    expect(await available(id)).toBe(0n)
  })

  it.each([
    ['altered', (state: string) => `${state.slice(0, -4)}AAAA`, 'a.ask'],
    ['of another tool', (state: string) => state, 'a.endless'],
    ['made up', () => 'v1.00000000.AAAA', 'a.ask'],
    ['no text', () => 7, 'a.ask'],
  ])('a state that is %s is −32602 and runs nothing', async (_name, bend, name) => {
    const { key } = await mcp.world.key(20_000n)
    const [body, headers] = modern('tools/call', { name: 'a.ask' }, elicitation)
    const { requestState } = (await mcp.post(body, { ...headers, 'x-api-key': key })).json.result
    const before = runs
    const [again, names] = modern(
      'tools/call',
      { name, requestState: bend(requestState) },
      elicitation,
    )
    const answer = await mcp.post(again, { ...names, 'x-api-key': key })
    expect([answer.status, answer.json.error.code]).toEqual([200, -32602])
    expect(runs).toBe(before)
  })

  it('a state of another caller is −32602 and runs nothing', async () => {
    const { key } = await mcp.world.key(10_000n)
    const [body, headers] = modern('tools/call', { name: 'a.ask' }, elicitation)
    const { requestState } = (await mcp.post(body, { ...headers, 'x-api-key': key })).json.result
    const before = runs
    const [again] = modern('tools/call', { name: 'a.ask', requestState }, elicitation)
    for (const other of [{ 'x-api-key': (await mcp.world.key(10_000n)).key }, {}]) {
      const { json } = await mcp.post(again, { ...headers, ...other })
      expect(json.error.code).toBe(-32602)
    }
    const wrong = await mcp.post(again, { ...headers, 'x-api-key': `${key}0` })
    expect([wrong.status, runs]).toEqual([401, before])
  })

  it('a client that cannot answer gets −32021 and what it lacks', async () => {
    const { id, key } = await mcp.world.key(10_000n)
    const [body, headers] = modern('tools/call', { name: 'a.ask' })
    const answer = await mcp.post(body, { ...headers, 'x-api-key': key })
    expect(answer.status).toBe(400)
    expect(answer.json.error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: {} } },
    })
    expect([await available(id), await held(id)]).toEqual([10_000n, 0n])
  })

  it('sends log messages only for the level that the request names', async () => {
    const { key } = await mcp.world.key(100_000n)
    for (const [level, messages] of [
      [undefined, 0],
      ['debug', 3],
      ['warning', 1],
      ['nonsense', 0],
    ] as const) {
      const meta = level === undefined ? {} : { 'io.modelcontextprotocol/logLevel': level }
      const [body, headers] = modern('tools/call', { name: 'a.talk' }, meta)
      const answer = await mcp.post(body, { ...headers, ...stream, 'x-api-key': key })
      expect(answer.text.split('notifications/message').length - 1).toBe(messages)
      const type = messages > 0 ? 'text/event-stream' : 'application/json'
      expect(answer.headers.get('content-type')).toBe(type)
    }
  })

  it.each([
    ['missing', {}, 400],
    ['another', { 'mcp-param-region': 'us' }, 400],
    ['broken base64', { 'mcp-param-region': '=?base64?ZXU?=' }, 400],
    ['the same', { 'mcp-param-region': 'eu' }, 200],
    ['the same in base64', { 'mcp-param-region': '=?base64?ZXU=?=' }, 200],
    ['a number written otherwise', { 'mcp-param-region': 'eu', 'mcp-param-n': '2.0' }, 200],
    ['another number', { 'mcp-param-region': 'eu', 'mcp-param-n': '3' }, 400],
  ])('an Mcp-Param header that is %s', async (_name, extra, status) => {
    const { key } = await mcp.world.key(10_000n)
    const args = { region: 'eu', ...('mcp-param-n' in extra && { n: 2 }) }
    const [body, headers] = modern('tools/call', { name: 'a.region', arguments: args })
    const answer = await mcp.post(body, { ...headers, ...extra, 'x-api-key': key })
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.json.error.code).toBe(-32020)
  })
})

describe('revisions with a handshake', () => {
  /** The next message of an event stream. */
  async function* messagesOf(response: Response): AsyncGenerator<any> {
    let text = ''
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(chunk)
      const events = text.split('\n\n')
      text = events.pop()!
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1]
        if (data) yield JSON.parse(data)
      }
    }
  }
  const call = (name: string) => legacy('tools/call', { name, arguments: {} })

  it('are asked on the stream, and the posted answer finishes the call with one charge', async () => {
    const { id, key } = await mcp.world.key(10_000n)
    const response = await mcp.open(call('a.ask'), { 'x-api-key': key, ...stream })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const messages = messagesOf(response)
    const question = (await messages.next()).value
    expect(question).toMatchObject({ jsonrpc: '2.0', ...QUESTION })
    // While the user thinks, no money is held.
    expect([await available(id), await held(id)]).toEqual([10_000n, 0n])
    for (const stranger of ['no-such-id', 7]) {
      const posted = await mcp.post({ jsonrpc: '2.0', id: stranger, result: { action: 'accept' } })
      expect(posted.status).toBe(202)
    }
    await mcp.post({ jsonrpc: '2.0', id: question.id, result: { action: 'decline' } })
    const last = (await messages.next()).value
    expect(last).toMatchObject({
      id: 1,
      result: { structuredContent: { got: { action: 'decline' }, state: 'private state' } },
    })
    expect(await available(id)).toBe(0n)
  })

  it('a client that refuses the question gets a failed result, uncharged', async () => {
    const { id, key } = await mcp.world.key(10_000n)
    const messages = messagesOf(await mcp.open(call('a.ask'), { 'x-api-key': key, ...stream }))
    const question = (await messages.next()).value
    await mcp.post({ jsonrpc: '2.0', id: question.id, error: { code: -1, message: 'not now' } })
    const { result } = (await messages.next()).value
    expect(result.isError).toBe(true)
    expect(result.structuredContent.error.message).toContain('not now')
    expect([await available(id), await held(id)]).toEqual([10_000n, 0n])
  })

  it('a client that reads no stream is told so, without the state of the tool', async () => {
    const { key } = await mcp.world.key(10_000n)
    const answer = await mcp.post(call('a.ask'), { 'x-api-key': key })
    expect(answer.json.result.structuredContent.error.details.reason).toBe('no_answer')
    expect(answer.text).not.toContain('private')
  })

  it('a tool that never stops asking is stopped', async () => {
    const { id, key } = await mcp.world.key(10_000n)
    const messages = messagesOf(await mcp.open(call('a.endless'), { 'x-api-key': key, ...stream }))
    for await (const message of messages) {
      if (!message.method) {
        expect(message.result.structuredContent.error.code).toBe('PROCESSING_FAILURE')
        break
      }
      await mcp.post({ jsonrpc: '2.0', id: message.id, result: {} })
    }
    expect(await available(id)).toBe(10_000n)
  })

  it('get log messages from info on, when a tool sends them', async () => {
    const { key } = await mcp.world.key(10_000n)
    const { result } = (await mcp.post(legacy('initialize', {}))).json
    expect(result.capabilities).toHaveProperty('logging')
    expect((await mcp.post(legacy('logging/setLevel', { level: 'debug' }))).json.result).toEqual({})
    const answer = await mcp.post(call('a.talk'), { 'x-api-key': key, ...stream })
    expect(answer.text.split('notifications/message').length - 1).toBe(2)
  })
})
