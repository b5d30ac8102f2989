/** Everything machine-readable that a page embeds, and its things in one form. */
import { attr, byTag, textOf, type Document } from '../dom/tree.ts'
import { harvestJsonLd, isObject, typesOf, type JsonObject } from './json-ld.ts'
import { harvestHead, type HeadData } from './meta.ts'
import { harvestMicrodata, type Item } from './microdata.ts'
import { harvestMicroformats, type Microformat } from './microformats.ts'
import { thingsOfMicroformats } from './microformat-things.ts'
import { harvestRdfa } from './rdfa.ts'
import { resolverOf, type Resolve } from './links.ts'
import { mainOfState } from './state.ts'

/** A described thing with where it was found: 'json_ld[0]'. */
export interface Thing {
  path: string
  types: string[]
  value: JsonObject
}

export interface Harvest {
  head: HeadData
  jsonLd: JsonObject[]
  microdata: Item[]
  rdfa: Item[]
  microformats: Microformat[]
  /** All of the above as objects, JSON-LD first. */
  things: Thing[]
  resolve: Resolve
  htmlLang: string | null
}

const localName = (name: string): string =>
  name.replace(/^.*[/#]/, '').replace(/^[a-z]+:(?=\w)/i, '')

/** A microdata or RDFa item in the shape of a JSON-LD object. */
function asObject(item: Item): JsonObject {
  const object: JsonObject = {
    ...(item.type && { '@type': item.type }),
    ...(item.id && { '@id': item.id }),
  }
  for (const [name, value] of Object.entries(item.properties)) {
    const plain = (one: string | Item): unknown => (typeof one === 'string' ? one : asObject(one))
    const key = localName(name)
    if (!Object.hasOwn(object, key))
      object[key] = Array.isArray(value) ? value.map(plain) : plain(value)
  }
  return object
}

/** `{"@id": "#x"}` replaced by the object of that id, one level per pass and never inside itself. */
function withReferences(objects: readonly JsonObject[]): JsonObject[] {
  const byId = new Map<string, JsonObject>()
  for (const object of objects) {
    const id = object['@id']
    if (typeof id === 'string' && Object.keys(object).length > 1) byId.set(id, object)
  }
  const expand = (value: unknown, seen: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((one) => expand(one, seen))
    if (!isObject(value)) return value
    const id = value['@id']
    const isReference = typeof id === 'string' && Object.keys(value).length === 1
    if (isReference && seen.length < 4 && !seen.includes(id) && byId.has(id))
      return expand(byId.get(id), [...seen, id])
    const inside = typeof id === 'string' ? [...seen, id] : seen
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, expand(one, inside)]))
  }
  return objects.map((object) => expand(object, []) as JsonObject)
}

/** A page that shows less than this, in characters, is drawn by its scripts. */
const DRAWN_MAX = 400

/** What scripts would draw, for a page that shows next to nothing by itself. */
function drawnThings(page: Document): Thing[] {
  const body = byTag(page, 'body')[0]
  if (body && textOf(body).length > DRAWN_MAX) return []
  const main = mainOfState(page)
  return main ? [{ path: main.path, types: typesOf(main.value), value: main.value }] : []
}

export function harvest(page: Document, pageUrl: string | null): Harvest {
  const resolve = resolverOf(page, pageUrl)
  const jsonLd = harvestJsonLd(page)
  const microdata = harvestMicrodata(page, resolve)
  const rdfa = harvestRdfa(page, resolve)
  const microformats = harvestMicroformats(page, resolve)
  const html = byTag(page, 'html')[0]
  const thing =
    (prefix: string) =>
    (value: JsonObject, index: number): Thing => ({
      path: `${prefix}[${index}]`,
      types: typesOf(value),
      value,
    })
  return {
    head: harvestHead(page, resolve),
    jsonLd,
    microdata,
    rdfa,
    microformats,
    things: [
      ...withReferences(jsonLd).map(thing('json_ld')),
      ...microdata.map(asObject).map(thing('microdata')),
      ...rdfa.map(asObject).map(thing('rdfa')),
      ...thingsOfMicroformats(microformats).map(thing('microformats')),
      ...drawnThings(page),
    ],
    resolve,
    htmlLang: html ? attr(html, 'lang') || attr(html, 'xml:lang') : null,
  }
}

const ARTICLE = /Article$|Posting$|^Report$|^Review$|^CreativeWork$|^WebPage$|^Opinion/
const MAIN =
  /^(Product|ProductGroup|Recipe|Event|.*Event|JobPosting|Book|Movie|TVSeries|VideoObject|Course|SoftwareApplication|MobileApplication|LocalBusiness|Restaurant|Hotel|Place|Person|QAPage|FAQPage|HowTo|Dataset|Vehicle|Car|RealEstateListing|Accommodation|Offer|ItemList|Organization)$/
const FRAME =
  /^(WebSite|BreadcrumbList|SearchAction|SiteNavigationElement|WPHeader|WPFooter|WPSideBar|ImageObject|Organization|NewsMediaOrganization|Corporation|Person|WebPage|CollectionPage|ItemList|ListItem)$/

export const isArticle = (thing: Thing): boolean =>
  thing.types.some((type) => ARTICLE.test(type) && type !== 'WebPage' && type !== 'JobPosting')

/** How much a thing is what the page is about: products and articles before its frame. */
function weightOf(thing: Thing): number {
  if (thing.path.startsWith('state')) return 4
  if (thing.types.length === 0) return thing.path.startsWith('rdfa') ? 0 : 1
  if (isArticle(thing)) return 5
  if (thing.types.some((type) => FRAME.test(type))) return 2
  if (thing.types.some((type) => MAIN.test(type))) return 5
  return 3
}

/** Things by how much the page is about them; equal ones stay in order. */
export function rankedThings(things: readonly Thing[]): Thing[] {
  return things
    .map((thing, index) => ({ thing, index, weight: weightOf(thing) }))
    .sort((a, b) => b.weight - a.weight || a.index - b.index)
    .map(({ thing }) => thing)
}

/** The ranked things, each followed by the main entity that it says it is about. */
export function mainThings(things: readonly Thing[]): Thing[] {
  return rankedThings(things).flatMap((thing) => {
    const entity = thing.value.mainEntity
    if (!isObject(entity)) return [thing]
    return [thing, { path: `${thing.path}.mainEntity`, types: typesOf(entity), value: entity }]
  })
}

/** Texts of a value: strings, numbers, or the names of objects. */
export function textsOf(value: unknown, depth = 0): string[] {
  if (depth > 6) return []
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  if (Array.isArray(value)) return value.flatMap((one) => textsOf(one, depth + 1))
  if (!isObject(value)) return []
  for (const key of ['@value', 'name', 'headline', 'title', 'url', '@id', 'contentUrl']) {
    const found = textsOf(value[key], depth + 1)
    if (found.length > 0) return found
  }
  return []
}
