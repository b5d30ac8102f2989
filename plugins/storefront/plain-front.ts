/** A gateway without pages: `/` and addresses where there is nothing say where the documents are. */
import type { GatewayPart, Route } from '#kernel'
import { documentLinks } from './crawlers.ts'
import { wantsPage } from './wants-page.ts'

export function plainFront(
  operatorName: string | null,
  publicUrl: string,
): Required<Pick<GatewayPart, 'routes' | 'notFound'>> {
  const documents = `Prices:      /v1/prices
OpenAPI:     /openapi.json
How to buy:  /llms.txt
`
  const text = (first: string, status: number): Response =>
    new Response(`${first}\n\n${documents}`, {
      status,
      headers: { 'content-type': 'text/plain; charset=utf-8', link: documentLinks(publicUrl) },
    })
  const front: Route = {
    method: 'GET',
    path: '/',
    auth: 'public',
    tag: 'Meta',
    summary: 'Where the documents are',
    handler: () => text(`${operatorName ?? 'Coinop'} sells machine work, one call at a time.`, 200),
  }
  return {
    routes: [front],
    notFound(request) {
      if (!wantsPage(request)) return null
      const response = text('There is nothing at this address.', 404)
      response.headers.set('cache-control', 'no-store')
      response.headers.set('vary', 'accept')
      return response
    },
  }
}
