/** Prompts, completions and resources: what is listed, and texts that name what is mounted now. */
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MountedSkill } from '../../../../kernel/plugins/catalog.ts'
import { prompts, resources } from '../../../support/mcp-fixtures/offers.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import { legacy, mcpOver, modern } from '../../../support/mcp.ts'
import { mount } from '../../../support/metering.ts'
import { skills } from './fixtures.ts'

let database: TestDatabase
let mcp: Awaited<ReturnType<typeof mcpOver>>

/** The tools that the prompts of the service speak of. */
const TOOLS = [
  'parse.receipt',
  'parse.invoice',
  'extract.webpage',
  'extract.structured_data',
  'capture.screenshot',
  'transform.json_schema',
  'detect.schema_breaking_changes',
  'relay.webhook',
  'replay.webhook',
]
const mounted = (names: readonly string[], amountAtomic = 100_000n): MountedSkill[] =>
  names.map((name) => ({
    ...mount(
      { id: `s.${name}`, input: Type.Object({}), handler: async () => ({ ok: true, output: {} }) },
      { amountAtomic },
    ),
    tools: [{ name }],
  }))

beforeAll(async () => {
  database = await testDatabase()
  mcp = await mcpOver(database.db, { skills: mounted(TOOLS) })
})
afterAll(async () => {
  await mcp.close()
  await database.close()
})

const list = async (method: string, member: string, search = '') =>
  (await mcp.post(legacy(method), {}, search)).json.result[member]
const textOf = async (name: string, args: Record<string, string>, search = '') => {
  const answer = await mcp.post(legacy('prompts/get', { name, arguments: args }), {}, search)
  return answer.json.result.messages[0].content.text as string
}
const ARGUMENTS: Record<string, Record<string, string>> = {
  receipt_to_json: { text: 'COFFEE 3.00', tier: 'S' },
  invoice_to_json: { file: 'invoice.pdf' },
  webpage_to_json: { url: 'https://example.com', fields: 'price' },
  schema_transform_workflow: {
    sample: '{"a":1}',
    schema: '{"type":"object"}',
    direction: 'response',
  },
  webhook_relay: { endpoint_id: 'ep_1', payload: '{"paid":true}', delivery_id: 'evt-7' },
}

describe('prompts', () => {
  it('are the five of the service, each with arguments', async () => {
    const listed = await list('prompts/list', 'prompts')
    expect(listed.map((prompt: { name: string }) => prompt.name)).toEqual(
      Object.keys(ARGUMENTS).toSorted(),
    )
    for (const prompt of listed) {
      expect(prompt.description.length).toBeGreaterThan(10)
      expect(prompt.arguments.length).toBeGreaterThan(0)
      for (const argument of prompt.arguments) expect(argument.description).toBeTruthy()
    }
  })

  it.each(Object.entries(ARGUMENTS))(
    '%s names mounted tools and their prices, and repeats what it was given',
    async (name, args) => {
      for (const search of ['', '?names=underscore']) {
        const text = await textOf(name, args, search)
        const known = TOOLS.map((tool) => (search === '' ? tool : tool.replaceAll('.', '_')))
        const named = [...text.matchAll(/`([a-z]+[._][a-z_]+)`/g)]
          .map((match) => match[1]!)
          .filter((word) => TOOLS.some((tool) => tool.split('.')[0] === word.split(/[._]/)[0]))
        expect(named.length).toBeGreaterThan(0)
        for (const word of named) expect(known).toContain(word)
        expect(text).toContain('10 credits (USD 0.10) per success')
        for (const value of Object.values(args)) expect(text).toContain(value)
      }
    },
  )

  it('follow the catalog: prices change, prompts without their tool go', async () => {
    mcp.show({ skills: mounted(['parse.receipt'], 250_000n) })
    try {
      const listed = await list('prompts/list', 'prompts')
      expect(listed.map((prompt: { name: string }) => prompt.name)).toEqual(['receipt_to_json'])
      expect(await textOf('receipt_to_json', {})).toContain('25 credits (USD 0.25)')
    } finally {
      mcp.show({ skills: mounted(TOOLS) })
    }
  })

  it('name no tool that is not mounted', async () => {
    mcp.show({ skills: mounted(['extract.webpage', 'transform.json_schema', 'relay.webhook']) })
    try {
      for (const name of ['webpage_to_json', 'schema_transform_workflow', 'webhook_relay']) {
        const text = await textOf(name, ARGUMENTS[name]!)
        expect(text).not.toMatch(
          /capture\.screenshot|extract\.structured_data|detect\.|replay\.webhook/,
        )
      }
    } finally {
      mcp.show({ skills: mounted(TOOLS) })
    }
  })

  it.each([
    ['a missing required argument', { name: 'webpage_to_json', arguments: {} }, /needs url/],
    ['an argument that is no text', { name: 'webpage_to_json', arguments: { url: 7 } }, /strings/],
  ])('%s is −32602', async (_name, params, message) => {
    const { error } = (await mcp.post(legacy('prompts/get', params))).json
    expect(error.code).toBe(-32602)
    expect(error.message).toMatch(message)
  })

  it('complete arguments with listed values, case aside', async () => {
    const complete = async (name: string, argument: object) =>
      (
        await mcp.post(
          legacy('completion/complete', { ref: { type: 'ref/prompt', name }, argument }),
        )
      ).json
    const tier = await complete('receipt_to_json', { name: 'tier', value: 's' })
    expect(tier.result.completion).toEqual({ values: ['S'], total: 1, hasMore: false })
    const none = await complete('receipt_to_json', { name: 'text', value: 'x' })
    expect(none.result.completion.values).toEqual([])
    expect((await complete('nothing', { name: 'x', value: '' })).error.code).toBe(-32602)
    expect((await complete('receipt_to_json', {})).error.code).toBe(-32602)
  })
})

