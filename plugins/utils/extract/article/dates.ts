/** When a page was published and changed: metadata, time elements, its address, visible dates. */
import {
  attr,
  byTag,
  closest,
  elementsOf,
  layoutName,
  textOf,
  type Document,
  type Element,
} from '../dom/tree.ts'
import { allOf, type MetaValues } from '../harvest/meta.ts'
import { isArticle, rankedThings, textsOf, type Harvest } from '../harvest/harvest.ts'
import { findDate, parseDate, type DateOptions } from './parse-date.ts'
import type { Found } from './title.ts'

export interface PageDates {
  published: Found | null
  modified: Found | null
}

const PUBLISHED =
  'article:published_time article:published og:article:published_time og:published_time og:pubdate article:publish_date published_time datepublished publish_date publish-date publishdate publicationdate publication_date publication-date pubdate pub_date article.published article_date_original originalpublicationdate original-publish-date parsely-pub-date sailthru.date date.issued date_published dcterms.created dcterms.issued dcterms.date dc.date.issued dc.date.created dc.date citation_publication_date citation_online_date citation_date cxenseparse:recs:publishtime cxenseparse:publishtime rnews:datepublished article:post_date date created datecreated date.created dat ptime displaydate release_date prism.publicationdate eprints.date bepress_citation_date timestamp shareaholic:article_published_time'.split(
    ' ',
  )
const MODIFIED =
  'article:modified_time article:modified og:updated_time og:modified_time article:updated_time datemodified modified_time lastmod last-modified last_modified lastmodified dcterms.modified dc.date.modified date.modified updated_time modified revised'.split(
    ' ',
  )
const AWAY =
  /(?:^|[\s_-])(?:comments?|comment-?\w+|related|sidebar|widget|footer|recommend\w*|popular|trending|most-?read|copyright|teaser\w*|events?-?list|calendar|upcoming|ticker|promo)(?:$|[\s_-])/
const DATED =
  /(?:^|[\s_-])(?:(?:\w+-)?(?:date|time|datetime|dateline|published|pubdate|publish\w*|posted|timestamp|time-?stamp|updated|meta|created|submitted|byline|datum|fecha|data)(?:-\w+)?)(?:$|[\s_-])/
const UPDATED = /updat|modif|revis|aktualis|mis à jour|actualiz|aggiorn|обновл/i

const lower = (values: MetaValues): MetaValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]))

function fromThings(harvest: Harvest, keys: readonly string[], options: DateOptions): Found | null {
  const ranked = rankedThings(harvest.things)
  const ordered = [...ranked.filter(isArticle), ...ranked.filter((thing) => !isArticle(thing))]
  for (const thing of ordered) {
    for (const key of keys) {
      for (const text of textsOf(thing.value[key])) {
        const value = parseDate(text, options)
        if (value) return { value, path: `${thing.path}.${key}` }
      }
    }
  }
  return null
}

function fromMeta(harvest: Harvest, names: readonly string[], options: DateOptions): Found | null {
  const { opengraph, dublin_core: core, meta, twitter } = harvest.head
  const sources = [
    ['opengraph', lower(opengraph)],
    ['meta', meta],
    ['dublin_core', lower(core)],
    ['twitter', twitter],
  ] as const
  for (const name of names) {
    for (const [source, values] of sources) {
      for (const text of allOf(values, name)) {
        const value = parseDate(text, options)
        if (value) return { value, path: `${source}.${name}` }
      }
    }
  }
  return null
}

const isAway = (element: Element): boolean =>
  closest(
    element,
    (one) => AWAY.test(layoutName(one)) || ['footer', 'nav', 'aside'].includes(one.tagName),
  ) !== null

interface Shown extends Found {
  score: number
}

