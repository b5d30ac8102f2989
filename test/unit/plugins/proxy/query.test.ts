import { expect, it } from 'vitest'
import { queryRules, upstreamSearch } from '../../../../plugins/proxy/query.ts'

const rules = queryRules({ key: 's&cret=1', 'api key': 'ü', unset: '' })
const ADDED = 'key=s%26cret%3D1&api%20key=%C3%BC'

it.each([
  ['', `?${ADDED}`],
  ['?', `?${ADDED}`],
  ['?a=1&b=%20+x&a=2', `?a=1&b=%20+x&a=2&${ADDED}`],
  ['?key=mine&KEY=2&key&k%65y=3&key[]=4', `?KEY=2&key[]=4&${ADDED}`],
  ['?api+key=1&api%20key=2&%zz=3&unset=4', `?%zz=3&unset=4&${ADDED}`],
])('the query %j of a caller becomes %j', (search, asked) => {
  expect(upstreamSearch(rules, search)).toBe(asked)
})

it('without additions the query passes as it is', () => {
  expect(upstreamSearch(queryRules({ unset: '' }), '?&&a=%zz')).toBe('?&&a=%zz')
})
