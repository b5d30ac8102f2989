/** One HTML page understood: metadata, headline, author, dates, text; and what it gives for a schema. */
import {
  attr,
  byTag,
  closest,
  isCutShort,
  parsePage,
  setAside,
  squeeze,
  stripMarkup,
  textOf,
  type Document,
  type Element,
} from './dom/tree.ts'
import { cleanHtml } from './dom/clean-html.ts'
import { removeUnseen } from './dom/hidden.ts'
import { ELEMENTS_MAX } from './dom/nesting.ts'
import { showShadows } from './dom/shadows.ts'
import { struckPrices } from './dom/struck.ts'
import { blocksOf } from './article/blocks.ts'
import { bylineOf } from './article/byline.ts'
import { dateOptions, pageDates } from './article/dates.ts'
import { languageOf } from './article/language.ts'
import { markdownOf } from './article/markdown.ts'
import { articleText, type Embedded, threadText } from './article/text.ts'
import { threadOf } from './article/thread.ts'
import { layoutOf } from './article/layout.ts'
import { siteNamesOf } from './article/site.ts'
import { titleOf } from './article/title.ts'
import { moneyIn } from './fields/numbers.ts'
import { bodyText } from './harvest/body-text.ts'
import { harvest, isArticle, rankedThings, textsOf, type Harvest } from './harvest/harvest.ts'
import { allOf, firstOf } from './harvest/meta.ts'
import type { PageSummary } from './page-summary.ts'

export interface Page {
  document: Document
  harvest: Harvest
  summary: PageSummary
  /** The article as Markdown, with its links. */
  markdown(): string
  /** The page's markup without scripts, styles and furniture. */
  html(): string
}

const LINKS_MAX = 20_000
const IMAGES_MAX = 5_000
const VISIBLE_MAX = 400_000

function kindOf({ things, head }: Harvest): string {
  const [main] = rankedThings(things)
  if (main && isArticle(main)) return 'article'
  const type = main?.types[0]
  if (type && !/^(?:Web(?:Site|Page)|BreadcrumbList|Organization|CollectionPage)$/.test(type))
    return type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
  return firstOf(head.opengraph, 'og:type')?.toLowerCase() ?? 'webpage'
}

function imagesOf(page: Document, { head, things, resolve }: Harvest): string[] {
  const images = new Set<string>()
  const add = (source: string | null): void => {
    if (source && !source.startsWith('data:') && images.size < IMAGES_MAX)
      images.add(resolve(source))
  }
  for (const source of allOf(head.opengraph, 'og:image')) add(source)
  add(firstOf(head.opengraph, 'og:image:url', 'og:image:secure_url'))
  add(firstOf(head.twitter, 'twitter:image', 'twitter:image:src'))
  add(firstOf(head.links, 'image_src'))
  for (const thing of rankedThings(things).slice(0, 3))
    for (const source of textsOf(thing.value.image)) if (/[/.]/.test(source)) add(source)
  for (const image of byTag(page, 'img')) {
    if (closest(image, (one) => ['nav', 'footer', 'aside', 'header'].includes(one.tagName)))
      continue
    const source =
      attr(image, 'data-src') ??
      attr(image, 'data-original') ??
      attr(image, 'data-lazy-src') ??
      attr(image, 'src')
    const isPixel = Number(attr(image, 'width') ?? 99) < 3
    if (!isPixel) add(source)
  }
  return [...images]
}

