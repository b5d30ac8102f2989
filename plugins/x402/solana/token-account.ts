/**
 * Derives the token account that a wallet has for a mint (the associated token account), which is a
 * programme-derived address: a hash that is no point of the curve, so that nobody has its key.
 */
import { createHash } from 'node:crypto'
import { assert } from '#kernel'
import { decodeBase58, encodeBase58 } from '../../shared/signing/base58.ts'
import { ASSOCIATED_TOKEN_PROGRAM, type TokenProgram } from './programs.ts'

const MARKER = Buffer.from('ProgramDerivedAddress')
/** The field and the constant d of Curve25519 in Edwards form (RFC 8032, section 5.1). */
const P = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

/** The base58 address of `owner`'s token account for `mint`. */
export function tokenAccountOf(owner: string, mint: string, program: TokenProgram): string {
  const seeds = [owner, program, mint].map(keyBytes)
  const associated = keyBytes(ASSOCIATED_TOKEN_PROGRAM)
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256')
    for (const seed of seeds) hash.update(seed)
    const address = hash.update(Uint8Array.of(bump)).update(associated).update(MARKER).digest()
    if (!isOnCurve(address)) return encodeBase58(address)
  }
  throw new Error('no bump gives an address off the curve')
}

/** Where a token account of either programme has its amount (spl-token, `Account`). */
const AMOUNT_AT = 64

/** Units of its mint in a token account's data; 0 for data that is none. */
export function amountIn(data: Buffer): bigint {
  return data.length >= AMOUNT_AT + 8 ? data.readBigUInt64LE(AMOUNT_AT) : 0n
}

/** Whether 32 bytes are a compressed point: x² = (y² − 1) / (dy² + 1) has a root. */
export function isOnCurve(bytes: Uint8Array): boolean {
  const littleEndian = Uint8Array.from(bytes).reverse()
  // The highest bit is the sign of x.
  const isNegative = (littleEndian[0]! & 0x80) !== 0
  littleEndian[0]! &= 0x7f
  const y = BigInt(`0x${Buffer.from(littleEndian).toString('hex')}`) % P
  const square = (y * y) % P
  const numerator = (square - 1n + P) % P
  if (numerator === 0n) return !isNegative
  const denominator = (D * square + 1n) % P
  // A quotient is a square exactly when the product is (Euler's criterion).
  return power((numerator * denominator) % P, (P - 1n) / 2n) === 1n
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let factor = base
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * factor) % P
    factor = (factor * factor) % P
  }
  return result
}

function keyBytes(address: string): Uint8Array {
  const bytes = decodeBase58(address, 32)
  assert(bytes !== null, 'a base58 key')
  return bytes
}
