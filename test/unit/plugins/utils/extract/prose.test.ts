/** Values that sentences and lines of several labels say, in the type that is wanted. */
import { expect, it } from 'vitest'
import { runExtract } from '../../../../../plugins/utils/extract/worker.ts'

const SCHEMA = {
  total: 'number',
  invoice_number: 'string',
  due_date: 'string',
  ceo: 'string',
  annual_revenue: 'number',
  age: 'integer',
  capacity: 'integer',
}

function said(content: string, source: 'text' | 'html' = 'text'): object {
  const outcome = runExtract({ source, content, contentType: null, url: null, schema: SCHEMA })
  if (!outcome.ok) throw new Error(outcome.message)
  const data = Object.entries(outcome.data as object)
  return Object.fromEntries(data.filter(([, value]) => value !== null))
}

it.each([
  ['The total is $1,250.', { total: 1250 }],
  [
    'The total is $1,250 and the invoice number is INV-77.',
    { total: 1250, invoice_number: 'INV-77' },
  ],
  ['Invoice number: INV-77, total: $1,250', { total: 1250, invoice_number: 'INV-77' }],
  ['Invoice number INV-77 is due soon.', { invoice_number: 'INV-77' }],
  ['What is the total?\n$1,250', { total: 1250 }],
  ['Name: Bob  Age: 33  Total: 12', { total: 12, age: 33 }],
  ['Name: Bob Age: 33', { age: 33 }],
  [
    'The CEO is Jane van Dyke, and our annual revenue was $5.2 million.',
    { ceo: 'Jane van Dyke', annual_revenue: 5_200_000 },
  ],
  ['Paid in full. Due date: 3 March 2026. Thank you.', { due_date: '2026-03-03' }],
  ['As agreed. Total: whatever it was.', {}],
  ['The capacity of the small hall is 300 people.', { capacity: 300 }],
  ['The due date is 3 March 2026.', { due_date: '2026-03-03' }],
  ['The total was $500 last year and the total is $700 now.', { total: 700 }],
  ['The invoice number is 123-456.', { invoice_number: '123-456' }],
])('%s', (text, expected) => {
  expect(said(text)).toEqual(expected)
})

it.each([
  'The hall is large, the total was high and the CEO is new.',
  'It is 40. This was $20. There are 300 of them.',
  'The total was originally $50. Nobody knows the capacity.',
  'The capacity is 20% higher than before, and the age was 5 years ago.',
  'The capacity is 20-30 people. The age is 4 to 6 years. The annual revenue is $5-$7.',
  'The capacity of hall A is 300 people and the capacity of hall B is 40.',
])('takes no words about something for its value: %s', (text) => {
  expect(said(text)).toEqual({})
})

it('reads the sentences of a page, and a label before them', () => {
  const prose =
    '<p>The total of all work is $900, and the CEO was Ann Lee at that time, people say.</p>'
  expect(said(`<article><h1>Works</h1>${prose}</article>`, 'html')).toEqual({
    total: 900,
    ceo: 'Ann Lee',
  })
  expect(said(`<article><h1>Works</h1>${prose}<p>Total: $30</p></article>`, 'html')).toEqual({
    total: 30,
    ceo: 'Ann Lee',
  })
})
