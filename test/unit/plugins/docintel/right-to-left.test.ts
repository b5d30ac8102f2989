/** Text of PDFs in Arabic and Hebrew, whose pieces come as they stand on the page. */
import type { TextItem } from 'pdfjs-dist/types/src/display/api.js'
import { describe, expect, it } from 'vitest'
import { withWholePhrases } from '../../../../plugins/docintel/read/right-to-left.ts'
import { readInvoice } from '../../../support/read-invoice.ts'

const piece = (str: string, x: number, width: number, y = 0): TextItem => ({
  str,
  dir: 'rtl',
  width,
  height: 10,
  transform: [10, 0, 0, 10, x, y],
  fontName: 'F1',
  hasEOL: false,
})
const textsOf = (...items: TextItem[]) => withWholePhrases(items).map(({ str }) => str)

describe('pieces of one glyph each', () => {
  it('make words in plain letters, in the order in which they are read', () => {
    expect(
      textsOf(
        piece('\uFE94', 0, 5),
        piece('\uFEDB', 5, 5),
        piece('\uFEAE', 10, 5),
        piece('\uFEB7', 15, 5),
      ),
    ).toEqual(['شركة'])
  })

  it('make phrases where a space parts them, also as a piece of its own', () => {
    expect(textsOf(piece('שני', 0, 15), piece(' ', 15, 3), piece('ראשון', 18, 25))).toEqual([
      'ראשון שני',
    ])
  })

  it('stay apart in other columns and lines, beside numbers, and where they come as they are read', () => {
    expect(textsOf(piece('ב', 0, 5), piece('א', 20, 5))).toEqual(['ב', 'א'])
    expect(textsOf(piece('ב', 0, 5), piece('א', 5, 5, -14))).toEqual(['ב', 'א'])
    expect(textsOf(piece('12', 0, 10), piece('א', 11, 5))).toEqual(['12', 'א'])
    expect(textsOf(piece('א', 20, 5), piece('ב', 15, 5))).toEqual(['א', 'ב'])
  })

  it('of other letters are left as they are', () => {
    expect(textsOf(piece('To', 0, 10), piece('tal', 10, 15))).toEqual(['To', 'tal'])
  })
})

it('the number of an invoice stands left of its label', () => {
  const number = (row: string) =>
    readInvoice(`شركة النخيل للتجارة
فاتورة ضريبية
${row}
2025/04/09 التاريخ:
250.00  25.00  10  تمور فاخرة
500.00  المجموع الفرعي
75.00  15% ضريبة القيمة المضافة
575.00  الإجمالي`).document_id
  expect(number('INV-5521 رقم الفاتورة:')).toBe('INV-5521')
  expect(number('رقم الفاتورة: INV-5521')).toBe('INV-5521')
})
