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

const DID_WEB = /^did:web:([^#:]+)((?::[^#:?/\\\s]+)*)#.+$/
const HOST = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/** The address of the document that names the key of a DID URL; null for another method than did:web. */
export function documentUrlOf(keyId: string): string | null {
  const base = baseUrlOf(keyId)
  if (base === null) return null
  return base.href.slice(0, -1) + (base.pathname === '/' ? DID_PATHS[0] : DID_PATHS[1])
}

/** Whether what lies at `url` can be sold by the gateway that a DID URL names. */
export function isOfGateway(keyId: string, url: string): boolean {
  const base = baseUrlOf(keyId)
  // A tool has no host, and a key of another method says nothing of one.
  if (base === null || url.startsWith('mcp://')) return true
  if (!URL.canParse(url)) return false
  // A did:web does not say whether its host is spoken to by http.
  const { host, pathname } = new URL(url)
  return host === base.host && pathname.startsWith(base.pathname)
}

/** The PUBLIC_URL of the gateway of a DID URL, with a slash at its end; null: it is no did:web. */
function baseUrlOf(keyId: string): URL | null {
  const match = DID_WEB.exec(keyId)
  const host = match && decoded(match[1]!)
  if (!host || !HOST.test(host)) return null
  const scheme = /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(host) ? 'http' : 'https'
  const url = `${scheme}://${host}${match[2]!.replaceAll(':', '/')}/`
  return URL.canParse(url) ? new URL(url) : null
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
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
