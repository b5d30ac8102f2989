/** The article's text: Readability's choice, checked against the page's own structure and metadata. */
import {
  attr,
  childElements,
  type Element,
  elementsOf,
  isElement,
  isInside,
  isText,
  type Parent,
  squeeze,
  textOf,
} from '../dom/tree.ts'
import { blocksOf, lengthOf } from './blocks.ts'
import type { Block } from './block.ts'
import type { Layout } from './layout.ts'
import { completed } from './complete.ts'
import { readArticle } from './readability.ts'
import { referenceContainer, sectionedContainer } from './sections.ts'
import { type Known, trimBlocks } from './trim.ts'

export interface ArticleText {
  text: string
  blocks: Block[]
  /** How the text was found. */
  engine: 'readability' | 'thread' | 'container' | 'density' | 'json-ld' | 'state' | 'page'
}

const SHORT = 250

const joined = (blocks: readonly Block[]): string => blocks.map((block) => block.text).join('\n\n')

/** What the page itself marks as the article, when it marks exactly one. */
function markedContainer(page: Parent, layout: Layout): Element | null {
  const elements = [...elementsOf(page)]
  const pick = (accepts: (element: Element) => boolean): Element | null => {
    const found = elements.filter((element) => accepts(element) && !layout.skips(element))
    const outer = found.filter(
      (one) => !found.some((other) => other !== one && isInside(one, other)),
    )
    return outer.length === 1 ? outer[0]! : null
  }
  return (
    pick((element) => (attr(element, 'itemprop') ?? '').split(/\s+/).includes('articleBody')) ??
    pick((element) => element.tagName === 'article') ??
    pick((element) => element.tagName === 'main' || attr(element, 'role') === 'main')
  )
}

/** Share of the page's running text that its one element holds. */
const SOLE_LEAST = 0.9
/** Share of a text that is links; where it is more, it lists what is elsewhere. */
const LINKED_MAX = 0.1

/** The innermost element that holds nearly all of the page's running text; null where that is the page itself. */
function soleContainer(page: Parent, layout: Layout): Element | null {
  const least = layout.prose(page) * SOLE_LEAST
  let inner: Parent = page
  for (;;) {
    const next = childElements(inner).find((child) => layout.prose(child) >= least)
    if (!next || layout.skips(next)) break
    inner = next
  }
  return isElement(inner) && inner.tagName !== 'body' && inner.tagName !== 'html' ? inner : null
}

/** The element whose own paragraphs carry most text that is not links. */
function densestContainer(page: Parent, layout: Layout): Element | null {
  const scores = new Map<Element, number>()
  const add = (element: Parent | null, score: number): void => {
    if (element && isElement(element)) scores.set(element, (scores.get(element) ?? 0) + score)
  }
  const visit = (parent: Parent): void => {
    for (const child of parent.childNodes) {
      if (!isElement(child) || layout.skips(child)) continue
      const own = child.childNodes.reduce(
        (sum, node) => sum + (isText(node) ? squeeze(node.value).length : 0),
        0,
      )
      if (own >= 40 || (child.tagName === 'p' && own >= 15)) {
        const weight = own * (child.tagName === 'p' ? 1.2 : 1)
        add(child, child.tagName === 'p' ? 0 : weight * 0.6)
        add(child.parentNode, weight)
        const above = child.parentNode
        if (above && isElement(above)) add(above.parentNode, weight * 0.6)
      }
      visit(child)
    }
  }
  visit(page)
  let best: Element | null = null
  for (const [element, score] of scores) if (!best || score > scores.get(best)!) best = element
  return best
}

function similarity(a: string, b: string): number {
  const words = (text: string): Set<string> =>
    new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
  const [one, two] = [words(a), words(b)]
  let shared = 0
  for (const word of one) if (two.has(word)) shared += 1
  return shared / Math.max(1, Math.min(one.size, two.size))
}

/** The text of an article as the page's own data holds it. */
export interface Embedded {
  text: string
  source: 'json-ld' | 'state'
}

