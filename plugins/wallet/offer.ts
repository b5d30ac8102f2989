/**
 * What a 402 offers to wallets: `extensions["sign-in-with-x"]`, made anew for each answer. Its place
 * comes from PUBLIC_URL, never from what a request says of its host.
 */
import type { PaymentNetwork } from '../shared/payments/contract.ts'
import type { SignInOffer, SupportedChain } from '../shared/signing/sign-in-offer.ts'
import { makeNonce } from './nonce.ts'

export const EXTENSION = 'sign-in-with-x'
export const STATEMENT = 'Pay for one call with the credits of this wallet.'
export const VERSION = '1'

/** What offers are made with and proofs are compared with. */
export interface SignInSettings {
  /** Host and port of PUBLIC_URL. */
  domain: string
  /** Key of the nonces. */
  key: Uint8Array
  /** How long a proof is good. */
  ttlMs: number
}

/** A fresh offer for the place `uri`. */
export function signInOffer(
  { domain, key, ttlMs }: SignInSettings,
  uri: string,
  supportedChains: readonly SupportedChain[],
  nowMs: number,
): SignInOffer {
  const { issuedAt, expirationTime } = datesOf(nowMs, ttlMs)
  const nonce = makeNonce(key, { uri, issuedAt, expirationTime })
  const info = { domain, uri, version: VERSION, nonce, issuedAt, expirationTime }
  return { info: { ...info, statement: STATEMENT, resources: [uri] }, supportedChains }
}

/** The dates of this millisecond, in which a busy gateway makes many offers. */
let dates = { nowMs: -1, ttlMs: -1, issuedAt: '', expirationTime: '' }
function datesOf(nowMs: number, ttlMs: number): { issuedAt: string; expirationTime: string } {
  if (dates.nowMs !== nowMs || dates.ttlMs !== ttlMs) {
    const issuedAt = new Date(nowMs).toISOString()
    dates = { nowMs, ttlMs, issuedAt, expirationTime: new Date(nowMs + ttlMs).toISOString() }
  }
  return dates
}

/** The chains of a gateway's networks, in their order, each once. */
export function chainsOf(
  networks: readonly Pick<PaymentNetwork, 'kind' | 'network'>[],
): SupportedChain[] {
  const known = new Set<string>()
  return networks.flatMap(({ kind, network }) => {
    // The wallets of Tempo sign in on other chains.
    if (kind === 'tempo' || known.has(network)) return []
    known.add(network)
    return [{ chainId: network, type: kind === 'evm' ? 'eip191' : 'ed25519' }]
  })
}
