/** Running text as a list of blocks: paragraphs, headings, list items, quotes, table rows. */
import {
  isBlock,
  isElement,
  isText,
  squeeze,
  type Element,
  type Node,
  type Parent,
} from '../dom/tree.ts'

export interface Block {
  kind: 'paragraph' | 'heading' | 'item' | 'quote' | 'code' | 'row'
  text: string
  /** Share of the text that is inside links, 0..1. */
  linked: number
}

interface Builder {
  blocks: Block[]
  skips: (element: Element) => boolean
  text: string
  linkedLength: number
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

function flush(builder: Builder, kind: Block['kind']): void {
  const text = kind === 'code' ? builder.text.trim() : squeeze(builder.text)
  if (text !== '') {
    const linked = Math.min(1, builder.linkedLength / text.length)
    builder.blocks.push({ kind, text, linked })
  }
  builder.text = ''
  builder.linkedLength = 0
}

function visit(node: Node, builder: Builder, kind: Block['kind'], isLink: boolean): void {
  if (isText(node)) {
    builder.text += node.value
    if (isLink) builder.linkedLength += squeeze(node.value).length
    return
  }
  if (!isElement(node) || builder.skips(node)) return
  const { tagName } = node
  if (tagName === 'br') {
    // Two in a row end a paragraph; one is a line inside of it.
    if (/\n\s*$/.test(builder.text) && kind !== 'code') flush(builder, kind)
    else builder.text += '\n'
    return
  }
  const linking = isLink || tagName === 'a'
  const isCell = tagName === 'td' || tagName === 'th'
  if (!isBlock(node) || (isCell && kind === 'row')) {
    if (isCell) builder.text += ' '
    for (const child of node.childNodes) visit(child, builder, kind, linking)
    if (isCell) builder.text += ' '
    return
  }
  flush(builder, kind)
  const inner = kindOf(node, kind)
  for (const child of node.childNodes) visit(child, builder, inner, linking)
  flush(builder, inner)
}

/** Blocks below `root` in order; `skips` leaves whole parts out. */
export function blocksOf(
  root: Parent,
  skips: (element: Element) => boolean = () => false,
): Block[] {
  const builder: Builder = { blocks: [], skips, text: '', linkedLength: 0 }
  for (const child of root.childNodes) visit(child, builder, 'paragraph', false)
  flush(builder, 'paragraph')
  return builder.blocks
}
