/**
 * Microformats of a page (microformats2 parsing specification, https://microformats.org/wiki/microformats2-parsing):
 * things named by classes h-*, their properties by p-*, u-*, dt-* and e-*. Older class names (vcard, hentry)
 * are not read: themes carry them for their looks.
 */
import {
  attr,
  byTag,
  childElements,
  elementsOf,
  squeeze,
  textOf,
  type Document,
  type Element,
} from '../dom/tree.ts'
import type { Resolve } from './links.ts'
import { addValue, type Item } from './microdata.ts'

const ITEMS_MAX = 2000
const DEPTH_MAX = 40
/** Properties that one element may be; each holds its text. */
const NAMES_MAX = 16
const ROOT = /^h-(?:[a-z\d]+-)?[a-z]+(?:-[a-z]+)*$/
const PROPERTY = /^(p|u|dt|e)-((?:[a-z\d]+-)?[a-z]+(?:-[a-z]+)*)$/
/** Where an element says its address, by its name. */
const ADDRESS: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  area: ['href'],
  link: ['href'],
  img: ['src'],
  audio: ['src'],
  source: ['src'],
  iframe: ['src'],
  video: ['src', 'poster'],
  object: ['data'],
}

type Kind = 'p' | 'u' | 'dt' | 'e'
/** A thing that stands in another one without being a property of it. */
export interface Microformat extends Item {
  children?: Microformat[]
}
interface Named {
  kind: Kind
  name: string
}

const classesOf = (element: Element): string[] =>
  (attr(element, 'class') ?? '').split(/\s+/).filter(Boolean)
const rootsOf = (element: Element): string[] => [
  ...new Set(classesOf(element).filter((name) => ROOT.test(name))),
]
const namesOf = (element: Element): Named[] =>
  classesOf(element)
    .flatMap((token) => {
      const [, kind, name] = PROPERTY.exec(token) ?? []
      return kind && name ? [{ kind: kind as Kind, name }] : []
    })
    .slice(0, NAMES_MAX)

/** The attribute `name` of an element that is one of `tags`. */
function attributeOf(element: Element, tags: readonly string[], name: string): string | null {
  return tags.includes(element.tagName) ? attr(element, name) : null
}

/** The parts of a value that are marked as such (value class pattern); null where there are none. */
function valueParts(element: Element): string[] | null {
  const parts: string[] = []
  const collect = (parent: Element): void => {
    for (const child of childElements(parent)) {
      const classes = classesOf(child)
      if (classes.includes('value-title')) parts.push(attr(child, 'title') ?? '')
      else if (classes.includes('value'))
        parts.push(
          attributeOf(child, ['img', 'area'], 'alt') ??
            attributeOf(child, ['data'], 'value') ??
            attributeOf(child, ['abbr'], 'title') ??
            attributeOf(child, ['time', 'ins', 'del'], 'datetime') ??
            textOf(child),
        )
      else if (namesOf(child).length === 0 && rootsOf(child).length === 0) collect(child)
    }
  }
  collect(element)
  const said = parts.filter((part) => part.trim() !== '')
  return said.length > 0 ? said : null
}

/** The text of an element, an image by its alternative text. */
function shownText(element: Element): string {
  const text = textOf(element)
  if (text !== '') return text
  const image = byTag(element, 'img')[0]
  return squeeze((image && attr(image, 'alt')) ?? '')
}

function textValue(element: Element): string {
  const parts = valueParts(element)
  if (parts) return squeeze(parts.join(''))
  const stated =
    attributeOf(element, ['abbr', 'link'], 'title') ??
    attributeOf(element, ['data', 'input', 'meter'], 'value') ??
    attributeOf(element, ['img', 'area'], 'alt')
  return stated === null ? shownText(element) : squeeze(stated)
}

function addressValue(element: Element, resolve: Resolve): string {
  for (const name of ADDRESS[element.tagName] ?? []) {
    const address = attr(element, name)
    if (address !== null) return resolve(address)
  }
  const parts = valueParts(element)
  if (parts) return resolve(squeeze(parts.join('')))
  return resolve(
    attributeOf(element, ['abbr'], 'title') ??
      attributeOf(element, ['data', 'input'], 'value') ??
      textOf(element),
  )
}

function dateValue(element: Element): string {
  const parts = valueParts(element)
  // Date, time and zone may stand apart.
  if (parts) return squeeze(parts.join(' ')).replace(/ (?=(?:Z|[+-]\d\d:?\d\d)$)/, '')
  return squeeze(
    attributeOf(element, ['time', 'ins', 'del'], 'datetime') ??
      attributeOf(element, ['abbr'], 'title') ??
      attributeOf(element, ['data', 'input'], 'value') ??
      textOf(element),
  )
}

