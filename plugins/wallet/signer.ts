/**
 * Whose proof it is. A key's wallet is one owner on every EVM chain; a contract's is one on its own
 * chain alone, because somebody else may have the same address on another.
 */
import { hashMessage, type Hex } from 'viem'
import { recoverSigner } from '../shared/signing/ethereum.ts'
import { signInText } from '../shared/signing/sign-in-message.ts'
import { isTextSignedBy } from '../shared/signing/ed25519.ts'
import type { Proof } from './proof.ts'

export type Signer =
  /** `subject` is the owner as accounts know it. */
  | { kind: 'wallet'; subject: string }
  /** No key made it; the contract at `address` may accept it, which its chain has to be asked. */
  | { kind: 'contract?'; subject: string; chainId: number; address: string; text: string }
  | { kind: 'nobody' }

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2})+$/

/** The wallet that signed the proof, as far as its signature says it by itself. */
export async function signerOf(proof: Proof): Promise<Signer> {
  const { address, chainId, signature } = proof
  const [namespace, chainReference = ''] = chainId.split(':')
  if (namespace !== 'eip155' && namespace !== 'solana') return { kind: 'nobody' }
  const text = signInText({ ...proof, namespace, chainReference })
  if (text === null) return { kind: 'nobody' }
  if (namespace === 'solana') {
    return isTextSignedBy(address, text, signature)
      ? { kind: 'wallet', subject: `solana:${address}` }
      : { kind: 'nobody' }
  }
  if (!ADDRESS.test(address) || !SIGNATURE.test(signature)) return { kind: 'nobody' }
  const owner = address.toLowerCase()
  if ((await recoverSigner(hashMessage(text), signature as Hex)) === owner)
    return { kind: 'wallet', subject: `eip155:${owner}` }
  const subject = `${chainId}:${owner}`
  return { kind: 'contract?', subject, chainId: Number(chainReference), address, text }
}
