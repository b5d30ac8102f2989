/** Who wrote a page: metadata first, then what the page shows as its byline. */
import {
  attr,
  closest,
  elementsOf,
  layoutName,
  squeeze,
  stripMarkup,
  textOf,
  type Document,
  type Element,
} from '../dom/tree.ts'
import { allOf } from '../harvest/meta.ts'
import { isArticle, rankedThings, textsOf, type Harvest } from '../harvest/harvest.ts'
import { isObject } from '../harvest/json-ld.ts'
import { words, type Found } from './title.ts'

const NAME_MAX = 60
const BY =
  /^(?:(?:article|story|words?|text|post(?:ed)?|written|reported|reviewed|authored|created|submitted|published|contributed|edited|interview)\s+by|by|author(?:s)?|writer|von|par|por|di|da|door|av|af|autor(?:en|es|a)?|auteur|autore|текст|автор|作者|文)\s*[:：]?\s+|^(?:by|author|作者|文|автор)\s*[:：|]\s*/iu
const ROLE =
  /\s*(?:,|\||[-–—•·]|\(|\/)\s*(?:(?:[\p{L}'’-]+\s+){0,4}(?:editor|reporter|correspondent|writer|columnist|contributor|journalist|producer|author|staff|critic|analyst|director|professor|fellow|founder|ceo|bureau|reuters|bloomberg|ap|afp|associated press|news|times|post|redakteur\w*|journaliste|redaktion|md|ph\.?d\.?)\b).*$/iu
const NOT_NAME =
  /^(?:admin(?:istrator)?|staff|editor|editors|editorial(?: team| staff)?|guest|user|anonymous|unknown|author|authors|web ?master|root|none|null|undefined|n\/a|default|contributor|view all posts|more|read more|follow|share|email|twitter|facebook|website|bio|profile|posts|reply|comments?|home|about|contact)$/i
const DATE_IN =
  /\s*(?:[|•·,–—-]\s*)?(?:(?:on|updated|published|posted|am|le|el|il)\b[\s:]*)?(?:\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{4}-\d{2}-\d{2}|(?:(?:mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?,?\s*)?(?:\d{1,2}(?:st|nd|rd|th|\.)?\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d).*$/i

/** The single names of a byline, cleaned; empty when it names nobody. */
export function namesOf(byline: string): string[] {
  let text = squeeze(stripMarkup(byline)).replace(/^[\s|•·–—-]+/, '')
  for (let round = 0; round < 2; round += 1) text = text.replace(BY, '')
  text = text
    .replace(DATE_IN, '')
    .replaceAll(/\S+@\S+|https?:\S+|@\w+/g, '')
    .replaceAll(/\s*\([^)]*\)/g, '')
    .replace(/\s+(?:for|in|at|from)\s+(?:the\s+)?\p{Lu}.*$/u, '')
    .replace(
      /\s+(?:follow|published|updated|posted|share|view|is an?|was an?|has been|covers|writes)\b.*$/i,
      '',
    )
  const single = text.replace(ROLE, '')
  const parts = single.split(
    /\s*(?:,|;|\||\/|\band\b|&|\bund\b|\bet\b|\by\b|\bwith\b|\be\b|、|，)\s*/u,
  )
  const names: string[] = []
  for (const part of parts) {
    const name = part
      .replace(BY, '')
      .replace(ROLE, '')
      .replaceAll(/^[\s.:|•·–—-]+|[\s:|•·–—-]+$/g, '')
    const count = words(name).length
    if (
      name === '' ||
      name.length > NAME_MAX ||
      count > 6 ||
      /\d/.test(name) ||
      NOT_NAME.test(name)
    )
      continue
    if (/^(?:jr|sr|md|phd|dr|esq|ii|iii)\.?$/i.test(name) && names.length > 0)
      names.push(`${names.pop()!}, ${name}`)
    else if (!names.includes(name)) names.push(name)
  }
  return names
}

/** 'Doe, Jane' as citation tags write it, turned round. */
function turned(name: string): string {
  const match = /^([^,]+),\s*([^,]+)$/.exec(name)
  return match && words(match[1]!).length <= 2 && words(match[2]!).length <= 3
    ? `${match[2]} ${match[1]}`
    : name
}

interface Candidate {
  names: string[]
  path: string
  /** Higher is surer. */
  score: number
}

function personNames(value: unknown): { names: string[]; isOrganization: boolean } {
  const list = Array.isArray(value) ? value : [value]
  const isOrganization =
    list.length > 0 &&
    list.every((one) => isObject(one) && /Organization/.test(String(one['@type'] ?? '')))
  const names = list.flatMap((one) => {
    const texts = textsOf(
      isObject(one)
        ? (one.name ??
            [one.givenName, one.familyName].filter((part) => typeof part === 'string').join(' '))
        : one,
    )
    return texts.flatMap((text) => (/^https?:/.test(text) ? [] : namesOf(text)))
  })
  return { names: [...new Set(names)], isOrganization }
}

function fromMetadata(harvest: Harvest): Candidate[] {
  const { head } = harvest
  const found: Candidate[] = []
  for (const thing of rankedThings(harvest.things)) {
    for (const key of ['author', 'creator']) {
      const { names, isOrganization } = personNames(thing.value[key])
      if (names.length > 0)
        found.push({
          names,
          path: `${thing.path}.${key}`,
          score: (isArticle(thing) ? 10 : 7) - (isOrganization ? 4 : 0),
        })
    }
  }
  const metas: [string[], string, number][] = [
    [allOf(head.meta, 'citation_author').map(turned), 'meta.citation_author', 9.5],
    [allOf(head.meta, 'author'), 'meta.author', 8],
    [allOf(head.opengraph, 'article:author'), 'opengraph.article:author', 7.5],
    [allOf(head.opengraph, 'og:article:author'), 'opengraph.og:article:author', 7.5],
    [allOf(head.opengraph, 'book:author'), 'opengraph.book:author', 7.5],
    ...[
      'parsely-author',
      'sailthru.author',
      'byl',
      'byline',
      'authors',
      'article.author',
      'article_author',
      'dc.creator',
      'creator',
      'cxenseparse:author',
      'article-author',
      'citation_authors',
      'rbauthors',
      'blogger',
    ].map((name): [string[], string, number] => [allOf(head.meta, name), `meta.${name}`, 8]),
    ...Object.keys(head.dublin_core)
      .filter((name) => /creator|contributor/i.test(name))
      .map((name): [string[], string, number] => [
        allOf(head.dublin_core, name),
        `dublin_core.${name}`,
        7.5,
      ]),
  ]
  for (const [values, path, score] of metas) {
    const names = values
      .filter((value) => !/^https?:|^www\.|facebook\.com/.test(value))
      .flatMap(namesOf)
    if (names.length > 0) found.push({ names: [...new Set(names)], path, score })
  }
  for (const name of ['twitter:label1', 'twitter:label2']) {
    const label = allOf(head.twitter, name)[0]
    const value = allOf(head.twitter, name.replace('label', 'data'))[0]
    if (label && value && /written by|author|by|verfasst|écrit/i.test(label))
      found.push({
        names: namesOf(value),
        path: `twitter.${name.replace('label', 'data')}`,
        score: 7,
      })
  }
  return found.filter((one) => one.names.length > 0)
}

const AWAY =
  /(?:^|[\s_-])(?:comments?|comment-?\w+|respond|related|sidebar|widget|footer|recommend\w*|popular|trending|most-?read|reviews?|testimonials?|teaser\w*|promo)(?:$|[\s_-])/
const NAMED =
  /(?:^|[\s_-])(?:by-?line\w*|author\w*|p-author|vcard|fn|writer\w*|writtenby|contributor\w*|article-?author\w*|post-?author\w*|entry-?author\w*|c-byline\w*|autor\w*|auteur|reporter|journalist)(?:$|[\s_-])/

const isAway = (element: Element): boolean =>
  closest(
    element,
    (one) =>
      AWAY.test(layoutName(one)) ||
      one.tagName === 'footer' ||
      one.tagName === 'nav' ||
      one.tagName === 'aside',
  ) !== null

function shownScore(element: Element): number {
  if (
    (attr(element, 'itemprop') ?? '')
      .split(/\s+/)
      .some((prop) => prop === 'author' || prop === 'creator')
  )
    return 7
  const rel = (attr(element, 'rel') ?? '').split(/\s+/)
  if (rel.includes('author')) return 6.5
  if (
    element.tagName === 'address' &&
    /author|by/i.test(`${layoutName(element)} ${textOf(element).slice(0, 4)}`)
  )
    return 5
  const testId =
    `${attr(element, 'data-testid') ?? ''} ${attr(element, 'data-component') ?? ''} ${attr(element, 'data-qa') ?? ''}`.toLowerCase()
  const name = `${layoutName(element)} ${testId}`
  if (!NAMED.test(name)) {
    const href = element.tagName === 'a' ? (attr(element, 'href') ?? '') : ''
    return /\/(?:authors?|people|by|contributors?|profile|staff|columnists?|autor(?:en)?|auteurs?|writers?)\/[\w.-]+\/?$/i.test(
      href,
    )
      ? 4.5
      : 0
  }
  return /by-?line|written/.test(name) ? 6 : 5
}

function fromPage(page: Document): Candidate[] {
  const found: Candidate[] = []
  let order = 0
  for (const element of elementsOf(page)) {
    const score = shownScore(element)
    if (score > 0 && !isAway(element)) {
      const text = textOf(element)
      if (text === '' || text.length > 180) continue
      const names = namesOf(text)
      const hasBy = BY.test(text) ? 0.8 : 0
      const looks = names.every((name) => /^\p{Lu}/u.test(name) && words(name).length >= 2)
        ? 0.5
        : -1
      if (names.length > 0 && names.length < 8) {
        found.push({
          names,
          path: `html.${element.tagName}`,
          score: score + hasBy + looks - order * 0.15,
        })
        order += 1
      }
      continue
    }
    // "By Jane Doe" without any name in the markup.
    if (
      [
        'p',
        'span',
        'div',
        'small',
        'em',
        'i',
        'strong',
        'b',
        'h4',
        'h5',
        'h6',
        'a',
        'li',
        'td',
        'font',
        'cite',
      ].includes(element.tagName)
    ) {
      if (element.childNodes.length > 8) continue
      const text = textOf(element)
      const match =
        text.length < 120 &&
        /^(?:(?:posted|written|reported|words|text|story|article)\s+)?(?:by|von|par|por)\s*:?\s+(\p{Lu}[\p{L}.'’-]+(?:\s+(?:(?:de|van|von|der|al|el|bin|la|di|da)\s+)*\p{Lu}[\p{L}.'’-]*){1,3})/iu.exec(
          text,
        )
      if (match && /\p{Lu}/u.test(match[1]![0]!) && !isAway(element)) {
        const names = namesOf(text)
        if (names.length > 0)
          found.push({ names, path: `html.${element.tagName}`, score: 4.8 - order * 0.15 })
        order += 1
      }
    }
  }
  return found
}

/** Names of the authors in the order shown; null when nobody is named. */
export function bylineOf(
  page: Document,
  harvest: Harvest,
  siteNames: readonly string[],
): Found<string[]> | null {
  const sites = new Set(siteNames.map((name) => words(name).join('')))
  const isSite = (name: string): boolean => sites.has(words(name).join(''))
  const candidates = [...fromMetadata(harvest), ...fromPage(page)]
    .map((one) => {
      const isOnlySite = one.names.every(isSite)
      const isOneWord = one.names.every(
        (name) => words(name).length < 2 && !/[^\p{Script=Latin}\s.'’-]/u.test(name),
      )
      return { ...one, score: one.score - (isOnlySite ? 5 : 0) - (isOneWord ? 2.5 : 0) }
    })
    .sort((a, b) => b.score - a.score)
  const [best] = candidates
  if (!best || best.score <= 0) return null
  const fold = (name: string): string => words(name).join('')
  // Metadata often names the first of several authors; the page shows them all.
  const fuller = candidates.find(
    (one) =>
      one.path.startsWith('html') &&
      one.score > 4 &&
      one.names.length > best.names.length &&
      best.names.every((name) => one.names.some((other) => fold(other) === fold(name))),
  )
  if (fuller) return { value: fuller.names.filter((name) => !isSite(name)), path: fuller.path }
  const people = best.names.filter((name) => !isSite(name))
  return { value: people.length > 0 ? people : best.names, path: best.path }
}
