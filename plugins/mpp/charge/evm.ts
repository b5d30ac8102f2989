/**
 * The method evm with the intent charge (MPP evm-charge-00), credential type `authorization`: the
 * payer signs the EIP-3009 transfer that an exact payment of x402 is as well. Its nonce follows from
 * the challenge, so that a signature pays for one challenge and no other.
 */
import { getAddress, keccak256, stringToBytes } from 'viem'
import type { PaymentNetwork, TransferAuthorization } from '../../shared/payments/contract.ts'
import { mismatch } from '../problems.ts'
import type { Challenge } from '../wire/challenge.ts'
import type { Credential } from '../wire/credential.ts'
import { isSourceOf, type ChargeMethod, type ReadPayment } from './method.ts'

/** A network on which the method can be offered. */
export type EvmNetwork = PaymentNetwork & { kind: 'evm'; chainId: number }

/** Whether transfers of the token can be authorized by EIP-3009. */
export function isEvmCharge(network: PaymentNetwork): network is EvmNetwork {
  return network.kind === 'evm' && network.chainId !== null && network.domain !== null
}

/** What a challenge asks for: `amount` in units of the asset. */
export function chargeRequest(network: EvmNetwork, amount: bigint): object {
  return {
    amount: amount.toString(),
    currency: getAddress(network.asset),
    recipient: getAddress(network.payTo),
    methodDetails: {
      chainId: network.chainId,
      credentialTypes: ['authorization'],
      decimals: network.decimals,
    },
  }
}

export type ReadAuthorization =
  | { outcome: 'read'; authorization: Omit<TransferAuthorization, 'network' | 'asset'> }
  /** `what` completes 'The payload …'. */
  | { outcome: 'malformed'; what: string }

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const NONCE = /^0x[0-9a-fA-F]{64}$/
/** A smart wallet's may be long; 65 bytes is the usual one. */
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2}){1,2048}$/
const DECIMAL = /^(?:0|[1-9]\d{0,77})$/
const TOO_LARGE = 2n ** 256n

/** The authorization in the payload of a credential, with lower-case addresses. */
export function readAuthorization({ payload }: Pick<Credential, 'payload'>): ReadAuthorization {
  if (payload['type'] !== 'authorization') return bad('must have the type authorization')
  const wrong =
    (['from', 'to'] as const).find((name) => !isForm(payload[name], ADDRESS)) ??
    (['value', 'validAfter', 'validBefore'] as const).find((name) => !isUint256(payload[name])) ??
    (isForm(payload['nonce'], NONCE) ? undefined : 'nonce') ??
    (isForm(payload['signature'], SIGNATURE) ? undefined : 'signature')
  if (wrong !== undefined) return bad(`has a malformed ${wrong}`)
  const { from, to, value, validAfter, validBefore, nonce, signature } = payload as Record<
    string,
    string
  >
  return {
    outcome: 'read',
    authorization: {
      from: from!.toLowerCase(),
      to: to!.toLowerCase(),
      value: BigInt(value!),
      validAfter: BigInt(validAfter!),
      validBefore: BigInt(validBefore!),
      nonce: nonce!.toLowerCase(),
      signature: signature!,
    },
  }
}

/** The nonce that pays for this challenge: the hash of its id and its realm. */
export function nonceOf({ id, realm }: Pick<Challenge, 'id' | 'realm'>): string {
  return keccak256(stringToBytes(id + realm))
}

export const evmCharge: ChargeMethod = {
  name: 'evm/charge',
  method: 'evm',
  intent: 'charge',
  isOn: isEvmCharge,
  request: (network, amount) => chargeRequest(network as EvmNetwork, amount),
  read(credential, { network, amount }): ReadPayment {
    const read = readAuthorization(credential)
    if (read.outcome === 'malformed') return read
    const { challenge, source } = credential
    const { authorization } = read
    const { from, to, value, nonce, validBefore } = authorization
    const payTo = network.payTo.toLowerCase()
    if (to !== payTo) return differs('to', payTo, to)
    if (value !== amount) return differs('value', amount.toString(), value.toString())
    const expected = nonceOf(challenge)
    if (nonce !== expected) return differs('nonce', expected, nonce)
    if (source !== null && !isSourceOf(source, network.chainId, from))
      return differs('from', source, from)
    const payment = { ...authorization, network: network.network, asset: network.asset }
    return { outcome: 'read', payment, validBefore }
  },
}

function differs(member: string, expected: string, got: string): ReadPayment {
  return { outcome: 'refused', failure: mismatch(member, expected, got) }
}

function isForm(value: unknown, form: RegExp): boolean {
  return typeof value === 'string' && form.test(value)
}

function isUint256(value: unknown): boolean {
  return typeof value === 'string' && DECIMAL.test(value) && BigInt(value) < TOO_LARGE
}

const bad = (what: string): ReadAuthorization => ({ outcome: 'malformed', what })
