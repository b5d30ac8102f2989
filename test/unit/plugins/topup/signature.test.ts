import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isMac, isSecret } from '../../../../plugins/topup/providers/signature.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('isMac', () => {
  it('knows the RFC 4231 answers', () => {
    const body = bytes('what do ya want for nothing?')
    const sha512 =
      '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737'
    expect(isMac('sha512', 'Jefe', body, sha512, 'hex')).toBe(true)
    expect(isMac('sha512', 'Jefe', body, sha512.toUpperCase(), 'hex')).toBe(true)
    const sha256 = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
    const base64 = Buffer.from(sha256, 'hex').toString('base64')
    expect(isMac('sha256', 'Jefe', body, base64, 'base64')).toBe(true)
  })

  it.each(['hex', 'base64'] as const)('takes only the one text in %s', (encoding) => {
    const body = bytes('{"event":"charge.success"}')
    const right = createHmac('sha256', 'secret').update(body).digest(encoding)
    const wrong = [
      null,
      '',
      ' ',
      right.slice(0, -1),
      right.slice(1),
      `${right}0`,
      `${right}00`,
      `${right}==`,
      ` ${right}`,
      `${right}\n`,
      `!${right}`,
      `${right}, ${right}`,
      'secret',
      Buffer.alloc(32).toString(encoding),
      'é'.repeat(right.length),
    ]
    expect(isMac('sha256', 'secret', body, right, encoding)).toBe(true)
    for (const text of wrong) expect(isMac('sha256', 'secret', body, text, encoding)).toBe(false)
    expect(isMac('sha256', 'secret', bytes('{}'), right, encoding)).toBe(false)
    expect(isMac('sha256', 'other', body, right, encoding)).toBe(false)
  })
})

it('isSecret compares whole texts of any length', () => {
  expect(isSecret('hash', 'hash')).toBe(true)
  for (const text of [null, '', 'has', 'hash ', 'HASH', 'hashhash'])
    expect(isSecret('hash', text)).toBe(false)
})
