/** Texts that are cut never end with half a character, which strict clients of JSON refuse. */
import { expect, it } from 'vitest'
import { showValue } from '../../../host/product-files/problem.ts'
import { productFromOpenApi } from '../../../plugins/proxy/openapi/from-openapi.ts'
import { serverJson } from '../../../plugins/publish/server-json.ts'

const COIN = '\u{1FA99}'

it.each([0, 1])('after %i letters and many coins', (letters) => {
  const long = 'x'.repeat(letters) + COIN.repeat(400)
  const info = { title: 'Coins', description: long }
  const paths = { '/coins': { get: { summary: long } } }
  const made = productFromOpenApi(
    { openapi: '3.0.0', info, servers: [{ url: 'https://coins.example.com' }], paths },
    { productId: 'coins', priceCredits: 1 },
  )
  const listed = serverJson({
    publicUrl: 'https://gw.example.com',
    name: null,
    title: long,
    description: long,
    version: '0.1.0',
    iconUrl: 'https://example.com/icon.png',
    hasOAuth: true,
    prices: [],
  })
  for (const cut of [made, listed, showValue(long)]) {
    const text = JSON.stringify(cut)
    expect(text).toContain(COIN)
    expect(text).not.toMatch(/\\ud[89a-f]/i)
  }
})
