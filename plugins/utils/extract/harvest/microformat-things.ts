/** Microformats in the words of schema.org, so that they fill a caller's fields as other metadata does. */
import { isObject, type JsonObject } from './json-ld.ts'
import type { Item, ItemValue } from './microdata.ts'
import type { Microformat } from './microformats.ts'

const TYPES: Readonly<Record<string, string>> = {
  'h-card': 'Person',
  'h-entry': 'BlogPosting',
  'h-event': 'Event',
  'h-product': 'Product',
  'h-recipe': 'Recipe',
  'h-review': 'Review',
  'h-review-aggregate': 'AggregateRating',
  'h-resume': 'Person',
  'h-adr': 'PostalAddress',
  'h-geo': 'GeoCoordinates',
}
const ADDRESS: Readonly<Record<string, string>> = {
  locality: 'addressLocality',
  region: 'addressRegion',
  'street-address': 'streetAddress',
  'postal-code': 'postalCode',
  'country-name': 'addressCountry',
}
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'h-card': {
    ...ADDRESS,
    tel: 'telephone',
    'job-title': 'jobTitle',
    org: 'worksFor',
    photo: 'image',
    bday: 'birthDate',
    adr: 'address',
    note: 'description',
    'given-name': 'givenName',
    'family-name': 'familyName',
  },
  'h-adr': ADDRESS,
  'h-entry': {
    name: 'headline',
    published: 'datePublished',
    updated: 'dateModified',
    summary: 'description',
    category: 'keywords',
    photo: 'image',
  },
  'h-event': { start: 'startDate', end: 'endDate', summary: 'description', photo: 'image' },
  'h-product': { photo: 'image', identifier: 'sku', review: 'review' },
  'h-recipe': {
    ingredient: 'recipeIngredient',
    instructions: 'recipeInstructions',
    yield: 'recipeYield',
    duration: 'totalTime',
    photo: 'image',
    summary: 'description',
  },
  'h-review': { rating: 'reviewRating', item: 'itemReviewed', content: 'reviewBody' },
  'h-review-aggregate': { average: 'ratingValue', count: 'reviewCount' },
}
/** What the page itself says better. */
const LEFT_OUT = new Set(['content'])

const typeOf = ({ type }: Item): string => [type ?? []].flat()[0] ?? ''

function plain(value: ItemValue): unknown {
  return typeof value === 'string' ? value : asObject(value)
}

function asObject(item: Item): JsonObject {
  const type = typeOf(item)
  const names = NAMES[type] ?? {}
  const object: JsonObject = { '@type': TYPES[type] ?? type }
  for (const [name, value] of Object.entries(item.properties)) {
    const key = names[name] ?? name
    if (LEFT_OUT.has(key) || Object.hasOwn(object, key)) continue
    object[key] = Array.isArray(value) ? value.map(plain) : plain(value)
  }
  // A card whose name is that of its organisation is the organisation's.
  const { name, worksFor } = object
  const works = isObject(worksFor) ? worksFor['name'] : worksFor
  if (type === 'h-card' && name !== undefined && name === works) object['@type'] = 'Organization'
  return object
}

/**
 * The things of a page in the shape of JSON-LD objects. Of entries only one that stands alone is what
 * the page is about; several are a list of teasers.
 */
export function thingsOfMicroformats(items: readonly Microformat[]): JsonObject[] {
  const isEntry = (item: Item): boolean => typeOf(item) === 'h-entry'
  const entries = items.filter(isEntry).length
  return items
    .filter((item) => typeOf(item) in TYPES && (entries === 1 || !isEntry(item)))
    .map(asObject)
}
