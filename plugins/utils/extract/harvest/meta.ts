/** Meta tags and head links: OpenGraph, Twitter cards, Dublin Core, citation and plain ones. */
import { attr, byTag, squeeze, type Document } from '../dom/tree.ts'
import type { Resolve } from './links.ts'

export type MetaValues = { [name: string]: string | string[] }

export interface HeadData {
  opengraph: MetaValues
  twitter: MetaValues
  dublin_core: MetaValues
  meta: MetaValues
  links: MetaValues
}

const GRAPH =
  /^(og|article|product|book|profile|video|music|fb|al|place|business|restaurant|game|website|books):/i
const CORE = /^(dc|dcterms|dc\.terms)[.:]/i
const LINK_RELS = new Set(
  'canonical icon apple-touch-icon amphtml alternate author publisher license next prev shortlink image_src manifest search me'.split(
    ' ',
  ),
)

/** Details of one of several images or videos: each stands for its own, also when they are alike. */
const DETAIL = /^og:(?:image|video|audio):/i

function add(into: MetaValues, name: string, value: string): void {
  const had = Object.hasOwn(into, name) ? into[name] : undefined
  const isRepeated = !DETAIL.test(name) && had !== undefined && [had].flat().includes(value)
  if (had === undefined) into[name] = value
  else if (!isRepeated) into[name] = [had, value].flat()
}

/** First value of a name, or null. */
export function firstOf(values: MetaValues, ...names: string[]): string | null {
  for (const name of names) {
    if (!Object.hasOwn(values, name)) continue
    const value = values[name]!
    const first = Array.isArray(value) ? value[0] : value
    if (first) return first
  }
  return null
}

export const allOf = (values: MetaValues, name: string): string[] =>
  Object.hasOwn(values, name) ? [values[name]!].flat() : []

/** Names are lower-case, except in `opengraph` and `dublin_core` where they stay as written. */
export function harvestHead(page: Document, resolve: Resolve): HeadData {
  const data: HeadData = { opengraph: {}, twitter: {}, dublin_core: {}, meta: {}, links: {} }
  for (const element of byTag(page, 'meta')) {
    const content = squeeze(attr(element, 'content') ?? attr(element, 'value') ?? '')
    const given = attr(element, 'property') ?? attr(element, 'name')
    const charset = attr(element, 'charset')
    if (charset) add(data.meta, 'charset', charset)
    if (content === '') continue
    const names = (given ?? attr(element, 'http-equiv') ?? attr(element, 'itemprop') ?? '').trim()
    const list = attr(element, 'property') ? names.split(/\s+/) : [names]
    for (const name of list.filter(Boolean)) {
      if (GRAPH.test(name)) add(data.opengraph, name, content)
      else if (/^twitter:/i.test(name)) add(data.twitter, name.toLowerCase(), content)
      else if (CORE.test(name)) add(data.dublin_core, name, content)
      else add(data.meta, name.toLowerCase(), content)
    }
  }
  for (const element of byTag(page, 'link')) {
    const href = attr(element, 'href')
    if (!href) continue
    for (const rel of (attr(element, 'rel') ?? '').toLowerCase().split(/\s+/)) {
      if (LINK_RELS.has(rel)) add(data.links, rel, resolve(href))
    }
    const term = (attr(element, 'rel') ?? '').trim()
    if (CORE.test(term)) add(data.dublin_core, term, resolve(href))
  }
  return data
}
