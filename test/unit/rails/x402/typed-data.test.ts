import { hashTypedData, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import {
  domainSeparator,
  recoverSigner,
  transferDigest,
} from '../../../../kernel/rails/x402/typed-data.ts'
import { baseAsset } from '../../../support/x402.ts'

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
      types: {
        TransferWithAuthorization: [
          { name: 'from', type: 'address' },
          { name: 'to', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'validAfter', type: 'uint256' },
          { name: 'validBefore', type: 'uint256' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
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
})
