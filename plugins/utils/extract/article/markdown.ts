/** An article as Markdown: its blocks in their order, each with the markup it has on the page. */
import type { Block, ListItem } from './block.ts'
import { escapeMarkdown } from './markup.ts'

/** The level of a heading, as its place says. */
const levelOf = ({ place }: Block): number => Number(/^h([1-6])/.exec(place)?.[1] ?? 2)

function rowOf(markup: string): string {
  let end = markup.length
  // An expression for it would try all ways to part a long run of empty cells.
  while (/[\s|]/.test(markup[end - 1] ?? '') && !markup.endsWith('\\|', end)) end--
  return `| ${markup.slice(0, end).replaceAll('  \n', '<br>')} |`
}

/** `blocks` as Markdown; `marked` are the blocks of the page with their markup, in any number. */
export function markdownOf(
  title: string | null,
  blocks: readonly Block[],
  marked: readonly Block[],
): string {
  const markups = new Map<string, string[]>()
  for (const { text, markup } of marked) {
    if (markup === undefined) continue
    const known = markups.get(text)
    if (known) known.push(markup)
    else markups.set(text, [markup])
  }
  const parts: string[] = []
  let before: Block | null = null
  if (title !== null && !blocks.some(({ kind, text }) => kind === 'heading' && text === title))
    parts.push(`# ${escapeMarkdown(title)}`)
  const texts = blocks.map(({ kind, text }) => {
    const known = markups.get(text)
    return (known && known.length > 1 ? known.shift() : known?.[0]) ?? plain(kind, text)
  })
  // The first block of an item may have been left out.
  const begun = new Set<ListItem>()
  for (const [at, block] of blocks.entries()) {
    const { item } = block
    const isFirst = item !== undefined && !begun.has(item)
    const isNext = before !== null && follows(before, block) && (block.kind !== 'item' || isFirst)
    const form =
      block.kind === 'row' ? tableRow(blocks, texts, at, isNext) : formOf(block, texts[at]!, isNext)
    parts.push((isNext ? '\n' : '\n\n') + (item ? inItem(form, item, isFirst) : form))
    if (item) begun.add(item)
    before = block
  }
  return parts.join('').replace(/^\n+/, '').trimEnd()
}

/** Whether a block stands right below the one before it: rows of a table, items of a list, parts of a quote. */
function follows(before: Block, { kind, item }: Block): boolean {
  if (before.kind !== kind || (kind !== 'item' && kind !== 'row' && kind !== 'quote')) return false
  if (kind !== 'item') return before.item?.indent === item?.indent
  if (!item || !before.item) return !item && !before.item
  return item.indent !== before.item.indent || isOrdered(item) === isOrdered(before.item)
}

const isOrdered = ({ mark }: ListItem): boolean => mark !== '-'

/** Behind the mark of its item, or below the text that stands there. */
function inItem(form: string, { mark, indent }: ListItem, isFirst: boolean): string {
  const inner = ' '.repeat(indent + mark.length + 1)
  const lines = form.split('\n').map((line) => (line === '' ? '' : inner + line))
  return isFirst
    ? `${' '.repeat(indent)}${mark} ${lines.join('\n').slice(inner.length)}`
    : lines.join('\n')
}

const plain = (kind: Block['kind'], text: string): string =>
  kind === 'code' ? text : escapeMarkdown(text)

function formOf(block: Block, markup: string, isNext: boolean): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(levelOf(block))} ${markup.replaceAll('  \n', ' ')}`
    case 'item':
      return `${block.item ? '' : '- '}${markup.replaceAll('  \n', ' ')}`
    case 'quote':
      return `${isNext ? '>\n' : ''}> ${markup.replaceAll('  \n', '  \n> ')}`
    case 'code': {
      const longest = Math.max(2, ...(markup.match(/`{3,}/g) ?? []).map((run) => run.length))
      const fence = '`'.repeat(longest + 1)
      return `${fence}\n${markup}\n${fence}`
    }
    case 'row':
      return rowOf(markup)
    case 'paragraph':
      return markup.replace(/^(#{1,6}\s|[+-]\s|\d+[.)]\s)/, '\\$1')
  }
}

const columnsOf = (row: string): number => row.split(/(?<!\\)\|/).length - 2

/** A row; below the first of a table is the line that Markdown wants there, as wide as its widest row. */
function tableRow(
  blocks: readonly Block[],
  texts: readonly string[],
  at: number,
  isNext: boolean,
): string {
  const row = rowOf(texts[at]!)
  if (isNext) return row
  let columns = columnsOf(row)
  for (let next = at + 1; next < blocks.length && follows(blocks[next - 1]!, blocks[next]!); next++)
    columns = Math.max(columns, columnsOf(rowOf(texts[next]!)))
  const filled = row + ' |'.repeat(columns - columnsOf(row))
  return `${filled}\n|${' --- |'.repeat(Math.max(1, columns))}`
}
