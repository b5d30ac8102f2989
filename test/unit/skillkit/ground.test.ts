import { expect, it } from 'vitest'
import { groundOf } from '../../../plugins/shared/skillkit/ground.ts'

it.each([
  ['Café Müller GmbH', 'CAFE MULLER'],
  ['Call +49 30 12-34', '+49301234'],
  ['Total RM42.00 paid', '42.00'],
  ['issued 12.03.2024 in Bonn', '2024'],
  ['請求書 株式会社山田 東京', '山田'],
])('%s says %s', (text, wanted) => {
  expect(groundOf(text).hasText(wanted)).toBe(true)
})

it.each([
  ['a cart of parts', 'art'],
  ['Invoice No: 77', '7'],
  ['Total 14.22', '22'],
  ['Total RM42.00 paid', '42'],
  ['1,234.50', '234'],
  ['Nairobi', 'robin'],
  ['anything', ''],
  ['anything', ' – '],
])('%s does not say %j', (text, wanted) => {
  expect(groundOf(text).hasText(wanted)).toBe(false)
})

it.each([
  ['1.234,50 EUR', 1234.5],
  ["CHF 1'234.50", 1234.5],
  ['1 234,50', 1234.5],
  ['-17', -17],
  ['17', -17],
  ['12/03/2024', 2024],
  ['12.03.2024', 2024],
])('%s has the number %d', (text, value) => {
  expect(groundOf(text).hasNumber(value)).toBe(true)
})

it.each([
  ['14.22', 22],
  ['14.22', 4],
  ['Invoice 770', 77],
])('%s has no number %d', (text, value) => {
  expect(groundOf(text).hasNumber(value)).toBe(false)
})
