/** Authors that a page shows: by markup, by the words that introduce them, by their place. */
import {
  attr,
  childElements,
  closest,
  elementsOf,
  isBlock,
  isElement,
  isText,
  layoutName,
  openingText,
  squeeze,
  textOf,
  textSizes,
  withinTest,
  type Document,
  type Element,
} from '../dom/tree.ts'
import { entryTest } from './entries.ts'
import { looksLikeName, namesOf, startsWithBy } from './names.ts'
import { findDate } from './parse-date.ts'
import { fold, words } from './phrases.ts'

export interface Byline {
  names: string[]
  path: string
  /** Higher is surer. */
  score: number
}

const TEXT_MAX = 180
const LINE_MAX = 160
const HEADLINE_MAX = 400
const AWAY =
  /(?:^|[\s_-])(?:comments?|comment-?\w+|respond|related|sidebar|widget|recommend\w*|popular|trending|most-?read|reviews?|testimonials?|teaser\w*|promo)(?:$|[\s_-])/
const FOOTER = /(?:^|[\s_-])footer(?:$|[\s_-])/
const ENTRY_FOOTER = /(?:^|[\s_-])(?:post|entry|article|story|content)-?footer(?:$|[\s_-])/
const NAMED =
  /(?:^|[\s_-])(?:\w*by-?line\w*|author\w*|p-author|vcard|writer\w*|writtenby|contributor\w*|article-?author\w*|post-?author\w*|entry-?author\w*|c-byline\w*|autor\w*|auteur|reporter|journalist|firma\w*|signatur\w*|verfasser\w*|podpis|redaktor\w*|journalist\w*|by|aut|skribent|forfatter|författare|kirjoittaja|avtor|yazar)(?:$|[\s_-])/
const META = /(?:^|[\s_-])(?:meta|info|details?|date-?line|credit|data|publication)(?:$|[\s_-])/
const AUTHOR_PAGE =
  /\/(?:authors?|people|by|contributors?|profile|staff|columnists?|autor(?:en)?|auteurs?|writers?)\/[\w.-]+\/?$/i
const LINE_TAGS = new Set(
  'p span div small em i strong b h4 h5 h6 a li td font cite address'.split(' '),
)
/** 'Jane Doe is a staff writer at the Star', as it stands below an article. */
const BIO =
  /^((?:\p{Lu}[\p{L}.'’-]+\s+){1,3}\p{Lu}[\p{L}.'’-]+)\s+(?:is|was)\s+(?:an?|the)\s+[^.]{0,60}\b(?:writer|reporter|editor|correspondent|journalist|columnist|contributor|author|freelance\w*)\b/u

function isFurniture(one: Element): boolean {
  const name = layoutName(one)
  if (AWAY.test(name) || one.tagName === 'nav' || one.tagName === 'aside') return true
  const isFooter = one.tagName === 'footer' || FOOTER.test(name)
  if (!isFooter || ENTRY_FOOTER.test(name)) return false
  return closest(one, (outer) => outer.tagName === 'article') === null
}

/** Text with a line for each block, break and list item below. */
function linesOf(element: Element): string {
  let text = ''
  const gather = (parent: Element): void => {
    for (const child of parent.childNodes) {
      if (isText(child)) text += child.value.replaceAll(/[^\S\u3000]+/g, ' ')
      else if (isElement(child) && !['script', 'style', 'svg', 'sup'].includes(child.tagName)) {
        if (isBlock(child)) text += '\n'
        gather(child)
        if (isBlock(child)) text += '\n'
      }
    }
  }
  gather(element)
  return text
}

function markupScore(element: Element): number {
  const props = (attr(element, 'itemprop') ?? '').split(/\s+/)
  if (props.includes('author') || props.includes('creator')) return 7
  if ((attr(element, 'rel') ?? '').split(/\s+/).includes('author')) return 6.5
  const { tagName } = element
  if (
    tagName === 'address' &&
    /author|by/i.test(`${layoutName(element)} ${textOf(element).slice(0, 4)}`)
  )
    return 5
  const testId = ['data-testid', 'data-component', 'data-qa'].map(
    (name) => attr(element, name) ?? '',
  )
  const name = `${layoutName(element)} ${testId.join(' ').toLowerCase()}`
  if (NAMED.test(name)) return /by-?line|written/.test(name) ? 6 : 5
  return tagName === 'a' && AUTHOR_PAGE.test(attr(element, 'href') ?? '') ? 4.5 : 0
}

/** The names of the links or items below a byline, when each of several is one name. */
function listedNames(element: Element): string[] {
  const pieces = [...elementsOf(element)]
    .filter((one) => one.tagName === 'a' || one.tagName === 'li')
    .filter((one) => !childElements(one).some((child) => child.tagName === 'a'))
    .map((one) => squeeze(linesOf(one)).replace(/[\s,;]+$/, ''))
    .map((text) => namesOf(text)[0] ?? '')
    .filter((name) => looksLikeName(name))
  return pieces.length > 1 ? [...new Set(pieces)] : []
}

function ofMarkup(element: Element, score: number): Byline | null {
  const text = linesOf(element)
  if (text.trim() === '' || text.trim().length > TEXT_MAX) return null
  const listed = listedNames(element)
  const names = listed.length > 0 ? listed : namesOf(text)
  if (names.length === 0 || names.length > 8) return null
  const hasBy = startsWithBy(text.trim()) ? 0.8 : 0
  const isFull = names.every((name) => /^\p{Lu}/u.test(name) && words(name).length >= 2)
  return {
    names,
    path: `html.${element.tagName}`,
    score: score + hasBy + (isFull ? 0.5 : /\p{Script=Latin}/u.test(names[0]!) ? -1 : 0),
  }
}

const NAME_AFTER_BY =
  /^[^\p{L}]*(?:(?:posted|written|reported|words|text|story|article|photos?)\s+(?:and\s+\w+\s+)?)?(?:by|von|par|por)\s*:?\s+(\p{Lu}[\p{L}.'’-]+(?:\s+(?:(?:de|van|von|der|al|el|bin|la|di|da)\s+)*\p{Lu}[\p{L}.'’-]*){1,3})/iu

