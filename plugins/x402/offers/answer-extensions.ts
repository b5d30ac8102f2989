/**
 * What is made anew for each 402: members of `extensions`, and the nonce in the memos of Solana. The
 * challenge is made once per quote, so its JSON is encoded once: padded with blanks, so that what one
 * answer adds stands at a multiple of three bytes, its base64 is put between or behind the rest.
 */
import { assert, type CallPlace, type FreshOffer, type Quote } from '#kernel'
import {
  PAYMENT_REQUIRED,
  type PaymentRequired,
  type PaymentRequirements,
} from '../payment/wire.ts'
import { hasNonce, newNonce, NO_NONCE, withNonce } from './solana-nonce.ts'

/** The members for one answer, each as JSON with its name: '"name":{…}'. */
export type ExtensionsFor = (
  place: CallPlace,
  quote: Quote,
  accepts: readonly PaymentRequirements[],
) => readonly string[]

const NOTHING: FreshOffer = { headers: [] }

/** The start of a header in base64, up to the end of `extensions`. */
interface Prefix {
  /** Each but the last is followed by a nonce and the text behind it. */
  pieces: readonly string[]
  /** What follows the nonces, so that each fills a multiple of three bytes with it. */
  behind: readonly string[]
  characters: number
}

/** A challenge whose `extensions` may be added to, and whose nonces may be other ones. */
export class OpenChallenge {
  readonly required: PaymentRequired
  #prefix: Prefix | null = null

  constructor(required: PaymentRequired) {
    this.required = required
  }

  /**
   * The header with these members of JSON ('"name":{…}') and this nonce; null: it is longer than that.
   * Without a nonce those of the challenge stay.
   */
  headerWith(members: string, maxCharacters: number, nonce: string | null = null): string | null {
    const prefix = (this.#prefix ??= prefixOf(this.required))
    const tail = base64Of(members === '' ? '}}' : `,${members}}}`)
    if (prefix.characters + tail.length > maxCharacters) return null
    const { pieces, behind } = prefix
    let header = pieces[0]!
    for (let at = 1; at < pieces.length; at++) {
      header += btoa((nonce ?? NO_NONCE) + behind[at - 1]!) + pieces[at]!
    }
    return header + tail
  }
}

/**
 * What one answer adds to the first of `challenges` that has room for it under `maxCharacters`: they
 * are the same offer in less and less detail. Where none has room for all of it, the last members go.
 */
export function freshPart(
  challenges: () => Iterable<OpenChallenge>,
  members: readonly string[],
  place: CallPlace,
  maxCharacters: number,
  nonce: string | null = null,
): FreshOffer {
  if (members.length === 0 && nonce === null) return NOTHING
  for (let kept = members.length; kept >= 0; kept--) {
    const shown = members.slice(0, kept).join(',')
    const part = partWith(challenges(), shown, place, maxCharacters, nonce)
    if (part) return part
  }
  return NOTHING
}

function partWith(
  challenges: Iterable<OpenChallenge>,
  members: string,
  { transport }: CallPlace,
  maxCharacters: number,
  nonce: string | null,
): FreshOffer | null {
  for (const challenge of challenges) {
    const header = challenge.headerWith(members, maxCharacters, nonce)
    if (header === null) continue
    if (transport === 'http') {
      const replacedHeaders = { [PAYMENT_REQUIRED]: header }
      if (members === '') return { headers: [], replacedHeaders }
      const bodyText = `{"extensions":{${members}}}`
      return { headers: [], replacedHeaders, body: bodyOf(members), bodyText }
    }
    const { required } = challenge
    const extensions = { ...required.extensions, ...objectOf(members) }
    const accepts =
      nonce === null ? required.accepts : required.accepts.map((offer) => withNonce(offer, nonce))
    return { headers: [], challenge: { ...required, accepts, extensions } }
  }
  return null
}

/** The members in the body as well; most answers need no more than their text. */
function bodyOf(members: string): { readonly extensions: object } {
  return {
    get extensions() {
      return objectOf(members)
    },
  }
}

function objectOf(members: string): object {
  return JSON.parse(`{${members}}`)
}

/** Padded base64 of the UTF-8 bytes of a text; btoa takes a third of the time and is for ASCII alone. */
function base64Of(text: string): string {
  return Buffer.byteLength(text) === text.length
    ? btoa(text)
    : Buffer.from(text, 'utf8').toString('base64')
}

function prefixOf(required: PaymentRequired): Prefix {
  const { accepts } = required
  // No other text of the challenge has it by chance.
  const mark = accepts.some(hasNonce) ? newNonce() : null
  const marked =
    mark === null ? required : { ...required, accepts: accepts.map((o) => withNonce(o, mark)) }
  const text = JSON.stringify(marked)
  // `extensions` is its last member, and never empty.
  assert(text.endsWith('}}'), 'a challenge that ends with its extensions')
  const parts = mark === null ? [text] : text.split(mark)
  const behind: string[] = []
  const pieces = parts.map((part, at) => {
    const own = at === 0 ? part : part.slice(BEHIND_CHARACTERS)
    if (at > 0) behind.push(part.slice(0, BEHIND_CHARACTERS))
    return at === parts.length - 1 ? aligned(own.slice(0, -2), '') : beforeMemo(own)
  })
  const nonces = behind.length * NONCE_CHARACTERS
  return { pieces, behind, characters: pieces.join('').length + nonces }
}

/** Behind a nonce: with these two characters it fills 18 bytes, which are 24 characters of base64. */
const BEHIND_CHARACTERS = 2
const NONCE_CHARACTERS = 24
const MEMO = '"memo":'

/** Base64 of JSON that ends within a memo; the blanks stand before the memo. */
function beforeMemo(json: string): string {
  const at = json.lastIndexOf(MEMO)
  assert(at >= 0, 'a nonce in a memo')
  return aligned(json.slice(0, at + MEMO.length), json.slice(at + MEMO.length))
}

/** Base64 of two texts, with as many blanks between them as make it a multiple of three bytes. */
function aligned(before: string, after: string): string {
  const missing = (3 - (Buffer.byteLength(before + after) % 3)) % 3
  return Buffer.from(before + ' '.repeat(missing) + after, 'utf8').toString('base64')
}
