/** The rules of OAuth that need nothing but texts: redirects, names, scopes, budgets, resources. */
import { describe, expect, it, test } from 'vitest'
import { boundsOf, budgetIn } from '../../../plugins/oauth/grants/budget.ts'
import { cleanName } from '../../../plugins/oauth/clients/client.ts'
import { isDocumentUrl } from '../../../plugins/oauth/clients/document.ts'
import {
  isAcceptableRedirect,
  isRegistered,
  shownHost,
  withParameters,
} from '../../../plugins/oauth/clients/redirect.ts'
import { isOurs, placesOf } from '../../../plugins/oauth/places.ts'
import { narrowed, scopesIn } from '../../../plugins/oauth/scope.ts'
import { OAUTH_REDIRECT_SCHEMES, schemesIn } from '../../../plugins/oauth/variables.ts'

const SCHEMES = schemesIn(OAUTH_REDIRECT_SCHEMES.fallback)

describe('redirects of the hosts that people use', () => {
  test.each([
    [
      'Claude.ai',
      ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    ],
    ['the Claude app', ['claude://claude.ai/mcp-auth-callback/sdk']],
    ['Claude Code', ['http://localhost/callback', 'http://127.0.0.1/callback']],
    [
      'ChatGPT',
      [
        'https://chatgpt.com/connector/oauth/abc123',
        'https://chatgpt.com/connector_platform_oauth_redirect',
      ],
    ],
    [
      'VS Code',
      [
        'http://127.0.0.1:33418/',
        'https://vscode.dev/redirect',
        'https://insiders.vscode.dev/redirect',
      ],
    ],
    [
      'Cursor',
      [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
    ],
    ['Goose', ['http://127.0.0.1/oauth_callback', 'http://localhost:51234/oauth_callback']],
  ])('%s', (_, uris) => {
    for (const uri of uris) {
      expect(isAcceptableRedirect(uri, SCHEMES), uri).toBe(true)
      expect(isRegistered(uri, uris), uri).toBe(true)
    }
  })

  test.each([
    ['http://localhost:52011/callback', ['http://localhost/callback']],
    ['http://127.0.0.1:1/', ['http://127.0.0.1:33418/']],
    ['http://[::1]:9000/cb?x=1', ['http://[::1]/cb?x=1']],
  ])('%s is %j with another port', (uri, registered) => {
    expect(isRegistered(uri, registered)).toBe(true)
  })
})

describe('a redirect that is nearly a registered one is none', () => {
  const registered = ['https://app.example/cb', 'http://127.0.0.1:7000/cb', 'http://localhost/cb']
  test.each([
    'https://app.example/cb/',
    'https://app.example/cb/x',
    'https://app.example/cb?x=1',
    'https://app.example/./cb',
    'https://app.example/x/../cb',
    'https://app.example:443/cb',
    'https://app.example:8443/cb',
    'https://me@app.example/cb',
    'https://APP.example/cb',
    'https://app.example/CB',
    'https://app.example%2Fcb',
    'https://app.example\\cb',
    'https://app.example/cb#x',
    'http://app.example/cb',
    'https://app.example.evil.example/cb',
    'http://127.0.0.1:7000/cb/x',
    'http://127.0.0.1:7000/cb?x=1',
    'http://127.0.0.2:7000/cb',
    'http://localhost:7000@evil.example/cb',
    'http://me@localhost/cb',
    'http://localhost.evil.example/cb',
    'http://localhost:99999/cb',
    'https://localhost/cb',
    'http://LOCALHOST/cb',
    'http://[::1]/cb',
    '',
  ])('%s', (uri) => expect(isRegistered(uri, registered)).toBe(false))

  test.each([
    'javascript:alert(1)',
    'javascript://x/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http://app.example/cb',
    'https://*.example/cb',
    'https://app.example/cb#f',
    'https://app.example/ cb',
    'https://app.example\\cb',
    'https://me:pw@app.example/cb',
    'https:app.example/cb',
    'cursor:callback',
    'unknown://x/cb',
    'blob:https://app.example/x',
    `https://app.example/${'x'.repeat(2000)}`,
    42,
    null,
  ])('%s cannot be registered', (uri) => expect(isAcceptableRedirect(uri, SCHEMES)).toBe(false))
})

it('schemes by which browsers run or read something cannot be opened by the setting', () => {
  for (const value of ['javascript', 'cursor,data', 'file', 'http', 'a b'])
    expect(OAUTH_REDIRECT_SCHEMES.parse(value).ok, value).toBe(false)
  expect(schemesIn('none')).toEqual([])
})

it('parameters are added behind a query, and the rest stays as it was', () => {
  expect(
    withParameters('https://a.example/cb?x=%20', { code: 'c', iss: 'https://i.example/o' }),
  ).toBe('https://a.example/cb?x=%20&code=c&iss=https%3A%2F%2Fi.example%2Fo')
  expect(shownHost('cursor://anysphere.cursor-mcp/oauth/callback')).toBe(
    'cursor://anysphere.cursor-mcp',
  )
  expect(shownHost('http://127.0.0.1:8931/cb')).toBe('127.0.0.1:8931')
})

it('names lose what hides or turns text, and are cut', () => {
  expect(cleanName('Cla\u202eude\u0000\u200b\n Code\u2066')).toBe('Claude Code')
  expect(cleanName(' \u202e ')).toBe(null)
  expect(cleanName('x'.repeat(500))).toHaveLength(100)
  expect(cleanName('<b>Bold</b>')).toBe('<b>Bold</b>')
})

test.each([
  ['https://app.example/client.json', true],
  ['https://localhost:8443/client.json', true],
  ['http://app.example/client.json', false],
  ['https://app.example', false],
  ['https://app.example/', false],
  ['https://app.example/a/../b', false],
  ['https://app.example/%2e%2e/b', false],
  ['https://app.example/b#x', false],
  ['https://me@app.example/b', false],
  ['https://APP.example/b', false],
  ['https://app.example:443/b', false],
  [`https://app.example/${'x'.repeat(2000)}`, false],
  ['not a url', false],
])('%s as the URL of a document: %s', (url, fits) => expect(isDocumentUrl(url)).toBe(fits))

it('scopes: unknown ones are dropped, none means all, a refresh gets no more', () => {
  expect(scopesIn(null)).toEqual(['mcp', 'spend'])
  expect(scopesIn('claudeai openid profile')).toEqual(['mcp', 'spend'])
  expect(scopesIn('mcp claudeai')).toEqual(['mcp'])
  expect(scopesIn('spend')).toEqual(['mcp', 'spend'])
  expect(narrowed('mcp', 'mcp spend')).toBe(null)
  expect(narrowed('mcp spend', 'mcp')).toBe('mcp')
  expect(narrowed('mcp spend', null)).toBe('mcp spend')
})

test.each([
  ['https://api.example/mcp/oauth', true],
  ['https://API.example:443/mcp/oauth', true],
  ['HTTPS://api.example/mcp/oauth/', true],
  ['https://api.example/mcp', false],
  ['https://api.example/mcp/oauth//', false],
  ['https://api.example/mcp/oauth?x=1', false],
  ['https://api.example/mcp/oauth#x', false],
  ['https://api.example:8443/mcp/oauth', false],
  ['https://evil.example/mcp/oauth', false],
  ['nonsense', false],
])('%s is our resource: %s', (resource, fits) => {
  const base = 'https://api.example'
  expect(isOurs(resource, placesOf(base, base))).toBe(fits)
})

describe('budgets', () => {
  const form = (...fields: [string, string][]) => new URLSearchParams(fields)
  const limits = { callAtomic: null, dayAtomic: null, monthAtomic: null }
  const key = {
    products: ['demo'],
    limits: { ...limits, dayAtomic: 200_000n },
    spentTodayAtomic: 150_000n,
    spentMonthAtomic: 150_000n,
  } as unknown as Parameters<typeof boundsOf>[0]

  it('are never none at all', () => {
    expect(budgetIn(form(['call', '5']), ['demo'], null).ok).toBe(false)
    expect(budgetIn(form(['month', '0.5']), ['demo'], null)).toEqual({
      ok: true,
      budget: { limits: { ...limits, monthAtomic: 5000n }, products: null },
    })
  })

  it('of a key’s session lie inside what is left of the key’s', () => {
    const bounds = boundsOf(key)
    expect(bounds).toEqual({ limits: { ...limits, dayAtomic: 50_000n }, products: ['demo'] })
    expect(budgetIn(form(['day', '5.1']), ['demo', 'utils'], bounds).ok).toBe(false)
    expect(budgetIn(form(['month', '900']), ['demo', 'utils'], bounds)).toMatchObject({
      budget: { limits: { dayAtomic: 50_000n, monthAtomic: 9_000_000n }, products: ['demo'] },
    })
    expect(budgetIn(form(['day', '1'], ['products', 'utils']), ['utils'], bounds).ok).toBe(false)
  })

  it('of a key without any budget are the person’s own', () => {
    expect(boundsOf({ ...key, products: null, limits })).toBe(null)
  })
})
