import fc from 'fast-check'
import { keccak256 as viemsKeccak256, toHex, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import {
  keccak256,
  recoverBy,
  nativeRecover,
  wasmRecover,
} from '../../../../plugins/shared/signing/ethereum.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const FIELD = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn
const GENERATOR_X = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n
const account = privateKeyToAccount(`0x${'2b'.repeat(32)}`)
const word = (value: bigint): string => value.toString(16).padStart(64, '0')
const signature = (r: bigint, s: bigint, end: string): Hex => `0x${word(r)}${word(s)}${end}`

const platform = `${process.platform}-${process.arch}`
const hasPrebuilt = ['linux-x64', 'darwin-arm64', 'win32-x64'].includes(platform)
const native = nativeRecover()
const wasm = await wasmRecover()

it.runIf(hasPrebuilt)('the native library loads where it ships prebuilt', () => {
  expect(native).not.toBeNull()
})

describe.runIf(native !== null)('the native library and the WebAssembly one agree', () => {
  const both = (digest: Hex, signed: Hex): [string | null, string | null] => [
    recoverBy(native!, digest, signed),
    recoverBy(wasm, digest, signed),
  ]

  it('on good signatures, of random digests', async () => {
    const digests = fc.uint8Array({ minLength: 32, maxLength: 32 })
    const property = fc.asyncProperty(digests, async (bytes) => {
      const digest = toHex(bytes)
      const found = both(digest, await account.sign({ hash: digest }))
      const address = account.address.toLowerCase()
      expect(found).toStrictEqual([address, address])
    })
    await fc.assert(property, { numRuns: 200, seed: 2112 })
  })

  it('on random numbers, most of which sign for somebody or for nobody', () => {
    const number = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
    const low = fc.bigInt({ min: 1n, max: ORDER / 2n })
    const end = fc.constantFrom('00', '01', '1b', '1c', '1d', 'ff')
    const outcomes = new Set<boolean>()
    const property = fc.property(number, number, low, end, (z, r, s, last) => {
      const [one, other] = both(`0x${word(z)}`, signature(r, s, last))
      expect(one).toBe(other)
      outcomes.add(one === null)
    })
    fc.assert(property, { numRuns: 1000, seed: 402 })
    expect(outcomes).toStrictEqual(new Set([true, false]))
  })

  it('on the edges, where nobody signed', () => {
    const digest: Hex = `0x${word(7n)}`
    const nobody: [string, Hex, Hex][] = [
      ['r is zero', digest, signature(0n, 5n, '1b')],
      ['s is zero', digest, signature(GENERATOR_X, 0n, '1b')],
      ['r is the order', digest, signature(ORDER, 5n, '1b')],
      ['r is above the order', digest, signature(ORDER + 1n, 5n, '1b')],
      ['r is the field', digest, signature(FIELD, 5n, '1b')],
      ['s is the mirrored form', digest, signature(GENERATOR_X, ORDER - 5n, '1b')],
      ['s is the order', digest, signature(GENERATOR_X, ORDER, '1b')],
      ['no point has this r', digest, signature(5n, 5n, '1b')],
      ['v is of a higher r', digest, signature(5n, 5n, '1d')],
      // With R = G the key is (s·G - z·G) / r, which is no point for z = s.
      ['the key is at infinity', `0x${word(5n)}`, signature(GENERATOR_X, 5n, '1b')],
    ]
    for (const [name, hash, signed] of nobody) {
      expect([name, ...both(hash, signed)]).toStrictEqual([name, null, null])
    }
    // The same with another digest is a key, so that the last case is the infinity's and no other's.
    const [one, other] = both(digest, signature(GENERATOR_X, 5n, '1b'))
    expect(one).toMatch(/^0x[0-9a-f]{40}$/)
    expect(other).toBe(one)
  })
})

it("keccak256 is viem's, of any length up to three blocks", () => {
  const property = fc.property(fc.uint8Array({ maxLength: 410 }), (bytes) => {
    expect(keccak256(bytes)).toBe(viemsKeccak256(bytes))
  })
  fc.assert(property, { numRuns: 300, seed: 1600 })
})
