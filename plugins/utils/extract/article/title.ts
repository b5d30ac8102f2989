/** The headline of a page, without the site's name. */
import {
  attr,
  byTag,
  closest,
  findAll,
  layoutName,
  squeeze,
  stripMarkup,
  textOf,
  type Document,
} from '../dom/tree.ts'
import { firstOf } from '../harvest/meta.ts'
import { isArticle, rankedThings, textsOf, type Harvest } from '../harvest/harvest.ts'

export interface Found<T = string> {
  value: T
  /** Where it was found: 'json_ld[0].headline'. */
  path: string
}

const SEPARATOR =
  /\s+[|\u2013\u2014\u00bb\u00b7\u2022\u2219~‹›«/\\]+\s+|\s+-{1,2}\s+|\s*::\s*|\s+[<>]\s+|\s*\|\s*|\s+—\s*/u
export const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
const fold = (text: string): string => words(text).join('')

/** The parts of a title between separators. */
function partsOf(title: string): string[] {
  return title
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** The title with the site's name cut off at either end. */
export function withoutSite(title: string, siteNames: readonly string[]): string {
  const parts = partsOf(title)
  if (parts.length < 2) return title
  const sites = siteNames.map(fold).filter((site) => site.length > 1)
  const isSite = (part: string): boolean => {
    const folded = fold(part)
    return sites.some(
      (site) =>
        folded === site ||
        (folded.length > 3 &&
          (site.includes(folded) || folded.includes(site)) &&
          words(part).length <= words(title).length / 2),
    )
  }
  const last = parts.at(-1)!
  const first = parts[0]!
  const lastAt = title.lastIndexOf(last)
  const cutEnd = (): string =>
    title.slice(0, lastAt).replace(/[\s|\-\u2013\u2014\u00bb\u00b7\u2022:~‹›«<>/\\]+$/u, '')
  if (isSite(last)) return withoutSite(cutEnd(), siteNames)
  if (isSite(first) && words(first).length < words(title).length / 2) {
    const rest = title.slice(title.indexOf(first) + first.length)
    return withoutSite(
      rest.replace(/^[\s|\-\u2013\u2014\u00bb\u00b7\u2022:~‹›«<>/\\]+/u, ''),
      siteNames,
    )
  }
  const isStrong = /[|»·•‹›«]|::/u.test(title.slice(0, lastAt).slice(-4))
  if (words(cutEnd()).length >= 3 && isStrong && words(last).length <= 4) return cutEnd()
  if (words(cutEnd()).length >= 4 && words(last).length <= 3) return cutEnd()
  return title
}

/** Names the site goes by: metadata, publisher, host. */
export function siteNamesOf(harvest: Harvest, pageUrl: string | null): string[] {
  const names: string[] = []
  const add = (name: string | null | undefined): void => {
    if (name && name.length < 80) names.push(name)
  }
  add(firstOf(harvest.head.opengraph, 'og:site_name'))
  for (const thing of harvest.things) {
    if (thing.types.includes('WebSite')) for (const name of textsOf(thing.value.name)) add(name)
    if (isArticle(thing)) for (const name of textsOf(thing.value.publisher)) add(name)
  }
  add(
    firstOf(
      harvest.head.meta,
      'application-name',
      'apple-mobile-web-app-title',
      'al:ios:app_name',
      'publisher',
      'copyright',
    ),
  )
  const address =
    pageUrl ?? firstOf(harvest.head.links, 'canonical') ?? firstOf(harvest.head.opengraph, 'og:url')
  if (address && URL.canParse(address)) {
    const host = new URL(address).hostname.replace(/^www\./, '')
    add(host)
    add(host.split('.').slice(0, -1).join(' ') || host)
    add(host.split('.').at(-2))
  }
  return names.filter((name) => !/^https?:/.test(name))
}

function overlap(a: string, b: string): number {
  const [one, two] = [new Set(words(a)), new Set(words(b))]
  const shared = [...one].filter((word) => two.has(word)).length
  return shared / Math.max(1, Math.max(one.size, two.size))
}

function headings(page: Document): string[] {
  const isFurniture =
    /(?:^|[\s_-])(?:logo|site-?title|site-?name|brand|sidebar|related|widget|comments?|footer|navbar|masthead)(?:$|[\s_-])/
  return findAll(
    page,
    (element) =>
      element.tagName === 'h1' ||
      (attr(element, 'role') === 'heading' && attr(element, 'aria-level') === '1'),
  )
    .filter(
      (element) =>
        !closest(
          element,
          (one) =>
            isFurniture.test(layoutName(one)) ||
            one.tagName === 'nav' ||
            one.tagName === 'footer' ||
            one.tagName === 'aside',
        ),
    )
    .map(textOf)
    .filter((text) => text !== '' && text.length < 300)
}

/** The page's title, or null when it has none at all. */
export function titleOf(
  page: Document,
  harvest: Harvest,
  siteNames: readonly string[],
): Found | null {
  const { head } = harvest
  const named: Found[] = []
  const add = (value: string | null | undefined, path: string): void => {
    const text = value ? stripMarkup(value) : ''
    if (text !== '' && text.length < 500) named.push({ value: text, path })
  }
  const tagged = byTag(page, 'title')
    .map(textOfTitle)
    .find((text) => text !== '')
  for (const thing of rankedThings(harvest.things)) {
    if (isArticle(thing))
      add(
        textsOf(thing.value.headline ?? thing.value.name)[0],
        `${thing.path}.${thing.value.headline ? 'headline' : 'name'}`,
      )
  }
  add(firstOf(head.opengraph, 'og:title'), 'opengraph.og:title')
  add(
    firstOf(
      head.meta,
      'citation_title',
      'parsely-title',
      'sailthru.title',
      'headline',
      'hdl',
      'title',
    ),
    'meta.title',
  )
  add(firstOf(head.twitter, 'twitter:title'), 'twitter.twitter:title')
  for (const name of ['DC.title', 'dc.title', 'DC.Title', 'dcterms.title'])
    add(firstOf(head.dublin_core, name), `dublin_core.${name}`)
  if (tagged) add(tagged, 'title')
  const cleaned = named.map((one) => ({ ...one, value: withoutSite(one.value, siteNames) }))

  const all = headings(page)
  const other = all.filter((text) => !siteNames.some((site) => fold(site) === fold(text)))
  const shown = other.length > 0 || cleaned.length > 0 ? other : all
  // The headline that people see is the one that metadata agrees with.
  let best: { text: string; score: number } | null = null
  for (const text of shown) {
    const score = Math.max(
      0,
      ...named.map((one) =>
        Math.max(
          overlap(text, one.value),
          fold(one.value).includes(fold(text)) && words(text).length > 2 ? 0.75 : 0,
        ),
      ),
      ...cleaned.map((one) => overlap(text, one.value)),
    )
    if (!best || score > best.score) best = { text, score }
  }
  if (best && best.score >= 0.5) return { value: best.text, path: 'html.h1' }
  if (cleaned.length > 0) {
    const [first] = cleaned
    // A page title that is only the site's name says less than its one heading.
    if (siteNames.some((site) => fold(site) === fold(first!.value)) && shown.length === 1)
      return { value: shown[0]!, path: 'html.h1' }
    return first!
  }
  if (shown.length > 0) return { value: shown[0]!, path: 'html.h1' }
  const second = byTag(page, 'h2')
    .map(textOf)
    .find((text) => text !== '')
  return second ? { value: second, path: 'html.h2' } : null
}

function textOfTitle(element: Parameters<typeof textOf>[0]): string {
  return squeeze(textOf(element))
}
