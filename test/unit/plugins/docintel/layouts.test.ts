/** Sums and lines of goods of invoices in layouts of billing software and trades of many countries. */
import { describe, expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import type { ParseResult } from '../../../../plugins/docintel/schema.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'
import { loadLayouts, type LayoutFixture } from '../../../support/docintel-fixtures/layouts/load.ts'

const read = (text: string): ParseResult =>
  understand(documentFromText(text), { preferred: 'invoice', now: new Date('2025-06-01') })

const isNear = (a: number | null, b: number): boolean => a !== null && Math.abs(a - b) < 0.006

/** The names of the invoices of which a value is not what the truth says. */
function wrong(half: 'looked-at' | 'measured', isRight: (fixture: LayoutFixture) => boolean) {
  return loadLayouts(half)
    .filter((fixture) => !isRight(fixture))
    .map(({ name }) => name)
}
const hasTotal = ({ text, truth }: LayoutFixture): boolean => isNear(read(text).total, truth.total)
const hasVat = ({ text, truth }: LayoutFixture): boolean =>
  truth.vat === null || isNear(read(text).tax.vat_amount, truth.vat)
const hasGoods = ({ text, truth }: LayoutFixture): boolean => {
  const amounts = read(text).line_items.map((item) => item.amount)
  return JSON.stringify(amounts) === JSON.stringify(truth.goods.map((good) => good.amount))
}

describe('the half whose faults were looked at', () => {
  it('has every total', () => expect(wrong('looked-at', hasTotal)).toEqual([]))
  it('has every tax', () => expect(wrong('looked-at', hasVat)).toEqual([]))
  it('has all goods', () => expect(wrong('looked-at', hasGoods)).toEqual([]))
})

describe('the half that was only measured', () => {
  it('has the totals of all but one', () =>
    expect(wrong('measured', hasTotal).length).toBeLessThanOrEqual(1))
  it('has the tax of all but three', () =>
    expect(wrong('measured', hasVat).length).toBeLessThanOrEqual(3))
  it('has the goods of all but two', () =>
    expect(wrong('measured', hasGoods).length).toBeLessThanOrEqual(2))
})

it('reads on after the sum of a group', () => {
  const { line_items: items } = read(
    [
      'Rechnung Nr. 7 vom 03.05.2024',
      'Pos  Menge  Bezeichnung           EP       GP',
      '1.1   10,00  Wand streichen     7,00    70,00',
      'Summe Titel 1                           70,00',
      '2.1    2,00  Tür lackieren     45,00    90,00',
      'Nettobetrag                            160,00',
    ].join('\n'),
  )
  expect(items.map((item) => item.amount)).toEqual([70, 90])
})

it('puts a tax right that does not make the total', () => {
  const result = read(
    [
      'Factuur 8812   Datum: 12-04-2024',
      'Specificatie   Aantal   Prijs    Bedrag',
      'Tafel          4        50,00    200,00',
      'Belasting   Grondslag   Bedrag   Totaal (excl. belasting):  200,00',
      '[1] BTW     200,00      42,00    Belastingen:                42,00',
      '21%                              Totaal:                    242,00',
    ].join('\n'),
  )
  expect(result).toMatchObject({ total: 242, subtotal: 200, tax: { vat_amount: 42 } })
})

it('takes thousands parted by a space before a point only where sums prove it', () => {
  const sums = 'Net  9251.45\nVAT (20%)  1850.29\nTotal  11 101.74'
  expect(read(`Invoice no. 5 of 3 May 2024\n${sums}`).total).toBe(11_101.74)
  expect(read('Invoice no. 5 of 3 May 2024\nPens  2 150.00\nTotal  150.00').total).toBe(150)
})

it('parts heads that narrow columns glue together', () => {
  const result = read(
    [
      'NOTA FISCAL Nº 18443   21/05/2024',
      'BASE DE CALCULO DO ICMS VALOR DO ICMS   VALOR DO FRETE   VALOR TOTAL DA NOTA',
      '              1.000,00         180,00             0,00              1.000,00',
    ].join('\n'),
  )
  expect(result).toMatchObject({ total: 1000, tax: { vat_amount: 180 } })
})
