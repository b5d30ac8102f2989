/** Documents tell a measured price in words, with its bounds; a flat one as they always did. */
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { llmsTxt } from '../../../../plugins/documents/llms.ts'
import { openApiOf } from '../../../../plugins/documents/openapi.ts'
import type { CatalogSnapshot, MountedSkill } from '../../../../kernel/plugins/catalog.ts'
import { flatPrice, type PriceRule } from '../../../../kernel/pricing/rule.ts'
import { creditsRail } from '../../../../kernel/rails/credits/rail.ts'
import { Quotes } from '../../../../kernel/metering/quotes.ts'
import { toolEntry } from '../../../../plugins/mcp/tools.ts'
import { mount } from '../../../support/metering.ts'
import { frontPage } from '../../../support/pages.ts'
import { NO_OPERATOR } from '../../../support/no-operator.ts'

const CREDIT = 10_000n
const PHRASE = '1 credit + 2 credits per page after the first, at most 40 credits'
/** Texts of one price have a sum as well; its view has that apart. */
const TOLD = `${PHRASE}; for example 10 pages: 19 credits`
const perPage: PriceRule = {
  ...flatPrice(CREDIT),
  per: [
    {
      unit: 'page',
      source: { kind: 'pointer', pointers: ['/usage/pages'] },
      unitAtomic: 2n * CREDIT,
      tiers: null,
      first: 1n,
      step: 1n,
    },
  ],
  maxAtomic: 40n * CREDIT,
}
const sold = (price: PriceRule): MountedSkill => ({
  ...mount(
    { handler: async () => ({ ok: true, output: {} }), output: Type.Object({}) },
    { amountAtomic: price.maxAtomic, price, rails: ['credits'] },
  ),
  tools: [{ name: 't.run' }],
})
const snapshotOf = (mounted: MountedSkill): CatalogSnapshot => ({
  version: '1',
  priceVersion: 1,
  skills: [mounted],
  tool: () => null,
})
const facts = {
  publicUrl: 'https://gw.example',
  version: '1',
  contactEmail: 'a@b.example',
  operator: NO_OPERATOR,
}
// oxlint-disable-next-line typescript/no-explicit-any
const operation = (mounted: MountedSkill): any =>
  // oxlint-disable-next-line typescript/no-explicit-any
  (openApiOf(facts, [], snapshotOf(mounted), { list: [], creditsFirst: [] }) as any).paths[
    '/v1/t/run'
  ].post
const rail = creditsRail({ ledger: {} as never, holdTtlMs: 60_000 })
const offerOf = (mounted: MountedSkill) =>
  rail.offer(new Quotes('https://gw.example').http(mounted))!.body['prepaid'] as object
// oxlint-disable-next-line typescript/no-explicit-any
const listed = (mounted: MountedSkill): any =>
  toolEntry(mounted, mounted.tools[0]!, 'dotted', []).value

it('a measured price', () => {
  const mounted = sold(perPage)
  expect(llmsTxt(facts, snapshotOf(mounted), [])).toContain(`, ${TOLD} (at most $0.40), tool`)
  expect(operation(mounted)).toMatchObject({
    description: expect.stringContaining(`Price: ${TOLD}.`),
    'x-payment-info': {
      price: { mode: 'dynamic', currency: 'USD', min: '0.01', max: '0.40' },
      amountUsdcAtomic: '400000',
      rule: { text: PHRASE },
    },
  })
  expect(offerOf(mounted)).toMatchObject({
    priceCredits: 40,
    priceUsdcAtomic: '400000',
    rule: { text: PHRASE, base: { credits: 1 }, per: [{ unit: 'page' }], max: { credits: 40 } },
  })
  const { description, _meta: meta } = listed(mounted)
  expect(description).toContain(
    `Price of a successful call, at most USD 0.40: ${TOLD}. Failures cost nothing.`,
  )
  expect(meta['coinop/price']).toMatchObject({ credits: 40, rule: { text: PHRASE } })
  const page = frontPage(snapshotOf(mounted))
  expect(page).toContain(`${PHRASE} <small>`)
  expect(page).toContain('at most $0.40')
})

it('a flat price', () => {
  const mounted = sold(flatPrice(CREDIT))
  expect(llmsTxt(facts, snapshotOf(mounted), [])).toContain(', 1 credit ($0.01), tool')
  const shown = operation(mounted)
  expect(shown.description).toBe(mounted.skill.description)
  expect(shown['x-payment-info']).toEqual({
    price: { mode: 'fixed', currency: 'USD', amount: '0.01' },
    protocols: [],
    amountUsdcAtomic: '10000',
  })
  expect(offerOf(mounted)).not.toHaveProperty('rule')
  const { description, _meta: meta } = listed(mounted)
  expect(description).toContain('Price: 1 credit (USD 0.01) per successful call')
  expect(meta['coinop/price']).not.toHaveProperty('rule')
})
