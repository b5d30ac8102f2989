/**
 * Why a proof of a wallet was not taken. All of them are 402 with fresh offers: clients pay on a 402
 * and give up on everything else.
 */
import { defineReasons, type Reason } from '#kernel'

const SIGN_NEW = 'Sign `extensions["sign-in-with-x"]` of this 402, or pay by another offer.'
const refused = (meaning: string, fix = SIGN_NEW) =>
  ({ code: 'PAYMENT_REQUIRED', meaning, fix }) as const

export const REASONS = defineReasons({
  siwx_malformed: refused('The SIGN-IN-WITH-X header cannot be read.'),
  siwx_domain_mismatch: refused('The proof was made for another host.'),
  siwx_uri_mismatch: refused('The proof was made for another address or query.'),
  siwx_unsupported_chain: refused('The chain of the proof is not one of `supportedChains`.'),
  siwx_issued_at: refused('The proof is too old, or from the future.'),
  siwx_expired: refused('The proof has expired, or says not when it will.'),
  siwx_not_before: refused('The proof is not valid yet.'),
  siwx_edited: refused('A member of the proof is not as it was offered.'),
  siwx_nonce: refused('The nonce was not made here for this address and these dates.'),
  siwx_signature: refused('The signature is not that of the wallet.'),
  siwx_nonce_used: refused('The proof was used for another call.'),
  wallet_without_credits: refused(
    'The wallet never bought credits here.',
    'Buy some: `POST /v1/credits/topup/x402 {"amountUsd": 1, "wallet": true}`, or pay by another offer.',
  ),
  wallet_not_checked: {
    code: 'UPSTREAM_FAILURE',
    meaning: 'The signature may be that of a contract wallet, and its chain cannot be asked now.',
    fix: 'Send the same proof again, or pay by another offer.',
  },
  invalid_session: {
    code: 'INVALID_INPUT',
    status: 401,
    meaning: 'The session token is unknown or has expired.',
    fix: 'Sign in again: `POST /v1/wallets/session`.',
  },
})

/** Why a proof is refused by 402. */
export type Refusal = Extract<(typeof REASONS)[keyof typeof REASONS], Reason<'PAYMENT_REQUIRED'>>
