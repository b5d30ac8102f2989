import type { Route } from '#kernel'
import { DOCUMENT_LINKS } from './crawlers.ts'

/** What `/` answers without the pages. */
export function plainFrontRoute(operatorName: string | null): Route {
  const text = `${operatorName ?? 'Coinop'} sells machine work, one call at a time.

Prices:      /v1/prices
OpenAPI:     /openapi.json
How to buy:  /llms.txt
`
  return {
    method: 'GET',
    path: '/',
    auth: 'public',
    tag: 'Meta',
    summary: 'Where the documents are',
    handler: () =>
      new Response(text, {
        headers: { 'content-type': 'text/plain; charset=utf-8', link: DOCUMENT_LINKS },
      }),
  }
}
