/**
 * The pages for people, every byte of them served from here: people type API keys into them, so no
 * other host is reached, and no other page frames them.
 */
import { join } from 'node:path'
import { type GatewayPart, type PublicReadiness, type Route } from '#kernel'
import { cutText } from '../shared/cut-text.ts'
import { Packer } from '../shared/packed.ts'
import { asksForMarkdown, documentLinks, robotsTxt, sitemapXml } from './crawlers.ts'
import { escaped, pageOf } from './markup.ts'
import { referencePage } from './reference.ts'
import { skillPath } from './skills.ts'
import {
  productPage,
  skillPage,
  soldSkills,
  storefront,
  type StorefrontFacts,
} from './storefront.ts'
import { STYLE } from './style.ts'
import { wantsPage } from './wants-page.ts'

/** So much of an address stands on the page that says that nothing is there. */
const SHOWN_CHARACTERS = 200

export interface PageDeps {
  publicUrl: string
  /** What everybody may know at this moment; `url` is that of the request. */
  facts(url: string): StorefrontFacts
  openapi(): string
  llms(): string
  readiness(): Promise<PublicReadiness>
}

interface Made {
  front(request: Request): Promise<Response>
  robots(): Response
  sitemap(request: Request): Response
  reference(request: Request): Response
  skill(request: Request, id: string): Response
  product(request: Request, id: string): Response
  nothing(request: Request): Response
  asset(request: Request, text: string, type: string): Response
}

/** The page at `/`, those below /docs, and the one for addresses where there is nothing. */
export function storefrontPages(
  deps: PageDeps,
): Required<Pick<GatewayPart, 'routes' | 'notFound'>> {
  const made = make(deps)
  return {
    routes: pageRoutes(made),
    notFound: (request) => (wantsPage(request) ? made.nothing(request) : null),
  }
}

function pageRoutes(made: Made): Route[] {
  const page = (path: string, summary: string, handler: Route['handler']): Route => ({
    method: 'GET',
    path,
    auth: 'public',
    summary,
    isUndocumented: true,
    sameOrigin: true,
    handler,
  })
  return [
    {
      method: 'GET',
      path: '/',
      auth: 'public',
      tag: 'Meta',
      summary: 'Page for people',
      description:
        'What is sold with its prices, how to pay, whether it is up and whose it is. For `Accept: text/markdown` the text of /llms.txt.',
      handler: ({ request }) => made.front(request),
    },
    page('/robots.txt', 'What crawlers may read', () => made.robots()),
    page('/sitemap.xml', 'The pages', ({ request }) => made.sitemap(request)),
    page('/docs', 'The API reference', ({ request }) => made.reference(request)),
    page('/docs/skills/{id}', 'A skill', ({ request, params }) =>
      made.skill(request, params['id']!),
    ),
    page('/docs/products/{id}', 'A product', ({ request, params }) =>
      made.product(request, params['id']!),
    ),
    page('/docs/page.css', 'The style sheet', ({ request }) =>
      made.asset(request, STYLE, 'text/css'),
    ),
    page('/docs/page.js', 'The script', async ({ request }) =>
      made.asset(request, await scriptText(), 'text/javascript'),
    ),
  ]
}

