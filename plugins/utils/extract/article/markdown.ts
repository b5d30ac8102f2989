/** An article as Markdown: its blocks in their order, each with the markup it has on the page. */
import type { Block } from './blocks.ts'
import { escapeMarkdown } from './markup.ts'

/** The level of a heading, as its place says. */
const levelOf = ({ place }: Block): number => Number(/^h([1-6])/.exec(place)?.[1] ?? 2)

function rowOf(markup: string): string {
  return `| ${markup.replace(/(?:\s*\|\s*)+$/, '').replaceAll('  \n', '<br>')} |`
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
  let before: string | null = null
  let count = 0
  if (title !== null && !blocks.some(({ kind, text }) => kind === 'heading' && text === title))
    parts.push(`# ${escapeMarkdown(title)}`)
  for (const block of blocks) {
    const { kind, text, place } = block
    const known = markups.get(text)
    const markup = (known && known.length > 1 ? known.shift() : known?.[0]) ?? plain(kind, text)
    const list = kind === 'item' ? listOf(place) : kind
    const isNext = list === before && (kind === 'item' || kind === 'row' || kind === 'quote')
    count = isNext ? count + 1 : 1
    parts.push((isNext ? '\n' : '\n\n') + lineOf(block, markup, isNext, count))
    before = list
  }
  return parts.join('').trim()
}

const plain = (kind: Block['kind'], text: string): string =>
  kind === 'code' ? text : escapeMarkdown(text)

const listOf = (place: string): string => (/< ol\b/.test(place) ? 'ol' : 'ul')

function lineOf(block: Block, markup: string, isNext: boolean, count: number): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(levelOf(block))} ${markup.replaceAll('  \n', ' ')}`
    case 'item':
      return `${listOf(block.place) === 'ol' ? `${count}.` : '-'} ${markup.replaceAll('  \n', ' ')}`
    case 'quote':
      return `${isNext ? '>\n' : ''}> ${markup.replaceAll('  \n', '  \n> ')}`
    case 'code': {
      const longest = Math.max(2, ...(markup.match(/`{3,}/g) ?? []).map((run) => run.length))
      const fence = '`'.repeat(longest + 1)
      return `${fence}\n${markup}\n${fence}`
    }
    case 'row': {
      const row = rowOf(markup)
      if (isNext) return row
      const columns = row.split(/(?<!\\)\|/).length - 2
      return `${row}\n|${' --- |'.repeat(Math.max(1, columns))}`
    }
    case 'paragraph':
      return markup.replace(/^(#{1,6}\s|[+-]\s|\d+[.)]\s)/, '\\$1')
  }
}
