import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateKey } from '../../../host/account-management/generate-key.ts'
import {
  bytes32ToBase62,
  randomBase62,
  uint32ToBase62,
  hashSecret,
  KEY_PATTERN,
  parseKey,
  secretMatches,
} from '../../../kernel/auth/key-format.ts'

// Body and CRC-32 computed with Python: zlib.crc32 and repeated division by 62.
const VECTOR = 'ck_live_AbCdEfGhIjKl_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg3Wqd9i'

describe('base62', () => {
  it('writes the ends of its ranges in fixed width', () => {
    expect(uint32ToBase62(0)).toBe('000000')
    expect(uint32ToBase62(61)).toBe('00000z')
    expect(uint32ToBase62(0xffff_ffff)).toBe('4gfFC3')
    expect(bytes32ToBase62(new Uint8Array(32))).toBe('0'.repeat(43))
    expect(bytes32ToBase62(new Uint8Array(32).fill(255))).toBe(
      'yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp1',
    )
  })

  it('keeps the order of the numbers it writes, so that no two are written alike', () => {
    fc.assert(
      fc.property(fc.nat(0xffff_ffff), fc.nat(0xffff_ffff), (a, b) => {
        const [left, right] = [uint32ToBase62(a), uint32ToBase62(b)]
        expect(left < right).toBe(a < b)
      }),
    )
  })

  it('draws every letter', () => {
    expect(new Set(randomBase62(5000)).size).toBe(62)
  })
})

describe('API key text', () => {
  it('reads the fixed example', () => {
    expect(parseKey(VECTOR)).toEqual({
      ok: true,
      mode: 'live',
      publicId: 'AbCdEfGhIjKl',
      secret: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg',
    })
  })

  it.each(['live', 'test'] as const)('round-trips a new %s key', (mode) => {
    const made = generateKey(mode)
    expect(made.plaintext).toMatch(new RegExp(`^${KEY_PATTERN.source}$`))
    expect(made.plaintext.startsWith(`${made.prefix}_`)).toBe(true)
    const parsed = parseKey(made.plaintext)
    expect(parsed).toMatchObject({ ok: true, mode, publicId: made.publicId })
    expect(parsed.ok && secretMatches(parsed.secret, made.secretHash)).toBe(true)
  })

  it('never makes the same key twice', () => {
    const keys = Array.from({ length: 1000 }, () => generateKey('test'))
    expect(new Set(keys.map((key) => key.plaintext)).size).toBe(1000)
    expect(new Set(keys.map((key) => key.publicId)).size).toBe(1000)
  })

  it('is found in running text by the pattern for secret scanners', () => {
    const { plaintext } = generateKey('live')
    expect(KEY_PATTERN.exec(`export KEY="${plaintext}";`)?.[0]).toBe(plaintext)
  })

  it('says why a text is no key', () => {
    const { plaintext } = generateKey('live')
    const reasonOf = (text: string): string => {
      const parsed = parseKey(text)
      return parsed.ok ? 'ok' : parsed.reason
    }
    expect(reasonOf('')).toBe('prefix')
    expect(reasonOf('sk_live_x')).toBe('prefix')
    expect(reasonOf(plaintext.slice(0, -1))).toBe('length')
    expect(reasonOf(`${plaintext}0`)).toBe('length')
    expect(reasonOf(`${plaintext.slice(0, -1)}-`)).toBe('characters')
    expect(reasonOf(`${plaintext.slice(0, 30)}\n${plaintext.slice(31)}`)).toBe('characters')
    expect(reasonOf(plaintext.replace('ck_live_', 'ck_test_'))).toBe('checksum')
  })

  it('notices every change of one character', () => {
    const { plaintext } = generateKey('test')
    fc.assert(
      fc.property(fc.integer({ min: 8, max: plaintext.length - 1 }), (place) => {
        const other = plaintext[place] === 'a' ? 'b' : 'a'
        const changed = plaintext.slice(0, place) + other + plaintext.slice(place + 1)
        expect(parseKey(changed).ok).toBe(false)
      }),
    )
  })

  it('matches a secret only with its own hash', () => {
    expect(secretMatches('a'.repeat(43), hashSecret('a'.repeat(43)))).toBe(true)
    expect(secretMatches('a'.repeat(43), hashSecret('b'.repeat(43)))).toBe(false)
    expect(hashSecret('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })
})
