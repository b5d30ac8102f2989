/**
 * Mozilla's Readability over its own small DOM, fed with the page as parse5 understood it. The
 * same algorithm over jsdom took 4 s and 1 GiB for a page of 340 kB.
 */
import { Readability } from '@mozilla/readability'
// @ts-expect-error The package ships this parser without types.
import JSDOMParser from '@mozilla/readability/JSDOMParser.js'
import {
  isAnchor,
  isElement,
  isLinkTarget,
  isText,
  isTextBox,
  parsePiece,
  type Element,
  type Parent,
} from '../dom/tree.ts'
import { CELL_MAX, isLineNumber } from './cells.ts'

const ELEMENTS_MAX = 40_000
/**
 * For each wrapper it reads the text of each wrapper inside, and so all that these hold: the work grows
 * with what stands below an element times the depth of that element, and with the square of siblings.
 */
const READINGS_MAX = 10_000_000
/** As many characters take as long to read as one element. */
const CHARS_OF_ELEMENT = 32
const SIBLINGS_MAX = 10_000
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** It tells prose by its commas, and does not know those of Japanese. */
const COMMAS = /[,\u060c\u3001\ufe10\ufe11\ufe50\uff0c\uff64\u2e32\u2e34\u2e41]/g
const ROWS = new Set(['TABLE', 'TBODY', 'THEAD', 'TFOOT', 'TR'])
const SAFE_NAME = /^[a-z_][\w.:-]*$/
const KEPT_ATTRIBUTES = new Set(
  'class id href src alt role itemprop rel style colspan rowspan start value'.split(' '),
)

/** What is used of its insides. */
interface Parts {
  REGEXPS: Record<string, RegExp>
  _setNodeTag(node: OwnElement, tag: string): unknown
}
/** An element of its small DOM. */
interface OwnElement {
  tagName: string
  textContent: string
  getElementsByTagName(name: string): OwnElement[]
}

/** Whether rows are those of a table; a longer cell is a part of the page's layout. */
const isData = (rows: OwnElement): boolean =>
  rows.getElementsByTagName('td').every(({ textContent }) => textContent.length <= CELL_MAX)

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Readability drops buttons, of which questions of headings are left here, and takes every `a` for a link. */
const isPlain = (element: Element): boolean => element.tagName === 'button' || isLinkTarget(element)

function write(parent: Parent, skips: (element: Element) => boolean, out: string[]): void {
  for (const child of parent.childNodes) {
    if (isText(child)) out.push(escapeText(child.value))
    if (!isElement(child) || !SAFE_NAME.test(child.tagName) || skips(child)) continue
    if (isLineNumber(child)) continue
    const isBox = isTextBox(child)
    const tagName = isPlain(child) ? 'span' : isBox ? 'div' : child.tagName
    out.push('<', tagName)
    for (const { name, value } of child.attrs) {
      if (isBox && name === 'class') continue
      // The link that tells an anchor from a layout name is left out.
      if (KEPT_ATTRIBUTES.has(name) && !(name === 'id' && isAnchor(child, value)))
        out.push(' ', name, '="', escapeText(value).replaceAll('"', '&quot;'), '"')
    }
    if (VOID.has(child.tagName)) {
      out.push('/>')
      continue
    }
    out.push('>')
    write(child, skips, out)
    out.push('</', tagName, '>')
  }
}

/** Whether the page is one that Readability reads in a second or two. */
function isReadable(page: Parent): boolean {
  let [elements, readings] = [0, 0]
  /** The weight of what stands below, or null where the page is too much. */
  const weigh = (parent: Parent, depth: number): number | null => {
    if (parent.childNodes.length > SIBLINGS_MAX) return null
    let weight = 0
    for (const child of parent.childNodes) {
      if (isText(child)) weight += child.value.length / CHARS_OF_ELEMENT
      if (!isElement(child)) continue
      elements += 1
      const below = elements > ELEMENTS_MAX ? null : weigh(child, depth + 1)
      if (below === null) return null
      weight += below + 1
      readings += (below + 1) * depth
      if (readings > READINGS_MAX) return null
    }
    return weight
  }
  return weigh(page, 1) !== null
}

/** The article's markup as Readability cuts it out of the page, or null. */
export function readArticle(page: Parent, skips: (element: Element) => boolean): Parent | null {
  if (!isReadable(page)) return null
  const out: string[] = []
  write(page, skips, out)
  const source = out.join('')
  try {
    const document = new JSDOMParser().parse(source, 'http://page.invalid/')
    const reader = new Readability(document, { disableJSONLD: true, charThreshold: 300 })
    const parts = reader as unknown as Parts
    const setNodeTag = parts._setNodeTag.bind(reader)
    const article = Object.assign(reader, {
      REGEXPS: { ...parts.REGEXPS, commas: COMMAS },
      // Rows that it chose would lose their cells in a `div`.
      _setNodeTag: (node: OwnElement, tag: string) =>
        setNodeTag(node, ROWS.has(node.tagName) && isData(node) ? 'TABLE' : tag),
    }).parse()
    return article?.content ? parsePiece(article.content) : null
  } catch {
    // A page its small DOM cannot hold; the caller has a way of its own.
    return null
  }
}
