/** When a page was published and changed: metadata, time elements, its address, visible dates. */
import { byTag, textOf, type Document } from '../dom/tree.ts'
import { isArticle, mainThings, textsOf, type Harvest } from '../harvest/harvest.ts'
import { allOf, type MetaValues } from '../harvest/meta.ts'
import { shownDates } from './dates-shown.ts'
import { findDate, parseDate, type DateOptions } from './parse-date.ts'
import type { Found } from './phrases.ts'
import { CREDIT_WORDS } from './prompts.ts'

const DAY_MS = 86_400_000

export interface PageDates {
  published: Found | null
  modified: Found | null
}

const PUBLISHED =
  'article:published_time article:published og:article:published_time og:published_time og:pubdate og:regdate article:publish_date published_time datepublished publish_date publish-date publishdate publicationdate publication_date publication-date pubdate pub_date article.published article_date_original originalpublicationdate original-publish-date parsely-pub-date sailthru.date date.issued date_published dcterms.created dcterms.issued dcterms.date dc.date.issued dc.date.created dc.date citation_publication_date citation_online_date citation_date cxenseparse:recs:publishtime cxenseparse:publishtime rnews:datepublished article:post_date date created datecreated date.created dat ptime displaydate release_date prism.publicationdate eprints.date bepress_citation_date timestamp shareaholic:article_published_time'.split(
    ' ',
  )
const MODIFIED =
  'article:modified_time article:modified og:updated_time og:modified_time article:updated_time datemodified modified_time lastmod last-modified last_modified lastmodified dcterms.modified dc.date.modified date.modified updated_time modified revised'.split(
    ' ',
  )
const lower = (values: MetaValues): MetaValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]))

/** What a page holds besides what it is about; its dates are its own. */
const isPart = (type: string): boolean =>
  /^(?:Comment|Answer|Review|Rating|Offer|ImageObject|Person|Organization|Place)$/.test(type)

function fromThings(harvest: Harvest, keys: readonly string[], options: DateOptions): Found | null {
  const ranked = mainThings(harvest.things).filter(
    ({ types }, at) => at === 0 || !types.some(isPart),
  )
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

/** A date in an address: /2024/03/05/, /2024-03-05-, ?date=20240305. */
function dateInUrl(url: string): string | null {
  const found =
    /[/_-](19[89]\d|20\d\d)[/_-]?(0[1-9]|1[0-2])[/_-]?(0[1-9]|[12]\d|3[01])(?=[/_.-]|$)/.exec(url)
  return found ? parseDate(`${found[1]}-${found[2]}-${found[3]}`) : null
}

/** How a page of the declared language writes 03/04/2024. */
export const dateOptions = ({ htmlLang }: Harvest): DateOptions => ({
  monthFirst: /^en(-us|-ph)?$/i.test((htmlLang ?? '').replace('_', '-')),
})

/** Day of two dates apart by at most one, because of zones. */
export function pageDates(page: Document, harvest: Harvest, pageUrl: string | null): PageDates {
  const options = dateOptions(harvest)
  const shown = shownDates(page, options)
  if (shown.published && isAhead(shown.published.value)) shown.published = null
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
    afterHeadline(page, options, shown.others)
  const modified =
    fromThings(harvest, ['dateModified'], options) ??
    fromMeta(harvest, MODIFIED, options) ??
    shown.modified
  const strip = (found: Found | null): Found | null =>
    found && { value: found.value, path: found.path }
  return { published: strip(published ?? null) ?? strip(shown.modified), modified: strip(modified) }
}

/** Whether a sentence leads to a date: 'The mayor resigned on'. */
function tells(text: string): boolean {
  const line = text.split(/[\n.|·•:]/).at(-1)!
  const told = (line.match(/\p{L}[\p{L}'’]*/gu) ?? []).filter(
    (word) => /^\p{Ll}/u.test(word) && !CREDIT_WORDS.has(word),
  )
  return told.length > 1 && !/post|publ|writ|updat|veröff|erschien/i.test(line)
}

/** Whether a sentence goes on behind a date: 'on 5 March 1942 by the army'. */
function goesOn(rest: string): boolean {
  const [, next = '', after = ''] = /^,? (\p{Ll}[\p{L}'’]*) ?(\S?)/u.exec(rest) ?? []
  if (next === '') return false
  return !CREDIT_WORDS.has(next) || (next === 'by' && /\p{Ll}/u.test(after))
}

/** Whether a day is yet to come, in every zone: the day of an event and not of publication. */
const isAhead = (date: string): boolean => Date.parse(date.slice(0, 10)) > Date.now() + 2 * DAY_MS

/** A date within the first words after the headline, as old pages write it. */
function afterHeadline(
  page: Document,
  options: DateOptions,
  others: ReadonlySet<string>,
): Found | null {
  const headline = byTag(page, 'h1', 'h2')[0]
  if (!headline) return null
  const whole = textOf(page)
  const at = whole.indexOf(textOf(headline))
  if (at < 0) return null
  const below = whole.slice(at + textOf(headline).length).slice(0, 250)
  const found = findDate(below, options)
  if (!found || others.has(found.date) || isAhead(found.date)) return null
  if (tells(below.slice(0, found.index))) return null
  if (goesOn(below.slice(found.index + found.text.length))) return null
  return { value: `${found.date}${found.time}`, path: 'html.text' }
}
