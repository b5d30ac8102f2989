/** Letters with accents that TeX's old fonts draw as two glyphs. */
import { expect, it } from 'vitest'
import { withComposedAccents } from '../../../../plugins/docintel/read/accents.ts'

const word = (text: string, x0: number, x1: number, y0 = 100) => ({ text, x0, x1, y0, y1: y0 + 11 })
const textsOf = (...words: ReturnType<typeof word>[]): string[] =>
  withComposedAccents(words).map(({ text }) => text)

it('an accent over the next word makes one letter with it', () => {
  expect(textsOf(word('28.', 90, 105), word('M¨', 111, 123), word('arz', 118, 133))).toEqual([
    '28.',
    'März',
  ])
  expect(textsOf(word('¨', 93, 100), word('Uberweisung', 93, 150))).toEqual(['Überweisung'])
  expect(textsOf(word('K´', 10, 22), word('ır', 16, 28))).toEqual(['Kír'])
})

it('an accent beside a word, on another line or over no letter of its kind stays', () => {
  expect(textsOf(word('M¨', 111, 123), word('arz', 130, 145))).toEqual(['M¨', 'arz'])
  expect(textsOf(word('M¨', 111, 123), word('arz', 118, 133, 140))).toEqual(['M¨', 'arz'])
  expect(textsOf(word('5´', 111, 123), word('30', 118, 133))).toEqual(['5´', '30'])
})
