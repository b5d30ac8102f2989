/** Proofs of wallets (sign-in-with-x) as honest and dishonest clients make them. */
import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { SignInOffer } from '../../plugins/shared/signing/sign-in-offer.ts'
import type { Answer } from './gateway.ts'
import { decode } from './x402/payments.ts'

/** The sign-in that a 402 offers; null: none. */
export function signInIn(unpaid: Pick<Answer, 'headers'>): SignInOffer | null {
  const header = unpaid.headers.get('payment-required')
  if (header === null) return null
  const { extensions = {} } = decode(header) as { extensions?: Record<string, unknown> }
  return (extensions['sign-in-with-x'] as SignInOffer | undefined) ?? null
}

/**
 * The header that an unmodified client sends for an offer, on the offered chain of this place;
 * `before` bends what is signed, `after` what is sent.
 */
export async function proofFor(
  offer: SignInOffer,
  account: PrivateKeyAccount,
  bend: { before?: object; after?: object; chain?: number } = {},
): Promise<string> {
  const { info, supportedChains } = offer
  const signed = { ...info, resources: [...info.resources], ...supportedChains[bend.chain ?? 0]! }
  const whole = { ...signed, ...bend.before }
  const payload = await createSIWxPayload(whole, account, new URL(whole.uri))
  return encodeSIWxHeader({ ...payload, ...bend.after })
}