function shownDates(
  page: Document,
  options: DateOptions,
): { published: Shown | null; modified: Shown | null } {
  const best: { published: Shown | null; modified: Shown | null } = {
    published: null,
    modified: null,
  }
  const offer = (kind: 'published' | 'modified', one: Shown): void => {
    if (!best[kind] || one.score > best[kind]!.score) best[kind] = one
  }
  let headlineSeen = false
  let textSeen = 0
  let order = 0
  for (const element of elementsOf(page)) {
    if (['script', 'style', 'template', 'noscript', 'title'].includes(element.tagName)) continue
    if (element.tagName === 'h1') headlineSeen = true
    if (element.tagName === 'p') textSeen += textOf(element).length
    const isTime = element.tagName === 'time' || element.tagName === 'relative-time'
    const prop = attr(element, 'itemprop') ?? ''
    const name = layoutName(element)
    const isDated = DATED.test(name) || /date/i.test(attr(element, 'data-testid') ?? '')
    const isSmall = element.childNodes.length <= 6 && element.tagName !== 'body'
    if (!isTime && !/date/i.test(prop) && !isSmall) continue
    const text = isSmall || isTime || isDated ? textOf(element) : ''
    if (text.length > 160) continue
    const machine =
      attr(element, 'datetime') ??
      attr(element, 'data-datetime') ??
      attr(element, 'data-timestamp') ??
      (/date/i.test(prop) ? attr(element, 'content') : null)
    const fromMachine = machine ? parseDate(machine, options) : null
    const shown = fromMachine ? null : findDate(text, options)
    const value = fromMachine ?? (shown ? `${shown.date}${shown.time}` : null)
    if (!value || isAway(element)) continue
    let score = isTime ? 5 : isDated ? 4 : 1
    // A sentence that mentions a date is not a dateline.
    if (!isTime && !fromMachine && shown && text.length - shown.text.length > 60) score -= 2.5
    if (
      /published/i.test(`${prop} ${name}`) ||
      attr(element, 'pubdate') !== null ||
      /publi|posted/i.test(text)
    )
      score += 2
    if (headlineSeen) score += 0.5
    if (textSeen > 400) score -= 2.5
    const before =
      element.parentNode && 'tagName' in element.parentNode
        ? textOf(element.parentNode).slice(0, 40)
        : ''
    const isUpdate =
      UPDATED.test(`${prop} ${name} ${text.slice(0, 30)}`) ||
      (isTime && UPDATED.test(before) && !/publi|posted/i.test(before))
    offer(isUpdate ? 'modified' : 'published', {
      value,
      path: `html.${element.tagName}`,
      score: score - order * 0.1,
    })
    order += 1
  }
  return best
}

/** A date in an address: /2024/03/05/, /2024-03-05-, ?date=20240305. */
export function dateInUrl(url: string): string | null {
  const found =
    /[/_-](19[89]\d|20\d\d)[/_-]?(0[1-9]|1[0-2])[/_-]?(0[1-9]|[12]\d|3[01])(?=[/_.-]|$)/.exec(url)
  return found ? parseDate(`${found[1]}-${found[2]}-${found[3]}`) : null
}

/** Day of two dates apart by at most one, because of zones. */
export function pageDates(page: Document, harvest: Harvest, pageUrl: string | null): PageDates {
  const language = harvest.htmlLang ?? ''
  const options = { monthFirst: /^en(-us|-ph)?$/i.test(language.replace('_', '-')) }
  const shown = shownDates(page, options)
  const address =
    pageUrl ??
    allOf(harvest.head.links, 'canonical')[0] ??
    allOf(harvest.head.opengraph, 'og:url')[0] ??
    null
  const inUrl = address ? dateInUrl(address) : null
  const published =
    fromThings(
      harvest,
      ['datePublished', 'dateCreated', 'uploadDate', 'datePosted', 'published', 'date'],
      options,
    ) ??
    fromMeta(harvest, PUBLISHED, options) ??
    (shown.published && shown.published.score >= 3 ? shown.published : null) ??
    (inUrl ? { value: inUrl, path: 'url' } : null) ??
    (shown.published && shown.published.score > 0.2 ? shown.published : null) ??
    afterHeadline(page, options)
  const modified =
    fromThings(harvest, ['dateModified'], options) ??
    fromMeta(harvest, MODIFIED, options) ??
    shown.modified
  const strip = (found: Found | null): Found | null =>
    found && { value: found.value, path: found.path }
  return { published: strip(published ?? null) ?? strip(shown.modified), modified: strip(modified) }
}

/** A date within the first words after the headline, as old pages write it. */
function afterHeadline(page: Document, options: DateOptions): Found | null {
  const headline = byTag(page, 'h1', 'h2')[0]
  if (!headline) return null
  const whole = textOf(page)
  const at = whole.indexOf(textOf(headline))
  if (at < 0) return null
  const found = findDate(whole.slice(at + textOf(headline).length).slice(0, 250), options)
  return found ? { value: `${found.date}${found.time}`, path: 'html.text' } : null
}
