/** Wallets as callers of metered routes and tools: by a proof for one call, or by a session. */
import { fail, type CallPlace, type CredentialSource, type Failure, type Identifier } from '#kernel'
import { REASONS } from './reasons.ts'
import { sessionTokenOf, type Sessions } from './sessions.ts'
import { proofTextOf, withoutCredits, type SignIn } from './sign-in.ts'

type Identified = Awaited<ReturnType<Identifier['identify']>>

export class WalletIdentifier implements Identifier {
  readonly requestHeaders = [
    {
      name: 'SIGN-IN-WITH-X',
      description: 'Proof of a wallet that has credits here, for one call (x402 sign-in-with-x)',
    },
  ]
  readonly #signIn: SignIn
  readonly #sessions: Sessions

  constructor(signIn: SignIn, sessions: Sessions) {
    this.#signIn = signIn
    this.#sessions = sessions
  }

  presents(source: CredentialSource): boolean {
    return proofTextOf(source) !== null || sessionTokenOf(source) !== null
  }

  /** A session counts before a proof, which is then not used up. */
  async identify(source: CredentialSource, place: CallPlace): Promise<Identified> {
    const token = sessionTokenOf(source)
    if (token !== null) {
      const wallet = await this.#sessions.walletOf(token)
      if (!wallet) return { ok: false, failure: unknownSession(), offer: false }
      return { ok: true, found: { keyId: wallet.keyId } }
    }
    const text = proofTextOf(source)
    if (text === null) return { ok: true, found: null }
    const read = await this.#signIn.read(text, place)
    if (!read.ok) return { ok: false, failure: read, offer: read.code === 'PAYMENT_REQUIRED' }
    const { subject, wallet, takeOnce } = read
    if (!wallet) return { ok: false, failure: withoutCredits(subject), offer: true }
    return { ok: true, found: { keyId: wallet.keyId, takeOnce } }
  }
}

/** 401 for a session token that opens nothing. */
export function unknownSession(): Failure {
  return fail('INVALID_INPUT', 'The session is unknown or has expired: sign in again', {
    status: 401,
    details: { reason: REASONS.invalid_session },
    headers: { 'www-authenticate': 'Bearer realm="coinop"' },
  })
}
