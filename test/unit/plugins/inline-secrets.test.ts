import { expect, it } from 'vitest'
import {
  withoutCredentials,
  withoutSecrets,
  withoutTargets,
} from '../../../plugins/shared/inline-secrets.ts'

it('hides what stands under the name of a secret, in headers and in URLs', () => {
  const spec = {
    product_id: 'weather',
    upstream: {
      url: 'https://user:hunter2@api.example/v1?api_key=abc&q=x',
      headers: { 'x-api-key': 'live-1', accept: 'application/json', authorization: 'Bearer ${T}' },
      query: { appid: 'live-2', lang: '${L}' },
      tls: { client_key: '-----BEGIN' },
    },
    config: {
      webhookSecret: 'whsec_1',
      passwords: ['a', 'b'],
      token: 12345,
      credentials: { user: 'joe', isOn: true },
      tokens: { apiKey: '${API_KEY}', other: '${API_KEY:-fallback}' },
      publicKey: 'pk_1',
    },
    skills: [
      {
        id: 'weather.now',
        input: {
          type: 'object',
          properties: { token: { type: 'string' }, key: 'sk_1', query: { type: 'string' } },
        },
      },
    ],
  }
  expect(withoutSecrets(spec)).toEqual({
    product_id: 'weather',
    upstream: {
      url: 'https://[hidden]@api.example/v1?api_key=[hidden]&q=x',
      headers: { 'x-api-key': '[hidden]', accept: '[hidden]', authorization: 'Bearer ${T}' },
      query: { appid: '[hidden]', lang: '${L}' },
      tls: { client_key: '[hidden]' },
    },
    config: {
      webhookSecret: '[hidden]',
      passwords: ['[hidden]', '[hidden]'],
      token: '[hidden]',
      credentials: { user: '[hidden]', isOn: true },
      tokens: { apiKey: '${API_KEY}', other: '[hidden]' },
      publicKey: 'pk_1',
    },
    skills: [
      {
        id: 'weather.now',
        input: {
          type: 'object',
          properties: { token: { type: 'string' }, key: '[hidden]', query: { type: 'string' } },
        },
      },
    ],
  })
  expect(JSON.stringify(withoutSecrets(spec))).not.toMatch(/hunter2|live-1|whsec|12345|joe|sk_1/)
})

it('hides the keys of x402 networks, and addresses of nodes, which may hold one', () => {
  const network = {
    network: 'eip155:8453',
    pay_to: '0x00',
    rpc: 'https://node.example/v2/abc',
    signer: '0xkey',
    facilitators: [{ url: 'https://settle.example', auth: 'Bearer abc' }],
  }
  expect(withoutSecrets({ networks: [network] }, ['config'])).toEqual({
    networks: [
      {
        ...network,
        rpc: 'https://node.example/[hidden]',
        signer: '[hidden]',
        facilitators: [{ url: 'https://settle.example', auth: '[hidden]' }],
      },
    ],
  })
  const named = { rpc: '${BASE_RPC}', signer: '${BASE_SIGNER}', oauth: 'on', author: 'Ada' }
  expect(withoutSecrets(named)).toEqual(named)
})

it('knows by its path what a single value is', () => {
  expect(withoutSecrets('abc', ['upstream', 'headers', 'x-key'])).toBe('[hidden]')
  expect(withoutSecrets({ 'x-a': 'abc' }, ['upstream', 'headers'])).toEqual({ 'x-a': '[hidden]' })
  expect(withoutSecrets('abc', ['config', 'credentials', 'user'])).toBe('[hidden]')
  expect(withoutSecrets({ type: 'string' }, ['input', 'properties', 'token'])).toEqual({
    type: 'string',
  })
  expect(withoutSecrets('string', ['input', 'properties', 'token', 'type'])).toBe('string')
  expect(withoutSecrets('Weather', ['title'])).toBe('Weather')
})

it('hides keys of signers and facilitators, and the paths of nodes, in networks of a rail', () => {
  const network = {
    network: 'eip155:8453',
    pay_to: '0x11',
    rpc: 'https://base.example/v2/abc',
    signer: `0x${'1'.repeat(64)}`,
    fee_payer: '9xQ',
    facilitators: [{ url: 'https://facilitator.example/x', auth: 'Bearer abc' }],
  }
  expect(withoutSecrets({ config: { networks: [network] } })).toEqual({
    config: {
      networks: [
        {
          ...network,
          rpc: 'https://base.example/[hidden]',
          signer: '[hidden]',
          facilitators: [{ url: 'https://facilitator.example/x', auth: '[hidden]' }],
        },
      ],
    },
  })
  expect(withoutSecrets({ rpc: '${RPC}', signer: '${KEY}', rpc_url: 'https://a.example' })).toEqual(
    {
      rpc: '${RPC}',
      signer: '${KEY}',
      rpc_url: 'https://a.example',
    },
  )
})

it('hides the paths of targets, and nothing else', () => {
  const at = new Date(0)
  expect(
    withoutTargets({
      id: 'a',
      at,
      ingressUrl: 'https://a.example/x',
      destinations: [{ url: 'https://hooks.example/T/B/x?y=z' }, { url: 'https://b.example' }],
      url: 'no URL',
    }),
  ).toEqual({
    id: 'a',
    at,
    ingressUrl: 'https://a.example/x',
    destinations: [{ url: 'https://hooks.example/[hidden]' }, { url: 'https://b.example' }],
    url: 'no URL',
  })
})

it.each([
  ['beginnings of JWTs', withoutCredentials, 'eyJ'],
  ['beginnings of a query', withoutSecrets, '?'],
  ['names of secrets', withoutSecrets, 'key'],
])('a megabyte of %s has none, which is seen at once', (_of, hide, words) => {
  const text = `?${words.repeat(1_000_000 / words.length)}`
  expect(hide(text)).toBe(text)
})

it.each([
  [
    `/v1/keys/ck_live_${'a'.repeat(12)}_${'B1'.repeat(24)}x/x`,
    `/v1/keys/ck_live_${'a'.repeat(12)}_[hidden]/x`,
  ],
  [`/a/coinop_admin_${'a'.repeat(43)}`, '/a/coinop_admin_[hidden]'],
  [
    `/a/eyJhbGciOiJFUzI1NiJ9.${'e'.repeat(60)}.${'s-_'.repeat(20)}`,
    '/a/eyJhbGciOiJFUzI1NiJ9.[hidden]',
  ],
  [
    '/v1/keys/key_01a22aca53017131bc971d68d717afbb',
    '/v1/keys/key_01a22aca53017131bc971d68d717afbb',
  ],
  ['/v1/keys/ck_live_short', '/v1/keys/ck_live_short'],
])('hides credentials in the path %s', (path, shown) => {
  expect(withoutCredentials(path)).toBe(shown)
})
