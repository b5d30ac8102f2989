/**
 * The token's contract: its ABI, the call that settles a payment (of the token by EIP-3009, or of the
 * x402 proxy that has Permit2 move the token), and what logs and inputs say about who paid whom.
 */
import {
  parseAbi,
  parseEventLogs,
  type Address,
  type Hex,
  type TransactionReceipt,
  encodeFunctionData,
  parseSignature,
} from 'viem'
import { isSameAddress } from '../payment/wire.ts'
import { x402ExactPermit2ProxyABI, x402UptoPermit2ProxyABI } from '@x402/evm'
import { amountOf, schemeOf, type Signed3009, type SignedPermit2 } from '../payment/payload.ts'
import { PROXY } from '../payment/permit2.ts'

/** ERC-20 and EIP-3009. */
export const TOKEN_ABI = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
])
const USES = ['Transfer', 'AuthorizationUsed'] as const

export interface Transfer {
  from: Address
  to: Address
  value: bigint
}

/**
 * The gas that we pay for at most to bring one payment to the chain. A transfer takes 50,000 to 100,000,
 * and a wallet that is a contract may take half a million more to check a signature (P-256 in Solidity).
 * Tokens call such a wallet with all the gas that there is, so that its owner could burn what we pay.
 */
export const MOST_PAYMENT_GAS = 2_000_000n

/** The token's Transfer events of a receipt. */
export function transfersIn({ logs }: TransactionReceipt, token: Address): Transfer[] {
  const own = logs.filter(({ address }) => isSameAddress(address, token))
  return parseEventLogs({ abi: TOKEN_ABI, eventName: 'Transfer', logs: own }).map(
    ({ args }) => args,
  )
}

/** The payers whose EIP-3009 authorizations the receipt used; of every token when none is named. */
export function authorizersIn({ logs }: TransactionReceipt, token?: Address): Address[] {
  const own =
    token === undefined ? logs : logs.filter(({ address }) => isSameAddress(address, token))
  return parseEventLogs({ abi: TOKEN_ABI, eventName: 'AuthorizationUsed', logs: own }).map(
    ({ args }) => args.authorizer,
  )
}

/**
 * The Transfer that the use of this authorization made; null when it was not used, or moved nothing.
 * EIP-3009 logs the use and then the Transfer, which tells the Transfers of a transaction with many
 * uses apart. A token that logs the Transfer first is understood where one authorization is used.
 */
export function transferBy(
  authorizer: Address,
  nonce: Hex,
  token: Address,
  { logs }: TransactionReceipt,
): Transfer | null {
  const own = logs.filter(({ address }) => isSameAddress(address, token))
  const events = parseEventLogs({ abi: TOKEN_ABI, eventName: [...USES], logs: own })
  const used = events.findIndex(
    ({ eventName, args }) =>
      eventName === 'AuthorizationUsed' &&
      isSameAddress(args.authorizer, authorizer) &&
      args.nonce === nonce.toLowerCase(),
  )
  if (used < 0) return null
  const found = events[used + 1] ?? events[used - 1]
  return found?.eventName === 'Transfer' ? found.args : null
}

export interface ProxyCall {
  to: Address
  data: Hex
  /** Who must send it; null = anybody. */
  caller: Address | null
}

/** A signature by a key. Contracts have 65 bytes with other ends as well: Safe has 1f and 20. */
const BY_KEY = /^0x[0-9a-f]{128}(?:0[01]|1[bc])$/i

/** Input of the token's call: v, r, s for a plain signature, which old tokens need, else bytes. */
export function callData(payment: Signed3009): Hex {
  const { signature, authorization } = payment.payload
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const common = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce] as const
  const functionName = 'transferWithAuthorization'
  if (!BY_KEY.test(signature)) {
    return encodeFunctionData({ abi: TOKEN_ABI, functionName, args: [...common, signature] })
  }
  const { r, s, yParity } = parseSignature(signature)
  const args = [...common, 27 + yParity, r, s] as const
  return encodeFunctionData({ abi: TOKEN_ABI, functionName, args })
}

/** The proxy's call that settles a payment by Permit2. */
export function proxyCall(payment: SignedPermit2): ProxyCall {
  const { signature, permit2Authorization } = payment.payload
  const { from, permitted, nonce, deadline, witness } = permit2Authorization
  const permit = {
    permitted: { token: permitted.token, amount: BigInt(permitted.amount) },
    nonce: BigInt(nonce),
    deadline: BigInt(deadline),
  }
  const validAfter = BigInt(witness.validAfter)
  const scheme = schemeOf(payment)
  if (scheme === 'exact' || witness.facilitator === undefined) {
    const data = encodeFunctionData({
      abi: x402ExactPermit2ProxyABI,
      functionName: 'settle',
      args: [permit, from, { to: witness.to, validAfter }, signature],
    })
    return { to: PROXY.exact, data, caller: null }
  }
  const { to, facilitator } = witness
  const data = encodeFunctionData({
    abi: x402UptoPermit2ProxyABI,
    functionName: 'settle',
    args: [permit, amountOf(payment), from, { to, facilitator, validAfter }, signature],
  })
  return { to: PROXY.upto, data, caller: facilitator }
}

/**
 * How many calls for the payer, receiver and amount of `payment` the input of a transaction holds; 0
 * unless one of them is of `payment` itself, by its nonce. The ABI words are the same in `settle` and
 * `settleWithPermit`, and inside the call of a contract that settles many.
 */
export function callsLike(payment: SignedPermit2, input: Hex): number {
  const { from, permitted, nonce, deadline, witness } = payment.payload.permit2Authorization
  const paid = [
    ...(schemeOf(payment) === 'upto' ? [wordOf(amountOf(payment))] : []),
    wordOf(from),
    wordOf(witness.to),
  ].join('')
  const head = wordOf(permitted.token) + wordOf(BigInt(permitted.amount))
  const own = head + wordOf(BigInt(nonce)) + wordOf(BigInt(deadline)) + paid
  const data = input.toLowerCase()
  if (!data.includes(own)) return 0
  // Nonce and deadline differ, and with upto what was permitted.
  const between = schemeOf(payment) === 'upto' ? 3 : 2
  const fixed = schemeOf(payment) === 'upto' ? wordOf(permitted.token) : head
  const pattern = new RegExp(`(?=${fixed}[0-9a-f]{${between * 64}}${paid})`, 'g')
  return data.match(pattern)?.length ?? 0
}

function wordOf(value: Hex | bigint): string {
  const digits = typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()
  return digits.padStart(64, '0')
}
