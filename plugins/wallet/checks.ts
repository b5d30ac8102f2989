/**
 * What a proof must be before anybody looks at its signature: a table, in the order in which it is
 * gone through, cheap ones first. A signature and a used nonce are looked at afterwards.
 */
import type { SupportedChain } from '../shared/signing/sign-in-offer.ts'
import { isOwnNonce } from './nonce.ts'
import { STATEMENT, VERSION, type SignInSettings } from './offer.ts'
import type { Proof } from './proof.ts'
import { REASONS, type Refusal } from './reasons.ts'

/** What the proof must agree with. */
export interface Expected extends SignInSettings {
  /** The place that is called, below PUBLIC_URL. */
  uri: string
  chains: readonly SupportedChain[]
  nowMs: number
}

/** Clocks of two instances differ by as much. */
const SKEW_MS = 1000

interface Check {
  reason: Refusal
  /** The member of the proof that it is about. */
  field: keyof Proof
  holds(proof: Proof, expected: Expected): boolean
}

export const CHECKS: readonly Check[] = [
  {
    reason: REASONS.siwx_domain_mismatch,
    field: 'domain',
    holds: ({ domain }, expected) => domain === expected.domain,
  },
  {
    reason: REASONS.siwx_uri_mismatch,
    field: 'uri',
    holds: ({ uri }, expected) => uri === expected.uri,
  },
  {
    reason: REASONS.siwx_unsupported_chain,
    field: 'chainId',
    holds: ({ chainId, type }, { chains }) =>
      chains.some((chain) => chain.chainId === chainId && chain.type === type),
  },
  {
    reason: REASONS.siwx_issued_at,
    field: 'issuedAt',
    holds({ issuedAt }, { nowMs, ttlMs }) {
      const at = momentOf(issuedAt)
      return at !== null && at <= nowMs + SKEW_MS && at > nowMs - ttlMs
    },
  },
  {
    reason: REASONS.siwx_expired,
    field: 'expirationTime',
    holds: ({ expirationTime }, { nowMs }) => (momentOf(expirationTime) ?? 0) > nowMs,
  },
  {
    reason: REASONS.siwx_not_before,
    field: 'notBefore',
    holds: ({ notBefore }, { nowMs }) =>
      notBefore === null || (momentOf(notBefore) ?? Infinity) <= nowMs,
  },
  { reason: REASONS.siwx_edited, field: 'version', holds: ({ version }) => version === VERSION },
  {
    reason: REASONS.siwx_edited,
    field: 'statement',
    holds: ({ statement }) => statement === STATEMENT,
  },
  {
    reason: REASONS.siwx_edited,
    field: 'resources',
    holds: ({ resources }, { uri }) => resources.length === 1 && resources[0] === uri,
  },
  {
    reason: REASONS.siwx_edited,
    field: 'requestId',
    holds: ({ requestId }) => requestId === null,
  },
  {
    reason: REASONS.siwx_nonce,
    field: 'nonce',
    holds: ({ nonce, uri, issuedAt, expirationTime }, { key }) =>
      isOwnNonce(key, nonce, { uri, issuedAt, expirationTime: expirationTime ?? '' }),
  },
]

/** The first check that the proof does not pass; null: only its signature is left to look at. */
export function wrongIn(proof: Proof, expected: Expected): Pick<Check, 'reason' | 'field'> | null {
  return CHECKS.find((check) => !check.holds(proof, expected)) ?? null
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/

/** Milliseconds since 1970 of an RFC 3339 text in UTC; null when it is none. */
function momentOf(text: string | null): number | null {
  if (text === null || !MOMENT.test(text)) return null
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? null : moment
}
