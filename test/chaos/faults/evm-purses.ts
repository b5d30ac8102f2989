/** Purses with USDC on an EVM chain, which pay by EIP-3009 or by Permit2. */
import { PERMIT2_ADDRESS } from '@x402/evm'
import { createPublicClient, http, numberToHex, parseAbi, type Address, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { TOKEN_ABI } from '../../../plugins/x402/chain/token.ts'
import { claimNonceOf } from '../../../plugins/x402/payment/nonces.ts'
import { baseAsset } from '../../support/x402/chain.ts'
import {
  decode,
  encode,
  offerIn,
  requirementsIn,
  signPayment,
  signPermit2,
} from '../../support/x402/payments.ts'
import type { Purse, Purses, Signed } from './purse.ts'

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

type Payee = Pick<EvmPursesOptions, 'receivingAddress' | 'rpcUrl'>

const clientOf = (rpcUrl: () => string) => createPublicClient({ transport: http(rpcUrl()) })
const token = { address: baseAsset().address, abi: TOKEN_ABI } as const

export function evmPurses(options: EvmPursesOptions): Purses {
  const { rpcUrl } = options

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
          clientOf(rpcUrl).readContract({
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
      return permit2Signed(await signPermit2(account, asked), rpcUrl)
    }

  return {
    purses: options.accounts.map(options.method === 'permit2' ? byPermit2 : byAuthorization),
    received: () => usdcReceived(options),
  }
}

/** A payment by Permit2 as it is sent and looked up. */
export function permit2Signed(
  payment: { accepted: { amount: string }; payload: object },
  rpcUrl: () => string,
): Signed {
  const { permit2Authorization } = payment.payload as {
    permit2Authorization: { from: Address; nonce: string }
  }
  const nonce = BigInt(permit2Authorization.nonce)
  const name = numberToHex(nonce, { size: 32 })
  return {
    name,
    claim: claimNonceOf('permit2', name),
    atomic: BigInt(payment.accepted.amount),
    headers: { 'payment-signature': encode(payment) },
    async isMoved() {
      const bits = await clientOf(rpcUrl).readContract({
        address: PERMIT2_ADDRESS,
        abi: BITMAP_ABI,
        functionName: 'nonceBitmap',
        args: [permit2Authorization.from, nonce >> 8n],
      })
      return ((bits >> (nonce & 0xffn)) & 1n) === 1n
    },
  }
}

/** What the receiver has, in atomic units. */
export const usdcReceived = ({ receivingAddress, rpcUrl }: Payee): Promise<bigint> =>
  clientOf(rpcUrl).readContract({
    ...token,
    functionName: 'balanceOf',
    args: [receivingAddress],
  })