class Reader {
  readonly #resolve: Resolve
  #left = ITEMS_MAX

  constructor(resolve: Resolve) {
    this.#resolve = resolve
  }

  get isFull(): boolean {
    return this.#left <= 0
  }

  item(root: Element, depth = 0): Microformat {
    this.#left -= 1
    const types = rootsOf(root)
    const item: Microformat = {
      type: types.length === 1 ? types[0]! : types,
      properties: {},
    }
    this.#collect(root, item, depth)
    this.#imply(root, item)
    return item
  }

  #collect(parent: Element, item: Microformat, depth: number): void {
    for (const child of childElements(parent)) {
      if (child.tagName === 'template') continue
      const names = namesOf(child)
      const isRoot = rootsOf(child).length > 0 && depth < DEPTH_MAX && this.#left > 0
      const inner = isRoot ? this.item(child, depth + 1) : null
      for (const { kind, name } of names) {
        const value = inner ?? this.#value(child, kind)
        if (value !== '') addValue(item, name, value)
      }
      if (inner && names.length === 0) (item.children ??= []).push(inner)
      if (!inner) this.#collect(child, item, depth)
    }
  }

  #value(element: Element, kind: Kind): string {
    switch (kind) {
      case 'p':
        return textValue(element)
      case 'u':
        return addressValue(element, this.#resolve)
      case 'dt':
        return dateValue(element)
      case 'e':
        return textOf(element)
    }
  }

  /** Name, photo and address of a thing that does not say them, by its own element or an only child. */
  #imply(root: Element, item: Microformat): void {
    const { properties, children } = item
    const stated = new Set(descendantNames(root))
    const isNested = children !== undefined || hasNested(properties)
    if (!('name' in properties) && !stated.has('p') && !stated.has('e') && !isNested) {
      const name = impliedName(root)
      if (name !== '') properties['name'] = name
    }
    if (isNested || stated.has('u')) return
    const [photo, link] = [onlyOf(root, ['img', 'object']), onlyOf(root, ['a', 'area'])]
    const source = photo && (attr(photo, 'src') ?? attr(photo, 'data'))
    if (!('photo' in properties) && source) properties['photo'] = this.#resolve(source)
    const address = link && attr(link, 'href')
    if (!('url' in properties) && address) properties['url'] = this.#resolve(address)
  }
}

/** Kinds of the properties that are a thing's own, not those of things in it. */
function* descendantNames(root: Element): Generator<Kind> {
  for (const child of childElements(root)) {
    for (const { kind } of namesOf(child)) yield kind
    if (rootsOf(child).length === 0) yield* descendantNames(child)
  }
}

const hasNested = (properties: Item['properties']): boolean =>
  Object.values(properties)
    .flat()
    .some((value) => typeof value === 'object')

/** The element itself, its only child of these kinds, or that of its only child. */
function onlyOf(root: Element, tags: readonly string[], depth = 0): Element | null {
  if (depth === 0 && tags.includes(root.tagName)) return root
  const children = childElements(root)
  const found = children.filter(({ tagName }) => tags.includes(tagName))
  if (found.length === 1 && rootsOf(found[0]!).length === 0) return found[0]!
  const only = children.length === 1 && depth === 0 ? children[0]! : null
  return only && rootsOf(only).length === 0 ? onlyOf(only, tags, depth + 1) : null
}

function impliedName(root: Element): string {
  const text = (element: Element): string | null =>
    attributeOf(element, ['img', 'area'], 'alt') ?? attributeOf(element, ['abbr'], 'title')
  const [only, ...others] = childElements(root)
  const single = only && others.length === 0 ? only : null
  const [second, ...more] = single ? childElements(single) : []
  const below = single && second && more.length === 0 ? second : null
  for (const element of [root, single, below]) {
    const said = element && text(element)
    if (said) return squeeze(said)
  }
  return shownText(root)
}

/** Top-level things in document order. */
export function harvestMicroformats(page: Document, resolve: Resolve): Microformat[] {
  const reader = new Reader(resolve)
  const items: Microformat[] = []
  const inside = new Set<Element>()
  for (const element of elementsOf(page)) {
    if (rootsOf(element).length === 0 || inside.has(element)) continue
    items.push(reader.item(element))
    for (const below of elementsOf(element)) inside.add(below)
    if (reader.isFull) break
  }
  return items
}
