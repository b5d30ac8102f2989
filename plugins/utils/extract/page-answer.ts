/** What is answered of a page beside a schema: everything that it says, and its other forms. */
import { byTag, squeeze } from './dom/tree.ts'
import { pairsOfPage, type Pair } from './fields/pairs.ts'
import { tablesOf, type Table } from './fields/tables.ts'
import type { PageFormat, PageForms } from './formats.ts'
import type { Page } from './page.ts'

/** As many of a list as stand in an answer without a schema. */
const SHOWN = { links: 500, images: 100, headings: 200, details: 200 } as const

export interface Warning {
  code: string
  message: string
}

/** Tables as they are shown. */
export const shownTables = (tables: readonly Table[]): object[] =>
  tables.map(({ caption, headers, rows }) => ({ caption, headers, rows }))

/** Pairs of label and value as they are shown. */
export const shownPairs = (pairs: readonly Pair[]): object[] =>
  pairs.slice(0, SHOWN.details).map(({ label, value }) => ({ label, value }))

/** Says of each list that is shown in part how many there are. */
export function cutWarnings(lists: {
  [name in keyof typeof SHOWN]?: readonly unknown[]
}): Warning[] {
  return Object.entries(lists).flatMap(([name, { length }]) => {
    const shown = SHOWN[name as keyof typeof SHOWN]
    if (length <= shown) return []
    const elsewhere = name === 'links' || name === 'images' ? `; formats: ["${name}"] has all` : ''
    return [{ code: 'cut', message: `${name} has ${shown} of ${length}${elsewhere}` }]
  })
}

/** Everything a page says, without a schema; long lists as far as they are shown. */
export function describePage({ document, harvest, summary }: Page): {
  data: { [name: string]: unknown }
  warnings: Warning[]
} {
  const {
    visible: _visible,
    engine: _engine,
    paths: _paths,
    kind,
    title,
    authors,
    ...rest
  } = summary
  const { images, headings, links } = rest
  const tables = tablesOf(document)
  const details = pairsOfPage(document, tables)
  const { opengraph, twitter, dublin_core, meta, links: headLinks } = harvest.head
  const data = {
    type: kind,
    title,
    author: authors.length > 0 ? authors.join(', ') : null,
    authors,
    ...rest,
    images: images.slice(0, SHOWN.images),
    headings: headings.slice(0, SHOWN.headings),
    links: links.slice(0, SHOWN.links),
    tables: shownTables(tables),
    details: shownPairs(details),
    json_ld: harvest.jsonLd,
    microdata: harvest.microdata,
    rdfa: harvest.rdfa,
    microformats: harvest.microformats,
    opengraph,
    twitter,
    dublin_core,
    meta,
    head_links: headLinks,
  }
  return { data, warnings: cutWarnings({ links, images, headings, details }) }
}

/** What pages show while, or instead of what, their scripts draw. */
const PLACEHOLDER = /load|wait|javascript|enable|redirect|moment|chargement|laden|cargando/i
const PLACEHOLDER_MAX = 80

/** Whether a page holds nothing that anybody would ask for; a title alone is nothing. */
export function saysNothing({ document, harvest, summary }: Page): boolean {
  const text = squeeze(summary.text)
  const isDrawn = byTag(document, 'script').length > 0
  const isPlaceholder = isDrawn && text.length < PLACEHOLDER_MAX && PLACEHOLDER.test(text)
  const hasText = /[\p{L}\p{N}]/u.test(text) && !isPlaceholder
  return (
    !hasText &&
    harvest.things.length === 0 &&
    summary.images.length === 0 &&
    summary.description === null
  )
}

/** The forms of a page that are asked for; a format that is not asked for is not there. */
export function formsOf(page: Page, formats: readonly PageFormat[] = []): PageForms {
  const { summary, harvest } = page
  const { opengraph, twitter, dublin_core, meta } = harvest.head
  const { title, authors, published_at, modified_at, site_name, description, language } = summary
  return {
    ...(formats.includes('markdown') && { markdown: page.markdown() }),
    ...(formats.includes('html') && { html: page.html() }),
    ...(formats.includes('links') && { links: summary.links }),
    ...(formats.includes('images') && { images: summary.images }),
    ...(formats.includes('metadata') && {
      metadata: {
        title,
        authors,
        published_at,
        modified_at,
        site_name,
        description,
        language,
        url: summary.url,
        favicon: summary.favicon,
        keywords: summary.keywords,
        opengraph,
        twitter,
        dublin_core,
        meta,
      },
    }),
  }
}
