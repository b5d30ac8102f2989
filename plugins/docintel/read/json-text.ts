/**
 * JSON that states a document, as programs and examples hand it over: a row for each member, a table for a
 * list of goods.
 */

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

const DEPTH_MAX = 5
const GAP = '  '
/** Columns of a table, and how wide they are at most. */
const COLUMNS_MAX = 24
const COLUMN_MAX = 40
/** Objects of a list by which its columns are told. */
const SAMPLES = 20

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  value !== null && typeof value === 'object' && !isList(value)

/** "unit_price", "unitPrice": "unit price". */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase()

const SUM_NAME =
  /(?<!\p{L})(?:(?:sub)?totals?|prices?|amounts?|tax(?:es)?|vat|sum|cost|fees?|tip|discount|due|balance|paid|net|gross|change|charges?|shipping)(?!\p{L})/u
const NO_SUM_NAME =
  /(?<!\p{L})(?:rate|percent(?:age)?|id|number|no|count|date|quantity|qty)(?!\p{L})/u

/** A member's value as a paper prints it: sums to hundredths, of which JSON leaves out what is nothing. */
function printed(value: Json, name: string): string {
  if (value === null || typeof value === 'object') return ''
  const isSum = SUM_NAME.test(name) && !NO_SUM_NAME.test(name)
  return typeof value === 'number' && isSum && /^-?\d+(?:\.\d)?$/.test(String(value))
    ? value.toFixed(2)
    : String(value)
}

/** Objects of one kind as columns under their names. */
function table(list: readonly { readonly [name: string]: Json }[]): string[] {
  const samples = list.slice(0, SAMPLES)
  const names = [...new Set(samples.flatMap((row) => Object.keys(row)))]
    .filter((name) => samples.every((row) => typeof (row[name] ?? '') !== 'object'))
    .slice(0, COLUMNS_MAX)
  const heads = names.map(wordsOf)
  const rows = [
    heads,
    ...list.map((row) => names.map((name, at) => printed(row[name] ?? null, heads[at]!))),
  ]
  const widths = names.map((_, at) =>
    rows.reduce((most, row) => Math.min(COLUMN_MAX, Math.max(most, row[at]!.length)), 0),
  )
  return ['', ...rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at]!)).join(GAP)), '']
}

function linesOf(value: Json, depth: number): string[] {
  if (depth > DEPTH_MAX) return []
  if (isList(value)) {
    const objects = value.filter(isObject)
    if (objects.length === value.length && objects.length > 0) return table(objects)
    return value.flatMap((one) => linesOf(one, depth + 1))
  }
  if (!isObject(value)) return [printed(value, '')]
  return Object.entries(value).flatMap(([name, member]): string[] => {
    if (isList(member)) return [...linesOf(member, depth + 1)]
    if (!isObject(member)) {
      const text = printed(member, wordsOf(name))
      return text === '' ? [] : [`${wordsOf(name)}: ${text}`]
    }
    // {"vendor": {"name": "Acme"}}: the name is what the member is called by.
    const { name: title, ...rest } = member
    const head = typeof title === 'string' ? [`${wordsOf(name)}: ${title}`] : [`${wordsOf(name)}:`]
    return [...head, ...linesOf(rest, depth + 1)]
  })
}

/** The rows of a text that is one JSON object; null for any other. */
export function rowsOfJson(text: string): string | null {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return null
  try {
    return linesOf(JSON.parse(text) as Json, 0).join('\n')
  } catch {
    return null
  }
}
