/** The warning about a setting whose name is misspelt, and so does nothing. */
import { expect, test } from 'vitest'
import { describeMisspelt, misspeltVariables } from '../../../cli/misspelt-variables.ts'

const SETTINGS = [
  'PORT',
  'HOLD_TTL',
  'DATABASE_URL',
  'SETTLEMENT_ADDRESS',
  'PROVIDER_A_URL',
  'SANDBOX',
  'TRUSTED_PROXIES',
]

function meantBy(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(misspeltVariables(SETTINGS, env).map((one) => [one.name, one.meant]))
}

test('a letter too few, too many, wrong or swapped, other signs and small letters', () => {
  const wrong = {
    SETTLEMENT_ADRESS: 'SETTLEMENT_ADDRESS',
    DATABASE_URLL: 'DATABASE_URL',
    HOLD_TTK: 'HOLD_TTL',
    DATABSAE_URL: 'DATABASE_URL',
    'DATABASE-URL': 'DATABASE_URL',
    database_url: 'DATABASE_URL',
  }
  for (const [name, meant] of Object.entries(wrong))
    expect(meantBy({ [name]: 'x' })).toEqual({ [name]: meant })
})

test('the prefix of other settings, and one in place of several', () => {
  expect(meantBy({ COINOP_PORT: '80', COINOP_DATABASE_URL: 'x', TRUSTED_PROXY: 'x' })).toEqual({
    COINOP_PORT: 'PORT',
    COINOP_DATABASE_URL: 'DATABASE_URL',
    TRUSTED_PROXY: 'TRUSTED_PROXIES',
  })
  expect(meantBy({ COINOP_PORT: '80', PORT: '81' })).toEqual({})
})

test('nothing that is a setting, empty, short, far away or open to product files', () => {
  expect(meantBy({ HOLD_TTL: '15m', PROVIDER_A_URL: 'x', DATABASE_URLL: '' })).toEqual({})
  expect(
    meantBy({ PATH: '/bin', POST: 'x', HOLD: 'x', DATABASE_HOST: 'x', IS_SANDBOX: 'yes' }),
  ).toEqual({})
  expect(meantBy({ PROVIDER_C_URL: 'x', PRODUCT_ENV: 'PROVIDER_C_URL' })).toEqual({})
})

test('nothing while the setting that may be meant is set', () => {
  expect(meantBy({ DATABASE_URL: 'x', DATABASE_URI: 'x' })).toEqual({})
})

test('says what has its default', () => {
  expect(describeMisspelt({ name: 'HOLD_TTK', meant: 'HOLD_TTL' })).toMatch(
    /^HOLD_TTK is set .* HOLD_TTL .* default/,
  )
})
