/** The unmodified client of @x402/svm. */
import type { KeyPairSigner } from '@solana/kit'
import { x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client'
import { SOLANA, type SolanaNode } from './solana-node.ts'

/** Signs what is asked by this key; it asks the node. */
export function solanaClient(node: SolanaNode, signer: KeyPairSigner): x402Client {
  const config = { rpcUrl: node.url }
  return new x402Client()
    .register(SOLANA, new ExactSvmScheme(signer, config))
    .registerV1('solana', new ExactSvmSchemeV1(signer, config))
}