function make(deps: PageDeps): Made {
  const origin = new URL(deps.publicUrl).origin
  const prefix = new URL(deps.publicUrl).pathname.replace(/\/+$/, '')
  const packer = new Packer()
  const headers = (logoUrl: string | null): Record<string, string> => ({
    'content-security-policy': policy(origin, logoUrl),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  const page = (
    request: Request,
    text: string,
    facts: StorefrontFacts,
    { status = 200, more = {} }: { status?: number; more?: Record<string, string> } = {},
  ): Response =>
    packer.answer(request, below(prefix, text), {
      status,
      headers: {
        ...headers(facts.operator.logoUrl),
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        ...more,
      },
    })
  const html = (request: Request, text: string | null, facts: StorefrontFacts): Response =>
    text === null
      ? page(request, missing(facts), facts, { status: 404 })
      : page(request, text, facts)
  const asset = (request: Request, text: string, type: string): Response =>
    packer.answer(request, text, {
      headers: {
        ...headers(null),
        'content-type': `${type}; charset=utf-8`,
        'cache-control': 'public, max-age=300',
      },
    })
  let made: { openapi: string; homes: string; text: string } | null = null
  const reference = (facts: StorefrontFacts): string => {
    const openapi = deps.openapi()
    const homes = JSON.stringify(facts.homes)
    if (made?.openapi !== openapi || made.homes !== homes) {
      const sold = soldSkills(facts.snapshot)
      const skillPages = new Map(
        sold.map(({ skill }) => [skill.id.replaceAll('.', '_'), skillPath(skill.id)]),
      )
      made = { openapi, homes, text: referencePage(facts, openapi, skillPages) }
    }
    return made.text
  }
  return {
    async front(request) {
      const links = { link: documentLinks(deps.publicUrl), vary: 'accept' }
      if (asksForMarkdown(request)) {
        const type = { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'no-store' }
        return packer.answer(request, deps.llms(), { headers: { ...type, ...links } })
      }
      const facts = deps.facts(request.url)
      return page(request, storefront(facts, await deps.readiness()), facts, { more: links })
    },
    robots: () =>
      new Response(robotsTxt(deps.publicUrl), {
        headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' },
      }),
    sitemap: (request) =>
      packer.answer(request, sitemapXml(deps.facts(request.url)), {
        headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'no-cache' },
      }),
    reference(request) {
      const facts = deps.facts(request.url)
      return html(request, reference(facts), facts)
    },
    skill(request, id) {
      const facts = deps.facts(request.url)
      return html(request, skillPage(facts, id), facts)
    },
    product(request, id) {
      const facts = deps.facts(request.url)
      return html(request, productPage(facts, id), facts)
    },
    nothing(request) {
      const facts = deps.facts(request.url)
      return page(request, nothingHere(facts, request.url), facts, {
        status: 404,
        more: { vary: 'accept' },
      })
    },
    asset,
  }
}

/**
 * A page of a gateway whose PUBLIC_URL has a path: a proxy takes it away, so links to the gateway's
 * root need it. Texts in the page have no quotes that would look like an attribute.
 */
function below(prefix: string, text: string): string {
  return prefix === '' ? text : text.replaceAll(/ (href|src)="\/(?!\/)/g, ` $1="${prefix}/`)
}

function missing(facts: StorefrontFacts): string {
  return pageOf(
    { ...facts, title: 'Not here', description: 'Nothing is sold under this name.' },
    '<h1>Nothing is sold under this name</h1><p><a href="/">What is sold</a></p>',
  )
}

/** The page for an address where there is nothing, with the ways that lead on. */
function nothingHere(facts: StorefrontFacts, url: string): string {
  const { pathname } = new URL(url)
  const bare = pathname.replace(/\/+$/, '')
  const ways = [
    ...(bare === '' || bare === pathname
      ? []
      : [
          `<a href="${escaped(`/${bare.replace(/^\/+/, '')}`)}">The same without the slash at its end</a>`,
        ]),
    '<a href="/">What is sold</a>',
    '<a href="/docs">API reference</a>',
    ...facts.homes.map(({ path, title }) => `<a href="${escaped(path)}">${escaped(title)}</a>`),
  ]
  return pageOf(
    { ...facts, title: 'Nothing here', description: 'There is nothing at this address.' },
    `<h1>There is nothing at this address</h1>
<p><code>${escaped(cutText(pathname, SHOWN_CHARACTERS))}</code> is no page of this gateway. The address may have a slip, or what stood here was taken away.</p>
<p>Programs that ask without <code>Accept: text/html</code> get this as JSON.</p>
<ul>${ways.map((way) => `<li>${way}</li>`).join('')}</ul>`,
  )
}

function policy(origin: string, logoUrl: string | null): string {
  const logo = logoUrl === null ? '' : ` ${new URL(logoUrl).origin}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data:${logo}`,
    `connect-src 'self' ${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const FOLDER = join(import.meta.dirname, 'browser')
let script: Promise<string> | null = null

/** JavaScript of browser/page.ts for browsers. Rejects when it does not build. */
function scriptText(): Promise<string> {
  script ??= buildScript()
  script.catch(() => (script = null))
  return script
}

async function buildScript(): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(FOLDER, 'page.ts')],
    target: 'browser',
    format: 'esm',
    // Modules of rails are fetched where they are served.
    external: ['/v1/*'],
  })
  return built.outputs[0]!.text()
}
