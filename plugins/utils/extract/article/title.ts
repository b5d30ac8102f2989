/** The headline of a page, without the site's name. */
import { attr, byTag, textOf, type Document, type Element } from '../dom/tree.ts'
import type { Harvest } from '../harvest/harvest.ts'
import { type Heading, headingsOf, isFurniture, isLogo } from './headings.ts'
import { fold, type Found, overlap, partsOf, words } from './phrases.ts'
import { namesAmong, statedTitles, withoutSite } from './stated-titles.ts'

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

/** The heading, where all of them say the same. */
function onlyOne(headings: readonly Heading[]): Heading | null {
  return new Set(headings.map(({ text }) => text)).size === 1 ? headings[0]! : null
}

/** The page's title, or null when it has none at all. */
export function titleOf(
  page: Document,
  harvest: Harvest,
  knownNames: readonly string[],
): Found | null {
  const all = statedTitles(page, harvest)
  const ownNames = namesAmong(all)
  const siteNames = [...knownNames, ...ownNames]
  const stated = all.filter(({ value }) => !ownNames.includes(value))
  const cleaned = stated.map((one) => ({ ...one, value: withoutSite(one.value, siteNames) }))
  const parts = partSet(stated)
  const isSite = (text: string): boolean => siteNames.some((site) => fold(site) === fold(text))
  const headings = headingsOf(page, parts)
  const other = headings.filter(({ text }) => !isSite(text))
  const sitesPart = new Set(stated.filter((one) => one.isTag).map(({ value }) => lesserPart(value)))
  const named = other.filter(({ text, isMain }) => isMain || !sitesPart.has(fold(text)))
  const shown = named.length > 0 || cleaned.length > 0 ? named : headings

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
    const highest = main.filter(({ text, path }) => path === 'html.h1' && parts.has(fold(text)))
    const headline = onlyOne(main) ?? onlyOne(highest)
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
