/** Base58 and derived token accounts, compared with @solana/kit over generated values. */
import {
  getAddressDecoder,
  getBase58Decoder,
  getBase58Encoder,
  getProgramDerivedAddress,
  isAddress,
  isOffCurveAddress,
  type Address,
} from '@solana/kit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeBase58,
  encodeBase58,
  isSolanaAddress,
} from '../../../../../plugins/shared/signing/base58.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../../../plugins/x402/solana/programs.ts'
import { isOnCurve, tokenAccountOf } from '../../../../../plugins/x402/solana/token-account.ts'
import { USDC_MINT } from '../../../../support/x402/solana-payments.ts'

const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
const run = { seed: 41, numRuns: 300 }

describe('base58', () => {
  it('writes and reads as @solana/kit does', () => {
    const bytes = fc.oneof(
      key,
      fc.uint8Array({ maxLength: 64 }),
      key.map((k) => k.fill(0, 0, 20)),
    )
    fc.assert(
      fc.property(bytes, (value) => {
        const text = encodeBase58(value)
        expect(text).toBe(getBase58Decoder().decode(value))
        expect(decodeBase58(text, value.length)).toEqual(value)
        expect(Uint8Array.from(getBase58Encoder().encode(text))).toEqual(value)
      }),
      run,
    )
  })

  it('takes exactly the addresses that @solana/kit takes', () => {
    const almost = key
      .map(encodeBase58)
      .chain((text) =>
        fc.constantFrom(
          text,
          text.slice(1),
          `${text}1`,
          `1${text}`,
          text.replace(/./, 'z'),
          `${text.slice(1)}0`,
        ),
      )
    fc.assert(
      fc.property(fc.oneof(almost, fc.string()), (text) => {
        expect(isSolanaAddress(text)).toBe(isAddress(text))
      }),
      run,
    )
  })

  it('does not work on texts that are longer than any key', () => {
    expect(decodeBase58('1'.repeat(1_000_000), 32)).toBeNull()
  })
})

describe('token accounts', () => {
  it('tells points of the curve from other bytes as @solana/kit does', () => {
    fc.assert(
      fc.property(key, (bytes) => {
        const address = getAddressDecoder().decode(bytes)
        expect(isOnCurve(bytes)).toBe(!isOffCurveAddress(address))
      }),
      run,
    )
  })

  it('derives the account that @solana/kit derives', async () => {
    const owners = fc.sample(key, { seed: 41, numRuns: 40 }).map(encodeBase58)
    const program = getBase58Encoder()
    for (const owner of owners) {
      for (const token of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM] as const) {
        const [derived] = await getProgramDerivedAddress({
          programAddress: ASSOCIATED_TOKEN_PROGRAM as Address,
          seeds: [program.encode(owner), program.encode(token), program.encode(USDC_MINT)],
        })
        expect(tokenAccountOf(owner, USDC_MINT, token)).toBe(derived)
      }
    }
  })
})
