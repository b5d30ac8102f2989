/**
 * A page as parse5 builds it (the HTML standard's own algorithm), with the few questions that
 * extraction asks of a tree. No scripting DOM: jsdom took 4 s and 1 GiB for a page of 340 kB.
 */
import {
  defaultTreeAdapter as adapter,
  parse,
  parseFragment,
  type DefaultTreeAdapterTypes,
} from 'parse5'
import { withCappedNesting } from './nesting.ts'

export type Document = DefaultTreeAdapterTypes.Document
export type Element = DefaultTreeAdapterTypes.Element
export type Node = DefaultTreeAdapterTypes.ChildNode
export type Parent = DefaultTreeAdapterTypes.ParentNode
export type TextNode = DefaultTreeAdapterTypes.TextNode

/** Deeper elements are flattened to their text, as browsers do; recursion below is bounded by it. */
const DEPTH_MAX = 300

export const isElement = (node: Node | Parent): node is Element => 'tagName' in node
export const isText = (node: Node | Parent): node is TextNode => node.nodeName === '#text'

/** The value of an attribute, or null. */
export function attr(element: Element, name: string): string | null {
  for (const one of element.attrs) if (one.name === name) return one.value
  return null
}

/** Longer names are not read by anybody. */
const NAME_MAX = 500

/** class and id in one lower-case string: what patterns on layout names look at. */
export function layoutName(element: Element): string {
  const [names, id] = [attr(element, 'class') ?? '', attr(element, 'id') ?? '']
  const layoutId = id !== '' && isAnchor(element, id) ? '' : id
  if (isTextBox(element)) return ` ${layoutId.slice(0, NAME_MAX)}`.toLowerCase()
  return `${names.slice(0, NAME_MAX)} ${layoutId.slice(0, NAME_MAX)}`.toLowerCase()
}

/** Children of a section that may stand before its heading: marks for the index. */
const BEFORE_HEADING_MAX = 3

/**
 * Whether an id is made of the heading it is linked by, as manuals do: a section on cookies or comments
 * is no banner and no thread.
 */
export function isAnchor(element: Element, id: string): boolean {
  const isHeading = (one: Element): boolean => /^h[1-6]$/.test(one.tagName)
  const heading = isHeading(element)
    ? element
    : firstChildren(element, BEFORE_HEADING_MAX + 1).find(isHeading)
  return (
    heading !== undefined &&
    childElements(heading).some(
      (one) => one.tagName === 'a' && attr(one, 'href') === `#${encodeURI(id)}`,
    )
  )
}

/** Characters of a paragraph beside which a box of text may stand. */
const PARAGRAPH_LEAST = 80
/** Share of a box that may be links. */
const BOX_LINKED_MAX = 0.3

/**
 * Whether a part named sidebar is a box of the text itself, as manuals of DocBook and Sphinx set them: it
 * says more than it links to, and stands between paragraphs, or below one with DocBook's title page.
 */
export function isTextBox(element: Element): boolean {
  if (!(attr(element, 'class') ?? '').split(/\s+/).includes('sidebar')) return false
  const parent = element.parentNode
  if (!parent || !('childNodes' in parent)) return false
  const siblings = childElements(parent)
  const at = siblings.indexOf(element)
  const isTitled = (one: Element): boolean =>
    childElements(one).some((child) => attr(child, 'class') === 'titlepage')
  if (!siblings.slice(0, at).some(isParagraph)) return false
  if (!isTitled(element) && !siblings.slice(at + 1).some(isParagraph)) return false
  const linked = byTag(element, 'a').filter((one) => attr(one, 'href') !== null)
  const all = squeeze(rawText(element)).length
  const links = linked.reduce((sum, one) => sum + squeeze(rawText(one)).length, 0)
  return all >= PARAGRAPH_LEAST && links <= all * BOX_LINKED_MAX
}

/** Whether an element is one paragraph of running text. */
const isParagraph = (element: Element): boolean =>
  (element.tagName === 'p' || element.tagName === 'div') &&
  !childElements(element).some(isBlock) &&
  squeeze(rawText(element)).length >= PARAGRAPH_LEAST

/** Tests a layout name for one of `names` (alternatives of a pattern) as a word of its own. */
export const layoutNamed = (names: string): RegExp =>
  new RegExp(`(?:^|[\\s_-])(?:${names})(?:$|[\\s_-])`)

/** Elements below `root` in document order, `root` itself left out. */
export function* elementsOf(root: Parent): Generator<Element> {
  const stack: { nodes: readonly Node[]; at: number }[] = [{ nodes: root.childNodes, at: 0 }]
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const node = top.nodes[top.at]
    top.at += 1
    if (node === undefined) stack.pop()
    else if (isElement(node)) {
      yield node
      stack.push({ nodes: node.childNodes, at: 0 })
    }
  }
}

