/** Purses with USDC on an EVM chain, which pay by EIP-3009 or by Permit2. */
import { PERMIT2_ADDRESS } from '@x402/evm'
import { createPublicClient, http, numberToHex, parseAbi, type Address, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { TOKEN_ABI } from '../../../plugins/x402/chain/token.ts'
import { claimNonceOf } from '../../../plugins/x402/payment/payload.ts'
import { baseAsset } from '../../support/x402/chain.ts'
import {
  decode,
  encode,
  offerIn,
  requirementsIn,
  signPayment,
  signPermit2,
} from '../../support/x402/payments.ts'
import type { Purse, Purses } from './purse.ts'

const BITMAP_ABI = parseAbi([
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
])

export interface EvmPursesOptions {
  /** Each has USDC. */
  accounts: readonly PrivateKeyAccount[]
  receivingAddress: Address
  /** Where the chain is asked, by the audit alone. */
  rpcUrl(): string
  /** Default: by EIP-3009. */
  method?: 'permit2'
}

export function evmPurses(options: EvmPursesOptions): Purses {
  const client = () => createPublicClient({ transport: http(options.rpcUrl()) })
  const token = { address: baseAsset().address, abi: TOKEN_ABI } as const

  const byAuthorization =
    (account: PrivateKeyAccount): Purse =>
    async ({ headers }) => {
      const asked = requirementsIn(decode(headers.get('payment-required')))
      const signed = await signPayment(account, asked)
      const nonce = signed.payload.authorization.nonce as Hex
      return {
        name: nonce,
        claim: nonce,
        atomic: BigInt(asked.amount),
        headers: { 'payment-signature': encode(signed) },
        isMoved: () =>
          client().readContract({
            ...token,
            functionName: 'authorizationState',
            args: [account.address, nonce],
          }),
      }
    }

  const byPermit2 =
    (account: PrivateKeyAccount): Purse =>
    async ({ headers }) => {
      const asked = offerIn(decode(headers.get('payment-required')), 'exact', 'permit2')
      const signed = await signPermit2(account, asked)
      const nonce = BigInt(signed.payload.permit2Authorization.nonce)
      const name = numberToHex(nonce, { size: 32 })
      return {
        name,
        claim: claimNonceOf('permit2', name),
        atomic: BigInt(asked.amount),
        headers: { 'payment-signature': encode(signed) },
        async isMoved() {
          const bits = await client().readContract({
            address: PERMIT2_ADDRESS,
            abi: BITMAP_ABI,
            functionName: 'nonceBitmap',
            args: [account.address, nonce >> 8n],
          })
          return ((bits >> (nonce & 0xffn)) & 1n) === 1n
        },
      }
    }

  return {
    purses: options.accounts.map(options.method === 'permit2' ? byPermit2 : byAuthorization),
    received: () =>
      client().readContract({
        ...token,
        functionName: 'balanceOf',
        args: [options.receivingAddress],
      }),
  }
}
