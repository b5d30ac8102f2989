/**
 * The lists of a page with what names them: the headings above and the layout names around. A list is
 * `ul` or `ol`, the lines of a paragraph that `br` parts, or the paragraphs below a heading.
 */
import {
  childElements,
  closest,
  type Document,
  type Element,
  elementsOf,
  isElement,
  isInside,
  layoutName,
  type Parent,
  squeeze,
  textOf,
} from '../dom/tree.ts'
import { isKnownPhrase, matchKeys, phraseOf } from './keys.ts'

export interface PageList {
  items: string[]
  /** What names it, the nearest first. */
  names: readonly ListName[]
  /** Null in a text. */
  element: Element | null
}

interface ListName {
  phrase: string
  /** As it is written. */
  text: string
  /** The heading, or the element with that layout name; null in a text. */
  element: Element | null
}

export interface NamedItems {
  items: string[]
  name: string
  match: number
}

interface Heading extends ListName {
  level: number
}

const HEADING_MAX = 60
/** A heading in bold type is below all others. */
const BOLD_LEVEL = 7
const BOLD = new Set(['strong', 'b', 'dt', 'summary', 'legend'])
const AWAY = new Set(['nav', 'footer', 'select'])
/** How far around a list its layout names are looked for. */
const AROUND_MAX = 3
const LINES_LEAST = 3
const PARAGRAPHS_LEAST = 2