/**
 * The article's blocks and text. `embedded` is an articleBody from metadata, used when the page
 * itself shows much less (it is drawn by scripts, say).
 */
export function articleText(
  page: Parent,
  layout: Layout,
  known: Known,
  embedded: Embedded | null,
): ArticleText {
  const skips = (element: Element): boolean => layout.skips(element)
  const cut = readArticle(page, skips)
  let blocks = cut ? trimBlocks(blocksOf(cut, skips), known) : []
  let engine: ArticleText['engine'] = 'readability'

  const marked = markedContainer(page, layout)
  if (marked) {
    const own = trimBlocks(blocksOf(marked, skips), known)
    // Readability lost most of what the page marks as its one article.
    const isBody = attr(marked, 'itemprop') !== null
    const [ownLength, readLength] = [lengthOf(own), lengthOf(blocks)]
    const lost = readLength < ownLength * 0.6
    const strayed = isBody && ownLength > SHORT && readLength > ownLength * 1.25
    if (ownLength > 0 && (lost || strayed)) [blocks, engine] = [own, 'container']
  }
  // Readability took one section of many.
  const sectioned = engine === 'readability' ? sectionedContainer(page, layout) : null
  if (sectioned) {
    const own = trimBlocks(blocksOf(sectioned, skips), known)
    if (lengthOf(blocks) < lengthOf(own) * 0.6) [blocks, engine] = [own, 'container']
  }
  // Or one function of a reference, in which all of them belong to the article.
  const reference = engine === 'readability' ? referenceContainer(page, layout) : null
  if (reference) {
    const own = trimBlocks(blocksOf(reference, skips), known)
    if (lengthOf(blocks) < lengthOf(own) * 0.95) [blocks, engine] = [own, 'container']
  }
  // Or a part of the one element that holds the page's text, which has next to no links.
  const whole = engine === 'readability' ? soleContainer(page, layout) : null
  if (whole) {
    const all = blocksOf(whole, skips)
    const own = trimBlocks(all, known)
    const linked = all.reduce((sum, one) => sum + one.linked * one.text.length, 0)
    // Headings that are links are those of teasers.
    const teasers = all.filter((one) => one.kind === 'heading' && one.linked > 0.8)
    const isText = linked < lengthOf(all) * LINKED_MAX && teasers.length < 2
    if (isText && lengthOf(blocks) < lengthOf(own) * 0.75) [blocks, engine] = [own, 'container']
  }
  blocks = completed(blocks, blocksOf(page, skips), known)
  if (lengthOf(blocks) < SHORT) {
    const dense = densestContainer(page, layout)
    const own = dense ? trimBlocks(blocksOf(dense, skips), known) : []
    if (lengthOf(own) > lengthOf(blocks) * 1.3) [blocks, engine] = [own, 'density']
  }
  if (embedded !== null) {
    const body = squeeze(embedded.text)
    const shown = joined(blocks)
    const isMissing = body.length > SHORT && shown.length < body.length * 0.5
    // Another text than the one shown is believed where it is clearly more of one.
    const isStray =
      body.length > 600 && body.length > shown.length * 1.2 && similarity(body, shown) < 0.4
    if (isMissing || isStray) {
      const text = embedded.text.trim()
      const lines = text
        .split(/\n+/)
        .map((line) => ({ kind: 'paragraph' as const, text: squeeze(line), linked: 0, place: '' }))
      return { text, blocks: lines.filter((line) => line.text !== ''), engine: embedded.source }
    }
  }
  if (lengthOf(blocks) === 0) {
    blocks = blocksOf(page, skips)
    engine = 'page'
    if (blocks.length === 0) {
      const text = textOf(page)
      return {
        text,
        blocks: text === '' ? [] : [{ kind: 'paragraph', text, linked: 0, place: '' }],
        engine,
      }
    }
  }
  return { text: joined(blocks), blocks, engine }
}

/** The posts of a thread as the page's text. */
export const threadText = ({ blocks }: { blocks: Block[] }): ArticleText => ({
  text: joined(blocks),
  blocks,
  engine: 'thread',
})
