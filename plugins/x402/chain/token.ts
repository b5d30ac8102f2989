/** The token's contract: its ABI, and what its logs say about who paid whom by which authorization. */
import {
  numberToHex,
  parseAbi,
  parseEventLogs,
  type Address,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import { isSameAddress } from '../payment/wire.ts'

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

/** Public nodes limit eth_getLogs to ranges of about this many blocks. */
const LOG_BLOCKS = 1000n
/** How far back a used authorization is searched: 40,000 blocks are 22 hours on Base. */
const LOG_RANGES = 40

/** Block ranges for eth_getLogs, newest first. */
export function* blockRanges(newest: bigint): Generator<{ fromBlock: Hex; toBlock: Hex }> {
  let last = newest
  for (let range = 0; range < LOG_RANGES; range++) {
    const first = last > LOG_BLOCKS ? last - LOG_BLOCKS : 0n
    yield { fromBlock: numberToHex(first), toBlock: numberToHex(last) }
    if (first === 0n) return
    last = first - 1n
  }
}
