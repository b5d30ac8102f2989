/** Documents show the rails that are mounted, and nothing of one that is not. */
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { llmsTxt } from '../../../../plugins/documents/llms.ts'
import { openApiOf } from '../../../../plugins/documents/openapi.ts'
import type { CatalogSnapshot } from '../../../../kernel/plugins/catalog.ts'
import type { Route } from '../../../../kernel/plugins/route.ts'
import type { Rail } from '../../../../kernel/rails/contract.ts'
import { creditsDocuments } from '../../../../kernel/rails/credits/documents.ts'
import { mount } from '../../../support/metering.ts'
import { frontPage } from '../../../support/pages.ts'
import { NO_OPERATOR } from '../../../support/no-operator.ts'

const credits = {
  id: 'credits',
  title: 'prepaid credits',
  documents: () => creditsDocuments([]),
} as unknown as Rail
const coins = {
  id: 'coins',
  title: 'coin slot',
  keepsAnswers: true,
  requestHeaders: [{ name: 'Coin-Inserted', description: 'A coin' }],
  answerHeaders: [
    { name: 'Coin-Wanted', description: 'The price', isOffer: true },
    { name: 'Coin-Taken', description: 'The receipt' },
  ],
  documents: () => ({
    summary: 'a coin (Coin-Inserted)',
    guidance: 'on 402 insert what Coin-Wanted says',
    howToPay: 'Coins: insert one.',
    links: [{ title: 'Coin catalogue', path: '/coins' }],
    securitySchemes: { coin: { type: 'apiKey', in: 'header', name: 'Coin-Inserted' } },
    offerProperties: { coinSize: { type: 'integer' } },
    protocol: { coins: { version: 1 } },
  }),
} as unknown as Rail

const sold = mount(
  { handler: async () => ({ ok: true, output: {} }), output: Type.Object({}) },
  { rails: ['credits', 'coins'] },
)
const snapshot = { version: '1', priceVersion: 1, skills: [sold], tool: () => null }
const facts = {
  publicUrl: 'https://gw.example',
  version: '1',
  contactEmail: 'a@b.example',
  operator: NO_OPERATOR,
}
const change: Route = {
  method: 'POST',
  path: '/v1/change',
  auth: 'public',
  summary: 'Change a coin',
  rail: 'coins',
  handler: () => new Response(),
}

// oxlint-disable-next-line typescript/no-explicit-any
const openapi = (rails: Rail[]): any =>
  openApiOf(facts, [change], snapshot as CatalogSnapshot, {
    list: rails,
    creditsFirst: rails.toReversed(),
  })
const operation = (rails: Rail[]) => openapi(rails).paths['/v1/t/run'].post

describe('OpenAPI', () => {
  it('shows headers, schemes, schema members and protocol of a mounted rail', () => {
    const document = openapi([coins, credits])
    expect(document.info.description).toContain(
      'prepaid credits (X-Api-Key) or a coin (Coin-Inserted).',
    )
    expect(document.info['x-guidance']).toBe(
      'Call a paid route; on 402 insert what Coin-Wanted says, or send X-Api-Key. Failed work is never charged.',
    )
    expect(Object.keys(document.components.securitySchemes)).toEqual([
      'apiKey',
      'bearer',
      'coin',
      'serviceToken',
    ])
    expect(Object.keys(document.components.schemas.PaymentRequired.properties)).toEqual([
      'error',
      'problem',
      'coinSize',
      'prepaid',
    ])
    expect(operation([coins, credits])).toMatchObject({
      security: [{ apiKey: [] }, { bearer: [] }, { coin: [] }],
      'x-payment-info': { protocols: [{ coins: { version: 1 } }] },
    })
    expect(Object.keys(operation([coins, credits]).responses[402].headers)).toEqual(['Coin-Wanted'])
    expect(document.paths).toHaveProperty('/v1/change')
  })

  it('has no trace of a rail that is not mounted', () => {
    expect(JSON.stringify(openapi([credits]))).not.toMatch(/coin[^o]/i)
    expect(operation([credits])['x-payment-info'].protocols).toEqual([])
    expect(openapi([credits]).paths).not.toHaveProperty('/v1/change')
  })
})

describe('/llms.txt and the front page', () => {
  it('tell how to pay by each mounted rail', () => {
    const text = llmsTxt(facts, snapshot as CatalogSnapshot, [coins, credits])
    expect(text).toContain('- Coins: insert one.\n- Prepaid: send')
    expect(text).toContain('The same coin slot payment sent again gives the same answer again.')
    expect(text).toContain('- [Coin catalogue](https://gw.example/coins)\n')
    expect(
      llmsTxt({ ...facts, publicUrl: '' }, snapshot as CatalogSnapshot, [credits]),
    ).not.toMatch(/coin slot|Coins:|\/coins/)
  })

  it('name them', () => {
    const page = (rails: Rail[]) => frontPage(snapshot as CatalogSnapshot, rails)
    expect(page([credits, coins])).toContain('Pay by prepaid credits or coin slot; ')
    expect(page([credits])).toContain('Pay by prepaid credits; ')
    const tokens = { ...coins, id: 'tokens', title: 'tokens' }
    expect(page([credits, coins, tokens])).toContain(
      'Pay by prepaid credits, coin slot or tokens; ',
    )
  })
})
