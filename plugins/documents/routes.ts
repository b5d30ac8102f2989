/** /openapi.json and /llms.txt. */
import { type DocumentTexts, isKnown, type Route } from '#kernel'
import { Packer } from '../shared/packed.ts'

const TAG = 'Meta'

export function documentRoutes(texts: DocumentTexts): Route[] {
  const [openapi, llms] = [new Packer(), new Packer()]
  return [
    {
      method: 'GET',
      path: '/openapi.json',
      auth: 'public',
      tag: TAG,
      summary: 'Machine-readable description (OpenAPI 3.1)',
      statuses: [304],
      handler: ({ request }) => {
        const text = texts.openapi()
        const etag = `"${Bun.hash(text).toString(36)}"`
        const headers = { etag, 'cache-control': 'no-cache' }
        const unchanged = { ...headers, vary: 'accept-encoding' }
        if (isKnown(request, etag)) return new Response(null, { status: 304, headers: unchanged })
        return openapi.answer(request, text, {
          headers: { ...headers, 'content-type': 'application/json' },
        })
      },
    },
    {
      method: 'GET',
      path: '/llms.txt',
      auth: 'public',
      tag: TAG,
      summary: 'How to buy here, for language models',
      description:
        'Markdown by llmstxt.org: how to pay by each rail, and every skill with its price, input schema, an example and a curl.',
      handler: ({ request }) =>
        llms.answer(request, texts.llms(), {
          headers: { 'content-type': 'text/markdown; charset=utf-8' },
        }),
    },
  ]
}