/** 'for 4 people', '(makes 12)': how much of it the list is for. */
const AMOUNT =
  /\s*[(:–—-]?\s*(?:(?:for|für|pour|para|per|voor|till|til|na|makes|serves)\s+)?\d.*$/iu
/** Boxes to tick and bullets that are typed. */
const BULLET = /^(?:[▢☐□✓•·‣*–-]\s+)+/u

/** Texts as items, without those that are empty. */
const itemsOf = (texts: readonly string[]): string[] =>
  texts.map((text) => squeeze(text).replace(BULLET, '')).filter((text) => text !== '')

function headingOf(element: Element): Heading | null {
  const ranked = /^h([1-6])$/.exec(element.tagName)
  if (!ranked && !BOLD.has(element.tagName)) return null
  const text = textOf(element)
  if (text === '' || (!ranked && text.length >= HEADING_MAX)) return null
  const level = ranked ? Number(ranked[1]) : BOLD_LEVEL
  return {
    text: text.replace(/[\s:]+$/, ''),
    phrase: phraseOf(text.replace(AMOUNT, '')),
    element,
    level,
  }
}

/** Layout names of an element and of those around it: 'recipe__ingredients' is 'ingredients' too. */
function namesAround(list: Element): ListName[] {
  const names: ListName[] = []
  let at: Parent | null = list
  for (let step = 0; at && isElement(at) && step <= AROUND_MAX; step += 1) {
    const element: Element = at
    for (const token of layoutName(element)
      .split(/\s+/)
      .filter((one) => one.length > 3)) {
      const phrase = phraseOf(token)
      const short = phrase.split(' ').at(-1)!
      names.push({ phrase: isKnownPhrase(phrase) ? phrase : short, text: token, element })
    }
    at = element.parentNode
  }
  return names
}

/** The lines of an element that `br` parts. */
function linesOf(element: Element): string[] {
  const lines = ['']
  for (const child of element.childNodes) {
    if (isElement(child) && child.tagName === 'br') lines.push('')
    else if (isElement(child)) lines[lines.length - 1] += textOf(child)
    else if ('value' in child) lines[lines.length - 1] += child.value
  }
  return itemsOf(lines)
}

/** The paragraphs that follow an element until something else does; each parent is looked through once. */
function paragraphFinder(): (element: Element) => Element[] {
  const places = new Map<Parent, { all: Element[]; at: Map<Element, number> }>()
  return (element) => {
    const parent = element.parentNode
    if (!parent) return []
    let place = places.get(parent)
    if (!place) {
      const all = childElements(parent)
      place = { all, at: new Map(all.map((one, index) => [one, index])) }
      places.set(parent, place)
    }
    const found: Element[] = []
    let at = place.at.get(element)! + 1
    while (place.all[at]?.tagName === 'p') found.push(place.all[at++]!)
    return found
  }
}

export function pageLists(page: Document): PageList[] {
  const lists: PageList[] = []
  const chain: Heading[] = []
  const paragraphsAfter = paragraphFinder()
  const add = (element: Element, items: string[], own: readonly ListName[] = []): void => {
    if (items.length > 0)
      lists.push({
        items,
        element,
        names: [...own, ...chain.toReversed(), ...namesAround(element)],
      })
  }
  for (const element of elementsOf(page)) {
    const heading = headingOf(element)
    if (heading) {
      while ((chain.at(-1)?.level ?? 0) >= heading.level) chain.pop()
      chain.push(heading)
      const paragraphs = paragraphsAfter(element)
      if (paragraphs.length >= PARAGRAPHS_LEAST)
        add(paragraphs[0]!, itemsOf(paragraphs.map(textOf)))
    }
    const isList = element.tagName === 'ul' || element.tagName === 'ol'
    const isBroken =
      childElements(element).filter(({ tagName }) => tagName === 'br').length >= LINES_LEAST - 1
    if ((!isList && !isBroken) || closest(element, ({ tagName }) => AWAY.has(tagName))) continue
    if (isList) {
      const items = childElements(element).filter(({ tagName }) => tagName === 'li')
      add(element, itemsOf(items.map(textOf)))
      continue
    }
    const lines = linesOf(element)
    const title = childElements(element)[0]
    const own = title && BOLD.has(title.tagName) ? headingOf(title) : null
    const isTitled = own !== null && lines[0]?.replace(/[\s:]+$/, '') === own.text
    add(element, isTitled ? lines.slice(1) : lines, isTitled ? [own] : [])
  }
  return lists
}

/** How well a list is named for a key; a nearer name of something else hides those further out. */
function nameFor(key: string, { names }: PageList): { name: ListName; match: number } | null {
  for (const name of names) {
    const match = matchKeys(key, name.phrase)
    if (match > 0) return { name, match }
    if (isKnownPhrase(name.phrase)) return null
  }
  return null
}

/** Lists by their markup come first, lines and paragraphs after them. */
const rankOf = ({ element }: PageList): number => {
  if (!element || element.tagName === 'ul' || element.tagName === 'ol') return 0
  return element.tagName === 'p' ? 2 : 1
}

/** Whether a list that goes by the same name stands beside the best one. */
function areParts(
  { element }: PageList,
  name: ListName,
  best: { list: PageList; name: ListName },
): boolean {
  const other = best.list.element
  if (!element || !other || !name.element || name.element !== best.name.element) return false
  const around = other.parentNode
  const isBeside = around !== null && isElement(around) && isInside(element, around)
  return element.tagName === other.tagName && (isBeside || isInside(element, name.element))
}

/** The items of the list that is named best for a key, with those of its other parts. */
export function itemsNamed(
  key: string,
  lists: readonly PageList[],
  leastMatch: number,
): NamedItems | null {
  const named = lists.flatMap((list) => {
    const found = nameFor(key, list)
    return found && found.match >= leastMatch ? [{ list, ...found }] : []
  })
  const best = named.toSorted((a, b) => b.match - a.match || rankOf(a.list) - rankOf(b.list))[0]
  if (!best) return null
  const parts = named.filter(({ list, name }) => list === best.list || areParts(list, name, best))
  // A list in an item of another is part of that item.
  const elements = new Set(parts.map(({ list }) => list.element))
  const isOuter = ({ list: { element } }: { list: PageList }): boolean =>
    !element?.parentNode ||
    !isElement(element.parentNode) ||
    closest(element.parentNode, (one) => elements.has(one)) === null
  const items = parts.filter(isOuter).flatMap(({ list }) => list.items)
  return { items, name: best.name.text, match: best.match }
}
