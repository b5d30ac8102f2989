/** Microdata items of a page (HTML standard, section 5). */
import {
  attr,
  childElements,
  elementsOf,
  squeeze,
  textOf,
  type Document,
  type Element,
} from '../dom/tree.ts'
import type { Resolve } from './links.ts'

export interface Item {
  type?: string | string[]
  id?: string
  properties: { [name: string]: ItemValue | ItemValue[] }
}
export type ItemValue = string | Item

const ITEMS_MAX = 2000
const SOURCE = new Set(['audio', 'embed', 'iframe', 'img', 'source', 'track', 'video'])
const LINK = new Set(['a', 'area', 'link'])

const words = (text: string | null): string[] => (text ?? '').split(/\s+/).filter(Boolean)

/** Adds a value under a name; a second one makes a list. */
export function addValue(item: Item, name: string, value: ItemValue): void {
  const had = Object.hasOwn(item.properties, name) ? item.properties[name] : undefined
  if (had === undefined) item.properties[name] = value
  else if (Array.isArray(had)) had.push(value)
  else item.properties[name] = [had, value]
}

/** What the element says as a property: its URL, machine value or text. */
export function valueOf(element: Element, resolve: Resolve): string {
  const { tagName } = element
  const content = attr(element, 'content')
  if (content !== null) return squeeze(content)
  if (SOURCE.has(tagName)) return resolve(attr(element, 'src') ?? attr(element, 'data-src') ?? '')
  if (LINK.has(tagName) && attr(element, 'href') !== null) return resolve(attr(element, 'href')!)
  if (tagName === 'object') return resolve(attr(element, 'data') ?? '')
  if (tagName === 'data' || tagName === 'meter') return attr(element, 'value') ?? textOf(element)
  if (tagName === 'time') return attr(element, 'datetime') ?? textOf(element)
  return textOf(element)
}

class Reader {
  readonly #byId = new Map<string, Element>()
  readonly #resolve: Resolve
  #left = ITEMS_MAX

  constructor(page: Document, resolve: Resolve) {
    this.#resolve = resolve
    for (const element of elementsOf(page)) {
      const id = attr(element, 'id')
      if (id && !this.#byId.has(id)) this.#byId.set(id, element)
    }
  }

  item(scope: Element, above: ReadonlySet<Element>): Item {
    const types = words(attr(scope, 'itemtype'))
    const id = attr(scope, 'itemid')
    const item: Item = {
      ...(types.length > 0 && { type: types.length === 1 ? types[0]! : types }),
      ...(id && { id: this.#resolve(id) }),
      properties: {},
    }
    const inside = new Set([...above, scope])
    if ((this.#left -= 1) < 0 || inside.size > 40) return item
    const roots = words(attr(scope, 'itemref')).map((ref) => this.#byId.get(ref))
    for (const child of childElements(scope)) this.#collect(child, item, inside)
    for (const root of roots) if (root && !inside.has(root)) this.#collect(root, item, inside)
    return item
  }

  #collect(element: Element, item: Item, inside: ReadonlySet<Element>): void {
    const names = words(attr(element, 'itemprop'))
    const isScope = attr(element, 'itemscope') !== null
    if (names.length > 0) {
      const value =
        isScope && !inside.has(element)
          ? this.item(element, inside)
          : valueOf(element, this.#resolve)
      for (const name of names) addValue(item, name, value)
    }
    if (!isScope) for (const child of childElements(element)) this.#collect(child, item, inside)
  }
}

/** Top-level items in document order. */
export function harvestMicrodata(page: Document, resolve: Resolve): Item[] {
  const reader = new Reader(page, resolve)
  const items: Item[] = []
  for (const element of elementsOf(page)) {
    const isTop = attr(element, 'itemscope') !== null && attr(element, 'itemprop') === null
    if (isTop) items.push(reader.item(element, new Set()))
    if (items.length >= ITEMS_MAX) break
  }
  return items
}
