import { expect, test } from 'vitest'
import { instanceProblem } from '../../../host/plugin-loading/returned.ts'

const route = {
  method: 'GET',
  path: '/v1/coins',
  auth: 'public',
  summary: 'Coins',
  handler: () => new Response('ok'),
}

test('what a plugin says besides skills is accepted in its shape', () => {
  const sellsCredits = { name: 'coins', howToBuy: 'Insert one.' }
  expect(
    instanceProblem({
      routes: [{ ...route, isAlwaysDocumented: true, rail: 'coins', sellsCredits }],
      home: { path: '/coins', title: 'Coins' },
      startNotes: async () => [],
    }),
  ).toBeNull()
})

test.each([
  ['startNotes must be a function', { startNotes: 5 }],
  ['home.path must be', { home: { path: 'coins', title: 'Coins' } }],
  ['routes[0] "/v1/coins".rail must be a text', { routes: [{ ...route, rail: 7 }] }],
  ['isAlwaysDocumented must be true or false', { routes: [{ ...route, isAlwaysDocumented: 1 }] }],
  [
    'sellsCredits.howToBuy must be a text',
    { routes: [{ ...route, sellsCredits: { name: 'coins' } }] },
  ],
])('%s, else it is refused by name', (told, instance) => {
  expect(instanceProblem(instance)).toContain(told)
})

test.each([
  ['a definition', { $defs: { coin: { type: 'strin' } } }],
  ['names by pattern', { patternProperties: { '^x-': { type: 'strin' } } }],
  ['what is not to fit', { properties: { coin: { not: { type: ['null', 'strin'] } } } }],
  ['a tuple', { properties: { coins: { prefixItems: [{ type: 'strin' }] } } }],
])('a type that does not exist is named in %s', (_, members) => {
  const skill = {
    id: 'coins.count',
    tools: [{ name: 'coins.count' }],
    title: 'Count',
    description: 'Counts coins.',
    input: { type: 'object', ...members },
    output: { type: 'object' },
    annotations: {},
    handler: () => ({}),
  }
  expect(instanceProblem({ skills: [{ ...skill, input: { type: 'object' } }] })).toBeNull()
  expect(instanceProblem({ skills: [skill] })).toContain('input has the type "strin"')
})
