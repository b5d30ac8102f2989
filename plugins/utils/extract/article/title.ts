/** The headline of a page, without the site's name. */
import {
  attr,
  byTag,
  childElements,
  closest,
  elementsOf,
  layoutName,
  stripMarkup,
  textOf,
  type Document,
  type Element,
} from '../dom/tree.ts'
import { isArticle, rankedThings, textsOf, type Harvest } from '../harvest/harvest.ts'
import { firstOf } from '../harvest/meta.ts'
import { fold, type Found, overlap, partsOf, words } from './phrases.ts'

const TITLE_MAX = 500
const HEADLINE_MAX = 300
const EDGE = /[\s|\-\u2013\u2014\u00bb\u00b7\u2022:~‹›«<>/\\_｜]+/u
const TRAILING = new RegExp(`${EDGE.source}$`, 'u')
const LEADING = new RegExp(`^${EDGE.source}`, 'u')

/** The title with the site's name cut off at either end. */
function withoutSite(title: string, siteNames: readonly string[]): string {
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

const FURNITURE =
  /(?:^|[\s_-])(?:logo|site-?title|site-?name|blog-?title|brand|branding|sidebar|related|widget|comments?|footer|navbar|masthead)(?:$|[\s_-])/
const HEADLINE =
  /(?:^|[\s_-])(?:headline|hed|entry-?title|post-?title|article-?title|story-?title|news-?title|page-?title|content-?title|title|lbl-?title|titulo|titel|titre|contentheading|heading)(?:$|[\s_-])/

const isFurniture = (element: Element): boolean =>
  closest(
    element,
    (one) => FURNITURE.test(layoutName(one)) || ['nav', 'footer', 'aside'].includes(one.tagName),
  ) !== null

/** A heading around a link to the start page names the site. */
function isLogo(element: Element): boolean {
  const link = byTag(element, 'a')[0]
  const href = link && attr(link, 'href')?.trim()
  return (
    href !== undefined &&
    href !== null &&
    textOf(link!) === textOf(element) &&
    /^(?:\.?\/|(?:https?:)?\/\/[^/]+\/?|\/?index\.\w+|\/?home\/?)$/i.test(href)
  )
}

interface Heading {
  text: string
  path: string
  /** h1, or marked up as the headline by its name. */
  isMain: boolean
}

function isMarkedHeadline(element: Element): boolean {
  if ((attr(element, 'itemprop') ?? '').split(/\s+/).includes('headline')) return true
  return (
    /^(?:h[2-4]|div|span|p|td)$/.test(element.tagName) &&
    childElements(element).length <= 3 &&
    HEADLINE.test(layoutName(element).replaceAll(/(?<=lbl|txt)(?=title)/g, '-'))
  )
}

/** Every text that could be the headline: h1, named ones, and what repeats a part of the title. */
function headingsOf(page: Document, parts: ReadonlySet<string>): Heading[] {
  const found: Heading[] = []
  for (const element of elementsOf(page)) {
    const { tagName } = element
    if (['title', 'script', 'style', 'option', 'a'].includes(tagName)) continue
    const isFirst =
      tagName === 'h1' ||
      (attr(element, 'role') === 'heading' && attr(element, 'aria-level') === '1')
    const isMarked = !isFirst && isMarkedHeadline(element)
    const isSmall = childElements(element).length <= 2
    if (!isFirst && !isMarked && !isSmall) continue
    const text = textOf(element)
    if (text === '' || text.length > HEADLINE_MAX) continue
    const isPart = isSmall && parts.has(fold(text)) && words(text).length > 1
    if ((!isFirst && !isMarked && !isPart) || isFurniture(element) || isLogo(element)) continue
    found.push({ text, path: `html.${tagName}`, isMain: isFirst || isMarked })
  }
  return found
}

/** Titles that the page states of itself, the surest first; `isWritten`: not only its title tag. */
function statedTitles(page: Document, { head, things }: Harvest): (Found & { isTag: boolean })[] {
  const stated: (Found & { isTag: boolean })[] = []
  const add = (value: string | null | undefined, path: string): void => {
    const text = value ? stripMarkup(value) : ''
    if (text !== '' && text.length < TITLE_MAX)
      stated.push({ value: text, path, isTag: path === 'title' })
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
  return stated
}

/** Folded parts of the stated titles: whole, between separators, and behind a colon. */
function partSet(stated: readonly Found[]): Set<string> {
  const parts = new Set<string>()
  for (const { value } of stated) {
    const pieces = partsOf(value)
    for (let from = 0; from < pieces.length; from += 1) {
      for (let to = from + 1; to <= pieces.length; to += 1)
        parts.add(pieces.slice(from, to).map(fold).join(''))
    }
    for (const piece of [value, ...pieces]) {
      const colon = piece.indexOf(': ')
      if (colon > 0) parts.add(fold(piece.slice(colon + 2)))
    }
  }
  parts.delete('')
  return parts
}

/** How much what the page shows agrees with what it states, 0..1. */
function agreement(text: string, stated: readonly Found[], cleaned: readonly Found[]): number {
  const folded = fold(text)
  return Math.max(
    0,
    ...stated.map((one) =>
      Math.max(
        overlap(text, one.value),
        fold(one.value).includes(folded) && words(text).length > 2 ? 0.75 : 0,
      ),
    ),
    ...cleaned.map((one) => overlap(text, one.value)),
  )
}

/**
 * The headline that follows when the one chosen is the name over the whole site: both are parts of
 * the page title, and the later is the longer.
 */
function belowSiteName(
  chosen: Heading,
  shown: readonly Heading[],
  stated: readonly Found[],
): Heading {
  const [above, at] = [fold(chosen.text), shown.indexOf(chosen)]
  const below = shown.slice(at + 1).find(({ text }) => {
    const rest = fold(text)
    const isLonger = words(text).length >= 3 && words(text).length > words(chosen.text).length
    return (
      isLonger && stated.some(({ value }) => [above + rest, rest + above].includes(fold(value)))
    )
  })
  return below ?? chosen
}

/** A font's size as 1..7; relative ones count from 3. */
function sizeOf(font: Element): number {
  const given = (attr(font, 'size') ?? '').trim()
  return Number(given) + (/^[+-]/.test(given) ? 3 : 0)
}

/** A short line that the page sets apart, for a page without title and headings. */
function boldLine(page: Document): Found | null {
  const line = byTag(page, 'h3', 'font', 'b', 'strong').find((element) => {
    const text = textOf(element)
    const size = element.tagName === 'font' ? sizeOf(element) : 9
    return size >= 4 && words(text).length >= 3 && text.length < 160 && !isFurniture(element)
  })
  return line ? { value: textOf(line), path: `html.${line.tagName}` } : null
}

/**
 * The line over the text of an old page whose title tag is the whole site's: its first heading of
 * the second order, or a line in large type, which agrees with nothing that the tag says.
 */
function underSiteTitle(page: Document): Found | null {
  const first = byTag(page, 'h2', 'font').find((element) => {
    const text = textOf(element)
    const isLarge = element.tagName === 'h2' || sizeOf(element) >= 5
    return isLarge && text !== '' && text.length < 160 && !isFurniture(element) && !isLogo(element)
  })
  if (!first || words(textOf(first)).length < 3) return null
  return { value: textOf(first), path: `html.${first.tagName}` }
}

/** The folded last part of a page title that says more before it: the site's name, mostly. */
function lesserPart(title: string): string | null {
  const parts = partsOf(title)
  const last = parts.at(-1)!
  return parts.length > 1 && words(parts[0]!).length > words(last).length ? fold(last) : null
}

/** The page's title, or null when it has none at all. */
export function titleOf(
  page: Document,
  harvest: Harvest,
  siteNames: readonly string[],
): Found | null {
  const stated = statedTitles(page, harvest)
  const cleaned = stated.map((one) => ({ ...one, value: withoutSite(one.value, siteNames) }))
  const parts = partSet(stated)
  const isSite = (text: string): boolean => siteNames.some((site) => fold(site) === fold(text))
  const all = headingsOf(page, parts)
  const other = all.filter(({ text }) => !isSite(text))
  const sitesPart = new Set(stated.filter((one) => one.isTag).map(({ value }) => lesserPart(value)))
  const named = other.filter(({ text, isMain }) => isMain || !sitesPart.has(fold(text)))
  const shown = named.length > 0 || cleaned.length > 0 ? named : all

  const sure = cleaned[0] && !cleaned[0].isTag ? fold(cleaned[0].value) : null
  // The headline that people see is the one that the page's own statements agree with.
  let best: { heading: Heading; score: number } | null = null
  for (const heading of shown) {
    const isPart = parts.has(fold(heading.text)) && words(heading.text).length > 1
    const score =
      Math.max(agreement(heading.text, stated, cleaned), isPart ? 0.7 : 0) +
      (heading.isMain ? 0.1 : 0) +
      (fold(heading.text) === sure ? 0.05 : 0)
    if (!best || score > best.score) best = { heading, score }
  }
  if (best) best.heading = belowSiteName(best.heading, shown, stated)
  if (best && best.score >= (best.heading.isMain ? 0.6 : 0.5))
    return { value: best.heading.text.replace(/\s#\d+$/, ''), path: best.heading.path }

  const main = shown.filter((one) => one.isMain)
  const [first] = cleaned
  if (first) {
    const headline = new Set(main.map(({ text }) => text)).size === 1 ? main[0]! : null
    // A page title alone may be for search engines, or the site's name; one headline is plain.
    if (headline && (isSite(first.value) || cleaned.every((one) => one.isTag)))
      return { value: headline.text, path: headline.path }
    const line = main.length === 0 && first.isTag ? underSiteTitle(page) : null
    if (line) return line
    return { value: first.value, path: first.path }
  }
  if (main[0]) return { value: main[0].text, path: main[0].path }
  const second = byTag(page, 'h2')
    .map(textOf)
    .find((text) => text !== '')
  return second ? { value: second, path: 'html.h2' } : boldLine(page)
}
