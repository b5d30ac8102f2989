/**
 * Decides what a credential is worth before x402 judges its signature: it repeats a challenge that
 * was issued here, for this place and for what is sold today, and its payload pays that challenge.
 * Cheap checks come first, and nobody is asked.
 */
import { isObject, parseJson, type CallPlace, type CredentialSource, type Failure } from '#kernel'
import type { ForeignPayment, Payments } from '../shared/payments/contract.ts'
import type { Challenges } from './challenges.ts'
import type { AskedCharge, ChargeMethod, ChargeNetwork } from './charge/method.ts'
import { expired, methodUnsupported, refused, severalCredentials } from './problems.ts'
import { REASONS } from './reasons.ts'
import { decodeBase64urlText, encodeJcs } from './wire/base64url.ts'
import { isFor } from './wire/binding.ts'
import type { Challenge } from './wire/challenge.ts'
import { readCredential, type Credential } from './wire/credential.ts'

/** A credential that pays one of our challenges, as far as can be told without a signature check. */
export interface Charge {
  outcome: 'charge'
  challenge: Challenge
  network: ChargeNetwork
  payment: ForeignPayment
  /** Whether a key of today signed the challenge; else only a payment that was claimed before is good. */
  isIssued: boolean
}

export type Judged = Charge | Refused

export interface Refused {
  outcome: 'refused'
  failure: Failure
  /** A new challenge would help. */
  offer: boolean
}

interface Selling {
  challenges: Challenges
  methods: readonly ChargeMethod[]
  payments: Payments
}

/** What the credential of a call at this place pays. */
export function judge(source: CredentialSource, place: CallPlace, selling: Selling): Judged {
  const read = readCredential(source)
  switch (read.outcome) {
    case 'several':
      return { outcome: 'refused', failure: severalCredentials(), offer: false }
    case 'malformed':
      return again(refused(REASONS.malformed_credential, `the credential ${read.what}`))
    case 'foreign':
      return again(refused(REASONS.invalid_challenge, `the credential ${read.what}`))
  }
  const { credential } = read
  const { challenges } = selling
  const judged = judgeIssued(credential, place, selling)
  if (challenges.knows(credential.challenge)) return judged
  // Its key may have been removed while its payment was under way: asking to pay again would be wrong.
  return judged.outcome === 'charge' && challenges.isOfRealm(credential.challenge)
    ? { ...judged, isIssued: false }
    : notIssued()
}

/** What a credential for a challenge of ours pays. */
function judgeIssued(credential: Credential, place: CallPlace, selling: Selling): Judged {
  const { challenge } = credential
  const { method, intent } = challenge
  const charge = selling.methods.find((one) => one.method === method && one.intent === intent)
  if (!charge)
    return { outcome: 'refused', failure: methodUnsupported(method, intent), offer: false }
  if (challenge.opaque === null || !isFor(challenge.opaque, place))
    return invalid('it was given for another route, tool or query')
  const asked = askedIn(challenge.request, charge, selling.payments)
  if (asked === null) return invalid('what it asks for is not sold any more')
  return paid(credential, charge, asked, selling.payments.nowMs())
}

/** The network and the amount of a request that was issued here; null when the network is gone. */
function askedIn(request: string, charge: ChargeMethod, payments: Payments): AskedCharge | null {
  const text = decodeBase64urlText(request)
  const parsed = text === null ? null : parseJson(text)
  const given = parsed?.ok && isObject(parsed.value) ? parsed.value['amount'] : null
  if (typeof given !== 'string' || !/^\d{1,78}$/.test(given)) return null
  const amount = BigInt(given)
  for (const network of payments.networks()) {
    // The text as it would be sent today: token, payee and all else are compared with it at once.
    if (charge.isOn(network) && encodeJcs(charge.request(network, amount)) === request) {
      return { network, amount }
    }
  }
  return null
}

/** Whether the payload pays its challenge. Its signature and its window are left to x402. */
function paid(
  credential: Credential,
  charge: ChargeMethod,
  asked: AskedCharge,
  nowMs: number,
): Judged {
  const read = charge.read(credential, asked)
  if (read.outcome === 'malformed')
    return again(refused(REASONS.malformed_credential, `the payload ${read.what}`))
  if (read.outcome === 'refused') return again(read.failure)
  const { challenge } = credential
  // A payment that ends with its challenge may come again after it: x402 has the answer it bought.
  const endsMs = Date.parse(challenge.expires)
  const outlives = read.validBefore > BigInt(Math.floor(endsMs / 1000))
  if (endsMs <= nowMs && outlives) return again(expired(challenge.expires))
  return {
    outcome: 'charge',
    challenge,
    network: asked.network,
    payment: read.payment,
    isIssued: true,
  }
}

/** A challenge that no key of today signed. */
export function notIssued(): Refused {
  return invalid('it was not issued here, or a part of it was changed')
}

/** Its body is known only after it was judged. */
export function otherBody(): Refused {
  return invalid('it was given for another body')
}

function again(failure: Failure): Refused {
  return { outcome: 'refused', failure, offer: true }
}

function invalid(why: string): Refused {
  return again(refused(REASONS.invalid_challenge, `the challenge cannot be used: ${why}`))
}