describe('resources', () => {
  it('are pricing, llms_txt, openapi and examples', async () => {
    const listed = await list('resources/list', 'resources')
    expect(listed.map((resource: { name: string }) => resource.name)).toEqual([
      'examples',
      'llms_txt',
      'openapi',
      'pricing',
    ])
    for (const { uri, mimeType } of listed) {
      const { contents } = (await mcp.post(legacy('resources/read', { uri }))).json.result
      expect(contents).toHaveLength(1)
      expect(contents[0]).toMatchObject({ uri, mimeType, text: expect.any(String) })
    }
  })

  it('examples are calls that can be sent as they are', async () => {
    mcp.show({ skills: skills({ runs: 0 }) })
    try {
      const read = await mcp.post(legacy('resources/read', { uri: 'coinop://examples' }))
      const { examples } = JSON.parse(read.json.result.contents[0].text)
      expect(examples).toEqual([
        {
          tool: 'work.echo',
          method: 'tools/call',
          params: { name: 'work.echo', arguments: { text: 'hi' } },
        },
      ])
      const other = legacy('resources/read', { uri: 'coinop://examples' })
      const { json } = await mcp.post(other, {}, '?names=underscore')
      const [{ tool, params }] = JSON.parse(json.result.contents[0].text).examples
      expect([tool, params.name]).toEqual(['work_echo', 'work_echo'])
      const { key } = await mcp.world.key(10_000n)
      const called = await mcp.post(legacy(examples[0].method, examples[0].params), {
        'x-api-key': key,
      })
      expect(called.json.result.structuredContent).toEqual({ text: 'hi' })
    } finally {
      mcp.show({ skills: mounted(TOOLS) })
    }
  })
})

describe('what plugins contribute', () => {
  it('is listed beside our own, templates apart, and read by uri', async () => {
    mcp.show({ skills: mounted(TOOLS), prompts, resources })
    try {
      const uris = (await list('resources/list', 'resources')).map(
        ({ uri }: { uri: string }) => uri,
      )
      expect(uris).toContain('test://static-text')
      expect(uris).not.toContain('test://template/{id}/data')
      const [template] = await list('resources/templates/list', 'resourceTemplates')
      expect(template).toMatchObject({ uriTemplate: 'test://template/{id}/data' })
      const read = await mcp.post(legacy('resources/read', { uri: 'test://template/a%20b/data' }))
      expect(JSON.parse(read.json.result.contents[0].text).id).toBe('a b')
      for (const uri of [
        'test://template//data',
        'test://template/a/b/data',
        'test://template/1/data2',
      ])
        expect((await mcp.post(legacy('resources/read', { uri }))).json.error.code).toBe(-32002)
      expect((await list('prompts/list', 'prompts')).length).toBe(5 + prompts.length)
    } finally {
      mcp.show({ skills: mounted(TOOLS) })
    }
  })

  it('a resource that says nothing is there is not found', async () => {
    const empty = { ...resources[0]!, uri: 'test://empty', read: () => null }
    mcp.show({ skills: [], resources: [empty] })
    try {
      const answer = await mcp.post(...modern('resources/read', { uri: 'test://empty' }))
      expect(answer.json.error).toMatchObject({ code: -32602, data: { uri: 'test://empty' } })
    } finally {
      mcp.show({ skills: mounted(TOOLS) })
    }
  })
})
