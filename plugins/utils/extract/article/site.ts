/** The names a site goes by, so that they are neither headline nor author. */
import { byTag, textOf, type Document } from '../dom/tree.ts'
import { isArticle, textsOf, type Harvest } from '../harvest/harvest.ts'
import { firstOf } from '../harvest/meta.ts'
import { fold, partsOf, words } from './phrases.ts'
import { TITLE_MAX } from './stated-titles.ts'

/** The part of a page title that stays when a headline of the page is taken from it. */
function siteInTitle(page: Document): string | null {
  const tagged = byTag(page, 'title').map(textOf)[0] ?? ''
  if (tagged.length >= TITLE_MAX) return null
  const parts = partsOf(tagged)
  if (parts.length < 2) return null
  const headings = new Set(
    byTag(page, 'h1', 'h2', 'h3')
      .slice(0, 30)
      .map((one) => fold(textOf(one))),
  )
  const isShown = (from: number, to?: number): boolean =>
    headings.has(parts.slice(from, to).map(fold).join(''))
  const last = parts.at(-1)!
  for (let to = parts.length - 1; to > 0; to -= 1) {
    if (isShown(0, to) && words(last).length <= 5) return last
  }
  return isShown(1) && words(parts[0]!).length <= 5 ? parts[0]! : null
}

/** Names the site goes by: metadata, publisher, host, the end of the page title. */
export function siteNamesOf(page: Document, harvest: Harvest, pageUrl: string | null): string[] {
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
  add(siteInTitle(page))
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
