/** The warning about variables of plugins that no product uses. */
import { expect, test } from 'vitest'
import { describeUnused, unusedVariables } from '../../cli/unused-variables.ts'
import { flag, optional } from '../../kernel/config/fields.ts'

const RAIL = {
  id: 'rail',
  secrets: ['RAIL_KEY'],
  variables: [flag('SHARED', false), flag('PORT', false)],
}
const SHOP = {
  id: 'shop',
  variables: [
    flag('SHARED', false),
    optional('SHOP_URL', { expected: '', example: '', isOpenToProducts: true }),
  ],
}
const ENV = { RAIL_KEY: 'k', SHARED: 'true', PORT: '1', SHOP_URL: 'u', OTHER: 'x' }

test('names what is set and declared by unused plugins alone', () => {
  const unused = (ids: string[], env: Record<string, string> = ENV) =>
    unusedVariables([RAIL, SHOP], new Set(ids), env)
  expect(unused([])).toEqual([
    { pluginId: 'rail', names: ['SHARED', 'RAIL_KEY'] },
    { pluginId: 'shop', names: ['SHARED'] },
  ])
  expect(unused(['shop'])).toEqual([{ pluginId: 'rail', names: ['RAIL_KEY'] }])
  expect(unused(['rail', 'shop'])).toEqual([])
  expect(unused([], { RAIL_KEY: '' })).toEqual([])
})

test('gives the product file that uses the plugin', () => {
  const told = describeUnused({ pluginId: 'rail', names: ['RAIL_KEY'] })
  expect(told).toMatch(/^RAIL_KEY is set and does nothing/)
  expect(told).toMatch(/\nproduct_id: rail\nplugin: rail\nmetered: false$/)
})
