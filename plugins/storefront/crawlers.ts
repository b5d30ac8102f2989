/** What crawlers and agents ask for before they read a page: robots.txt, sitemap.xml, links. */
import { escaped } from './markup.ts'
import { productPath, skillPath } from './skills.ts'
import { soldSkills, type StorefrontFacts } from './storefront.ts'

/**
 * Where the documents for machines are (RFC 8288, RFC 8631, RFC 9727), as the header `Link` of the
 * front page says it.
 */
export function documentLinks(publicUrl: string): string {
  return [
    `<${publicUrl}/.well-known/api-catalog>; rel="api-catalog"`,
    `<${publicUrl}/openapi.json>; rel="service-desc"; type="application/json"`,
    `<${publicUrl}/llms.txt>; rel="alternate"; type="text/markdown"`,
  ].join(', ')
}

/**
 * robots.txt (RFC 9309). Everything that is public may be read: pages of operators and customers say
 * `noindex` themselves, and naming a path here would tell it to everybody.
 */
export function robotsTxt(publicUrl: string): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${publicUrl}/sitemap.xml\n`
}

/** sitemap.xml (sitemaps.org): the pages of what is listed. */
export function sitemapXml({
  publicUrl,
  snapshot,
}: Pick<StorefrontFacts, 'publicUrl' | 'snapshot'>): string {
  const sold = soldSkills(snapshot)
  const products = new Set(sold.map(({ product }) => productPath(product.id)))
  const paths = ['/', '/docs', ...products, ...sold.map(({ skill }) => skillPath(skill.id))]
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => `<url><loc>${escaped(publicUrl + path)}</loc></url>\n`).join('')}</urlset>
`
}

/**
 * Whether a request asks for Markdown before HTML, as agents do: `text/markdown` with a quality
 * above that of `text/html`, or with the same one and named first (RFC 9110, section 12.5.1).
 */
export function asksForMarkdown(request: Request): boolean {
  const ranges = (request.headers.get('accept') ?? '').split(',').map((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { type, quality: quality === undefined ? 1 : Number(quality) || 0 }
  })
  const place = (type: string) => ranges.findIndex((range) => range.type === type)
  const [markdown, html] = [place('text/markdown'), place('text/html')]
  const wanted = ranges[markdown]?.quality ?? 0
  const other = ranges[html]?.quality ?? 0
  return wanted > other || (wanted > 0 && wanted === other && markdown < html)
}
