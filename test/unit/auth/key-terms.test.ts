import { describe, expect, it } from 'vitest'
import { hasExpired, keyTermIssues, momentIn } from '../../../kernel/auth/key-terms.ts'
import { isNetwork, originTest } from '../../../kernel/net/origins.ts'

const NOW = new Date('2026-11-23T12:00:00Z')
const pathsOf = (terms: Parameters<typeof keyTermIssues>[0]): string[] =>
  keyTermIssues(terms, NOW).map(({ path }) => path)

describe('networks of origin', () => {
  it.each([
    ['192.0.2.0/24', '192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.0', false],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['10.1.2.3/8', '10.255.0.1', true],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:DB8::1', '2001:db8::1', true],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '203.0.113.9', false],
  ])('%s has %s: %s', (network, address, isIn) => {
    expect(isNetwork(network)).toBe(true)
    expect(originTest([network])(address)).toBe(isIn)
  })

  it('one of several is enough, and what is no address is in none', () => {
    const test = originTest(['192.0.2.0/24', '2001:db8::/32'])
    expect(['192.0.2.1', '2001:db8::1', 'unknown', ''].map(test)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it.each([
    '',
    'office',
    '10.0.0.0/33',
    '10.0.0/8',
    '2001:db8::/129',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '::ffff:192.0.2.0/120',
    'fe80::1%eth0',
  ])('%j is none', (text) => expect(isNetwork(text)).toBe(false))
})

describe('keyTermIssues', () => {
  it('takes what a key can have, and what is left out', () => {
    expect(pathsOf({})).toEqual([])
    expect(pathsOf({ expiresAt: null, networks: null, metadata: {} })).toEqual([])
    expect(
      pathsOf({
        expiresAt: new Date('2026-11-23T12:00:01Z'),
        networks: ['10.0.0.0/8', '::1'],
        metadata: { team: 'billing', 'cost.center': 7, isTrial: false },
      }),
    ).toEqual([])
  })

  it('names each member that is wrong', () => {
    expect(pathsOf({ expiresAt: NOW })).toEqual(['/expiresAt'])
    expect(pathsOf({ expiresAt: new Date(Number.NaN) })).toEqual(['/expiresAt'])
    expect(pathsOf({ expiresAt: new Date(8.64e15) })).toEqual(['/expiresAt'])
    expect(pathsOf({ networks: [] })).toEqual(['/networks'])
    expect(pathsOf({ networks: ['10.0.0.0/8', 'home'] })).toEqual(['/networks/1'])
    expect(pathsOf({ metadata: { 'no space': 'x' } })).toEqual(['/metadata/no space'])
    expect(pathsOf({ metadata: { long: 'x'.repeat(501), nul: 'a\0', half: '\ud800' } })).toEqual([
      '/metadata/long',
      '/metadata/nul',
      '/metadata/half',
    ])
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`n${at}`, at]))
    expect(pathsOf({ metadata: many })).toEqual(['/metadata'])
  })
})

it.each([
  ['2027-02-28T00:00:00Z', '2027-02-28T00:00:00.000Z'],
  ['2028-02-29T23:30:00-01:00', '2028-03-01T00:30:00.000Z'],
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2027-02-29T00:00:00Z', null],
  ['2027-02-31', null],
  ['2027-04-31T12:00:00+02:00', null],
  ['2027-13-01T00:00:00Z', null],
  ['2027-01-31T00:00:00+99:99', null],
])('%s is the moment %s', (text, iso) => {
  const moment = momentIn(text)
  expect(Number.isNaN(moment.getTime()) ? null : moment.toISOString()).toBe(iso)
})

it('a key has expired from its end on', () => {
  const expiresAt = new Date('2026-11-23T12:00:00.000Z')
  expect(hasExpired({ expiresAt }, new Date('2026-11-23T11:59:59.999Z'))).toBe(false)
  expect(hasExpired({ expiresAt }, NOW)).toBe(true)
  expect(hasExpired({ expiresAt: null }, NOW)).toBe(false)
})
