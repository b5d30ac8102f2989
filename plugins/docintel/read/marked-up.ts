/**
 * Text as programs and people of the web write it: the marks of Markdown, comma-separated values, a
 * document in one line. The rows and cells that they stand for are put in their place.
 */
import { rowsOfJson } from './json-text.ts'

const BLANK = (marks: string): string => ' '.repeat(marks.length)

/** "**Total:** 12.00", of which the stars are no part; the masked sum "**.**" is none. */
const BOLD = /(?<![*\\])(\*\*|__)(?=[^\s*_])([^*\n]{1,200})(?<=[^\s*_])\1(?!\*)/gu
/** "*August 29, 2026*", a whole line. */
const ITALIC = /^([^\S\n]{0,20})([*_])(?=[^\s*_])([^*_\n]{1,200})(?<=\S)\2$/gmu
/** "## Items"; one "#" only above everything: "# Item Qty" over a table is a head of numbers. */
const HEADING = /^#{2,6} (?=\p{L})/gmu
const FIRST_HEADING = /^# (?=\p{L})/u
const FENCE = /^```\w*$/gm

function withoutMarkdown(text: string): string {
  const lead = text.length - text.trimStart().length
  return (
    text.slice(0, lead) + text.slice(lead).replace(FIRST_HEADING, BLANK).replaceAll(HEADING, BLANK)
  )
    .replaceAll(BOLD, (whole, mark: string, inner: string) =>
      /[\p{L}\d]/u.test(inner) ? BLANK(mark) + inner + BLANK(mark) : whole,
    )
    .replaceAll(ITALIC, (whole, before: string, mark: string, inner: string) =>
      /\p{L}/u.test(inner) ? before + BLANK(mark) + inner + BLANK(mark) : whole,
    )
    .replaceAll(FENCE, BLANK)
}

/** Fields of a line of comma-separated values, of which some stand in quotes. */
function fieldsOf(line: string, mark: string): string[] {
  const fields: string[] = []
  const field =
    mark === ','
      ? /\s*(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/y
      : /\s*(?:"((?:[^"]|"")*)"|([^;]*))(?:;|$)/y
  while (field.lastIndex < line.length) {
    const match = field.exec(line)
    if (!match) return [line]
    fields.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim())
    if (match[0] === '') break
  }
  return fields
}

const FIELDS_LEAST = 3
const ROWS_LEAST = 2
/** Wider columns would make more of a text than was sent. */
const COLUMN_MAX = 40
const LINE_OF_VALUES_MAX = 1000
const GAP = '  '
const isHead = (fields: readonly string[]): boolean =>
  fields.length >= FIELDS_LEAST && fields.every((f) => /^[\p{L}][\p{L} _./%()-]{0,30}$/u.test(f))

/** Lines of comma-separated values below their heads, and the fields above and below them, as columns. */
function withColumns(lines: readonly string[], mark: string): readonly string[] {
  const fields = lines.map((line) =>
    line.length > LINE_OF_VALUES_MAX ? [line] : fieldsOf(line, mark),
  )
  const head = fields.findIndex(
    (row, at) =>
      isHead(row) &&
      fields
        .slice(at + 1, at + 1 + ROWS_LEAST)
        .filter((next) => next.length === row.length && next.some((f) => /\d/.test(f))).length ===
        ROWS_LEAST,
  )
  if (head < 0) return lines
  const width = fields[head]!.length
  const isRow = (row: readonly string[]): boolean => row.length === 2 || row.length === width
  const columns = Array.from({ length: width }, () => 0)
  for (const row of fields.filter(isRow))
    for (const [at, field] of row.entries())
      columns[at] = Math.min(COLUMN_MAX, Math.max(columns[at]!, field.length))
  return fields.map((row, at) =>
    isRow(row) ? row.map((f, column) => f.padEnd(columns[column] ?? 0)).join(GAP) : lines[at]!,
  )
}

/** "| 3 | 300 | 900 |", and below the heads of such a table "|---|---:|". */
const BARRED = /^\s*\|(.*)\|\s*$/
const UNDER_HEADS = /^\s*\|(?:\s*:?-{2,}:?\s*\|)+\s*$/

/** Lines of Markdown's tables, whose cells stand anywhere, with each column in one place. */
function withTableColumns(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => UNDER_HEADS.test(line))) return lines
  const fields = lines.map((line) => {
    const inner = line.length > LINE_OF_VALUES_MAX ? undefined : BARRED.exec(line)?.[1]
    return inner?.split('|').map((field) => field.trim()) ?? null
  })
  const columns: number[] = []
  for (const row of fields)
    for (const [at, field] of row?.entries() ?? [])
      columns[at] = Math.min(COLUMN_MAX, Math.max(columns[at] ?? 0, field.length))
  return fields.map(
    (row, at) => row?.map((f, column) => f.padEnd(columns[column]!)).join(GAP) ?? lines[at]!,
  )
}

/** A line of a whole document is short, and so are its parts. */
const LINE_MAX = 240
const PARTS_LEAST = 3
const PART_WORDS = 6
const PART_MARKS = [/ \| /, /; (?=\S)/, /, (?=\S)/]

/** "Joe's Diner, 2026-05-01, Total: $12.50": a document in one line, a part a row. */
function partsOfOne(line: string): readonly string[] {
  if (line.length > LINE_MAX) return [line]
  const isListed = (parts: readonly string[]): boolean =>
    parts.length >= PARTS_LEAST && parts.every((part) => part.split(/\s+/).length <= PART_WORDS)
  return PART_MARKS.map((mark) => line.trim().split(mark)).find(isListed) ?? [line]
}

/** Line breaks and tabs that were escaped once too often, where the text has no other. */
function unescaped(text: string): string {
  if (/[\n\r]/.test(text.trim()) || (text.match(/\\n/g)?.length ?? 0) < 2) return text
  return text
    .replaceAll(/\\r(?=\\n)/g, '')
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t')
}

/** The text with what stands for rows and cells put in their place. */
export function withoutMarkup(text: string): string {
  const plain = rowsOfJson(text) ?? withoutMarkdown(unescaped(text))
  const lines = withTableColumns(plain.split(/\r\n|[\n\r]/))
  const [only, more] = lines.filter((line) => line.trim() !== '')
  if (only !== undefined && more === undefined) return partsOfOne(only).join('\n')
  const mark = [',', ';'].find((m) => withColumns(lines, m) !== lines)
  return (mark ? withColumns(lines, mark) : lines).join('\n')
}
