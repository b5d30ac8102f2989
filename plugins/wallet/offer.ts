/**
 * What a 402 offers to wallets: `extensions["sign-in-with-x"]`, made anew for each answer. Its place
 * comes from PUBLIC_URL, never from what a request says of its host.
 */
import type { PaymentNetwork } from '../shared/payments/contract.ts'
import type { SignInOffer, SupportedChain } from '../shared/signing/sign-in-offer.ts'
import { makeNonce, type NonceScope } from './nonce.ts'

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
  settings: SignInSettings,
  uri: string,
  supportedChains: readonly SupportedChain[],
  nowMs: number,
): SignInOffer {
  return new OffersOfSecond(settings, uri, supportedChains, secondOf(nowMs)).next()
}

/** The whole second that a moment is in; both in milliseconds. */
export function secondOf(nowMs: number): number {
  return nowMs - (nowMs % 1000)
}

/** The offers for one place within one second: they differ by their nonces alone. */
export class OffersOfSecond {
  readonly uri: string
  readonly supportedChains: readonly SupportedChain[]
  readonly secondMs: number
  readonly #settings: SignInSettings
  readonly #scope: NonceScope
  /** JSON of an offer before and behind its nonce. */
  #text: { before: string; behind: string } | null = null

  constructor(
    settings: SignInSettings,
    uri: string,
    supportedChains: readonly SupportedChain[],
    secondMs: number,
  ) {
    this.uri = uri
    this.supportedChains = supportedChains
    this.secondMs = secondMs
    this.#settings = settings
    const issuedAt = new Date(secondMs).toISOString()
    const expirationTime = new Date(secondMs + settings.ttlMs).toISOString()
    this.#scope = { uri, issuedAt, expirationTime }
  }

  next(): SignInOffer {
    return this.#with(this.#nonce())
  }

  /** The JSON of the next offer. */
  nextText(): string {
    this.#text ??= cutAtNonce(JSON.stringify(this.#with('')))
    return this.#text.before + this.#nonce() + this.#text.behind
  }

  #nonce(): string {
    return makeNonce(this.#settings.key, this.#scope)
  }

  #with(nonce: string): SignInOffer {
    const { uri, supportedChains } = this
    const { domain } = this.#settings
    const { issuedAt, expirationTime } = this.#scope
    const info = { domain, uri, version: VERSION, nonce, issuedAt, expirationTime }
    return { info: { ...info, statement: STATEMENT, resources: [uri] }, supportedChains }
  }
}

/** An offer without a nonce, cut where that belongs: within a text JSON has no quotes like these. */
function cutAtNonce(json: string): { before: string; behind: string } {
  const mark = '"nonce":"'
  const at = json.indexOf(mark) + mark.length
  return { before: json.slice(0, at), behind: json.slice(at) }
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
