/**
 * Proofs from their header to the wallet whose credits they may spend. Everything that is refused is
 * a 402, so that clients which sign in by themselves go on to pay.
 */
import { fail, type CallPlace, type CredentialSource, type Failure, type Quote } from '#kernel'
import type { Payments } from '../shared/payments/contract.ts'
import type { SignInOffer, SupportedChain } from '../shared/signing/sign-in-offer.ts'
import { wrongIn } from './checks.ts'
import type { DatabaseClock } from '../shared/storage/database-clock.ts'
import { chainsOf, OffersOfSecond, secondOf, signInOffer, type SignInSettings } from './offer.ts'
import { decodeProof, PROOF_HEADER, PROOF_META, type Proof } from './proof.ts'
import { REASONS, type Refusal } from './reasons.ts'
import { signerOf } from './signer.ts'
import type { UsedNonces } from './used-nonces.ts'
import type { Wallet, Wallets } from './wallets.ts'

export interface SignInDeps {
  settings: SignInSettings
  /** PUBLIC_URL without a trailing slash: all places are below it. */
  publicUrl: string
  nonces: UsedNonces
  wallets: Wallets
  clock: Pick<DatabaseClock, 'nowMs'>
  /** Null while no payments are taken: then nobody is asked for contracts, and nothing is offered. */
  payments(): Payments | null
}

/** A proof that is good but for its nonce, which `takeOnce` takes. */
export interface SignedIn {
  ok: true
  subject: string
  /** Null: the wallet never bought credits here. */
  wallet: Wallet | null
  takeOnce(): Promise<Failure | null>
}

const NO_NETWORKS: ReturnType<Payments['networks']> = []

export class SignIn {
  readonly #deps: SignInDeps
  /** By the quote of an unpaid call: nearly all calls of one have one place. */
  readonly #latest = new WeakMap<Quote, OffersOfSecond>()
  #offered: { networks: ReturnType<Payments['networks']>; chains: SupportedChain[] } = {
    networks: NO_NETWORKS,
    chains: [],
  }

  constructor(deps: SignInDeps) {
    this.#deps = deps
  }

  /** A fresh offer for the place; null while no chain is known. */
  offer(place: CallPlace): SignInOffer | null {
    const chains = this.#chains()
    if (chains.length === 0) return null
    const { settings, clock } = this.#deps
    return signInOffer(settings, this.#uriOf(place), chains, clock.nowMs())
  }

  /** JSON of a fresh offer for the place, where this quote is to be paid; null as for `offer`. */
  offerText(place: CallPlace, quote: Quote): string | null {
    const chains = this.#chains()
    if (chains.length === 0) return null
    const uri = this.#uriOf(place)
    const secondMs = secondOf(this.#deps.clock.nowMs())
    const known = this.#latest.get(quote)
    if (known?.uri === uri && known.secondMs === secondMs && known.supportedChains === chains)
      return known.nextText()
    const made = new OffersOfSecond(this.#deps.settings, uri, chains, secondMs)
    this.#latest.set(quote, made)
    return made.nextText()
  }

  /** Who signed the proof of a request for this place, or why it is not taken. */
  async read(text: string, place: CallPlace): Promise<SignedIn | Failure> {
    const { settings, nonces, wallets, clock } = this.#deps
    const proof = decodeProof(text)
    if (typeof proof === 'string')
      return refused(REASONS.siwx_malformed, `The ${PROOF_HEADER} header ${proof}`)
    const nowMs = clock.nowMs()
    const expected = { ...settings, uri: this.#uriOf(place), chains: this.#chains(), nowMs }
    const wrong = wrongIn(proof, expected)
    if (wrong) {
      const message = `The sign-in is not taken: ${wrong.field} disagrees with the offer`
      return refused(wrong.reason, message, wrong.field)
    }
    const signer = await this.#signerOf(proof)
    if (!signer.ok) return signer
    const expiresAt = new Date(proof.expirationTime!)
    return {
      ok: true,
      subject: signer.subject,
      wallet: await wallets.of(signer.subject),
      takeOnce: async () =>
        (await nonces.take(proof.nonce, expiresAt))
          ? null
          : refused(REASONS.siwx_nonce_used, 'The sign-in was used for another call', 'nonce'),
    }
  }

  /** A contract is asked only about an owner who has credits here: junk costs no question to a node. */
  async #signerOf(proof: Proof): Promise<{ ok: true; subject: string } | Failure> {
    const { payments, wallets } = this.#deps
    const signer = await signerOf(proof)
    if (signer.kind === 'wallet') return { ok: true, subject: signer.subject }
    const nobody = refused(
      REASONS.siwx_signature,
      `The signature is not that of ${proof.address.slice(0, 64)}`,
      'signature',
    )
    if (signer.kind === 'nobody' || !(await wallets.of(signer.subject))) return nobody
    const { chainId, address, text: message, subject } = signer
    const { signature } = proof
    const by = await payments()?.signedBy({ chainId, address, message, signature })
    if (by === 'contract') return { ok: true, subject }
    if (by === 'nobody' || by === 'key') return nobody
    return fail(
      'UPSTREAM_FAILURE',
      'The signature of a contract cannot be checked at this moment',
      {
        details: { reason: REASONS.wallet_not_checked },
        headers: { 'retry-after': '2' },
      },
    )
  }

  /** Made anew when the networks are other ones; each 402 asks for them. */
  #chains(): SupportedChain[] {
    const networks = this.#deps.payments()?.networks() ?? NO_NETWORKS
    if (this.#offered.networks !== networks) {
      this.#offered = { networks, chains: chainsOf(networks) }
    }
    return this.#offered.chains
  }

  /** Never what a request says of its host. */
  #uriOf({ transport, target }: CallPlace): string {
    return transport === 'mcp' ? target : this.#deps.publicUrl + target
  }
}

/** The proof that a request brings, undecoded; null: it brings none. */
export function proofTextOf(source: CredentialSource): string | null {
  const header = source.header(PROOF_HEADER)
  if (header !== null) return header
  const member = source.meta?.[PROOF_META]
  return typeof member === 'string' ? member : null
}

/** 402 for a proof that is not taken. */
export function refused(reason: Refusal, message: string, field?: string): Failure {
  return fail('PAYMENT_REQUIRED', message, { details: { reason, ...(field && { field }) } })
}

/** 402 for a wallet that has no account here: a mere proof makes none. */
export function withoutCredits(subject: string): Failure {
  const message = `The wallet ${subject} has bought no credits here`
  return refused(REASONS.wallet_without_credits, message)
}
