/** How often the keys of a client are fetched. */
import { beforeEach, expect, it } from 'vitest'
import type { Client } from '../../../plugins/oauth/clients/client.ts'
import { KeySets } from '../../../plugins/oauth/clients/key-sets.ts'

const client: Client = {
  id: 'https://app.example/client.json',
  kind: 'document',
  name: 'App',
  redirectUris: [],
  authMethod: 'private_key_jwt',
  jwksUri: 'https://app.example/jwks.json',
  jwks: null,
}
let nowMs: number
let asked: number
let kids: string[] | null
/** Whose fetches are too many just now. */
let limited: string
let sets: KeySets

beforeEach(() => {
  nowMs = 0
  asked = 0
  kids = ['one']
  limited = 'nobody'
  sets = new KeySets(
    {
      schemes: [],
      rates: { take: async (subject) => (subject.endsWith(limited) ? 1 : null) },
      async fetch() {
        asked++
        if (kids === null) return { ok: false, reason: 'connect', message: 'no answer' }
        const body = JSON.stringify({ keys: kids.map((kid) => ({ kty: 'RSA', kid })) })
        const headers = new Headers({ 'cache-control': 'max-age=600' })
        return { ok: true, status: 200, headers, body: new TextEncoder().encode(body), url: '' }
      },
    },
    () => nowMs,
  )
})
const found = async (kid?: string) =>
  (await sets.of(client, kid))?.keys.map((key) => key.kid) ?? null

it('once for ten at once, and not again while they are fresh', async () => {
  await Promise.all(Array.from({ length: 10 }, () => found('one')))
  nowMs = 599_000
  expect(await found('one')).toEqual(['one'])
  expect(await found()).toEqual(['one'])
  expect(asked).toBe(1)
  nowMs = 600_000
  await found('one')
  expect(asked).toBe(2)
})

it('again for an unknown key, at most once a minute', async () => {
  await found('one')
  kids = ['one', 'two']
  expect(await found('two')).toEqual(['one'])
  expect(asked).toBe(1)
  nowMs = 60_000
  expect(await found('two')).toEqual(['one', 'two'])
  for (const kid of ['three', 'four', 'five']) await found(kid)
  expect(asked).toBe(2)
})

it('a set that cannot be had is not asked for with every request', async () => {
  kids = null
  for (let at = 0; at < 5; at++) expect(await found('one')).toBe(null)
  expect(asked).toBe(1)
  nowMs = 10_000
  kids = ['one']
  expect(await found('one')).toEqual(['one'])
  expect(asked).toBe(2)
})

it('a set in use outlives a host that does not answer for an unknown key', async () => {
  await found('one')
  kids = null
  nowMs = 61_000
  expect(await found('made up')).toEqual(['one'])
  expect(await found('made up')).toEqual(['one'])
  expect(await found('one')).toEqual(['one'])
  expect(asked).toBe(2)
})

it('a stranger whose fetches are used up keeps nobody from the keys at an address', async () => {
  const stranger = { ...client, id: 'https://stranger.example/client.json' }
  limited = ' of stranger.example'
  const both = await Promise.all([sets.of(stranger, 'one'), found('one')])
  expect(both).toMatchObject([null, ['one']])
  nowMs = 600_000
  expect(await sets.of(stranger, 'one')).toBe(null)
  expect(await found('one')).toEqual(['one'])
})
