/** What crawlers and agents ask for first: robots.txt, sitemap.xml, and the front page in Markdown. */
import { expect, it } from 'vitest'
import type { CatalogSnapshot } from '../../../../kernel/plugins/catalog.ts'
import { asksForMarkdown, robotsTxt, sitemapXml } from '../../../../plugins/storefront/crawlers.ts'

const skill = (id: string, visibility: 'public' | 'unlisted' | 'private') => ({
  skill: { id },
  product: { id: `${visibility} & co`, spec: { visibility } },
  route: { method: 'GET', path: `/${id}` },
})

it('robots.txt names no path but that of the sitemap', () => {
  expect(robotsTxt('https://gw.example')).toBe(
    'User-agent: *\nAllow: /\n\nSitemap: https://gw.example/sitemap.xml\n',
  )
})

it('the sitemap has the pages of what is listed, each product once, and no other', () => {
  const snapshot = {
    skills: [
      skill('open.one', 'public'),
      skill('open.two', 'public'),
      skill('hidden.one', 'unlisted'),
      skill('secret.one', 'private'),
    ],
  } as unknown as CatalogSnapshot
  const text = sitemapXml({ publicUrl: 'https://gw.example', snapshot })
  expect([...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url)).toEqual([
    'https://gw.example/',
    'https://gw.example/docs',
    'https://gw.example/docs/products/public%20%26%20co',
    'https://gw.example/docs/skills/open.one',
    'https://gw.example/docs/skills/open.two',
  ])
})

it.each([
  ['text/markdown', true],
  ['text/markdown, text/html, */*', true],
  ['text/markdown, text/html;q=0.9, */*;q=0.1', true],
  ['text/html;q=0.5, Text/Markdown;q=0.8', true],
  ['text/html, text/markdown', false],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
  ['text/markdown;q=0', false],
  ['text/markdown;q=no', false],
  ['*/*', false],
  ['', false],
])('Accept: %s asks for Markdown: %s', (accept, expected) => {
  const request = new Request('https://gw.example/', { headers: { accept } })
  expect(asksForMarkdown(request)).toBe(expected)
})
