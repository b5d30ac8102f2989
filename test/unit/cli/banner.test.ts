import { expect, it } from 'vitest'
import { banner, type BannerFacts } from '../../../cli/banner.ts'

const facts: BannerFacts = {
  url: 'http://127.0.0.1:4020',
  listening: 'http://127.0.0.1:4020',
  sandbox: true,
  database: 'embedded PostgreSQL in .coinop',
  skills: 13,
  products: 4,
  sellsHash: true,
  homes: [],
  rails: [],
  problems: [],
  notes: [],
  made: { key: { key: 'ck_test_1', credits: 1000 } },
}

it('shows a call to buy only where that call is sold', () => {
  expect(banner(facts).join('\n')).toContain('/v1/paid/hash')
  const without = banner({ ...facts, skills: 0, products: 0, sellsHash: false }).join('\n')
  expect(without).not.toMatch(/\/v1\/paid\/hash|\/mcp/)
  expect(without).toContain('what it buys: http://127.0.0.1:4020/v1/prices')
})
