/**
 * Members of `extensions` that are made anew for each 402. The challenge is made once per quote, so its
 * JSON is encoded once up to the end of `extensions`, padded with blanks to a multiple of three bytes:
 * base64 of what one answer adds is then put behind it.
 */
import { assert, type CallPlace, type FreshOffer, type Quote } from '#kernel'
import {
  PAYMENT_REQUIRED,
  type PaymentRequired,
  type PaymentRequirements,
} from '../payment/wire.ts'

/** The members for one answer, by their names; null: none. */
export type ExtensionsFor = (
  place: CallPlace,
  quote: Quote,
  accepts: readonly PaymentRequirements[],
) => Readonly<Record<string, object>> | null

const NOTHING: FreshOffer = { headers: [] }

/** A challenge whose `extensions` may be added to. */
export class OpenChallenge {
  readonly required: PaymentRequired
  #prefix: string | null = null

  constructor(required: PaymentRequired) {
    this.required = required
  }

  /** The header with these members of JSON (',"name":{…}'); null: it is longer than that. */
  headerWith(members: string, maxCharacters: number): string | null {
    const prefix = (this.#prefix ??= prefixOf(this.required))
    const tail = base64Of(`${members}}}`)
    return prefix.length + tail.length <= maxCharacters ? prefix + tail : null
  }
}

/**
 * What one answer adds to the first of `challenges` that has room for it under `maxCharacters`: they
 * are the same offer in less and less detail. Where none has room for all of it, the last members go.
 */
export function freshPart(
  challenges: () => Iterable<OpenChallenge>,
  added: Readonly<Record<string, object>> | null,
  place: CallPlace,
  maxCharacters: number,
): FreshOffer {
  if (added === null) return NOTHING
  const members = Object.entries(added)
  for (let kept = members.length; kept >= 0; kept--) {
    const part = partWith(challenges(), members.slice(0, kept), place, maxCharacters)
    if (part) return part
  }
  return NOTHING
}

function partWith(
  challenges: Iterable<OpenChallenge>,
  members: readonly (readonly [string, object])[],
  { transport }: CallPlace,
  maxCharacters: number,
): FreshOffer | null {
  const added = Object.fromEntries(members)
  const text = members
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')
  for (const challenge of challenges) {
    const header = challenge.headerWith(text, maxCharacters)
    if (header === null) continue
    if (transport === 'http') {
      return {
        headers: [],
        replacedHeaders: { [PAYMENT_REQUIRED]: header },
        ...(text !== '' && { body: { extensions: added } }),
      }
    }
    const { required } = challenge
    const extensions = { ...required.extensions, ...added }
    return { headers: [], challenge: { ...required, extensions } }
  }
  return null
}

/** Padded base64 of the UTF-8 bytes of a text; btoa takes a third of the time and is for ASCII alone. */
function base64Of(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? btoa(text) : Buffer.from(text, 'utf8').toString('base64')
}

function prefixOf(required: PaymentRequired): string {
  const text = JSON.stringify(required)
  // `extensions` is its last member, and never empty.
  assert(text.endsWith('}}'), 'a challenge that ends with its extensions')
  const open = text.slice(0, -2)
  const missing = (3 - (Buffer.byteLength(open) % 3)) % 3
  return Buffer.from(open + ' '.repeat(missing), 'utf8').toString('base64')
}
