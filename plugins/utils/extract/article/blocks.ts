/** Running text as a list of blocks: paragraphs, headings, list items, quotes, table rows. */
import {
  isBlock,
  isElement,
  isLinkTarget,
  isPermalink,
  isText,
  layoutName,
  squeeze,
  textOf,
  type Element,
  type Node,
  type Parent,
} from '../dom/tree.ts'
import type { Resolve } from '../harvest/links.ts'
import {
  emptyCells,
  isLineNumber,
  isPlainRow,
  itemOf,
  lineBreakIn,
  spanOf,
  type CellRow,
} from './cells.ts'
import { Markup } from './markup.ts'
import type { Block, ListItem } from './block.ts'

interface Builder {
  blocks: Block[]
  item: ListItem | null
  /** The last number of each ordered list. */
  numbers: Map<Element, number>
  /** In a row of plain cells, whose blocks are lines of them. */
  row: CellRow | null
  /** Rows that cells of the table still reach down into, by column. */
  spans: number[]
  skips: (element: Element) => boolean
  text: string
  linkedLength: number
  /** The named inline element that holds the text so far, if one does. */
  inline: Element | null
  /** Nothing but white space so far. */
  isBlank: boolean
  /** The text ends in a line break and white space. */
  isBroken: boolean
  /** Collects the text as Markdown too. */
  markup: Markup | null
}

function kindOf(element: Element, outer: Block['kind']): Block['kind'] {
  if (/^h[1-6]$/.test(element.tagName)) return 'heading'
  if (element.tagName === 'li' || element.tagName === 'dd' || element.tagName === 'dt')
    return 'item'
  if (element.tagName === 'blockquote') return 'quote'
  if (element.tagName === 'pre') return 'code'
  if (element.tagName === 'tr') return 'row'
  return outer
}

const nameOf = (element: Parent | null): string =>
  element && isElement(element)
    ? `${element.tagName}.${layoutName(element)
        .replaceAll(/[\d_-]+/g, '')
        .trim()}`
    : ''

/** 'p.paragraph < div.body': the element with the one around it. */
const placeOf = (element: Parent): string =>
  `${nameOf(element)} < ${nameOf('parentNode' in element ? element.parentNode : null)}`

function flush(builder: Builder, kind: Block['kind'], within: Parent): void {
  const isCode = kind === 'code'
  const text = isCode ? builder.text.replace(/^(?:[^\S\n]*\n)+|\s+$/g, '') : squeeze(builder.text)
  if (text.trim() !== '') {
    const linked = Math.min(1, builder.linkedLength / text.length)
    const markup = builder.markup?.take(isCode)
    const place = placeOf(builder.inline ?? within)
    const { item } = builder
    builder.blocks.push({
      kind,
      text,
      linked,
      place,
      ...(item && { item }),
      ...(markup && { markup }),
    })
  } else builder.markup?.take(false)
  builder.text = ''
  builder.linkedLength = 0
  builder.inline = null
  builder.isBlank = true
  builder.isBroken = false
}

/** [1], ¶: where a note is or what a heading links to, not a word of the text. */
const isNoteMark = (element: Element): boolean =>
  (element.tagName === 'sup' && /^\[\w{1,3}\]$/.test(textOf(element))) || isPermalink(element)

function visit(
  node: Node,
  builder: Builder,
  kind: Block['kind'],
  isLink: boolean,
  within: Parent,
): void {
  if (isText(node)) {
    if (builder.row) lineBreakIn(builder.row, builder, node.value)
    builder.text += node.value
    builder.markup?.text(node.value, kind === 'code')
    const blank = node.value.slice(node.value.trimEnd().length)
    builder.isBroken = blank.includes('\n') || (builder.isBroken && blank === node.value)
    builder.isBlank &&= blank === node.value
    if (isLink) builder.linkedLength += squeeze(node.value).length
    return
  }
  if (!isElement(node) || builder.skips(node) || isNoteMark(node)) return
  if (isLineNumber(node)) return
  const { tagName } = node
  if (tagName === 'br') {
    // Two in a row end a paragraph; one is a line inside of it.
    const { inline } = builder
    if (builder.isBroken && kind !== 'code') {
      flush(builder, kind, within)
      builder.inline = inline
    } else {
      builder.text += '\n'
      builder.markup?.sign(kind === 'code' ? '\n' : '  \n')
      builder.isBroken = true
    }
    return
  }
  const linking = isLink || (tagName === 'a' && !isLinkTarget(node))
  const isCell = tagName === 'td' || tagName === 'th'
  const isInside = kind === 'code' || (builder.row !== null && !isCell)
  if (isBlock(node) && !isCell && isInside) {
    if (kind === 'code') codeLines(node, builder, linking, within)
    else {
      if (builder.row) builder.row.isBroken = true
      for (const child of node.childNodes) visit(child, builder, kind, linking, within)
      if (builder.row) builder.row.isBroken = true
    }
    return
  }
  if (!isBlock(node) || (isCell && (kind === 'row' || kind === 'code'))) {
    if (isCell && builder.row) emptyCells(builder.row, builder)
    if (isCell) builder.text += ' '
    if (builder.isBlank && layoutName(node) !== ' ') builder.inline = node
    const close = kind === 'code' ? null : builder.markup?.open(node)
    for (const child of node.childNodes) visit(child, builder, kind, linking, within)
    close?.()
    if (isCell) builder.text += ' '
    if (isCell && kind === 'row') builder.markup?.sign(' | ')
    if (isCell && builder.row) spanOf(node, builder.row, builder)
    return
  }
  flush(builder, kind, within)
  const inner = kindOf(node, kind)
  const { item, row, spans } = builder
  if (tagName === 'li') builder.item = itemOf(node, item, builder.numbers)
  if (tagName === 'table') builder.spans = []
  builder.row = isPlainRow(node)
    ? { spans: builder.spans, at: 0, isBlank: true, isBroken: false }
    : null
  for (const child of node.childNodes) visit(child, builder, inner, linking, node)
  if (builder.row) emptyCells(builder.row, builder)
  flush(builder, inner, node)
  builder.item = item
  builder.row = row
  if (tagName === 'table') builder.spans = spans
}

/** The lines of a listing stand in blocks of their own. */
function codeLines(node: Element, builder: Builder, isLink: boolean, within: Parent): void {
  const newLine = (): void => {
    builder.text += '\n'
    builder.markup?.sign('\n')
  }
  if (builder.text !== '' && !builder.text.endsWith('\n')) newLine()
  const from = builder.text.length
  for (const child of node.childNodes) visit(child, builder, 'code', isLink, within)
  if (builder.text.length === from || !builder.text.endsWith('\n')) newLine()
}

/** Characters of their texts. */
export const lengthOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + block.text.length, 0)

/** Blocks below `root` in order; `skips` leaves whole parts out. With `resolve` each has its markup. */
export function blocksOf(
  root: Parent,
  skips: (element: Element) => boolean = () => false,
  resolve: Resolve | null = null,
): Block[] {
  const builder: Builder = {
    blocks: [],
    item: null,
    numbers: new Map(),
    row: null,
    spans: [],
    skips,
    text: '',
    linkedLength: 0,
    inline: null,
    isBlank: true,
    isBroken: false,
    markup: resolve && new Markup(resolve),
  }
  for (const child of root.childNodes) visit(child, builder, 'paragraph', false, root)
  flush(builder, 'paragraph', root)
  return builder.blocks
}
