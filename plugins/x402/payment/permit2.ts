/**
 * Payments by Permit2 (x402 exact and upto): reading one, its EIP-712 digest, and what makes it
 * none of ours. The proxies are contracts of x402 at one address on every chain; a signature for a
 * proxy can move money only to the receiver in its witness.
 */
import {
  PERMIT2_ADDRESS,
  x402ExactPermit2ProxyAddress,
  x402UptoPermit2ProxyAddress,
} from '@x402/evm'
import { domainSeparator as domainSeparatorOf, stringToBytes, type Address, type Hex } from 'viem'
import { keccak256, signedMessage } from '../../shared/signing/ethereum.ts'
import { disagree, type Problem } from './problem.ts'
import type { AuthorizationPermit2 } from './wire.ts'
import { WORDS, type Word } from './reason-codes.ts'

export const PERMIT2: Address = PERMIT2_ADDRESS
export type Permit2Scheme = 'exact' | 'upto'
/** The spender a payer signs for, and the contract that settles. */
export const PROXY: Readonly<Record<Permit2Scheme, Address>> = {
  exact: x402ExactPermit2ProxyAddress,
  upto: x402UptoPermit2ProxyAddress,
}

const SPENDER: Word = {
  reason: 'invalid_permit2_spender',
  field: 'payload.permit2Authorization.spender',
}
const TOKEN_PERMISSIONS = 'TokenPermissions(address token,uint256 amount)'
const WITNESS: Readonly<Record<Permit2Scheme, string>> = {
  exact: 'Witness(address to,uint256 validAfter)',
  upto: 'Witness(address to,address facilitator,uint256 validAfter)',
}
const TRANSFER =
  'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Witness witness)'
const typehash = (text: string): Hex => keccak256(stringToBytes(text))
const PERMISSIONS_TYPEHASH = typehash(TOKEN_PERMISSIONS)
const WITNESS_TYPEHASH = { exact: typehash(WITNESS.exact), upto: typehash(WITNESS.upto) }
const TRANSFER_TYPEHASH = {
  exact: typehash(TRANSFER + TOKEN_PERMISSIONS + WITNESS.exact),
  upto: typehash(TRANSFER + TOKEN_PERMISSIONS + WITNESS.upto),
}

/** Permit2's EIP-712 domain separator on a chain. */
export function permit2Separator(chainId: number): Hex {
  return domainSeparatorOf({ domain: { name: 'Permit2', chainId, verifyingContract: PERMIT2 } })
}

/** The 32 bytes that the payer signs; a facilitator in the authorization makes it the `upto` form. */
export function permit2Digest(separator: Hex, authorization: AuthorizationPermit2): Hex {
  const { token, value, spender, nonce, validBefore, to, facilitator, validAfter } = authorization
  const scheme = facilitator === null ? 'exact' : 'upto'
  const permitted = hashOf([PERMISSIONS_TYPEHASH, token, value])
  const named = facilitator === null ? [to] : [to, facilitator]
  const witness = hashOf([WITNESS_TYPEHASH[scheme], ...named, validAfter])
  const words = [TRANSFER_TYPEHASH[scheme], permitted, spender, nonce, validBefore, witness]
  return signedMessage(separator, hashOf(words))
}

/** keccak256 of members as words of 32 bytes. */
function hashOf(members: readonly (Hex | bigint)[]): Hex {
  const words = members.map((member) =>
    (typeof member === 'bigint' ? member.toString(16) : member.slice(2)).padStart(64, '0'),
  )
  return keccak256(Buffer.from(words.join(''), 'hex'))
}

/** What in a Permit2 authorization disagrees with the only proxy and token we settle by. */
export function permit2Problem(
  authorization: AuthorizationPermit2,
  scheme: Permit2Scheme,
  token: Address,
): Problem | null {
  const proxy = PROXY[scheme]
  if (authorization.spender !== proxy.toLowerCase()) {
    return disagree(SPENDER.reason, SPENDER.field, proxy, authorization.spender)
  }
  if (authorization.token !== token.toLowerCase()) {
    const { reason, field } = WORDS.permit2.token
    return disagree(reason, field, token, authorization.token)
  }
  return null
}
