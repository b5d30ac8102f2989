import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { extractPdf, type PdfOutcome } from '../../../../../plugins/utils/pdf/extract.ts'
import { encryption } from '../../../../support/pdf-encrypt.ts'
import { line, show, streamObject, writePdf } from '../../../../support/pdf-writer.ts'

const HELLO = show('Hello world', 72, 700)
const extract = (bytes: Uint8Array): Promise<PdfOutcome> =>
  extractPdf({ bytes: new Uint8Array(bytes), includeTables: true, maxPages: 100 }, () => undefined)
const textOf = (outcome: PdfOutcome): string[] =>
  outcome.ok ? outcome.output.pages.map((page) => page.text) : []

function locked(user: string, owner: string): Uint8Array {
  const { encrypt, dictionary, trailer } = encryption(user, owner)
  return writePdf({
    pages: [{ content: '' }],
    objects: {
      1001: streamObject(encrypt(1001, HELLO)),
      900: dictionary,
    },
    trailer,
  })
}

describe('files that cannot be read', () => {
  test('a user password is refused as encrypted, an owner password alone is not', async () => {
    expect(await extract(locked('open me', 'owner'))).toMatchObject({
      ok: false,
      reason: 'encrypted',
    })
    expect(textOf(await extract(locked('', 'owner')))).toEqual(['Hello world'])
  })

  test.each([
    ['a header alone', Buffer.from('%PDF-1.7')],
    ['rubbish after the header', Buffer.from(`%PDF-1.7\n${'x'.repeat(5000)}`)],
    ['no pages', writePdf({ pages: [] })],
  ])('%s is broken', async (_, bytes) => {
    expect(await extract(bytes)).toMatchObject({ ok: false, reason: 'broken' })
  })

  test('a page tree that leads back to itself ends', async () => {
    const objects = { 2: '<< /Type /Pages /Kids [1000 0 R 2 0 R] /Count 2 >>' }
    const outcome = await extract(writePdf({ pages: [{ content: HELLO }], objects }))
    expect(textOf(outcome)[0]).toBe('Hello world')
  })

  test('a cross-reference table with wrong offsets is rebuilt', async () => {
    const text = Buffer.from(writePdf({ pages: [{ content: HELLO }] })).toString('latin1')
    const broken = text.replace(/startxref\n\d+/, 'startxref\n99999')
    expect(textOf(await extract(Buffer.from(broken, 'latin1')))).toEqual(['Hello world'])
  })
})

describe('pages that ask for too much', () => {
  test('huge and senseless numbers', async () => {
    const huge = '9'.repeat(30)
    const content = `q ${huge} 0 0 ${huge} ${huge} ${huge} cm ${HELLO} 0 0 m ${huge} ${huge} l S Q BT /F1 ${huge} Tf (x) Tj ET ET Q Q ${HELLO}`
    expect(textOf(await extract(writePdf({ pages: [{ content }] })))).toEqual(['Hello world'])
  })

  test('a form that draws itself', async () => {
    const form =
      '<< /Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /XObject << /X 100 0 R >> >> /Length 6 >>\nstream\n/X Do \nendstream'
    const bytes = writePdf({
      pages: [{ content: `/X Do ${HELLO}` }],
      resources: '/XObject << /X 100 0 R >>',
      objects: { 100: form },
    })
    expect(textOf(await extract(bytes))).toEqual(['Hello world'])
  })

  test('more lines than are examined: a warning', async () => {
    const lines = Array.from({ length: 70_000 }, (_, i) =>
      line(i % 600, i % 700, (i % 600) + 9, i % 700),
    )
    const outcome = await extract(
      writePdf({ pages: [{ content: lines.join('') + HELLO }], compress: true }),
    )
    expect(outcome).toMatchObject({
      ok: true,
      output: { meta: { warnings: [{ page: 1, code: 'page_truncated' }] } },
    })
    expect(textOf(outcome)).toEqual(['Hello world'])
  })

  test('white space deflated twice', async () => {
    const bomb = deflateSync(deflateSync(Buffer.alloc(20 * 1024 * 1024, 32)))
    const bytes = writePdf({
      pages: [{ content: '' }],
      objects: {
        1001: streamObject(bomb, '/Filter [/FlateDecode /FlateDecode]'),
      },
    })
    expect(textOf(await extract(bytes))).toEqual([''])
  })
})

test('any damage ends in text or in a reason', async () => {
  const whole = writePdf({
    pages: [{ content: HELLO.repeat(3) }, { content: HELLO }],
    compress: true,
  })
  const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(damage, fc.nat(whole.length), async (bytes, length) => {
      const damaged = new Uint8Array(whole).slice(0, length)
      for (const [at, value] of bytes) if (at < damaged.length) damaged[at] = value
      const outcome = await extract(damaged)
      expect(outcome.ok || ['encrypted', 'broken'].includes(outcome.reason)).toBe(true)
    }),
    { numRuns: 60 },
  )
})
