/** Base58 as Solana writes keys, hashes and signatures: Bitcoin's alphabet, without a checksum. */

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const DIGITS = new Map([...ALPHABET].map((letter, digit) => [letter, BigInt(digit)]))

/** The text of `bytes`; a zero byte in front is a '1'. */
export function encodeBase58(bytes: Uint8Array): string {
  let value = bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  while (value > 0n) {
    text = ALPHABET[Number(value % 58n)]! + text
    value /= 58n
  }
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text
}

/** Exactly `sizeBytes` bytes of base58, 64 at most; null when the text is anything else. */
export function decodeBase58(text: string, sizeBytes: number): Uint8Array | null {
  // A byte takes log(256)/log(58) = 1.37 digits.
  if (text.length < sizeBytes || text.length > Math.ceil(sizeBytes * 1.37)) return null
  let value = 0n
  for (const letter of text) {
    const digit = DIGITS.get(letter)
    if (digit === undefined) return null
    value = value * 58n + digit
  }
  const zeros = /^1*/.exec(text)![0].length
  const digits = value === 0n ? '' : value.toString(16)
  const significant = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  if (zeros + significant.length !== sizeBytes) return null
  const bytes = new Uint8Array(sizeBytes)
  bytes.set(significant, zeros)
  return bytes
}

/** Whether `text` is a key of 32 bytes, as every account, mint and programme has one. */
export function isSolanaAddress(text: string): boolean {
  return decodeBase58(text, 32) !== null
}
