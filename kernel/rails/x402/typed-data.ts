/**
 * The EIP-712 digest of an EIP-3009 transfer and who signed it. viem's generic hashing walks the
 * type tree on every call; here the domain is hashed once per asset and the struct is one concat.
 */
import {
  concatHex,
  domainSeparator as domainSeparatorOf,
  keccak256,
  padHex,
  recoverAddress,
  toHex,
  type Address,
  type Hex,
} from 'viem'
import type { Asset } from './asset.ts'
import type { Authorization3009 } from './wire.ts'

const TRANSFER_TYPEHASH = keccak256(
  toHex(
    'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
  ),
)

/** The token's EIP-712 domain separator, as its DOMAIN_SEPARATOR() must answer. */
export function domainSeparator(asset: Asset): Hex {
  return domainSeparatorOf({
    domain: {
      name: asset.name,
      version: asset.version,
      chainId: asset.chainId,
      verifyingContract: asset.address,
    },
  })
}

/** The 32 bytes that the payer signs for `authorization` under a domain separator. */
export function transferDigest(separator: Hex, authorization: Authorization3009): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const struct = keccak256(
    concatHex([
      TRANSFER_TYPEHASH,
      padHex(from, { size: 32 }),
      padHex(to, { size: 32 }),
      toHex(value, { size: 32 }),
      toHex(validAfter, { size: 32 }),
      toHex(validBefore, { size: 32 }),
      nonce,
    ]),
  )
  return keccak256(concatHex(['0x1901', separator, struct]))
}

/** Half of the order of secp256k1: a token refuses the mirrored form of a signature. */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** The address that made a 65-byte signature over `digest`, lower case; null when there is none. */
export async function recoverSigner(digest: Hex, signature: Hex): Promise<Address | null> {
  if (signature.length !== 132) return null
  if (BigInt(`0x${signature.slice(66, 130)}`) > MAX_S) return null
  try {
    return (await recoverAddress({ hash: digest, signature })).toLowerCase() as Address
  } catch {
    return null
  }
}
