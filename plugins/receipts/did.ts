/**
 * did:web (W3C CCG did-method-web): the gateway's address as an identifier, and the document in which
 * whoever has a receipt finds the public keys.
 */
import type { PublicJwk, ReceiptKey } from './signer.ts'

/** The identifier of a gateway, and the path of its document below PUBLIC_URL. */
export interface DidPlace {
  /** 'did:web:api.example.com', the colon of a port as %3A; path segments follow behind colons. */
  did: string
  path: string
}

/** Both places where a document may be. */
export const DID_PATHS = ['/.well-known/did.json', '/did.json'] as const

export function didPlaceOf(publicUrl: string): DidPlace {
  const { host, pathname } = new URL(publicUrl)
  const segments = pathname.split('/').filter((segment) => segment !== '')
  const did = ['did:web', encodeURIComponent(host), ...segments].join(':')
  return { did, path: segments.length === 0 ? DID_PATHS[0] : DID_PATHS[1] }
}

/** The address of the document that names the key of a DID URL; null for another method than did:web. */
export function documentUrlOf(keyId: string): string | null {
  const match = /^did:web:([^#:]+)((?::[^#:]+)*)#.+$/.exec(keyId)
  if (!match) return null
  const host = decodeURIComponent(match[1]!)
  const segments = match[2]!.split(':').slice(1)
  const scheme = /^(localhost|127\.0\.0\.1)(:|$)/.test(host) ? 'http' : 'https'
  const path = segments.length === 0 ? DID_PATHS[0] : `/${segments.join('/')}${DID_PATHS[1]}`
  return `${scheme}://${host}${path}`
}

/** A DID document, as far as a reader of receipts needs it. */
export interface DidDocument {
  '@context': readonly string[]
  id: string
  verificationMethod: readonly {
    id: string
    type: 'JsonWebKey2020'
    controller: string
    publicKeyJwk: PublicJwk
  }[]
  assertionMethod: readonly string[]
}

/** The document with all `keys`, old ones too: their receipts stay valid. */
export function didDocumentOf(did: string, keys: readonly ReceiptKey[]): DidDocument {
  const idOf = ({ fragment }: ReceiptKey): string => `${did}#${fragment}`
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id: did,
    verificationMethod: keys.map((key) => ({
      id: idOf(key),
      type: 'JsonWebKey2020',
      controller: did,
      publicKeyJwk: key.publicJwk,
    })),
    assertionMethod: keys.map(idOf),
  }
}
