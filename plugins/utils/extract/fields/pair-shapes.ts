/** Labels and values told by the shape of the markup alone: alike rows of two, links beside labels. */
import {
  attr,
  byTag,
  childElements,
  elementsOf,
  isElement,
  isText,
  textOf,
  type Element,
  type Parent,
} from '../dom/tree.ts'

type AddPair = (label: string, value: string, path: string) => void

const LABEL_MAX = 40
const VALUE_MAX = 200
/** A row of labels and values has fewer nodes. */
const SIBLINGS_MAX = 200

const hasOwnText = (element: Element): boolean =>
  element.childNodes.some((node) => isText(node) && node.value.trim() !== '')

const shapeOfRow = (element: Element): string =>
  [element, ...childElements(element)]
    .map((one) => `${one.tagName}.${attr(one, 'class') ?? ''}`)
    .join(' ')

/** The two halves of a row that holds nothing else. */
function halves(row: Element): [string, string] | null {
  const children = childElements(row)
  if (children.length !== 2 || hasOwnText(row) || byTag(children[0]!, 'a', 'img').length > 0)
    return null
  if (children[0]!.tagName === 'a' || children[0]!.tagName === 'img') return null
  const [label, value] = children.map(textOf) as [string, string]
  const isPair =
    label !== '' &&
    value !== '' &&
    label.length <= LABEL_MAX &&
    value.length <= VALUE_MAX &&
    /\p{L}/u.test(label) &&
    !/[.!?]$/.test(label)
  return isPair ? [label, value] : null
}

/** <li><span>Bedrooms</span><span>2</span></li>, several of them below one parent. */
export function pairsOfRows(root: Parent, add: AddPair): void {
  for (const parent of elementsOf(root)) {
    if (['table', 'tbody', 'tr', 'thead', 'dl', 'nav', 'head'].includes(parent.tagName)) continue
    const rows = childElements(parent)
    if (rows.length < 2 || rows.length > 200) continue
    const byShape = new Map<string, [string, string][]>()
    for (const row of rows) {
      const pair = halves(row)
      if (!pair) continue
      const shape = shapeOfRow(row)
      const had = byShape.get(shape)
      if (had) had.push(pair)
      else byShape.set(shape, [pair])
    }
    for (const pairs of byShape.values()) {
      const isDistinct = new Set(pairs.map(([label]) => label)).size === pairs.length
      if (pairs.length < 2 || !isDistinct) continue
      for (const [label, value] of pairs) add(label, value, `label:${label}`)
    }
  }
}

/** What labels the place of a link: the cell or term before it, or a bold word before it. */
function labelOf(link: Element): string | null {
  let at: Element = link
  for (let up = 0; up < 3; up += 1) {
    const parent = at.parentNode
    if (!parent || !isElement(parent)) return null
    if (parent.childNodes.length > SIBLINGS_MAX) return null
    const siblings = childElements(parent)
    const before = siblings[siblings.indexOf(at) - 1]
    const isLabel =
      before !== undefined &&
      (['th', 'td', 'dt', 'label'].includes(before.tagName) ||
        (['b', 'strong', 'span'].includes(before.tagName) && /[:：]\s*$/.test(textOf(before))))
    if (isLabel) return textOf(before)
    if (before !== undefined || textOf(parent).length > VALUE_MAX) return null
    at = parent
  }
  return null
}

/** Addresses behind labelled links: the row says 'Website', its link says where. */
export function pairsOfLinks(root: Parent, add: AddPair): void {
  for (const link of byTag(root, 'a')) {
    const href = attr(link, 'href')?.trim() ?? ''
    if (!/^https?:\/\//i.test(href)) continue
    const label = labelOf(link)
    if (label !== null) add(label, href, `label:${label}`)
    else if (
      /^(?:website|home ?page|official (?:web)?site|webseite|site web|sitio web)$/i.test(
        textOf(link),
      )
    )
      add('website', href, 'html.a[website]')
  }
}
