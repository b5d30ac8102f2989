/** Sums of photos that were misread by a digit or without their mark, and what the others say of them. */
import { describe, expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { explain } from '../../../../plugins/docintel/understand/explain.ts'
import { isOneDigitOff } from '../../../../plugins/docintel/understand/sums/misread-sums.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'

const NOW = new Date('2025-01-01')

interface Sums {
  net: string
  tax: string
  total: string
  rate?: string
}

const photo = ({ net, tax, total, rate = ' 19 %' }: Sums) => {
  const text = `Holzhof Nord GmbH
Rechnung 4711
Artikel              Menge    Preis     Betrag
Eichenbrett             10   250,00   2.500,00
Fichtenbrett             2   390,37     780,74
Netto                                 ${net}
MwSt.${rate}                            ${tax}
Gesamtbetrag                          ${total}`
  return { ...documentFromText(text), source: 'ocr' as const, legibility: 0.95 }
}

const read = (sums: Sums): (number | null)[] => {
  const { subtotal, tax, total } = understand(photo(sums), { preferred: 'invoice', now: NOW })
  return [subtotal, tax.vat_amount, total]
}

const PRINTED = [3280.74, 623.34, 3904.08]

describe('a sum of a photo', () => {
  it.each<[string, Sums]>([
    ['a tax without its first digit', { net: '3.280,74', tax: '23,34', total: '3.904,08' }],
    ['a tax without its comma', { net: '3.280,74', tax: '62334 €', total: '3.904,08' }],
    ['a tax with a digit too many', { net: '3.280,74', tax: '1623,34', total: '3.904,08' }],
    ['a tax with another digit', { net: '3.280,74', tax: '628,34', total: '3.904,08' }],
    ['a total with another first digit', { net: '3.280,74', tax: '623,34', total: '1.904,08' }],
    ['a total without its first digit', { net: '3.280,74', tax: '623,34', total: '904,08' }],
    ['a net with another digit', { net: '3.230,74', tax: '623,34', total: '3.904,08' }],
  ])('is read as it was printed: %s', (_, sums) => {
    expect(read(sums)).toEqual(PRINTED)
  })

  it('stays where another digit has nothing but one sum against it', () => {
    const [, tax] = read({ net: '3.280,74', tax: '628,34', total: '3.904,08', rate: '' })
    expect(tax).not.toBe(623.34)
  })

  it('stays where the end of a number is what a payment left', () => {
    const text = `Holzhof Nord GmbH
Rechnung 4711
Artikel              Menge    Preis     Betrag
Eichenbrett             10   300,00   3.000,00
Fichtenbrett             2   140,37     280,74
Gutschein                             3.000,00
Gesamtbetrag                            280,74`
    const document = { ...documentFromText(text), source: 'ocr' as const }
    expect(explain(document, 'invoice', NOW).some((e) => e.field === 'misread sum')).toBe(false)
  })

  it('is told with its rule', () => {
    expect(
      explain(photo({ net: '3.280,74', tax: '23,34', total: '3.904,08' }), 'invoice', NOW).find(
        (e) => e.field === 'misread sum',
      ),
    ).toMatchObject({
      value: '23.34 is 623.34',
      because: [{ rule: 'what total and net differ by', points: 0 }],
    })
  })
})

it('leaves the sums of a text as they are', () => {
  const document = photo({ net: '3.280,74', tax: '23,34', total: '3.904,08' })
  const told = explain({ ...document, source: 'text' }, 'invoice', NOW)
  expect(told.some((e) => e.field === 'misread sum')).toBe(false)
})

it.each([
  ['90408', '390408', true],
  ['190408', '390408', true],
  ['3904008', '390408', true],
  ['394008', '390408', false],
  ['0408', '390408', false],
])('%s is one digit off %s: %s', (a, b, isOff) => {
  expect(isOneDigitOff(a, b)).toBe(isOff)
})
