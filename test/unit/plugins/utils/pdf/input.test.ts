import { describe, expect, test } from 'vitest'
import { PDF_BYTES_MAX, readFile } from '../../../../../plugins/utils/pdf/input.ts'
import { pageNumbers } from '../../../../../plugins/utils/pdf/pages.ts'

const PDF = Buffer.from('%PDF-1.7 and so on')
const BASE64 = PDF.toString('base64')

describe('the file of a request', () => {
  test.each([{ file_base64: BASE64 }, { pdf: BASE64 }, { base64: BASE64 }])('field %o', (input) => {
    expect(readFile(input)).toEqual({ ok: true, bytes: new Uint8Array(PDF) })
  })

  test.each([
    ['a data: URL', `data:application/pdf;base64,${BASE64}`],
    ['line breaks', BASE64.replace(/(.{8})/g, '$1\r\n')],
    ['no padding', BASE64.replace(/=+$/, '')],
  ])('%s', (_, value) => {
    expect(readFile({ pdf: value })).toEqual({ ok: true, bytes: new Uint8Array(PDF) })
  })

  test.each([
    ['nothing', {}, '/file_base64'],
    ['two fields', { pdf: BASE64, base64: BASE64 }, '/file_base64'],
    ['empty text', { pdf: ' ' }, '/pdf'],
    ['foreign characters', { base64: `${BASE64.slice(0, 8)}*${BASE64.slice(9)}` }, '/base64'],
    ['a cut group', { file_base64: 'JVBERi0xL' }, '/file_base64'],
  ])('%s is INVALID_INPUT with a pointer', (_, input, path) => {
    expect(readFile(input)).toMatchObject({
      ok: false,
      code: 'INVALID_INPUT',
      details: { issues: [{ path }] },
    })
  })

  test('what is no PDF, or too large, is UNSUPPORTED_FORMAT with the reason', () => {
    const image = Buffer.from('\x89PNG and more').toString('base64')
    expect(readFile({ pdf: image })).toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
      details: { reason: 'not_pdf', issues: [{ path: '/pdf' }] },
    })
    const large = 'A'.repeat(Math.ceil(((PDF_BYTES_MAX + 3) * 4) / 3))
    expect(readFile({ pdf: large })).toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
      details: { reason: 'too_large' },
    })
  })

  test('the header may follow other bytes, up to 1024', () => {
    const at = (offset: number): string =>
      Buffer.concat([Buffer.alloc(offset, 32), PDF]).toString('base64')
    expect(readFile({ pdf: at(1000) }).ok).toBe(true)
    expect(readFile({ pdf: at(1030) })).toMatchObject({ details: { reason: 'not_pdf' } })
  })
})

describe('options.pages', () => {
  test('ranges and numbers, ascending, without doubles', () => {
    expect(pageNumbers('5, 1-3,2')).toEqual({ ok: true, numbers: [1, 2, 3, 5] })
    expect(pageNumbers([4, 2, 4])).toEqual({ ok: true, numbers: [2, 4] })
  })

  test.each(['', '0', '3-1', 'x', '1-', '1-99999'])('%o is refused', (selection) => {
    expect(pageNumbers(selection).ok).toBe(false)
  })
})
