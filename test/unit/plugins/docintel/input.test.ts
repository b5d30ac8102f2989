import { describe, expect, it } from 'vitest'
import {
  decodeBase64,
  FILE_BYTES_MAX,
  readSource,
  sniff,
} from '../../../../plugins/docintel/input/bytes.ts'
import { TEXT_MAX } from '../../../../plugins/docintel/schema.ts'

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64')
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])

describe('decodeBase64', () => {
  it.each([
    ['aGk=', 'hi'],
    ['aGk', 'hi'],
    ['aGk\r\n=', 'hi'],
    ['data:text/plain;base64,aGk=', 'hi'],
  ])('reads %j', (text, wanted) => {
    const outcome = decodeBase64(text)
    expect(outcome.ok && Buffer.from(outcome.bytes).toString()).toBe(wanted)
  })
  it.each(['', 'a', 'aG=k', '!!!!', 'aGk==', 'aGkä'])('refuses %j', (text) => {
    expect(decodeBase64(text).ok).toBe(false)
  })
  it('refuses what is too large before it decodes it', () => {
    expect(decodeBase64('A'.repeat(Math.ceil((FILE_BYTES_MAX + 3) / 3) * 4))).toMatchObject({
      ok: false,
      message: expect.stringContaining('larger'),
    })
  })
})

describe('sniff', () => {
  it('tells files by their first bytes', () => {
    expect(sniff(PNG)).toBe('image/png')
    expect(sniff(Buffer.from('junk\n%PDF-1.4'))).toBe('application/pdf')
    expect(sniff(new Uint8Array([0xff, 0xd8, 0xff, 0xe0]))).toBe('image/jpeg')
    expect(sniff(Buffer.from('RIFF\0\0\0\0WEBPVP8 '))).toBe('image/webp')
    expect(sniff(Buffer.from('Total 3,50 €'))).toBe('text/plain')
    expect(sniff(new Uint8Array([0, 1, 2, 3]))).toBeNull()
  })
})

describe('readSource', () => {
  const refusal = (input: Parameters<typeof readSource>[0]) => {
    const outcome = readSource(input, TEXT_MAX)
    if (outcome.ok) throw new Error('accepted')
    const issues = outcome.details!.issues as { path: string }[]
    return { code: outcome.code, path: issues[0]!.path }
  }
  it('names the field that is wrong', () => {
    expect(refusal({})).toEqual({ code: 'INVALID_INPUT', path: '' })
    expect(refusal({ text: 'x', file_base64: 'aGk=' })).toEqual({
      code: 'INVALID_INPUT',
      path: '/file_base64',
    })
    expect(refusal({ file_base64: '%%' })).toEqual({ code: 'INVALID_INPUT', path: '/file_base64' })
    expect(refusal({ text: 'x'.repeat(TEXT_MAX + 1) })).toEqual({
      code: 'INVALID_INPUT',
      path: '/text',
    })
    expect(refusal({ file_base64: base64(new Uint8Array([0, 1, 2])) })).toEqual({
      code: 'UNSUPPORTED_FORMAT',
      path: '/file_base64',
    })
    expect(refusal({ file_base64: base64(PNG), content_type: 'image/jpeg' })).toEqual({
      code: 'UNSUPPORTED_FORMAT',
      path: '/content_type',
    })
    expect(refusal({ text: 'x', content_type: 'application/pdf' })).toEqual({
      code: 'INVALID_INPUT',
      path: '/content_type',
    })
  })
  it('takes image/jpg for image/jpeg, and for nothing else', () => {
    const jpeg = base64(new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46]))
    const kindOf = (content_type: 'image/jpg' | 'image/png', file_base64: string) => {
      const source = readSource({ file_base64, content_type }, TEXT_MAX)
      return source.ok ? source.kind : source.code
    }
    expect(kindOf('image/jpg', jpeg)).toBe('image/jpeg')
    expect([kindOf('image/jpg', base64(PNG)), kindOf('image/png', jpeg)]).toEqual([
      'UNSUPPORTED_FORMAT',
      'UNSUPPORTED_FORMAT',
    ])
  })
  it.each(['application/xml', 'text/xml', 'text/plain'] as const)('takes XML as %s', (stated) => {
    const xml = '<?xml version="1.0"?>\n<Invoice/>'
    const taken = { ok: true, kind: 'text', text: xml }
    expect(readSource({ file_base64: base64(xml), content_type: stated }, TEXT_MAX)).toEqual(taken)
    expect(readSource({ text: xml, content_type: stated }, TEXT_MAX)).toEqual(taken)
  })
  it('refuses as XML what is none', () => {
    const wrong = { content_type: 'application/xml' } as const
    expect(refusal({ ...wrong, file_base64: base64('Total 5.00') }).path).toBe('/content_type')
    expect(refusal({ ...wrong, file_base64: base64(PNG) }).path).toBe('/content_type')
    expect(refusal({ ...wrong, text: 'Total 5.00' }).path).toBe('/content_type')
  })
  it('takes base64 text as text', () => {
    expect(
      readSource({ file_base64: base64('Total 5.00'), content_type: 'text/plain' }, TEXT_MAX),
    ).toEqual({ ok: true, kind: 'text', text: 'Total 5.00' })
  })
})
