/** JSON-LD blocks of a page, also those that a strict parser refuses. */
import { attr, byTag, decodeEntities, rawText, type Document } from '../dom/tree.ts'

export type JsonObject = { [key: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const VALUE_DEPTH_MAX = 40
/** What pages put around a script so that old readers skip it. */
const WRAPPERS = ['<!--', '-->', '<![CDATA[', ']]>']

/** The text with comments, raw control characters, bad escapes and stray commas put right. */
function repair(source: string): string {
  let out = ''
  const open: string[] = []
  let isString = false
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at]!
    if (isString) {
      if (char === '\\') {
        const next = source[at + 1] ?? ''
        at += 1
        if (next === 'u' && !/^[\da-f]{4}$/i.test(source.slice(at + 1, at + 5))) out += '\\\\u'
        else if ('"\\/bfnrtu'.includes(next) && next !== '') out += char + next
        else out += next === "'" ? "'" : `\\\\${next}`
      } else if (char === '"') {
        isString = false
        out += char
      } else if (char < ' ') {
        out += char === '\n' ? '\\n' : char === '\t' ? '\\t' : char === '\r' ? '' : ' '
      } else out += char
      continue
    }
    const wrapper = WRAPPERS.find((mark) => source.startsWith(mark, at))
    if (wrapper) at += wrapper.length - 1
    else if (char === '/' && source[at + 1] === '*') {
      const end = source.indexOf('*/', at + 2)
      at = end === -1 ? source.length : end + 1
    } else if (char === '/' && source[at + 1] === '/') {
      const end = source.indexOf('\n', at)
      at = end === -1 ? source.length : end
    } else if (char === '"') {
      isString = true
      out += char
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']')
      out += char
    } else if (char === '}' || char === ']') {
      out = out.replace(/,\s*$/, '')
      if (open.pop() === undefined) continue
      out += char
      // Several documents in one block: read on as if they were a list.
      if (open.length === 0 && /\S/.test(source.slice(at + 1).replace(/^[\s;,]+/, ''))) out += ','
    } else if (char === ',' && /[,[{:]\s*$/.test(out)) continue
    else if (char !== ';') out += char
  }
  if (isString) out += '"'
  out = out.replace(/[,:]\s*$/, '')
  return `[${(out + open.reverse().join('')).replace(/,\s*$/, '')}]`
}

function parseBlock(text: string): unknown[] {
  const source = text
    .replaceAll(/^\s*(?:\/\/)?\s*(?:<!--|<!\[CDATA\[)/g, '')
    .replaceAll(/(?:\/\/)?\s*(?:-->|\]\]>)\s*$/g, '')
    .replace(/^\ufeff/, '')
    .trim()
  if (source === '') return []
  for (const attempt of [
    () => [JSON.parse(source)],
    () => JSON.parse(repair(source)) as unknown[],
  ]) {
    try {
      return attempt()
    } catch {
      // The next attempt is more lenient.
    }
  }
  const decoded = decodeEntities(source)
  if (decoded === source) return []
  try {
    return JSON.parse(repair(decoded)) as unknown[]
  } catch {
    return []
  }
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
