/** What the logs of a token say: which Transfer was made by which EIP-3009 authorization. */
import { parseAbi, parseEventLogs, type Address, type Hex, type TransactionReceipt } from 'viem'
import { isSameAddress } from '../payment/wire.ts'

const EVENTS = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
])

export interface Transfer {
  from: Address
  to: Address
  value: bigint
}

/**
 * The Transfer that the use of this authorization made; null when it was not used, or moved nothing.
 * EIP-3009 logs the use, then the Transfer, so that in a transaction of many uses each Transfer is
 * told from the others; a token that logs it first is understood too where it is used alone.
 */
export function transferBy(
  authorizer: Address,
  nonce: Hex,
  token: Address,
  { logs }: TransactionReceipt,
): Transfer | null {
  const own = logs.filter(({ address }) => isSameAddress(address, token))
  const events = parseEventLogs({ abi: EVENTS, logs: own })
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
