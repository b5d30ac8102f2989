/** Serves the public keys, whether or not anything is signed now: earlier receipts stay valid. */
import { Type } from 'typebox'
import type { Route } from '#kernel'
import type { DidDocument } from './did.ts'

/** A new key is published with the restart that begins to sign by it. */
const MAX_AGE_S = 60

export function didRoute(path: string, document: DidDocument): Route {
  const text = JSON.stringify(document)
  return {
    method: 'GET',
    path,
    auth: 'public',
    isAlwaysDocumented: true,
    tag: 'Receipts',
    summary: 'The public keys of signed receipts, as a DID document (did:web)',
    output: Type.Object({
      id: Type.String(),
      verificationMethod: Type.Array(Type.Object({ id: Type.String() })),
      assertionMethod: Type.Array(Type.String()),
    }),
    handler: () =>
      new Response(text, {
        headers: {
          'content-type': 'application/json',
          'cache-control': `public, max-age=${MAX_AGE_S}`,
        },
      }),
  }
}
