/** A client as the other parts see it, whether it registered itself or published a document. */
import type { JSONWebKeySet } from 'jose'

export interface Client {
  id: string
  kind: 'registered' | 'document'
  /** What it calls itself, cleaned; nobody has checked it. */
  name: string
  redirectUris: readonly string[]
  authMethod: 'none' | 'private_key_jwt'
  /** Of documents: where its public keys are, or the keys themselves. */
  jwksUri: string | null
  jwks: JSONWebKeySet | null
}

const NAME_MAX = 100
/** Control, format and bidirectional characters, separators of lines, private and unassigned ones. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu

/** A name that can be shown: one line, nothing hidden, nothing that turns the text around; or null. */
export function cleanName(name: string): string | null {
  const plain = name.replace(HIDDEN, '').replace(/\s+/g, ' ').trim()
  // No pair of surrogates is cut in two; the whole stays within what the name of a key may have.
  const cut = plain
    .slice(0, NAME_MAX)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trim()
  return cut === '' ? null : cut
}
