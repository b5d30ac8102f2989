/**
 * The `opaque` member of a challenge: what makes it unique, and the place it was given for. The
 * EIP-3009 nonce of a payment follows from the id of its challenge, so two equal challenges would
 * make one wallet's second payment fail on the chain.
 */
import { createHash, randomFillSync } from 'node:crypto'
import { isObject, parseJson, type CallPlace } from '#kernel'
import { decodeBase64urlText, encodeBase64url } from './base64url.ts'
import type { Challenge } from './challenge.ts'

const UNIQUE_BYTES = 12
/** A longer place stands as its hash: a challenge must stay under 4 KiB. */
const MAX_PLACE_CHARACTERS = 512

const POOLED = 128
const pool = Buffer.alloc(UNIQUE_BYTES * POOLED)
let used = POOLED

/** 16 characters that no other challenge has. */
function unique(): string {
  if (used === POOLED) {
    randomFillSync(pool)
    used = 0
  }
  const start = UNIQUE_BYTES * used++
  return pool.toString('base64url', start, start + UNIQUE_BYTES)
}

/**
 * base64url of {n, r}, new for each call. It is encoded in three pieces, because the first two are a
 * multiple of three bytes long. What btoa gets is of an alphabet whose base64 has no + and no /.
 */
export function opaqueOf(place: CallPlace): string {
  return UNIQUE_BEGINS + btoa(`${unique()}",`) + placeBehind(placeText(place))
}

const UNIQUE_BEGINS = encodeBase64url('{"n":"')

/** base64url of what stands behind the unique text; most calls of a busy gateway have few places. */
let latest = { text: '', encoded: '' }
function placeBehind(text: string): string {
  if (latest.text !== text)
    latest = { text, encoded: encodeBase64url(`"r":${JSON.stringify(text)}}`) }
  return latest.encoded
}

/** Whether a challenge with this `opaque`, which was issued here, is for this place. */
export function isFor(opaque: string, place: CallPlace): boolean {
  const text = decodeBase64urlText(opaque)
  const parsed = text === null ? null : parseJson(text)
  return parsed?.ok === true && isObject(parsed.value) && parsed.value['r'] === placeText(place)
}

/**
 * The `digest` of a challenge: as mppx writes it, which RFC 9530 puts between colons. Null without a
 * body that is known.
 */
export function digestFor({ bodyDigest }: CallPlace): string | null {
  return typeof bodyDigest === 'string' ? `sha-256=${bodyDigest}` : null
}

/** Whether a challenge that was issued here is for the body of this call; one without a digest is for any. */
export function isForBody({ digest }: Pick<Challenge, 'digest'>, place: CallPlace): boolean {
  return digest === null || place.bodyDigest === undefined || digest === digestFor(place)
}

/** 'POST /v1/utils/diff?x=1', 'mcp://tool/utils.diff'. A HEAD asks for the price of the GET. */
function placeText({ transport, method, target }: CallPlace): string {
  const verb = method === 'HEAD' ? 'GET' : method
  const text = transport === 'mcp' ? target : `${verb} ${target}`
  if (text.length <= MAX_PLACE_CHARACTERS) return text
  return `${verb} sha-256=${createHash('sha256').update(text).digest('base64url')}`
}
