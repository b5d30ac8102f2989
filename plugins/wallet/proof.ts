/**
 * The proof of a caller: header SIGN-IN-WITH-X, standard base64 of a JSON object with the members of
 * the offer, the address, the chain and the signature (x402 v2 extensions/sign-in-with-x).
 */
import { isObject, parseJson } from '#kernel'
import type { SignInMessage } from '../shared/signing/sign-in-message.ts'

export const PROOF_HEADER = 'sign-in-with-x'
/** Member of `_meta` of a tool call that holds the same text. */
export const PROOF_META = 'x402/sign-in-with-x'
const MAX_CHARACTERS = 4096
const MAX_RESOURCES = 16
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export interface Proof extends Omit<SignInMessage, 'namespace' | 'chainReference'> {
  /** CAIP-2. */
  chainId: string
  type: string
  signature: string
}

/** The proof as it stands there, nothing of it checked yet; a text: why it cannot be read. */
export function decodeProof(header: string): Proof | string {
  if (header.length > MAX_CHARACTERS) return `is longer than ${MAX_CHARACTERS} characters`
  if (header === '' || !BASE64.test(header)) return 'is not standard base64'
  const parsed = parseJson(Buffer.from(header, 'base64'))
  if (!parsed.ok) return 'is not base64 of JSON in UTF-8'
  const members = parsed.value
  if (!isObject(members)) return 'is not a JSON object'
  const wrong: string[] = []
  const text = (name: string): string => {
    const member = members[name]
    if (typeof member === 'string') return member
    wrong.push(name)
    return ''
  }
  const optional = (name: string): string | null =>
    members[name] === undefined || members[name] === null ? null : text(name)
  const { resources = [] } = members
  if (!isTexts(resources)) wrong.push('resources')
  const proof: Proof = {
    domain: text('domain'),
    address: text('address'),
    statement: optional('statement'),
    uri: text('uri'),
    version: text('version'),
    chainId: text('chainId'),
    type: text('type'),
    nonce: text('nonce'),
    issuedAt: text('issuedAt'),
    expirationTime: optional('expirationTime'),
    notBefore: optional('notBefore'),
    requestId: optional('requestId'),
    resources: isTexts(resources) ? resources : [],
    signature: text('signature'),
  }
  return wrong.length === 0 ? proof : `has no good member ${wrong.join(', ')}`
}

function isTexts(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= MAX_RESOURCES &&
    value.every((member) => typeof member === 'string')
  )
}
