/** A page as Markdown: headings by the size of their letters, lists, and tables where they stand. */
import type { Line } from './lines.ts'
import { orderedBlocks, type PlacedBlock, rowsText, withoutBreaks } from './print.ts'
import type { Box } from './words.ts'

/** How much larger than the running text a heading is, and how long it may be. */
const HEADING_LEAST = 1.15
const HEADING_MAX = 200
const HEADING_LINES = 3
const LEVELS = 4
const BULLET = /^[•◦▪●○‣–∙·*-]\s+/
const NUMBER = /^(\d{1,3})[.)]\s+/

/** The page's tables as rows, each with its box, in the order of `tables` of the answer. */
export interface MarkdownTable {
  rows: string[][]
  box: Box
}

/** The Markdown of a page; '' when it has no text. */
export function pageMarkdown(lines: readonly Line[], tables: readonly MarkdownTable[]): string {
  if (lines.length === 0) return ''
  const { blocks, rightToLeft } = orderedBlocks(
    lines,
    tables.map(({ box }) => box),
  )
  const body = bodySize(lines)
  const sizes = headingSizes(blocks, body)
  const parts = blocks.map((block) => {
    if (block.table !== undefined) return tableMarkdown(tables[block.table]!.rows)
    if (block.rowWise) return escaped(rowsText(block.lines, rightToLeft)).replaceAll('\n', '  \n')
    return isHeading(block, body)
      ? `${'#'.repeat(sizes.indexOf(rounded(sizeOf(block))) + 1)} ${escaped(oneLine(block))}`
      : paragraph(block)
  })
  return parts.filter((part) => part !== '').join('\n\n')
}

const rounded = (size: number): number => Math.round(size)
const sizeOf = ({ lines }: PlacedBlock): number => Math.max(...lines.map(({ size }) => size))
const oneLine = ({ lines }: PlacedBlock): string => lines.map(({ text }) => text).join(' ')

/** The size that most letters have. */
function bodySize(lines: readonly Line[]): number {
  const letters = new Map<number, number>()
  for (const { size, text } of lines) {
    const key = Math.round(size * 2) / 2
    letters.set(key, (letters.get(key) ?? 0) + text.length)
  }
  return [...letters].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}

function isHeading(block: PlacedBlock, body: number): boolean {
  if (block.table !== undefined || block.rowWise) return false
  const text = oneLine(block)
  return (
    block.lines.length <= HEADING_LINES &&
    text.length <= HEADING_MAX &&
    /\p{L}/u.test(text) &&
    sizeOf(block) >= body * HEADING_LEAST &&
    rounded(sizeOf(block)) > rounded(body)
  )
}

/** The sizes of headings, largest first; smaller ones than the last level are of that. */
function headingSizes(blocks: readonly PlacedBlock[], body: number): number[] {
  const sizes = new Set(
    blocks.filter((block) => isHeading(block, body)).map((block) => rounded(sizeOf(block))),
  )
  const sorted = [...sizes].toSorted((a, b) => b - a)
  return sorted.flatMap((size, at) => (at < LEVELS ? [size] : [])).concat(sorted.slice(LEVELS))
}

function paragraph({ lines }: PlacedBlock): string {
  const items: { mark: string; text: string }[] = []
  for (const { text } of lines) {
    const number = NUMBER.exec(text)
    const bullet = BULLET.exec(text)
    const mark = number ? `${number[1]}. ` : bullet ? '- ' : ''
    const rest = text.slice((number ?? bullet)?.[0].length ?? 0)
    const last = items.at(-1)
    if (mark === '' && last) last.text += `\n${rest}`
    else items.push({ mark, text: rest })
  }
  return items
    .map(({ mark, text }) => mark + escaped(withoutBreaks(text).replaceAll('\n', ' ')))
    .join('\n')
}

const escaped = (text: string): string =>
  text
    .replaceAll(/[\\`*_[\]<>]/g, (sign) => `\\${sign}`)
    .replaceAll(/^(#{1,6}\s|[+>-]\s)/gm, '\\$1')

/** Rows as a table of GitHub's Markdown, the first as its head. */
export function tableMarkdown(rows: readonly (readonly string[])[]): string {
  const [head, ...rest] = rows
  if (!head) return ''
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => escaped(cell).replaceAll('|', '\\|').replaceAll('\n', '<br>')).join(' | ')} |`
  return [row(head), `|${' --- |'.repeat(head.length)}`, ...rest.map(row)].join('\n')
}

/** Rows as CSV (RFC 4180), lines ended by CRLF. */
export const tableCsv = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((row) =>
      row
        .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join(','),
    )
    .map((line) => `${line}\r\n`)
    .join('')
