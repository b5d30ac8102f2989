/** What payers sign for transfers on an EVM network (EIP-712, EIP-3009). */
import { domainSeparator as domainSeparatorOf, stringToBytes, type Hex } from 'viem'
import { keccak256, signedMessage } from '../../shared/signing/ethereum.ts'
import type { Asset } from '../terms/asset.ts'
import type { Authorization3009 } from './wire.ts'

const TRANSFER_TYPEHASH = keccak256(
  stringToBytes(
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

/** Words of the struct: its type hash and the six members. */
const STRUCT_BYTES = 7 * 32

/**
 * The 32 bytes that the payer signs for the EIP-3009 `authorization` under a domain separator. viem's
 * generic hashing walks the type tree on every call; here the domain is hashed once per asset and the
 * struct is one concat.
 */
export function transferDigest(separator: Hex, authorization: Authorization3009): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const struct = Buffer.alloc(STRUCT_BYTES)
  struct.write(TRANSFER_TYPEHASH.slice(2), 0, 'hex')
  // An address fills the last 20 bytes of its word.
  struct.write(from.slice(2), 32 + 12, 'hex')
  struct.write(to.slice(2), 64 + 12, 'hex')
  struct.write(wordOf(value), 96, 'hex')
  struct.write(wordOf(validAfter), 128, 'hex')
  struct.write(wordOf(validBefore), 160, 'hex')
  struct.write(nonce.slice(2), 192, 'hex')
  return signedMessage(separator, keccak256(struct))
}

function wordOf(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}
