/** What schema filling draws on, made only when it is asked for. */
import { findDate } from '../article/parse-date.ts'
import { byTag, textOf, type Document } from '../dom/tree.ts'
import { rankedThings, type Harvest } from '../harvest/harvest.ts'
import { isObject, typesOf, type JsonObject } from '../harvest/json-ld.ts'
import type { Resolve } from '../harvest/links.ts'
import type { PageSummary } from '../page-summary.ts'
import { factsOfBlock } from './block-facts.ts'
import { factsOfThings, type Fact } from './facts.ts'
import { phraseOf } from './keys.ts'
import { currencyIn, priceIn } from './numbers.ts'
import { pageLists, type PageList } from './page-lists.ts'
import { pairsOfPage, type Pair } from './pairs.ts'
import { proseFacts } from './prose.ts'
import { groupsOf, type Group } from './repeated.ts'
import { tablesOf, type Table } from './tables.ts'
import { TRUST } from './weights.ts'

export interface FactSources {
  resolve: Resolve
  facts(): Fact[]
  /** Lists of a page with what names them. */
  lists(): PageList[]
  tables(): Table[]
  groups(): Group[]
  /** Lists of described things: ItemList elements, several items of one type. */
  collections(): { path: string; types: string[]; items: JsonObject[] }[]
  /** Records of a text: facts of each. */
  records(): { path: string; items: Fact[][] }[]
}

export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}

const EMAIL = /[\p{L}\d._%+-]{1,64}@[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}/u
const PHONE =
  /(?<![\d.,])(?:\+\d{1,3}[\s().-]?)?(?:\(\d{1,5}\)[\s.-]?)?\d{2,5}(?:[\s.-]\d{2,5}){1,4}/

const COUNT_OF_REVIEWS =
  /(?<![\d.,])(\d{1,3}(?:[.,\u00a0 ]\d{3})+|\d+)\s+(?:customer |verified |global )?(?:reviews?|ratings|Bewertungen|Rezensionen|avis|opiniones|reseñas|recensioni|avaliações|recensies|отзыв\p{L}*|опин\p{L}*)/iu
const RATING =
  /(?<![\d.,])([0-5](?:[.,]\d{1,2})?)\s*(?:out of|von|sur|de|\/|из)\s*(?:5|10)(?![\d.,]\d|\d)/i
const AGE = /\b(\d{1,3})[- ]years?[- ]old\b|\p{Lu}\p{Ll}+, (?:aged? )?(\d{1,2}),/u

