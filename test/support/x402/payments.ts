/** Payments as honest and dishonest clients make them, and how they travel. */
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types'
import {
  PERMIT2_ADDRESS,
  permit2WitnessTypes,
  uptoPermit2WitnessTypes,
  x402ExactPermit2ProxyAddress,
  x402UptoPermit2ProxyAddress,
} from '@x402/evm'
import { toHex, zeroAddress, type Address, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { CredentialSource } from '../../../kernel/auth/contract.ts'

/** What an EIP-3009 payment signs. */
export const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** What a test bends before or after signing. */
export interface Bend {
  /** Signed and sent. */
  authorization?: Partial<{
    to: Address
    value: bigint
    validAfter: bigint
    validBefore: bigint
    nonce: Hex
  }>
  /** The domain that is signed. */
  domain?: Partial<{ name: string; version: string; chainId: number; verifyingContract: Address }>
  /** Sent instead of what was signed. */
  sent?: Record<string, string>
  accepted?: Record<string, unknown>
  identifier?: string
}

/** A version 2 payment for `requirements`, as an honest or a dishonest client would make it. */
export async function signPayment(
  account: PrivateKeyAccount,
  requirements: PaymentRequirements,
  bend: Bend = {},
) {
  const now = BigInt(Math.floor(Date.now() / 1000))
  const message = {
    from: account.address,
    to: requirements.payTo as Address,
    value: BigInt(requirements.amount),
    validAfter: 0n,
    validBefore: now + BigInt(requirements.maxTimeoutSeconds),
    nonce: toHex(crypto.getRandomValues(new Uint8Array(32))),
    ...bend.authorization,
  }
  const signature = await account.signTypedData({
    domain: {
      name: String(requirements.extra['name']),
      version: String(requirements.extra['version']),
      chainId: Number(requirements.network.split(':')[1]),
      verifyingContract: requirements.asset as Address,
      ...bend.domain,
    },
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  })
  return {
    x402Version: 2,
    accepted: { ...requirements, ...bend.accepted },
    payload: {
      signature,
      authorization: {
        from: message.from,
        to: message.to,
        value: message.value.toString(),
        validAfter: message.validAfter.toString(),
        validBefore: message.validBefore.toString(),
        nonce: message.nonce,
        ...bend.sent,
      },
    },
    ...(bend.identifier !== undefined && {
      extensions: { 'payment-identifier': { info: { required: false, id: bend.identifier } } },
    }),
  }
}

/** What a test bends of a payment by Permit2. */
export interface Permit2Bend {
  /** Signed and sent. */
  authorization?: Partial<{
    to: Address
    value: bigint
    validAfter: bigint
    deadline: bigint
    nonce: bigint
    token: Address
    spender: Address
    facilitator: Address
  }>
  /** Merged over what was signed, before it is sent. */
  sent?: Record<string, unknown>
  accepted?: Record<string, unknown>
  signature?: (signature: Hex) => Hex
}

/** A payment by Permit2 for `requirements` of scheme exact or upto, as @x402/evm's client makes it. */
export async function signPermit2(
  account: PrivateKeyAccount,
  requirements: PaymentRequirements,
  bend: Permit2Bend = {},
) {
  const isUpto = requirements.scheme === 'upto'
  const now = BigInt(Math.floor(Date.now() / 1000))
  const message = {
    to: requirements.payTo as Address,
    value: BigInt(requirements.amount),
    validAfter: 0n,
    deadline: now + BigInt(requirements.maxTimeoutSeconds),
    nonce: BigInt(toHex(crypto.getRandomValues(new Uint8Array(32)))),
    token: requirements.asset as Address,
    spender: isUpto ? x402UptoPermit2ProxyAddress : x402ExactPermit2ProxyAddress,
    facilitator: (requirements.extra['facilitatorAddress'] ?? zeroAddress) as Address,
    ...bend.authorization,
  }
  const { to, facilitator, validAfter, spender, nonce, deadline } = message
  const permitted = { token: message.token, amount: message.value }
  const signature = await account.signTypedData({
    domain: {
      name: 'Permit2',
      chainId: Number(requirements.network.split(':')[1]),
      verifyingContract: PERMIT2_ADDRESS,
    },
    types: isUpto ? uptoPermit2WitnessTypes : permit2WitnessTypes,
    primaryType: 'PermitWitnessTransferFrom',
    message: { permitted, spender, nonce, deadline, witness: { to, facilitator, validAfter } },
  })
  return {
    x402Version: 2,
    accepted: { ...requirements, ...bend.accepted },
    payload: {
      signature: bend.signature?.(signature) ?? signature,
      permit2Authorization: {
        from: account.address,
        permitted: { token: message.token, amount: message.value.toString() },
        spender,
        nonce: nonce.toString(),
        deadline: deadline.toString(),
        witness: { to, ...(isUpto && { facilitator }), validAfter: validAfter.toString() },
        ...bend.sent,
      },
    },
  }
}

/** The version 1 form of a signed payment. */
export function asVersion1(payment: Awaited<ReturnType<typeof signPayment>>, network = 'base') {
  return { x402Version: 1, scheme: 'exact', network, payload: payment.payload }
}

export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

export function decode<T>(header: string | null | undefined): T {
  return JSON.parse(Buffer.from(header ?? '', 'base64').toString()) as T
}

/** A call's credentials with this payment header. */
export function paidBy(payment: unknown, name = 'payment-signature'): CredentialSource {
  const value = typeof payment === 'string' ? payment : encode(payment)
  return { header: (asked) => (asked === name ? value : null) }
}

/** The offer of a challenge for this scheme and transfer method. */
export function offerIn(challenge: unknown, scheme: string, method?: string): PaymentRequirements {
  const { accepts } = challenge as PaymentRequired
  const found = accepts.find(
    (offer) => offer.scheme === scheme && offer.extra['assetTransferMethod'] === method,
  )
  if (!found) throw new Error(`no offer ${scheme} ${method ?? ''} in ${JSON.stringify(accepts)}`)
  return found
}

export const requirementsIn = (challenge: unknown): PaymentRequirements =>
  (challenge as PaymentRequired).accepts[0]!
