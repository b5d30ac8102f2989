/**
 * Payment channels of x402 scheme `batch-settlement` on EVM: what names a channel, what its payer
 * signs, and the EIP-712 digests of both. Contract and domain are those of @x402/evm.
 */
import { BATCH_SETTLEMENT_ADDRESS, ERC3009_DEPOSIT_COLLECTOR_ADDRESS } from '@x402/evm'
import {
  domainSeparator,
  encodeAbiParameters,
  keccak256,
  parseAbi,
  parseAbiParameters,
  toHex,
  type Address,
  type Hex,
  encodeFunctionData,
} from 'viem'
import { signedMessage } from '../../shared/signing/ethereum.ts'
import { CHANNEL_NONCE } from './nonces.ts'

export const SCHEME = 'batch-settlement'
export const CONTRACT: Address = BATCH_SETTLEMENT_ADDRESS
export const COLLECTOR: Address = ERC3009_DEPOSIT_COLLECTOR_ADDRESS
/** Seconds that the contract allows between the wish to withdraw and the withdrawal. */
export const WITHDRAW_DELAY_S = { least: 900, most: 2_592_000 }
/** Amounts of the contract are uint128. */
export const MAX_UNITS = 2n ** 128n

/** What a channel is made of, for ever; its id is the hash of it. Addresses are in lower case. */
export interface ChannelConfig {
  payer: Address
  /** Whose key signs vouchers. */
  payerAuthorizer: Address
  receiver: Address
  /** Who may claim and refund. */
  receiverAuthorizer: Address
  token: Address
  /** Seconds. */
  withdrawDelay: number
  salt: Hex
}

/** A transfer into the channel by EIP-3009, to be sent with the first voucher that needs it. */
export interface ChannelDeposit {
  /** Units of the token. */
  amount: bigint
  validAfter: bigint
  /** Seconds since 1970. */
  validBefore: bigint
  salt: Hex
  signature: Hex
}

/** A voucher as it was sent: all that may have been claimed of the channel after this call. */
export interface SignedVoucher {
  method: 'channel'
  /** 'refund' asks for what is left instead of buying something. */
  kind: 'voucher' | 'deposit' | 'refund'
  channel: ChannelConfig
  channelId: Hex
  /** Units of the token since the channel was opened. */
  ceiling: bigint
  signature: Hex
  deposit: ChannelDeposit | null
  /** Units wished back; null: all that is left. */
  refund: bigint | null
}

export const CONTRACT_ABI = parseAbi([
  'struct ChannelConfig { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }',
  'struct Voucher { ChannelConfig channel; uint128 maxClaimableAmount; }',
  'struct VoucherClaim { Voucher voucher; bytes signature; uint128 totalClaimed; }',
  'function multicall(bytes[] data) returns (bytes[] results)',
  'function deposit(ChannelConfig config, uint128 amount, address collector, bytes collectorData)',
  'function claim(VoucherClaim[] voucherClaims)',
  'function settle(address receiver, address token)',
  'function refundWithSignature(ChannelConfig config, uint128 amount, uint256 nonce, bytes receiverAuthorizerSignature)',
  'function channels(bytes32 channelId) view returns (uint128 balance, uint128 totalClaimed)',
  'function pendingWithdrawals(bytes32 channelId) view returns (uint128 amount, uint40 initiatedAt)',
  'function refundNonce(bytes32 channelId) view returns (uint256)',
  'function CHANNEL_CONFIG_TYPEHASH() view returns (bytes32)',
  'event Refunded(bytes32 indexed channelId, address indexed sender, uint128 amount)',
])

/** Several calls of the contract in one, which all happen or none. */
export function multicallOf(calls: readonly Hex[]): Hex {
  return encodeFunctionData({ abi: CONTRACT_ABI, functionName: 'multicall', args: [calls] })
}

