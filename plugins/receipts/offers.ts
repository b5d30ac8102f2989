/**
 * Signed offers (x402 extension offer-receipt): proof of what the gateway asked, for its main way to
 * pay. A signature costs some 20 µs and 800 characters, so it is made once per quote and minute.
 */
import type { CallPlace, Quote } from '#kernel'
import type { AcceptedOffer, ChallengeExtension } from '../shared/payments/challenge-extensions.ts'
import type { JwsSigner } from './signer.ts'

const KEPT_S = 60

interface Kept {
  /** JSON of the member's value. */
  text: string
  signedAtS: number
}

export class SignedOffers implements ChallengeExtension {
  readonly #jws: JwsSigner
  readonly #now: () => Date
  readonly #kept = new WeakMap<AcceptedOffer, Kept>()

  constructor(jws: JwsSigner, now: () => Date) {
    this.#jws = jws
    this.#now = now
  }

  textFor(_: CallPlace, quote: Quote, accepts: readonly AcceptedOffer[]): string | null {
    const [main] = accepts
    if (!main) return null
    const nowS = Math.floor(this.#now().getTime() / 1000)
    const known = this.#kept.get(main)
    if (known && nowS - known.signedAtS < KEPT_S) return known.text
    const text = JSON.stringify(this.#signed(quote, main, nowS))
    this.#kept.set(main, { text, signedAtS: nowS })
    return text
  }

  /** Good for as long as a payment for it may take, also when it is given out in its last second. */
  #signed({ resourceUrl }: Quote, main: AcceptedOffer, nowS: number): object {
    const { scheme, network, asset, payTo, amount, maxTimeoutSeconds } = main
    const validUntil = nowS + KEPT_S + maxTimeoutSeconds
    const offer = { version: 1, resourceUrl, scheme, network, asset, payTo, amount, validUntil }
    const signature = this.#jws.sign(offer)
    return { info: { offers: [{ format: 'jws', acceptIndex: 0, signature }] } }
  }
}
