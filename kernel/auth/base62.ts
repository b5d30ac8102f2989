/** Base62 (0-9, A-Z, a-z) of fixed width: no padding, no separator, selectable by a double click. */
import { assert } from '../errors.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Six characters that hold any unsigned 32-bit number. */
export function uint32ToBase62(value: number): string {
  let rest = value
  let text = ''
  for (let i = 0; i < 6; i++) {
    text = ALPHABET[rest % 62]! + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** Forty-three characters that hold 32 bytes, read as one big-endian number. */
export function bytes32ToBase62(bytes: Uint8Array): string {
  assert(bytes.length === 32, 'bytes32ToBase62 takes 32 bytes')
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (let i = 0; i < 43; i++) {
    text = ALPHABET[Number(rest % 62n)]! + text
    rest /= 62n
  }
  return text
}

/** `length` characters, each drawn evenly from the alphabet. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 = 4 · 62: higher bytes would favour the first letters.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62]
    }
  }
  return text
}