/** Facts that a text shows by the form of its values. */
export function patternFacts(text: string, path = 'text'): Fact[] {
  const { pattern } = TRUST
  const facts: Fact[] = []
  const add = (key: string, value: string | null | undefined, trust: number): void => {
    if (value) facts.push({ key, value, path: `${path}:${key}`, trust })
  }
  add('email', EMAIL.exec(text)?.[0], pattern.email)
  const labelled =
    /(?:tel|phone|call|mobile|telefon|téléphone|teléfono)\w*\.?\s*[:：]?\s*(\+?[\d(][\d\s().-]{6,18}\d)/i.exec(
      text,
    )?.[1]
  const shown = PHONE.exec(text)?.[0]
  // Without a word for it a number is one of a telephone only in the forms that no date has.
  const isPhone = shown && /^(?:\+|\(|0\d|\d{3}[-. ]\d{3}[-. ]\d{4}$)/.test(shown)
  const digits = shown?.replaceAll(/\D/g, '').length ?? 0
  const phone = labelled ?? (isPhone && digits >= 7 && findDate(shown) === null ? shown : null)
  add('phone', phone, labelled ? pattern.labelledPhone : pattern.phone)
  const money = priceIn(text)
  add('price', money, pattern.price)
  add('currency', money && currencyIn(money) ? money : null, pattern.currency)
  add('review count', COUNT_OF_REVIEWS.exec(text)?.[1], pattern.reviewCount)
  add('rating', RATING.exec(text)?.[1], pattern.rating)
  add('age', AGE.exec(text)?.slice(1).find(Boolean), pattern.age)
  add('isbn', /\b97[89][-\s]?(?:\d[-\s]?){9}\d\b/.exec(text)?.[0], pattern.isbn)
  return facts
}

const CONTACT: readonly [RegExp, string][] = [
  [/^mailto:([^?]+)/i, 'email'],
  [/^tel:(.+)/i, 'phone'],
]

const SOCIAL_HOST =
  /^https?:\/\/(?:[\w-]+\.)?(?:facebook|twitter|x|instagram|linkedin|youtube|tiktok|pinterest|github|mastodon|threads|bsky)\.(?:com|social|net|app)\/(?!share|intent|sharer|home)[\w@]/i

/** The page's own accounts elsewhere, as its links name them. */
function socialFacts(page: Document): Fact[] {
  return byTag(page, 'a').flatMap((link) => {
    const href = link.attrs.find(({ name }) => name === 'href')?.value ?? ''
    const host = SOCIAL_HOST.test(href) ? new URL(href).hostname.split('.').at(-2)! : null
    if (host === null) return []
    const fact = { value: href, path: `html.a[${host}]`, trust: TRUST.page.socialLink }
    return [
      { ...fact, key: 'social links' },
      { ...fact, key: host },
    ]
  })
}

const addressFacts = (page: Document): Fact[] =>
  byTag(page, 'address').flatMap((element) => {
    const text = textOf(element)
    const isPlace = /\d/.test(text) && text.length < 200 && !/@|\bby\b/i.test(text)
    return isPlace
      ? [{ key: 'address', value: text, path: 'html.address', trust: TRUST.page.address }]
      : []
  })

function linkFacts(page: Document): Fact[] {
  return byTag(page, 'a').flatMap((link) => {
    const href = link.attrs.find(({ name }) => name === 'href')?.value ?? ''
    return CONTACT.flatMap(([pattern, key]) => {
      const match = pattern.exec(href)
      return match
        ? [
            {
              key,
              value: decodeURIComponent(match[1]!.replaceAll(/%(?![\da-f]{2})/gi, '%25')),
              path: `html.a[${key}]`,
              trust: TRUST.page.contactLink,
            },
          ]
        : []
    })
  })
}

const metaFacts = (
  values: { [name: string]: string | string[] },
  source: string,
  trust: number,
): Fact[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const local = name
      .replace(
        /^(?:og|twitter|article|product|book|video|music|profile|dc|dcterms|business|place):/i,
        '',
      )
      .replace(/^dc(?:terms)?\./i, '')
    // Titles and descriptions of social cards are the page's, so they stay behind its own.
    return [{ key: phraseOf(local), value, path: `${source}.${name}`, trust, isMachine: true }]
  })

function summaryFacts(summary: PageSummary): Fact[] {
  const facts: Fact[] = []
  const add = (key: string, value: unknown, path: string | undefined, trust: number): void => {
    if (value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
      facts.push({ key, value, path: path ?? key, trust, isMachine: true })
  }
  const { paths } = summary
  const own = TRUST.summary
  // A headline or date that a page shows beats the same in an item that may be another's.
  const about = summary.kind === 'article' ? own.article : own.other
  add('title', summary.title, paths.title, Math.max(own.leastTitle, about))
  add('author', summary.authors, paths.author, about)
  add('published', summary.published_at, paths.published_at, about)
  add('modified', summary.modified_at, paths.modified_at, about)
  add('description', summary.description, paths.description, own.description)
  add('text', summary.text, paths.text, own.text)
  add('site name', summary.site_name, paths.site_name, own.siteName)
  // A guess from the words says less than a label.
  add(
    'language',
    summary.language,
    paths.language,
    paths.language === 'text' ? own.languageOfWords : own.language,
  )
  add('image', summary.image, paths.image, own.image)
  add('images', summary.images, 'images', own.images)
  add('canonical url', summary.url, paths.url, own.canonicalUrl)
  add('keywords', summary.keywords, paths.keywords, own.keywords)
  add('favicon', summary.favicon, 'links.icon', own.favicon)
  add('headings', summary.headings, 'headings', own.headings)
  add('links', summary.links, 'links', own.links)
  add('word count', summary.word_count, 'text', own.wordCount)
  return facts
}

const { first, lessPerPlace, lessAtMost } = TRUST.pair
const pairFacts = (pairs: readonly Pair[]): Fact[] =>
  pairs.map(({ label, value, path }, index) => ({
    key: phraseOf(label),
    value,
    path,
    trust: first - Math.min(lessAtMost, index * lessPerPlace),
  }))

function collectionsOf(harvest: Harvest): ReturnType<FactSources['collections']> {
  const found: ReturnType<FactSources['collections']> = []
  const byType = new Map<string, { path: string; items: JsonObject[] }>()
  for (const { path, value } of harvest.things) {
    for (const key of [
      'itemListElement',
      'mainEntity',
      'hasPart',
      'review',
      'offers',
      'subEvent',
      'event',
      'itemOffered',
      'hasVariant',
      'employee',
      'member',
    ]) {
      const nested =
        isObject(value[key]) && Array.isArray((value[key] as JsonObject).itemListElement)
          ? (value[key] as JsonObject).itemListElement
          : value[key]
      const items = Array.isArray(nested) ? nested.filter(isObject) : []
      const isTrail = typesOf(value).includes('BreadcrumbList')
      if (items.length > 0 && !isTrail)
        found.push({
          path: `${path}.${key}`,
          types: items.flatMap(typesOf).slice(0, 3).concat(key),
          items,
        })
    }
  }
  for (const { path, types, value } of harvest.things) {
    const type = types[0] ?? ''
    const had = byType.get(type)
    if (had) had.items.push(value)
    else byType.set(type, { path: path.replace(/\[\d+\]$/, '[*]'), items: [value] })
  }
  for (const [type, { path, items }] of byType)
    if (type !== '' && items.length > 1) found.push({ path, types: [type], items })
  return found
}

/** Names that a class may have for its element's text, in the order of a page; trusted less than labels. */
function layoutFacts(page: Document, resolve: Resolve): Fact[] {
  const body = byTag(page, 'body')[0]
  if (!body) return []
  const seen = new Map<string, number>()
  return factsOfBlock(body, resolve, 'html', true).filter((fact) => {
    const count = (seen.get(fact.key) ?? 0) + 1
    seen.set(fact.key, count)
    return count <= 60
  })
}

export function sourcesOfPage(page: Document, harvest: Harvest, summary: PageSummary): FactSources {
  const { head, resolve } = harvest
  const tables = once(() => tablesOf(page))
  return {
    resolve,
    tables,
    facts: once(() => [
      ...factsOfThings(rankedThings(harvest.things)),
      ...summaryFacts(summary),
      ...metaFacts(head.opengraph, 'opengraph', TRUST.head.opengraph),
      ...metaFacts(head.twitter, 'twitter', TRUST.head.twitter),
      ...metaFacts(head.dublin_core, 'dublin_core', TRUST.head.dublinCore),
      ...metaFacts(head.meta, 'meta', TRUST.head.meta),
      ...pairFacts(pairsOfPage(page, tables())),
      ...linkFacts(page),
      ...socialFacts(page),
      ...addressFacts(page),
      ...layoutFacts(page, resolve).map((fact) => ({
        ...fact,
        trust: fact.trust * TRUST.layoutShare,
      })),
      ...proseFacts(summary.text),
      ...patternFacts(summary.visible),
    ]),
    lists: once(() => pageLists(page)),
    groups: once(() => groupsOf(page)),
    collections: once(() => collectionsOf(harvest)),
    records: () => [],
  }
}