const hashOf = (text: string): Hex => keccak256(toHex(text))
/** The contract of the published interface answers CHANNEL_CONFIG_TYPEHASH() with it. */
export const CONFIG_TYPEHASH = hashOf(
  'ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)',
)
const VOUCHER_TYPEHASH = hashOf('Voucher(bytes32 channelId,uint128 maxClaimableAmount)')
const REFUND_TYPEHASH = hashOf('Refund(bytes32 channelId,uint256 nonce,uint128 amount)')
const RECEIVE_TYPEHASH = hashOf(
  'ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
)
const CONFIG_WORDS = parseAbiParameters(
  'bytes32, address, address, address, address, address, uint40, bytes32',
)
const VOUCHER_WORDS = parseAbiParameters('bytes32, bytes32, uint128')
const REFUND_WORDS = parseAbiParameters('bytes32, bytes32, uint256, uint128')
const RECEIVE_WORDS = parseAbiParameters(
  'bytes32, address, address, uint256, uint256, uint256, bytes32',
)

/** The EIP-712 domain of the contract on one chain, hashed. */
export function contractSeparator(chainId: number): Hex {
  const domain = { name: 'x402 Batch Settlement', version: '1', chainId }
  return domainSeparator({ domain: { ...domain, verifyingContract: CONTRACT } })
}

/** The id under which the contract keeps a channel: another one on every chain. */
export function channelIdOf(separator: Hex, config: ChannelConfig): Hex {
  const { payer, payerAuthorizer, receiver, receiverAuthorizer, token, withdrawDelay, salt } =
    config
  const words = encodeAbiParameters(CONFIG_WORDS, [
    CONFIG_TYPEHASH,
    payer,
    payerAuthorizer,
    receiver,
    receiverAuthorizer,
    token,
    withdrawDelay,
    salt,
  ])
  return signedMessage(separator, keccak256(words))
}

/** What the payer signs for a voucher. */
export function voucherDigest(separator: Hex, channelId: Hex, ceiling: bigint): Hex {
  const words = encodeAbiParameters(VOUCHER_WORDS, [VOUCHER_TYPEHASH, channelId, ceiling])
  return signedMessage(separator, keccak256(words))
}

/** What the receiver's authorizer signs for the refund of a channel that has this number: it is made once. */
export function refundDigest(
  separator: Hex,
  channelId: Hex,
  refund: { number: bigint; amount: bigint },
): Hex {
  const { number, amount } = refund
  const words = encodeAbiParameters(REFUND_WORDS, [REFUND_TYPEHASH, channelId, number, amount])
  return signedMessage(separator, keccak256(words))
}

/** The nonce of a deposit in its token: the collector derives the same. */
export function depositNonce(channelId: Hex, salt: Hex): Hex {
  const words = parseAbiParameters('bytes32, uint256')
  return keccak256(encodeAbiParameters(words, [channelId, BigInt(salt)]))
}

/** What the payer signs for a deposit, under the domain of the token. */
export function depositDigest(
  tokenSeparator: Hex,
  {
    channel,
    channelId,
    deposit,
  }: { channel: ChannelConfig; channelId: Hex; deposit: ChannelDeposit },
): Hex {
  const { amount, validAfter, validBefore, salt } = deposit
  const words = encodeAbiParameters(RECEIVE_WORDS, [
    RECEIVE_TYPEHASH,
    channel.payer,
    COLLECTOR,
    amount,
    validAfter,
    validBefore,
    depositNonce(channelId, salt),
  ])
  return signedMessage(tokenSeparator, keccak256(words))
}

/** What the collector of the contract is given of a deposit. */
export function collectorData({ validAfter, validBefore, salt, signature }: ChannelDeposit): Hex {
  const words = parseAbiParameters('uint256, uint256, uint256, bytes')
  return encodeAbiParameters(words, [validAfter, validBefore, BigInt(salt), signature])
}

/**
 * What names one call of a channel among all claims: the sum charged before it. Two vouchers for the
 * same place in the channel, of whatever amounts, are one claim, so that one of them buys.
 */
export function placeNonce(channelId: string, chargedBefore: bigint): string {
  return `${CHANNEL_NONCE}${channelId}:${chargedBefore}`
}

/** The sum charged before the call of such a claim. */
export function chargedBefore(nonce: string): bigint {
  return BigInt(nonce.slice(nonce.lastIndexOf(':') + 1))
}
