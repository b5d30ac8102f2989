/** server.json as the MCP Registry takes it, and what it would refuse. */
import { describe, expect, it } from 'vitest'
import {
  nameFor,
  serverJson,
  serverJsonProblems,
  type ServerFacts,
} from '../../../../plugins/publish/server-json.ts'

const FACTS: ServerFacts = {
  publicUrl: 'https://gw.example.com',
  name: null,
  title: 'Example',
  description: 'Machine work sold one call at a time.',
  version: '0.1.0',
  iconUrl: 'https://example.com/icon.png',
  hasOAuth: true,
  prices: [
    ['demo_echo', 1],
    ['parse_invoice', 15],
  ],
}
const problems = (changes: Partial<ServerFacts>) =>
  serverJsonProblems(serverJson({ ...FACTS, ...changes }))

describe('server.json', () => {
  it('of a right gateway has both endpoints, and nothing to refuse', () => {
    const document = serverJson(FACTS)
    expect(serverJsonProblems(document)).toEqual([])
    expect(document.name).toBe('com.example.gw/coinop')
    expect(document.remotes.map(({ url }) => url)).toEqual([
      'https://gw.example.com/mcp/oauth',
      'https://gw.example.com/mcp?names=underscore',
    ])
    expect(document.remotes[1]!.headers).toMatchObject([
      { name: 'X-Api-Key', isSecret: true, isRequired: false },
    ])
  })

  it('cuts what is too long, and keeps within the 4,096 bytes of _meta', () => {
    const prices = Array.from({ length: 500 }, (_, n) => [`tool_number_${n}`, n] as const)
    const document = serverJson({ ...FACTS, description: 'x'.repeat(300), prices })
    expect(document.description).toHaveLength(100)
    expect(serverJsonProblems(document)).toEqual([])
    const [provided] = Object.values(document._meta)
    const bytes = Buffer.byteLength(JSON.stringify(provided))
    expect(bytes).toBeLessThanOrEqual(4096)
    expect(bytes).toBeGreaterThan(4000)
  })

  it.each([
    [{ name: 'com.example.gw' }, /one slash/],
    [{ name: 'com.example/a/b' }, /one slash/],
    [{ name: 'org.other/coinop' }, /not below the domain/],
    [{ name: 'com/coinop' }, /not below the domain/],
    [{ name: 'com.example.gw.more/coinop' }, /not below the domain/],
    [{ version: '^1.0.0' }, /exact/],
    [{ version: 'latest' }, /exact/],
    [{ publicUrl: 'http://gw.example.com' }, /https/],
    [{ iconUrl: 'http://example.com/i.png' }, /icon/],
    [{ description: '' }, /description/],
  ])('%j is refused', (changes, says) => {
    expect(problems(changes).join('\n')).toMatch(says)
  })

  it('takes a name of a domain above the host', () => {
    expect(problems({ name: 'com.example/gateway' })).toEqual([])
  })
})

it.each([
  ['https://gw.example.com:8443', 'com.example.gw/coinop'],
  ['http://127.0.0.1:3000', null],
  ['http://[::1]:3000', null],
  ['http://localhost:3000', null],
])('the name for %s is %s', (url, name) => expect(nameFor(url)).toBe(name))
