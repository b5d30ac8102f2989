/** Entries of a list of articles: teasers side by side, each with a linked heading of its own. */
import { attr, childElements, elementsOf, isElement, textOf, type Element } from '../dom/tree.ts'

const ENTRIES_MIN = 3
/** Elements looked at below an entry for its heading. */
const LOOK_MAX = 40

const signatureOf = (element: Element): string =>
  `${element.tagName} ${(attr(element, 'class') ?? '').split(/\s+/)[0]!.replaceAll(/\d+/g, '')}`

function hasLinkedHeading(entry: Element): boolean {
  let looked = 0
  for (const element of elementsOf(entry)) {
    looked += 1
    if (looked > LOOK_MAX) return false
    if (!/^h[2-5]$/.test(element.tagName)) continue
    const link = childElements(element).find(({ tagName }) => tagName === 'a')
    const { parentNode } = element
    const isLinked = parentNode !== null && isElement(parentNode) && parentNode.tagName === 'a'
    return isLinked || (link !== undefined && textOf(link) === textOf(element))
  }
  return false
}

/** The test whether an element stands in an entry of such a list; it remembers what it saw. */
export function entryTest(): (element: Element) => boolean {
  const verdicts = new Map<Element, boolean>()
  const counts = new Map<Element, Map<string, number>>()
  const alike = (element: Element, parent: Element): number => {
    let below = counts.get(parent)
    if (below === undefined) {
      below = new Map()
      for (const child of childElements(parent))
        below.set(signatureOf(child), (below.get(signatureOf(child)) ?? 0) + 1)
      counts.set(parent, below)
    }
    return below.get(signatureOf(element)) ?? 0
  }
  return function isInEntry(element: Element): boolean {
    const known = verdicts.get(element)
    if (known !== undefined) return known
    const { parentNode: parent } = element
    const isIn =
      parent !== null &&
      isElement(parent) &&
      ((alike(element, parent) >= ENTRIES_MIN && hasLinkedHeading(element)) || isInEntry(parent))
    verdicts.set(element, isIn)
    return isIn
  }
}
