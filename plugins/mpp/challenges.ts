/** Issues the gateway's challenges and knows them again: its realm, and the keys of their ids. */
import type { CallPlace } from '#kernel'
import { digestFor, opaqueOf } from './wire/binding.ts'
import { idOf, isIssued, type Challenge, type IdKey } from './wire/challenge.ts'

/** What is to be paid, by which method. */
export interface Asked {
  method: string
  intent: string
  /** base64url of the canonical JSON of the request. */
  request: string
}

export interface ChallengesOptions {
  realm: string
  /** The first signs; all are taken. */
  keys: readonly [IdKey, ...IdKey[]]
}

export class Challenges {
  readonly realm: string
  readonly #keys: ChallengesOptions['keys']

  constructor({ realm, keys }: ChallengesOptions) {
    this.realm = realm
    this.#keys = keys
  }

  /** A challenge for one call at this place; no two are equal. `header` is where its credential goes. */
  issue(
    { method, intent, request }: Asked,
    { place, expires, header }: { place: CallPlace; expires: string; header: string | null },
  ): Challenge {
    const { realm } = this
    const challenge: Challenge = {
      id: '',
      realm,
      method,
      intent,
      request,
      expires,
      digest: digestFor(place),
      header,
      opaque: opaqueOf(place),
    }
    challenge.id = idOf(this.#keys[0], challenge)
    return challenge
  }

  /** Whether the challenge was issued here, and every part is as it was sent. */
  knows(challenge: Challenge): boolean {
    return isIssued(this.#keys, challenge) && this.isOfRealm(challenge)
  }

  isOfRealm({ realm }: Challenge): boolean {
    return realm === this.realm
  }
}

/**
 * When a challenge given now ends, RFC 3339. Whole seconds, because clients sign them as the end of
 * their payment.
 */
export function expiresIn(seconds: number, nowMs = Date.now()): string {
  const endS = Math.floor(nowMs / 1000) + seconds
  const known = endings.get(seconds)
  if (known?.endS === endS) return known.text
  const text = new Date(endS * 1000).toISOString()
  endings.set(seconds, { endS, text })
  return text
}

/** The text of this second, by the time that a challenge lasts: there are as many as skills' deadlines. */
const endings = new Map<number, { endS: number; text: string }>()
