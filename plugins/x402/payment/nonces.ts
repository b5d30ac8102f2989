/** What names a payment among all of its payer, in its claim: each way to pay counts apart. */
import type { Hex } from 'viem'
import type { TransferMethod } from '../terms/token.ts'

/** With this the nonces of claims by Permit2 begin. */
export const PERMIT2_NONCE = 'permit2:'
/** With this the nonces of claims on Tempo begin. */
export const TEMPO_NONCE = 'tempo:'
/** With this the nonces of claims through channels begin. */
export const CHANNEL_NONCE = 'channel:'

/** What names a payment among all of its payer: Permit2 counts nonces apart from the token's. */
export function claimNonceOf(method: TransferMethod, nonce: Hex): string {
  return method === 'permit2' ? `${PERMIT2_NONCE}${nonce}` : nonce
}