/** Each element with where it stands among its siblings, text nodes counted. */
export function* placedElements(root: Parent): Generator<{ element: Element; at: number }> {
  for (const [at, child] of root.childNodes.entries()) {
    if (!isElement(child)) continue
    yield { element: child, at }
    yield* placedElements(child)
  }
}

function findAll(root: Parent, accepts: (element: Element) => boolean): Element[] {
  const found: Element[] = []
  for (const element of elementsOf(root)) if (accepts(element)) found.push(element)
  return found
}

export function find(root: Parent, accepts: (element: Element) => boolean): Element | null {
  for (const element of elementsOf(root)) if (accepts(element)) return element
  return null
}

export const byTag = (root: Parent, ...names: string[]): Element[] =>
  findAll(root, (element) => names.includes(element.tagName))

export function closest(element: Element, accepts: (one: Element) => boolean): Element | null {
  let at: Parent | null = element
  while (at && isElement(at)) {
    if (accepts(at)) return at
    at = at.parentNode
  }
  return null
}

/** Whether `element` stands below `ancestor`. */
export function isInside(element: Element, ancestor: Element): boolean {
  let at: Parent | null = element.parentNode
  while (at && isElement(at)) {
    if (at === ancestor) return true
    at = at.parentNode
  }
  return false
}

/** The test whether an element or one around it is accepted; each is asked about once. */
export function withinTest(accepts: (one: Element) => boolean): (element: Element) => boolean {
  const verdicts = new Map<Element, boolean>()
  return function isWithin(element: Element): boolean {
    let verdict = verdicts.get(element)
    if (verdict === undefined) {
      const { parentNode } = element
      verdict =
        accepts(element) || (parentNode !== null && isElement(parentNode) && isWithin(parentNode))
      verdicts.set(element, verdict)
    }
    return verdict
  }
}

export const childElements = (parent: Parent): Element[] => parent.childNodes.filter(isElement)

/** The first `max` child elements, found without a look at the others. */
function firstChildren(parent: Parent, max: number): Element[] {
  const found: Element[] = []
  for (const child of parent.childNodes) {
    if (found.length >= max) break
    if (isElement(child)) found.push(child)
  }
  return found
}

