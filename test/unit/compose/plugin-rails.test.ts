/** Rails of mounted plugins, as products come, change and go. */
import { expect, it } from 'vitest'
import { followPluginRails } from '../../../kernel/compose/plugin-rails.ts'
import type { Rail } from '../../../kernel/rails/contract.ts'
import type { CreditSource } from '../../../kernel/rails/credits/documents.ts'
import { RailRegistry } from '../../../kernel/rails/registry.ts'
import { silentLog } from '../../support/log.ts'

const rail = (id: string, precedence: number) => ({ id, precedence }) as Rail
const shop = {
  path: '/v1/shop',
  rail: 'coins',
  sellsCredits: { name: 'topupCoins', howToBuy: 'Buy.' },
}

function world() {
  const rails = new RailRegistry()
  rails.add(rail('credits', 100))
  let products = new Map<string, { rails: Rail[] }>()
  let changed = () => {}
  const registry = {
    current: () => ({ products, routes: [shop] }),
    onChange: (listener: () => void) => {
      changed = listener
      return () => {}
    },
  }
  let sources: readonly CreditSource[] = []
  const credits = { sellThrough: (given: readonly CreditSource[]) => void (sources = given) }
  followPluginRails(registry as never, rails, credits, silentLog)
  return {
    rails,
    sources: () => sources,
    mount(...mounted: Rail[]) {
      products = new Map(mounted.map((one, at) => [String(at), { rails: [one] }]))
      changed()
    },
  }
}

it('another revision replaces a rail, and one that goes takes its shop of credits along', () => {
  const { rails, sources, mount } = world()
  expect(sources()).toEqual([])
  const first = rail('coins', 10)
  mount(first)
  expect(rails.list()[0]).toBe(first)
  expect(sources()).toEqual([{ name: 'topupCoins', howToBuy: 'Buy.', path: '/v1/shop' }])
  const second = rail('coins', 10)
  mount(second)
  expect(rails.list().map(({ id }) => id)).toEqual(['coins', 'credits'])
  expect(rails.get('coins')).toBe(second)
  mount()
  expect(rails.list().map(({ id }) => id)).toEqual(['credits'])
  expect(sources()).toEqual([])
})
