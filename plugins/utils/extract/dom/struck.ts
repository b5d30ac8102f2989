/**
 * Prices that are crossed out beside the one that holds. They are not what something costs, so the
 * text of what is around them is read without them; each keeps its own text.
 */
import {
  attr,
  type Document,
  type Element,
  elementsOf,
  isElement,
  isText,
  type Node,
  type Parent,
  rawText,
  squeeze,
} from './tree.ts'
import { type Styles, stylesOf } from './styles.ts'

/** A price that was, as sites name it. */
const FORMER_NAME =
  /(?:^|[\s_-])(?:(?:old|was|former|regular|original|previous|compare-?at|rrp|msrp|uvp|strike\w*|struck|crossed|line-?through)(?:-?price)?|price[-_]{0,2}(?:old|was|before|regular|original))(?:$|[\s_-])/i
/** Longest text of a price with what is said beside it. */
const PRICE_MAX = 60
/** How far around a price another one is looked for. */
const AROUND_MAX = 300
const LEVELS = 4
const AMOUNT = /\d/

const isStruck = (element: Element, styles: Styles): boolean => {
  if (['del', 's', 'strike'].includes(element.tagName)) return true
  const style = styles.of(element)
  const line = style.get('text-decoration-line') ?? style.get('text-decoration') ?? ''
  if (line.includes('line-through')) return true
  const names = `${attr(element, 'class') ?? ''} ${attr(element, 'id') ?? ''}`.slice(0, 500)
  return FORMER_NAME.test(names)
}

/** The crossed-out prices of a page that have another price beside them. */
export function struckPrices(page: Document, isMoney: (text: string) => boolean): Set<Element> {
  const styles = stylesOf(page)
  const struck = new Set<Element>()
  for (const element of elementsOf(page)) {
    if (isStruck(element, styles) && AMOUNT.test(shortText(element, PRICE_MAX) ?? ''))
      struck.add(element)
  }
  for (const element of struck) if (!hasOther(element, struck, isMoney)) struck.delete(element)
  return struck
}

/** Whether a price that is not crossed out stands near. */
function hasOther(
  element: Element,
  struck: ReadonlySet<Element>,
  isMoney: (text: string) => boolean,
): boolean {
  let at: Parent | null = element.parentNode
  for (let level = 0; at && isElement(at) && level < LEVELS; level += 1, at = at.parentNode) {
    if (shortText(at, AROUND_MAX) === null) return false
    if (isMoney(textWithout(at, struck))) return true
  }
  return false
}

/** The text below a node, or null when it is longer than `max`; no more than that is looked at. */
function shortText(root: Parent, max: number): string | null {
  let text = ''
  let nodes = 0
  const stack: Node[] = root.childNodes.toReversed()
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (isText(node)) text += ` ${squeeze(node.value)}`
    else if (isElement(node)) stack.push(...node.childNodes.toReversed())
    if (text.length > max || ++nodes > max) return null
  }
  return text.trim()
}

function textWithout(parent: Parent, left: ReadonlySet<Element>): string {
  return parent.childNodes
    .map((child) => {
      if (!isElement(child)) return rawText(child)
      return left.has(child) ? ' ' : ` ${textWithout(child, left)} `
    })
    .join('')
}
