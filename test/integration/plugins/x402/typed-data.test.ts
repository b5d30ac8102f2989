import fc from 'fast-check'
import { hashTypedData, recoverAddress, toHex, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { domainSeparator, transferDigest } from '../../../../plugins/x402/payment/digests.ts'
import { recoverSigner } from '../../../../plugins/shared/signing/ethereum.ts'
import { baseAsset } from '../../../support/x402/chain.ts'
import { TRANSFER_TYPES } from '../../../support/x402/payments.ts'

const asset = baseAsset()
const account = privateKeyToAccount(generatePrivateKey())
const authorization = {
  from: account.address.toLowerCase() as Address,
  to: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc' as Address,
  value: 10_000n,
  validAfter: 0n,
  validBefore: 2_000_000_000n,
  nonce: `0x${'5a'.repeat(32)}` as const,
}

describe('the digest of a transfer authorization', () => {
  it('is the one that viem makes of the typed data', () => {
    const expected = hashTypedData({
      domain: {
        name: asset.name,
        version: asset.version,
        chainId: asset.chainId,
        verifyingContract: asset.address,
      },
      types: TRANSFER_TYPES,
      primaryType: 'TransferWithAuthorization',
      message: authorization,
    })
    expect(transferDigest(domainSeparator(asset), authorization)).toBe(expected)
  })
})

describe('recoverSigner', () => {
  const digest = transferDigest(domainSeparator(asset), authorization)

  it('names who signed, in lower case', async () => {
    const signature = await account.sign({ hash: digest })
    expect(await recoverSigner(digest, signature)).toBe(account.address.toLowerCase())
  })

  it('refuses the mirrored form of a signature, as the token does', async () => {
    const signature = await account.sign({ hash: digest })
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = order - BigInt(`0x${signature.slice(66, 130)}`)
    const v = signature.endsWith('1b') ? '1c' : '1b'
    const mirrored = `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}` as const
    expect(await recoverSigner(digest, mirrored as `0x${string}`)).toBeNull()
  })

  it('answers null for what is no signature', async () => {
    expect(await recoverSigner(digest, '0x1234')).toBeNull()
    expect(await recoverSigner(digest, `0x${'00'.repeat(65)}`)).toBeNull()
    expect(await recoverSigner(digest, `0x${'7f'.repeat(64)}05`)).toBeNull()
  })

  it('agrees with viem on good, broken and random signatures', async () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size })
    const last = fc.constantFrom('00', '01', '1b', '1c', '02', '1d', 'ff')
    const flip = fc.option(fc.tuple(fc.nat(63), fc.integer({ min: 1, max: 255 })))
    const viems = async (hash: Hex, signature: Hex): Promise<string | null> => {
      if (BigInt(`0x${signature.slice(66, 130)}`) > order / 2n) return null
      const found = await recoverAddress({ hash, signature }).catch(() => null)
      return found && found.toLowerCase()
    }
    const property = fc.asyncProperty(
      bytes(32),
      fc.option(bytes(64)),
      flip,
      last,
      async (hash, random, flipped, end) => {
        const signed = await account.sign({ hash: toHex(hash) })
        const body = random ?? Buffer.from(signed.slice(2, 130), 'hex')
        if (flipped) body[flipped[0]]! ^= flipped[1]
        const signature = `${toHex(body)}${end}` as Hex
        expect(await recoverSigner(toHex(hash), signature)).toBe(
          await viems(toHex(hash), signature),
        )
      },
    )
    await fc.assert(property, { numRuns: 300, seed: 402 })
  })
})
