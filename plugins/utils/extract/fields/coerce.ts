/** A found value as the type a schema asks for, or `undefined` when it cannot be one. */
import { parseDate } from '../article/parse-date.ts'
import { squeeze, stripMarkup } from '../dom/tree.ts'
import { textsOf } from '../harvest/harvest.ts'
import { isObject } from '../harvest/json-ld.ts'
import { lengthIn } from './durations.ts'
import { groupOf } from './keys.ts'
import { currencyIn, numberIn, priceIn } from './numbers.ts'
import type { Shape } from './shape.ts'

export interface Wanted {
  /** Phrase of the property's name. */
  key: string
  shape: Shape
  isMachine: boolean
}

const DATE_GROUPS = new Set(['published', 'modified', 'start', 'end', 'deadline'])
const JOINED = new Set(['author', 'keywords', 'cast', 'performer', 'director', 'category'])
const YES =
  /^(?:true|yes|y|1|on|available|in ?stock|instock|limitedavailability|onlineonly|instoreonly|lieferbar|auf lager|vorrätig|en stock|disponible|disponibile|ja|oui|sí|si|sim|ndiyo)\b/i
const NO =
  /^(?:false|no|n|0|off|unavailable|not available|out ?of ?stock|outofstock|sold ?out|soldout|discontinued|backorder|nicht (?:lieferbar|verfügbar|auf lager)|ausverkauft|rupture|épuisé|agotado|no disponible|esaurito|esgotado|nein|non|não|hapana)\b/i

/** What a script wrote that had no text to write. */
const NOTHING = /^(?:\[object \w+\]|undefined|NaN)$/
/** Of a page about somebody, which is not the name. */
const ADDRESS = /^(?:https?:\/\/|www\.)\S+$/i

const localName = (text: string): string => text.replace(/^https?:\/\/schema\.org\//i, '')

function toText(value: unknown, { key, shape }: Wanted): string | undefined {
  const group = groupOf(key)
  const texts = textsOf(placed(value, group)).map((text) =>
    group === 'text' ? text.trim() : stripMarkup(text),
  )
  const text = JOINED.has(group) && Array.isArray(value) ? texts.join(', ') : texts[0]
  if (text === undefined || text === '' || NOTHING.test(text)) return undefined
  if (group === 'author' && ADDRESS.test(text)) return undefined
  const { format } = shape
  if (shape.enum.length > 0) return fromEnum(text, shape.enum)
  if (
    format === 'date' ||
    format === 'date-time' ||
    (format === null && DATE_GROUPS.has(group)) ||
    (format === null && /(?:^| )date(?: |$)/.test(key))
  ) {
    const date = parseDate(text)
    if (date !== null)
      return format === 'date' ? date.slice(0, 10) : format === 'date-time' ? withTime(date) : date
    return format === null && group !== 'published' && group !== 'modified' ? text : undefined
  }
  if (format === 'uri' || format === 'url') return URL.canParse(text) ? text : undefined
  if (format === 'email' || group === 'email') return /[^\s@:]+@[^\s@]+\.[^\s@.,;]+/.exec(text)?.[0]
  if (group === 'currency') return currencyIn(text) ?? undefined
  if (group === 'url' || group === 'image') return /\s/.test(text) ? undefined : text
  if (group === 'phone') return /\d(?:.*\d){5}/.test(text) ? text.replace(/^tel:/, '') : undefined
  return localName(text)
}

/** An address in one line; of a place its name, else its address. */
function placed(value: unknown, group: string): unknown {
  if (!isObject(value))
    return Array.isArray(value) && value.length === 1 ? placed(value[0], group) : value
  if (group === 'address') return addressOf(value)
  if (group !== 'location' || value.name !== undefined) return value
  return isObject(value.address) ? addressOf(value.address) : (value.address ?? addressOf(value))
}

function addressOf(value: Record<string, unknown>): unknown {
  const parts = [
    'streetAddress',
    'addressLocality',
    'addressRegion',
    'postalCode',
    'addressCountry',
  ].flatMap((name) => textsOf(value[name]).slice(0, 1))
  return parts.length > 0 ? parts.join(', ') : value
}

/** RFC 3339 wants a time and a zone; a date alone has neither, so it stays a date at midnight UTC. */
function withTime(date: string): string {
  if (!date.includes('T')) return `${date}T00:00:00Z`
  return /(?:Z|[+-]\d{2}:\d{2})$/.test(date) ? date : `${date}Z`
}

function fromEnum(text: string, values: readonly unknown[]): string | undefined {
  const fold = (one: unknown): string =>
    squeeze(localName(String(one)))
      .toLowerCase()
      .replaceAll(/[\s_-]/g, '')
  const strings = values.filter((one): one is string => typeof one === 'string')
  const exact = strings.find((one) => fold(one) === fold(text))
  if (exact !== undefined) return exact
  return strings.filter((one) => fold(one).length > 2).find((one) => fold(text).includes(fold(one)))
}

function toNumber(value: unknown, wanted: Wanted, isInteger: boolean): number | undefined {
  const source = isObject(value)
    ? (value.value ??
      value.price ??
      value.ratingValue ??
      value.amount ??
      value.minValue ??
      value['@value'])
    : value
  const first = Array.isArray(source) ? source[0] : source
  let number: number | null = null
  if (typeof first === 'number') number = first
  else if (typeof first === 'string') {
    const length = lengthIn(first, wanted.key)
    if (length === undefined) return undefined
    number = length ?? starsIn(first, wanted) ?? numberIn(amountOf(first, wanted), wanted.isMachine)
  } else if (isObject(first)) return toNumber(first, wanted, isInteger)
  if (number === null || !Number.isFinite(number)) return undefined
  if (['year', 'founded'].includes(groupOf(wanted.key)) && typeof first === 'string')
    number = Number(/\b(?:19|20)\d\d\b/.exec(first)?.[0] ?? number)
  return isInteger && !Number.isInteger(number) ? undefined : number
}

/** Of a text with several amounts the one that a price is meant by. */
function amountOf(text: string, { key }: Wanted): string {
  const isPrice = groupOf(key) === 'price' && text.length < 400
  return isPrice ? (priceIn(text) ?? text) : text
}

const STARS = ['zero', 'one', 'two', 'three', 'four', 'five']
function starsIn(text: string, { key }: Wanted): number | null {
  if (groupOf(key) !== 'rating') return null
  const word = STARS.indexOf(text.trim().toLowerCase())
  if (word >= 0) return word
  const filled = (text.match(/★/g) ?? []).length
  return filled > 0 && !/\d/.test(text) ? filled : null
}

function toBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = textsOf(value)[0]
  if (text === undefined) return undefined
  const plain = localName(text)
  if (NO.test(plain)) return false
  if (YES.test(plain)) return true
  const count = /^(\d+)\s+(?:left|available|in stock|items?|units?)/i.exec(plain)
  return count ? Number(count[1]) > 0 : undefined
}

/** The value as a scalar of the wanted type; strings keep the words of the input. */
export function coerce(value: unknown, wanted: Wanted): string | number | boolean | undefined {
  switch (wanted.shape.type) {
    case 'string':
      return toText(value, wanted)
    case 'number':
      return toNumber(value, wanted, false)
    case 'integer':
      return toNumber(value, wanted, true)
    case 'boolean':
      return toBoolean(value)
    default:
      if (typeof value === 'number' || typeof value === 'boolean') return value
      return toText(value, { ...wanted, shape: { ...wanted.shape, type: 'string' } })
  }
}
