/** Digits that a recogniser read for letters of the same shape. */
import { expect, it } from 'vitest'
import { withoutDigitsInWords } from '../../../../plugins/shared/ocr/digits-in-words.ts'

it.each([
  ['c0mercial', 'comercial'],
  ['Gal1i', 'Galli'],
  ['p1atności:', 'platności:'],
  ['tota1', 'total'],
  ['S.r.1.', 'S.r.l.'],
  ['V.0.F.', 'V.O.F.'],
  ['0.0.', 'o.o.'],
  ['0n', 'on'],
  ['G0yetteview', 'Goyetteview'],
  ['Telef00n:', 'Telefoon:'],
  ['v0or', 'voor'],
  ['n0.', 'no.'],
  ['0lten', 'Olten'],
  ['Recib0', 'Recibo'],
])('%s is %s', (read, printed) => {
  expect(withoutDigitsInWords(read)).toBe(printed)
})

it.each([
  'a1b',
  'x86',
  'INV10023',
  '2024-01',
  'h2o',
  'A0B1C',
  '0.00',
  '1.0',
  'mp3player2',
  'ISO9001',
  '0nline24',
  '0kg',
])('%s stays', (word) => {
  expect(withoutDigitsInWords(word)).toBe(word)
})