/** A byline by its words, in an element without any name for it. */
function ofWords(element: Element, score: number): Byline | null {
  const text = linesOf(element)
  if (text.length > LINE_MAX) return null
  for (const line of text.split(/\n|\s[|•·]\s|\s{2,}|\u3000/).map(squeeze)) {
    const by = NAME_AFTER_BY.exec(line)
    const isBy = by !== null && /\p{Lu}/u.test(by[1]![0]!)
    const isLabelled = startsWithBy(line) && /^[^:：]{1,16}[:：]/.test(line)
    if (!isBy && !isLabelled) continue
    const names = namesOf(line)
    const isPlausible =
      isBy || names.every((name) => looksLikeName(name) || !/\p{Script=Latin}/u.test(name))
    if (names.length > 0 && isPlausible) return { names, path: `html.${element.tagName}`, score }
  }
  return null
}

/** Lines of such names hold somebody else's name, or a place's. */
const NO_PERSON =
  /(?:^|[\s_-])(?:company|employer|org(?:ani[sz]ation)?|location|place|where|venue|categor\w*|section|kicker|brand|topic|tags?|breadcrumbs?|site)(?:$|[\s_-])/

/** A line that is one name: below the headline, or beside a date in a line of such facts. */
function ofPlace(element: Element, isNearHeadline: boolean, headline: string): Byline | null {
  const text = linesOf(element)
  const whole = squeeze(text)
  if (whole.length > 140) return null
  const path = `html.${element.tagName}`
  if (NO_PERSON.test(layoutName(element))) return null
  if (isNearHeadline && looksLikeName(whole) && !headline.includes(fold(whole)))
    return { names: [whole], path, score: 3.4 }
  const isLine = META.test(layoutName(element)) || isNearHeadline
  if (!isLine || findDate(whole) === null) return null
  const name = text
    .split(/\n|[|•·/,–—]|\s-\s|\s{2,}/)
    .map(squeeze)
    .find(looksLikeName)
  return name === undefined ? null : { names: [name], path, score: isNearHeadline ? 3.6 : 3 }
}

/** Every byline the page shows; those further up are surer. */
export function shownBylines(page: Document, title: string | null): Byline[] {
  const found: Byline[] = []
  const headline = title === null ? '' : fold(title)
  /** Characters of text since the headline; null before it. */
  let since: number | null = null
  let order = 0
  const sizeOf = textSizes(page)
  const isInEntry = entryTest()
  const isPlaced = withinTest(isFurniture)
  const isAway = (element: Element): boolean => isInEntry(element) || isPlaced(element)
  const take = (one: Byline | null, step: number): void => {
    if (!one) return
    found.push({ ...one, score: one.score - order * 0.15 })
    order += step
  }
  for (const element of elementsOf(page)) {
    const isLeaf = childElements(element).length === 0
    if (since !== null && isLeaf && !['script', 'style', 'svg', 'title'].includes(element.tagName))
      since += textOf(element).length
    const size = sizeOf(element)
    const mayBeHeadline = childElements(element).length < 4 && element.tagName !== 'title'
    if (headline !== '' && mayBeHeadline && size < HEADLINE_MAX) {
      const text = textOf(element)
      if (text.length < HEADLINE_MAX && fold(text) === headline) since = 0
    }
    const score = markupScore(element)
    if (score > 0) {
      if (size <= TEXT_MAX && !isAway(element)) take(ofMarkup(element, score), 1)
      continue
    }
    if (!LINE_TAGS.has(element.tagName) || element.childNodes.length > 10) continue
    const isNear = since !== null && since < 260
    const one =
      size > LINE_MAX ? null : (ofWords(element, 4.8) ?? ofPlace(element, isNear, headline))
    if (one && !isAway(element)) take(one, 1)
    else if (element.tagName === 'p' || element.tagName === 'div') {
      const bio = BIO.exec(openingText(element, 200).slice(0, 200))?.[1]
      if (bio && !isAway(element))
        take({ names: [bio], path: `html.${element.tagName}`, score: 3 }, 0)
    }
  }
  return found
}