function linksOf(page: Document, { resolve }: Harvest): PageSummary['links'] {
  const links = new Map<string, string>()
  for (const link of byTag(page, 'a')) {
    const href = attr(link, 'href')?.trim()
    const text = textOf(link)
    if (
      !href ||
      text === '' ||
      /^(?:#|javascript:|mailto:|tel:)/i.test(href) ||
      links.size >= LINKS_MAX
    )
      continue
    const url = resolve(href)
    if (!links.has(url)) links.set(url, text)
  }
  return [...links].map(([url, text]) => ({ text, url }))
}

/** The articleBody of metadata, when it holds the text rather than a teaser. */
function embeddedBody(things: Harvest['things']): Embedded | null {
  for (const thing of things) {
    const body = thing.value.articleBody
    if (typeof body === 'string' && body.length > 200 && /^(?:json_ld|state)/.test(thing.path)) {
      return {
        text: bodyText(body),
        source: thing.path.startsWith('state') ? 'state' : 'json-ld',
      }
    }
  }
  return null
}

/** Whether the page calls itself one article, which a thread below it does not change. */
const saysArticle = ({ things, head }: Harvest): boolean =>
  rankedThings(things).slice(0, 1).some(isArticle) ||
  firstOf(head.opengraph, 'og:type')?.toLowerCase() === 'article'

function describe(found: Harvest): { value: string; path: string } | null {
  const { head, things } = found
  const sources: [string | null | undefined, string][] = [
    [firstOf(head.meta, 'description'), 'meta.description'],
    [firstOf(head.opengraph, 'og:description'), 'opengraph.og:description'],
    [firstOf(head.twitter, 'twitter:description'), 'twitter.twitter:description'],
    ...rankedThings(things)
      .slice(0, 2)
      .map((thing): [string | undefined, string] => [
        textsOf(thing.value.description)[0],
        `${thing.path}.description`,
      ]),
    [
      firstOf(head.dublin_core, 'DC.description', 'dc.description', 'DC.Description'),
      'dublin_core.description',
    ],
  ]
  const first = sources.find(([value]) => value)
  return first ? { value: stripMarkup(first[0]!), path: first[1] } : null
}

/** Reads a page; `url` is where it came from, when that is known. */
export function readPage(html: string, url: string | null): Page {
  const document = parsePage(html)
  if (html.includes('shadowrootmode')) showShadows(document)
  const found = harvest(document, url)
  const { head } = found
  const images = imagesOf(document, found)
  removeUnseen(document)
  for (const price of struckPrices(document, (text) => moneyIn(text) !== null)) setAside(price)
  const sites = siteNamesOf(document, found, url)
  const title = titleOf(document, found, sites)
  const layout = layoutOf(document)
  const thread = threadOf(document, layout, dateOptions(found), saysArticle(found))
  const byline = thread?.author
    ? { value: [thread.author.value], path: thread.author.path }
    : bylineOf(document, found, sites, title?.value ?? null)
  const dates = pageDates(document, found, url)
  const isSameDay = dates.published?.value.slice(0, 10) === thread?.published?.value.slice(0, 10)
  // Metadata of the same day also tells the zone.
  if (thread?.published && !isSameDay) dates.published = thread.published
  const article = thread
    ? threadText(thread)
    : articleText(
        document,
        layout,
        { title: title?.value ?? null, authors: byline?.value ?? [] },
        embeddedBody(found.things),
      )
  const description = describe(found)
  const canonical = firstOf(head.links, 'canonical') ?? firstOf(head.opengraph, 'og:url')
  const language = languageOf(found, article.text)
  const keywords = [...allOf(head.meta, 'keywords'), ...allOf(head.meta, 'news_keywords')].flatMap(
    (list) => list.split(/\s*[,;]\s*/),
  )
  const tags = [
    ...allOf(head.opengraph, 'article:tag'),
    ...rankedThings(found.things)
      .slice(0, 1)
      .flatMap((thing) => textsOf(thing.value.keywords))
      .flatMap((list) => list.split(/\s*,\s*/)),
  ]
  const icon = firstOf(head.links, 'icon', 'apple-touch-icon')
  const extent = isCutShort(document) ? ` of the first ${ELEMENTS_MAX} elements` : ''
  const paths: { [field: string]: string } = { text: article.engine + extent }
  const note = <T>(field: string, one: { value: T; path: string } | null): T | null => {
    if (one) paths[field] = one.path
    return one ? one.value : null
  }
  const summary: PageSummary = {
    kind: kindOf(found),
    title: note('title', title),
    authors: note('author', byline) ?? [],
    published_at: note('published_at', dates.published),
    modified_at: note('modified_at', dates.modified),
    site_name: sites[0] ?? null,
    description: note('description', description),
    language: note('language', language),
    url: canonical ? found.resolve(canonical) : url,
    image: images[0] ?? null,
    images,
    favicon: icon,
    keywords: [...new Set([...keywords, ...tags].map(squeeze).filter((one) => one !== ''))],
    headings: byTag(document, 'h1', 'h2', 'h3')
      .map(textOf)
      .filter((one) => one !== ''),
    links: linksOf(document, found),
    text: article.text,
    word_count: article.text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0,
    visible: textOf(document).slice(0, VISIBLE_MAX),
    engine: article.engine,
    paths,
  }
  const skips = (element: Element): boolean => layout.skips(element)
  return {
    document,
    harvest: found,
    summary,
    markdown: () =>
      markdownOf(
        summary.title,
        article.blocks,
        blocksOf(document, (element) => element.tagName === 'head', found.resolve),
      ),
    html: () => cleanHtml(document, skips, found.resolve),
  }
}
