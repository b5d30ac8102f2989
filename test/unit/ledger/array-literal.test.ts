import { expect, test } from 'vitest'
import { parse } from 'postgres-array'
import { arrayLiteral } from '../../../kernel/ledger/holds.ts'

const WORDS = [
  '01a2-x',
  'a.b:c_d',
  'null',
  'NULL',
  'nullable',
  '',
  ' ',
  'a b',
  '{x}',
  'a,b',
  '"\\',
  'ä',
  'a\n',
]

test('texts come back as they were, whether they need quotes or not', () => {
  expect(parse(arrayLiteral(WORDS))).toEqual(WORDS)
  expect(parse(arrayLiteral([arrayLiteral(WORDS)])).map((inner) => parse(inner!))).toEqual([WORDS])
})

test('null, numbers and truth values stand bare, and so does a plain word', () => {
  expect(arrayLiteral([null, 7, 9n, true, 'word', 'null'])).toBe('{NULL,7,9,true,word,"null"}')
})