const SILENT = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'head',
  'iframe',
  'object',
])
const BLOCK = new Set(
  'address article aside blockquote br center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)
export const isBlock = (element: Element): boolean => BLOCK.has(element.tagName)

/** A sign that joins no letters, where it is no part of a word as it is in Persian and in scripts of India. */
const IDLE_NON_JOINER =
  /\u200c(?![\p{L}\p{M}])|(?<![\p{L}\p{M}])\u200c|(?<=\p{Script=Latin})\u200c/gu

/** White space folded to single spaces, also no-break and zero-width ones. */
export const squeeze = (text: string): string =>
  (text.includes('\u200c') ? text.replaceAll(IDLE_NON_JOINER, '') : text)
    .replaceAll(/[\u200b\u200e\u200f\ufeff\u00ad]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Elements that are left out of the text around them, and have their own when they are asked. */
const asides = new WeakSet<Element>()

/** Leaves an element out of the text of what is around it. */
export const setAside = (element: Element): void => void asides.add(element)

export const isSetAside = (element: Element): boolean => asides.has(element)

function gather(node: Node | Parent, into: string[], root: Node | Parent): void {
  if (isText(node)) into.push(node.value)
  else if (
    'childNodes' in node &&
    !(isElement(node) && (SILENT.has(node.tagName) || isPermalink(node)))
  ) {
    if (node !== root && isElement(node) && asides.has(node)) {
      into.push(' ')
      return
    }
    const spaced = isElement(node) && isBlock(node)
    if (spaced) into.push(' ')
    for (const child of node.childNodes) gather(child, into, root)
    if (spaced) into.push(' ')
  }
}

/** The visible text below a node on one line; blocks are separated by a space. */
export function textOf(node: Node | Parent): string {
  const into: string[] = []
  gather(node, into, node)
  return squeeze(into.join(''))
}

const UNSEEN_MARKS = /[\s\u200b\u200c\u200e\u200f\u00ad]+/g

/**
 * At least how many characters of text stand below each element, white space left out, counted once for
 * all of them: a rule for short texts need not gather the long ones, of elements in elements again and again.
 */
export function textSizes(root: Parent): (element: Element) => number {
  const sizes = new Map<Element, number>()
  const measure = (parent: Parent): number => {
    let size = 0
    for (const child of parent.childNodes) {
      if (isText(child)) size += child.value.replaceAll(UNSEEN_MARKS, '').length
      else if (isElement(child)) {
        const isSilent = SILENT.has(child.tagName) || isPermalink(child)
        const below = measure(child)
        const own = isSilent ? 0 : below
        sizes.set(child, own)
        if (child.tagName !== 'sup' && !asides.has(child)) size += own
      }
    }
    return size
  }
  measure(root)
  return (element) => sizes.get(element) ?? 0
}

/** The first `max` characters, or a few more, of the text below a node, however much there is. */
export function openingText(root: Parent, max: number): string {
  let text = ''
  const stack: Node[] = root.childNodes.slice(0, max).toReversed()
  for (let node = stack.pop(); node && text.length < max; node = stack.pop()) {
    if (isText(node)) text += `${node.value.slice(0, max)} `
    else if (isElement(node) && !SILENT.has(node.tagName))
      stack.push(...node.childNodes.slice(0, max).toReversed())
  }
  return squeeze(text)
}

/** The sign behind a heading that links to the heading itself. */
export const isPermalink = (element: Element): boolean =>
  element.tagName === 'a' &&
  element.childNodes.length <= 1 &&
  /^[¶#§🔗\u200b]$/u.test(rawText(element).trim())

/** An `a` that links point to and that leads nowhere; written as `<a id="x"/>` it holds all that follows. */
export const isLinkTarget = (element: Element): boolean =>
  element.tagName === 'a' &&
  attr(element, 'href') === null &&
  (attr(element, 'id') ?? attr(element, 'name')) !== null

/** Text as the DOM's textContent gives it: nothing inserted, nothing folded. */
export function rawText(node: Node | Parent): string {
  if (isText(node)) return node.value
  return 'childNodes' in node ? node.childNodes.map(rawText).join('') : ''
}

/** Whether the page itself says that nobody sees the element. */
export function isHidden(element: Element): boolean {
  if (attr(element, 'hidden') !== null || attr(element, 'aria-hidden') === 'true') return true
  const style = attr(element, 'style')
  return style !== null && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)
}

/** Leaves no element deeper than is read: its text stands in the last one that is not. */
export function flattenBelow(root: Parent): void {
  const stack: [Parent, number][] = [[root, 0]]
  for (let at = stack.pop(); at; at = stack.pop()) {
    const [parent, depth] = at
    for (const child of parent.childNodes) {
      if (!isElement(child)) continue
      if (depth < DEPTH_MAX) stack.push([child, depth + 1])
      else flatten(child)
    }
  }
}

function flatten(element: Element): void {
  const texts: string[] = []
  const stack: Node[] = [...element.childNodes].reverse()
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (isText(node)) texts.push(node.value)
    else if (isElement(node)) for (const child of [...node.childNodes].reverse()) stack.push(child)
  }
  element.childNodes = []
  adapter.insertText(element, texts.join(' '))
}

/** Parses any HTML; never fails. `noscript` is read as markup, because nothing runs here. */
export function parsePage(html: string): Document {
  const capped = withCappedNesting(html)
  const page = parse(capped.html, { scriptingEnabled: false })
  flattenBelow(page)
  if (capped.isCut) cutPages.add(page)
  return page
}

const cutPages = new WeakSet<Document>()

/** Whether the page had more elements than are read, so that only its first part is here. */
export const isCutShort = (page: Document): boolean => cutPages.has(page)

/** A document whose body is the given fragment's text and markup. */
export function parsePiece(html: string): DefaultTreeAdapterTypes.DocumentFragment {
  const piece = parseFragment(withCappedNesting(html).html, { scriptingEnabled: false })
  flattenBelow(piece)
  return piece
}

/** HTML character references decoded, twice where they were escaped twice; markup stays as it is. */
export function decodeEntities(text: string): string {
  let decoded = text
  for (let round = 0; round < 2 && /&(#\d+|#x[\da-f]+|[a-z]\w*);/i.test(decoded); round += 1) {
    const fragment = parseFragment(`<textarea>\n${decoded.replaceAll('<', '&lt;')}</textarea>`)
    decoded = rawText(fragment)
  }
  return decoded
}

/** What a text has that is markup; a tag that nothing closes is what the text speaks of: the <dialog> element. */
const MARKUP = /<\/[a-z]|<(?:br|hr|img|wbr)\b|<!/i

/** A text that may hold markup, as text. */
export const stripMarkup = (text: string): string =>
  MARKUP.test(decodeEntities(text)) ? textOfMarkup(text) : squeeze(decodeEntities(text))

/** The text of a piece of markup. */
export const textOfMarkup = (markup: string): string => textOf(parsePiece(decodeEntities(markup)))
