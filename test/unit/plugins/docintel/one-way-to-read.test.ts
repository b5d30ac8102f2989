/**
 * Lines of words that two ways of one expression could read: with each word the ways doubled, and a line
 * of 300 characters held its worker for minutes.
 */
import { expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'
import { NOW } from '../../../support/read-invoice.ts'

it.each([
  ['a title', `E-${'RIDE SALE '.repeat(40)}*`],
  ['a name', `&,${'(M),TYRE '.repeat(40)}*`],
  ['a request to pay', `SCAN AN${'D QR CODE AN'.repeat(40)}S`],
  ['a label', `TTL ${'TOTAAL TOTAL SALE '.repeat(40)}*`],
])('%s of many words is read', (_, line) => {
  const text = `SHOP LTD\n${line}\n${line} 12.00\n12/03/2024\nTOTAL 12.00`
  // That it ends is what counts; a request to pay is no sale to the reader.
  const { doc_type: type } = understand(documentFromText(text), { preferred: 'receipt', now: NOW })
  expect(type).toBe(line.startsWith('SCAN') ? 'unknown' : 'receipt')
})
