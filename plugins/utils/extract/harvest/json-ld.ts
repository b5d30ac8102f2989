/** JSON-LD blocks of a page, also those that a strict parser refuses. */
import { attr, byTag, decodeEntities, rawText, type Document } from '../dom/tree.ts'
import { readLenientJson } from './lenient-json.ts'

export type JsonObject = { [key: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const VALUE_DEPTH_MAX = 40

/** A block strictly read, else leniently, else with its character references decoded first. */
function parseBlock(text: string): unknown[] {
  const source = text.replaceAll('\u0000', '').trim()
  try {
    return [JSON.parse(source)]
  } catch {
    const found = readLenientJson(source)
    if (found.some(hasType)) return found
    const plain = decodeEntities(source)
    const again = plain === source ? [] : readLenientJson(plain)
    return again.some(hasType) ? again : found
  }
}

/** Whether a value says what it is; what a template left behind does not. */
function hasType(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasType)
  return isObject(value) && ['@type', '@graph', '@id', 'type'].some((key) => key in value)
}

/** The value with every string decoded; too deep parts are left out. */
function decoded(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return decodeEntities(value).trim()
  if (depth > VALUE_DEPTH_MAX || value === null || typeof value !== 'object') {
    return typeof value === 'object' ? null : value
  }
  if (Array.isArray(value)) return value.map((one) => decoded(one, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, decoded(one, depth + 1)]),
  )
}

/** Every JSON-LD object of a page in order; arrays and @graph are opened up. */
export function harvestJsonLd(page: Document): JsonObject[] {
  const objects: JsonObject[] = []
  const take = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) take(one)
    else if (isObject(value)) {
      if (Array.isArray(value['@graph'])) {
        const { '@graph': graph, ...rest } = value
        take(graph)
        if (Object.keys(rest).some((key) => !['@context', '@id'].includes(key))) objects.push(rest)
      } else objects.push(value)
    }
  }
  for (const script of byTag(page, 'script')) {
    const type = attr(script, 'type')?.toLowerCase() ?? ''
    if (/ld\+json/.test(type)) take(decoded(parseBlock(rawText(script))))
  }
  return objects
}

/** Local names of an item's types, without namespace: ['NewsArticle']. */
export function typesOf(item: JsonObject): string[] {
  const type = item['@type'] ?? item.type
  return (Array.isArray(type) ? type : [type])
    .filter((one): one is string => typeof one === 'string')
    .map((one) => one.replace(/^.*[/#:]/, ''))
}
