/** Plain text, Markdown, CSV and JSON as sources of facts. */
import { factsOfObject, type Fact } from '../fields/facts.ts'
import { phraseOf } from '../fields/keys.ts'
import type { PageList } from '../fields/page-lists.ts'
import { once, patternFacts, type FactSources } from '../fields/fact-sources.ts'
import { pairsOfText } from '../fields/pairs.ts'
import { proseFacts } from '../fields/prose.ts'
import type { Table } from '../fields/tables.ts'
import { TRUST } from '../fields/weights.ts'
import { cellsOf, delimitedTable } from './delimited.ts'
import { findDate } from '../article/parse-date.ts'
import { isObject, type JsonObject } from '../harvest/json-ld.ts'

const { plain } = TRUST
const LINES_MAX = 20_000

/** Tables of a text: all of it, Markdown, or at least three lines with the same delimiter count. */
export function tablesOfText(text: string): Table[] {
  const whole = delimitedTable(text)
  if (whole) return [whole]
  const tables: Table[] = []
  let run: string[][] = []
  let mark = ''
  const end = (): void => {
    const rows = run.filter((row) => !row.every((cell) => /^:?-{2,}:?$/.test(cell)))
    if (rows.length >= (mark === '|' ? 2 : 3))
      tables.push({ caption: null, headers: rows[0]!, rows: rows.slice(1) })
    run = []
  }
  for (const line of text.split(/\r?\n/).slice(0, LINES_MAX)) {
    const trimmed = line.trim()
    const found =
      ['|', '\t', ';', ','].find((one) => cellsOf(trimmed, one).length > (one === ',' ? 2 : 1)) ??
      ''
    const inner = found === '|' ? trimmed.replace(/^\||\|$/g, '') : trimmed
    const cells = found === '' ? [] : cellsOf(inner, found)
    const isSame = found !== '' && found === mark && cells.length === run[0]?.length
    if (!isSame) end()
    mark = found
    if (found !== '') run.push(cells)
  }
  end()
  return tables
}

/** Groups of "Label: value" lines between blank lines that share a label: records of a list. */
function recordsOfText(text: string): { path: string; items: Fact[][] }[] {
  const pieces = text.split(/\r?\n\s*\r?\n|\r?\n-{3,}\r?\n/).map((piece) =>
    pairsOfText(piece).map(({ label, value, path }): Fact => ({
      key: phraseOf(label),
      value,
      path,
      trust: plain.record,
    })),
  )
  const items = pieces.filter((facts) => facts.length > 1)
  return items.length > 1 ? [{ path: 'text:records', items }] : []
}

/** Lists under a heading line or a line ending in a colon. */
function listsOfText(text: string): PageList[] {
  const lists: { heading: string; items: string[] }[] = []
  let heading = ''
  for (const line of text.split(/\r?\n/).slice(0, LINES_MAX)) {
    const item = /^\s*(?:[-*•]|\d{1,3}[.)])\s+(.+)$/.exec(line)?.[1]?.trim()
    const last = lists.at(-1)
    if (item && heading !== '') {
      if (last?.heading === heading) last.items.push(item)
      else lists.push({ heading, items: [item] })
    } else if (line.trim() !== '')
      heading = line
        .replace(/^#+\s*/, '')
        .replace(/[\s:*]+$/, '')
        .trim()
  }
  return lists.map(({ heading: named, items }) => ({
    items,
    names: [{ phrase: phraseOf(named), text: named, element: null }],
    element: null,
  }))
}

/** The first line when it stands like a heading. */
export function titleOfText(text: string): string | null {
  const line =
    text
      .split(/\r?\n/)
      .find((one) => one.trim() !== '')
      ?.trim() ?? ''
  const bare = line.replace(/^#+\s*/, '').replaceAll('**', '')
  const isHeading =
    bare !== '' && bare.length <= 150 && !/[.:;,]$/.test(bare) && !/^[^:]{1,40}:\s/.test(bare)
  return isHeading ? bare : null
}

export function sourcesOfText(text: string): FactSources {
  return {
    resolve: (reference) => reference,
    facts: once(() => {
      const title = titleOfText(text)
      const byline = /(?:^|\n)\s*(?:by|von|par|por)\s+(\p{Lu}[^\n,|]{2,60})/iu
        .exec(text)?.[1]
        ?.trim()
      const date = findDate(text)
      return [
        ...pairsOfText(text).map(({ label, value, path }, index): Fact => ({
          key: phraseOf(label),
          value,
          path,
          trust: plain.pair - Math.min(plain.pairLessAtMost, index * plain.pairLessPerPlace),
        })),
        ...(title ? [{ key: 'title', value: title, path: 'line[0]', trust: plain.firstLine }] : []),
        ...(byline
          ? [{ key: 'author', value: byline, path: 'text:byline', trust: plain.byline }]
          : []),
        ...(date ? [{ key: 'date', value: date.text, path: 'text:date', trust: plain.date }] : []),
        ...proseFacts(text),
        ...patternFacts(text),
        { key: 'full text', value: text.trim(), path: 'text', trust: plain.wholeText },
      ]
    }),
    lists: once(() => listsOfText(text)),
    tables: once(() => tablesOfText(text)),
    groups: () => [],
    collections: () => [],
    records: once(() => recordsOfText(text)),
  }
}

/** What a JSON document says, under its own names. */
export function sourcesOfJson(value: unknown): FactSources {
  const root: JsonObject = isObject(value) ? value : { items: value }
  return {
    resolve: (reference) => reference,
    facts: once(() => factsOfObject(root, '$', 90)),
    lists: () => [],
    tables: () => [],
    groups: () => [],
    collections: once(() => {
      const found: ReturnType<FactSources['collections']> = []
      const visit = (one: unknown, path: string, depth: number): void => {
        if (depth > 6) return
        if (Array.isArray(one)) {
          const items = one.filter(isObject)
          if (items.length > 0)
            found.push({ path, types: [path.split('.').at(-1)!.replace('$', 'items')], items })
        } else if (isObject(one))
          for (const [key, inner] of Object.entries(one)) visit(inner, `${path}.${key}`, depth + 1)
      }
      visit(value, '$', 0)
      return found
    }),
    records: () => [],
  }
}
