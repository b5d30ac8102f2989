import { describe, expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import {
  amountsOfRow,
  repairDigits,
} from '../../../../plugins/docintel/understand/marks/amounts.ts'
import { findDates } from '../../../../plugins/docintel/understand/marks/dates.ts'
import {
  detectDecimalMark,
  parseNumber,
  type DecimalMark,
} from '../../../../plugins/docintel/understand/marks/numbers.ts'

const amounts = (text: string, mark: DecimalMark = '.') =>
  documentFromText(text)
    .rows.flatMap((r) => amountsOfRow(r, mark))
    .filter((a) => !a.percent)
    .map((a) => a.value)
const dates = (text: string) => findDates(documentFromText(text)).map((d) => d.iso)

describe('parseNumber', () => {
  it.each([
    ['1.234,50', ',', 1234.5],
    ['1,234.50', '.', 1234.5],
    ['30.277,88', 'unknown', 30277.88],
    ['1 234,50', ',', 1234.5],
    ["1'234.50", '.', 1234.5],
    ['1,23,456.00', '.', 123456],
    ['9,00', '.', 9],
    ['9.000', '.', 9],
    ['1,234', '.', 1234],
    ['1.234', ',', 1234],
    ['45,000', 'unknown', 45000],
    ['1.234.50', '.', 1234.5],
  ] as const)('%s with %s', (text, mark, value) => {
    expect(parseNumber(text, mark)?.value).toBe(value)
  })
  it.each(['25.12.2018', '1,2.3,4', '12.'])('refuses %s', (text) =>
    expect(parseNumber(text, '.')).toBeNull(),
  )
})

describe('amountsOfRow', () => {
  it.each([
    ['TOTAL RM1O.00', [10]],
    ['TOTAL:21.65', [21.65]],
    ['GST259.65', [259.65]],
    ['12. 50', [12.5]],
    ['(5.00)', [-5]],
    ['Discount 5.00-', [-5]],
    ['TEL:07-3507405', []],
    ['25/12/2018 8:13:39', []],
    ['EZ10HD05', []],
    ['NO.19, JALAN', []],
    ['500ML', []],
    ['000181747712', []],
    ['UGX 3,540,000', [3540000]],
  ])('%s', (text, wanted) => expect(amounts(text)).toEqual(wanted))
  it('puts right only what was a number', () => {
    expect(repairDigits('5.0O')).toBe('5.00')
    expect(repairDigits('NO.SO OIL.IS')).toBe('NO.SO OIL.IS')
  })
})

it('detectDecimalMark follows the majority', () => {
  expect(detectDecimalMark('1,99 2,50 3.10')).toBe(',')
  expect(detectDecimalMark('KSh 1,200 and 45.50')).toBe('.')
  expect(detectDecimalMark('no amounts')).toBe('unknown')
})

describe('dates', () => {
  it.each([
    ['25/12/2018 8:13 PM', '2018-12-25'],
    ['DATE:25/12/201820:49', '2018-12-25'],
    ['12-01-19', '2019-01-12'],
    ['14-JUN-2017', '2017-06-14'],
    ['Dec 25, 2018', '2018-12-25'],
    ['20170606', '2017-06-06'],
    ['3. März 2021', '2021-03-03'],
    ['1er février 2020', '2020-02-01'],
    ['12 de enero de 2022', '2022-01-12'],
    ['05/2O/2018', '2018-05-20'],
    ['07/02/23', '2023-02-07'],
    ['-REG #19- 10/04/2019', '2019-04-10'],
  ])('%s', (text, wanted) => expect(dates(text)).toEqual([wanted]))
  it.each(['03-7843 3388', '192.168.10.20', '31/02/2020', '99/99/9999'])('not %s', (text) =>
    expect(dates(text)).toEqual([]),
  )
  it('reads ambiguous dates month-first only where the document itself does', () => {
    expect(dates('01/05/2023')).toEqual(['2023-05-01'])
    expect(dates('01/05/2023\ndue 01/25/2023')).toEqual(['2023-01-05', '2023-01-25'])
  })
})
