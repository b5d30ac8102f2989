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
  sellsTools: true,
  homes: [],
  rails: [],
  problems: [],
  notes: [],
  adminToken: { token: 'coinop_admin_1', firstPrinted: true, file: '.coinop/admin-token' },
  made: { key: { key: 'ck_test_1', credits: 1000 } },
}

it('shows a call to buy only where that call is sold', () => {
  expect(banner(facts).join('\n')).toContain('/v1/paid/hash')
  const without = banner({
    ...facts,
    skills: 0,
    products: 0,
    sellsHash: false,
    sellsTools: false,
  }).join('\n')
  expect(without).not.toMatch(/\/v1\/paid\/hash|\/mcp/)
  expect(without).toContain('what it buys: http://127.0.0.1:4020/v1/prices')
})

it('shows the admin token once, and at every start where it is kept', () => {
  const [first, later] = [true, false].map((firstPrinted) =>
    banner({ ...facts, adminToken: { ...facts.adminToken, firstPrinted } }).join('\n'),
  )
  expect(first).toContain('coinop_admin_1')
  expect(later).not.toContain('coinop_admin_1')
  for (const lines of [first, later]) expect(lines).toContain('kept in .coinop/admin-token')
  const configured = { token: 'its own', firstPrinted: false, file: null }
  expect(banner({ ...facts, adminToken: configured }).join('\n')).not.toContain('admin token')
})
