/** The titles that a page states of itself, and what of them is the site's. */
import { byTag, stripMarkup, textOf, type Document } from '../dom/tree.ts'
import { isArticle, rankedThings, textsOf, type Harvest } from '../harvest/harvest.ts'
import { firstOf } from '../harvest/meta.ts'
import { fold, type Found, partsOf, words } from './phrases.ts'

export const TITLE_MAX = 500
const EDGE = /[\s|\-\u2013\u2014\u00bb\u00b7\u2022:~‹›«<>/\\_｜]+/u
const TRAILING = new RegExp(`${EDGE.source}$`, 'u')
const LEADING = new RegExp(`^${EDGE.source}`, 'u')

/** How many messages wait, before the title that browsers show. */
const COUNTER = /^\(\d{1,3}\+?\)\s+/
const CUT = /\s*(?:…|\.{3})$/
/** What editors of pages write where nobody gave a title. */
const UNNAMED =
  /^(?:untitled(?: (?:document|page))?|new page ?\d*|no title|home ?page|unbenanntes dokument|(?:document|page) sans titre|documento sin título|documento senza titolo)$/i
/** Around parts of a path that begins with the page itself. */
const UPWARDS = /\s[<‹«]\s/

export interface Stated extends Found {
  /** Only what the title tag says. */
  isTag: boolean
}

/** What stands before a site's name with what the site says of itself: `title | name – about it`. */
function withoutTagline(title: string): string | null {
  const bar = Math.max(title.lastIndexOf(' | '), title.lastIndexOf(' ｜ '))
  if (bar < 0) return null
  const [before, after] = [title.slice(0, bar).trim(), title.slice(bar + 3).trim()]
  const isTagline = /\S(?:\s[-–—]|\s?:)\s+\S+\s+\S+\s+\S/.test(after)
  return isTagline && words(before).length >= 3 ? before : null
}

/** The title with the site's name cut off at either end. */
export function withoutSite(title: string, siteNames: readonly string[]): string {
  const sites = siteNames.map(fold).filter((site) => site.length > 1)
  const named = /^([^:]+):\s+(?=\S+\s+\S+\s+\S)/.exec(title)
  if (named && sites.includes(fold(named[1]!)))
    return withoutSite(title.slice(named[0].length), siteNames)
  const parts = partsOf(title)
  if (parts.length < 2) return title
  if (parts.length > 2 && UPWARDS.test(title)) return parts[0]!
  const beforeTagline = withoutTagline(title)
  if (beforeTagline !== null) return withoutSite(beforeTagline, siteNames)
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
  const rest = title.slice(0, lastAt).replace(TRAILING, '')
  if (isSite(last)) return withoutSite(rest, siteNames)
  if (isSite(first) && words(first).length < words(title).length / 2) {
    const after = title.slice(title.indexOf(first) + first.length)
    return withoutSite(after.replace(LEADING, ''), siteNames)
  }
  const isStrong = /[|»·•‹›«_｜]|::/u.test(title.slice(0, lastAt).slice(-4))
  if (words(rest).length >= 3 && isStrong && words(last).length <= 4) return rest
  if (words(rest).length >= 4 && words(last).length <= 3) return rest
  return title
}

/** Titles that the page states of itself, the surest first; `isWritten`: not only its title tag. */
export function statedTitles(page: Document, { head, things }: Harvest): Stated[] {
  const stated: Stated[] = []
  const add = (value: string | null | undefined, path: string): void => {
    const isTag = path === 'title'
    const marked = value ? stripMarkup(value) : ''
    const text = isTag ? marked.replace(COUNTER, '') : marked
    if (text === '' || text.length >= TITLE_MAX || UNNAMED.test(text)) return
    stated.push({ value: text, path, isTag })
  }
  for (const thing of rankedThings(things)) {
    const key = thing.value.headline ? 'headline' : 'name'
    if (isArticle(thing)) add(textsOf(thing.value[key])[0], `${thing.path}.${key}`)
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
  add(
    byTag(page, 'title')
      .map(textOf)
      .find((text) => text !== ''),
    'title',
  )
  return stated.filter(({ value }) => !isCutFrom(value, stated))
}

/** Whether a title was cut for its length and another one goes on. */
function isCutFrom(value: string, all: readonly Stated[]): boolean {
  const start = fold(value.replace(CUT, ''))
  return (
    CUT.test(value) && all.some((one) => !CUT.test(one.value) && fold(one.value).startsWith(start))
  )
}

/** Titles of the page that are the last part of its title tag: the name of the site, not its own. */
export function namesAmong(stated: readonly Stated[]): string[] {
  const lasts = stated
    .filter(({ isTag }) => isTag)
    .map(({ value }) => partsOf(value))
    .filter((parts) => parts.length > 1)
    .map((parts) => fold(parts.at(-1)!))
  return stated
    .filter(({ value, isTag }) => !isTag && lasts.includes(fold(value)))
    .map(({ value }) => value)
}
