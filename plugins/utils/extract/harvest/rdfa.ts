/** RDFa of a page: RDFa Lite plus `about`, `rel`, `content` and `datatype` as pages use them. */
import { attr, childElements, isElement, type Document, type Element } from '../dom/tree.ts'
import type { Resolve } from './links.ts'
import { addValue, valueOf, type Item } from './microdata.ts'

const words = (text: string | null): string[] => (text ?? '').split(/\s+/).filter(Boolean)
const DEPTH_MAX = 300
/** rel values of plain links, which describe no thing. */
const PLAIN_REL =
  /^(stylesheet|icon|shortcut|apple-.*|preload|prefetch|dns-prefetch|preconnect|nofollow|noopener|noreferrer|ugc|sponsored|external|pingback|edituri|wlwmanifest|https:\/\/api\.w\.org\/|bookmark|alternate|manifest|mask-icon|canonical|shortlink|amphtml|home|up|contents|index|glossary|tag|next|prev|first|last|start|help|search)$/i

interface Scope {
  item: Item
  vocab: string
  /** Property waiting for the next `typeof` or link below (`rel` without a target). */
  pending: string[]
}

function typesOf(element: Element, vocab: string): string[] {
  return words(attr(element, 'typeof')).map((type) => (/[:/]/.test(type) ? type : vocab + type))
}

/** Items with a type or at least one property, in document order; nested ones sit in their parent. */
export function harvestRdfa(page: Document, resolve: Resolve): Item[] {
  const items: Item[] = []
  const document: Item = { properties: {} }
  const subjects = new Map<string, Item>()

  function subject(about: string): Item {
    const id = resolve(about)
    let item = subjects.get(id)
    if (!item) {
      item = { id, properties: {} }
      subjects.set(id, item)
      items.push(item)
    }
    return item
  }

  function visit(element: Element, outer: Scope, depth: number): void {
    if (depth > DEPTH_MAX) return
    const vocab = attr(element, 'vocab') ?? outer.vocab
    const isTyped = attr(element, 'typeof') !== null
    const properties = words(attr(element, 'property'))
    const target = attr(element, 'resource') ?? attr(element, 'href') ?? attr(element, 'src')
    const about = attr(element, 'about')
    const relations = [...words(attr(element, 'rel')), ...words(attr(element, 'rev'))].filter(
      (one) => !PLAIN_REL.test(one) && (one.includes(':') || outer.vocab !== ''),
    )
    let scope: Scope = { ...outer, vocab, pending: [] }
    if (about !== null && !isTyped) scope = { ...scope, item: subject(about) }
    const names = [...properties, ...relations, ...outer.pending]
    if (isTyped) {
      const types = typesOf(element, vocab)
      const id =
        about ??
        attr(element, 'resource') ??
        (properties.length + relations.length > 0 ? target : null)
      const item: Item = {
        ...(types.length > 0 && { type: types.length === 1 ? types[0]! : types }),
        ...(id && { id: resolve(id) }),
        properties: {},
      }
      if (names.length > 0) for (const name of names) addValue(scope.item, name, item)
      else items.push(item)
      scope = { item, vocab, pending: [] }
    } else {
      for (const name of properties) {
        const isLinked = attr(element, 'content') === null && attr(element, 'resource') !== null
        const value = isLinked ? resolve(attr(element, 'resource')!) : valueOf(element, resolve)
        addValue(scope.item, name, value)
      }
      const linked = [...relations, ...(properties.length === 0 ? outer.pending : [])]
      if (target !== null) for (const name of linked) addValue(scope.item, name, resolve(target))
      else if (relations.length > 0) scope = { ...scope, pending: relations }
    }
    for (const child of childElements(element)) visit(child, scope, depth + 1)
  }

  for (const child of page.childNodes) {
    if (isElement(child)) visit(child, { item: document, vocab: '', pending: [] }, 0)
  }
  return [document, ...items].filter(
    (item) => Object.keys(item.properties).length > 0 || item.type !== undefined,
  )
}
