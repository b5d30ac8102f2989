/** Who wrote a page: metadata first, then what the page shows as its byline. */
import type { Document } from '../dom/tree.ts'
import { isArticle, mainThings, textsOf, type Harvest } from '../harvest/harvest.ts'
import { isObject } from '../harvest/json-ld.ts'
import { allOf } from '../harvest/meta.ts'
import { type Byline, shownBylines } from './byline-shown.ts'
import { isHandle, isOutlet, looksLikeName, namesOf, turned } from './names.ts'
import { fold, type Found, words } from './phrases.ts'

/** The names of a value that is an author's by its markup, so that a handle is one as well. */
function namedIn(text: string): string[] {
  if (/^(?:https?:|\/)/.test(text)) return []
  const names = namesOf(text)
  return names.length === 0 && isHandle(text.trim()) ? [text.trim().replace(/^@/, '')] : names
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
    return texts.flatMap((text) => namedIn(text))
  })
  return { names: [...new Set(names)], isOrganization }
}

const META_NAMES = [
  'parsely-author',
  'sailthru.author',
  'byl',
  'byline',
  'authors',
  'article.author',
  'article:author',
  'article_author',
  'dc.creator',
  'creator',
  'cxenseparse:author',
  'article-author',
  'citation_authors',
  'rbauthors',
  'blogger',
]

function fromHead({ head }: Harvest): Byline[] {
  const metas: [string[], string, number][] = [
    [allOf(head.meta, 'citation_author').map(turned), 'meta.citation_author', 9.5],
    [allOf(head.meta, 'author'), 'meta.author', 8],
    [allOf(head.opengraph, 'article:author'), 'opengraph.article:author', 7.5],
    [allOf(head.opengraph, 'og:article:author'), 'opengraph.og:article:author', 7.5],
    [allOf(head.opengraph, 'og:author'), 'opengraph.og:author', 7.5],
    [allOf(head.opengraph, 'book:author'), 'opengraph.book:author', 7.5],
    ...META_NAMES.map((name): [string[], string, number] => [
      allOf(head.meta, name),
      `meta.${name}`,
      8,
    ]),
    [allOf(head.twitter, 'twitter:creator'), 'twitter.twitter:creator', 2],
    ...Object.keys(head.dublin_core)
      .filter((name) => /creator|contributor/i.test(name))
      .map((name): [string[], string, number] => [
        allOf(head.dublin_core, name),
        `dublin_core.${name}`,
        7.5,
      ]),
  ]
  const found: Byline[] = []
  for (const [values, path, score] of metas) {
    const names = values
      .filter((value) => !/^https?:|^www\.|facebook\.com/.test(value))
      .flatMap((value) => (path === 'meta.author' ? namedIn(value) : namesOf(value)))
    if (names.length > 0) found.push({ names: [...new Set(names)], path, score })
  }
  for (const name of ['twitter:label1', 'twitter:label2']) {
    const label = allOf(head.twitter, name)[0]
    const value = allOf(head.twitter, name.replace('label', 'data'))[0]
    if (
      label &&
      value &&
      /written by|author|^by$|verfasst|écrit|escrito|geschrieben|автор/i.test(label)
    )
      found.push({
        names: namesOf(value),
        path: `twitter.${name.replace('label', 'data')}`,
        score: 7,
      })
  }
  return found
}

function fromThings(harvest: Harvest): Byline[] {
  return mainThings(harvest.things).flatMap((thing) =>
    ['author', 'creator'].map((key) => {
      const { names, isOrganization } = personNames(thing.value[key])
      const isMain = thing.path.endsWith('.mainEntity')
      const score = (isArticle(thing) ? 10 : isMain ? 9 : 7) - (isOrganization ? 4 : 0)
      return { names, path: `${thing.path}.${key}`, score }
    }),
  )
}

/** Names of the authors in the order shown; null when nobody but the site itself is named. */
export function bylineOf(
  page: Document,
  harvest: Harvest,
  siteNames: readonly string[],
  title: string | null,
): Found<string[]> | null {
  const sites = siteNames.map(fold)
  /** The site itself, unless it goes by a person's name, as many a weblog does. */
  const isSite = (name: string): boolean => {
    const folded = fold(name)
    if (looksLikeName(name) && sites.includes(folded)) return false
    return sites.some((site) => site === folded || (site.length > 5 && folded.startsWith(site)))
  }
  const candidates = [...fromThings(harvest), ...fromHead(harvest), ...shownBylines(page, title)]
    .map((one) => ({ ...one, names: one.names.filter((name) => !isSite(name)) }))
    .filter((one) => one.names.length > 0)
    .map((one) => {
      const isOneWord = one.names.every(
        (name) => words(name).length < 2 && !/[^\p{Script=Latin}\s.'’-]/u.test(name),
      )
      const doubt = isOneWord
        ? one.path.startsWith('html') || one.path.startsWith('meta')
          ? 2.5
          : 1
        : 0
      // A paper's name stands in for its people where nobody else is named; one of a person does not.
      const isPaper = one.names.every(
        (name) => isOutlet(name) || (sites.includes(fold(name)) && !looksLikeName(name)),
      )
      return { ...one, score: one.score - doubt - (isPaper ? Math.max(0, one.score - 1) : 0) }
    })
    .sort((a, b) => b.score - a.score)
  const [best] = candidates
  if (!best || best.score <= 0) return null
  // Metadata often names the first of several authors; the page shows them all.
  const fuller = candidates.find(
    (one) =>
      one.path.startsWith('html') &&
      one.score > 4 &&
      one.names.length > best.names.length &&
      best.names.every((name) => one.names.some((other) => fold(other) === fold(name))),
  )
  const chosen = fuller ?? best
  return { value: chosen.names, path: chosen.path }
}
