/**
 * Who signed a message (EIP-191) in the name of an address. A key is found by its signature alone; a
 * contract is asked (ERC-1271), and for one that is not deployed yet the universal validator of
 * ERC-6492 runs its deployment and asks it, all in one eth_call that changes nothing.
 */
import { hashMessage, isAddress, type Address, type Hex } from 'viem'
import type { SignedBy } from '../../shared/payments/contract.ts'
import { recoverSigner } from '../../shared/signing/ethereum.ts'
import { isSameAddress } from '../payment/wire.ts'
import type { Chain } from './chain.ts'

/** A wallet's factory call is in its signature; longer ones cost the node more than they are worth. */
const MAX_SIGNATURE_CHARACTERS = 16_386
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2})+$/

/** `chain` is that of the address; null where there is no node to ask. */
export async function signerOfMessage(
  { address, message, signature }: { address: string; message: string; signature: string },
  chain: Chain | null,
): Promise<SignedBy> {
  const isSigned = SIGNATURE.test(signature) && signature.length <= MAX_SIGNATURE_CHARACTERS
  if (!isSigned || !isAddress(address, { strict: false })) return 'nobody'
  const digest = hashMessage(message)
  const signer = await recoverSigner(digest, signature as Hex)
  if (signer !== null && isSameAddress(signer, address)) return 'key'
  if (chain === null) return 'unknown'
  const by = await chain.contractSignedMessage(address as Address, digest, signature as Hex)
  return by === null ? 'unknown' : by ? 'contract' : 'nobody'
}
