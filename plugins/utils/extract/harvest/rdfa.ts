/** RDFa of a page: RDFa Lite plus `about`, `rel`, `rev`, `content` and `datatype` as pages use them. */
import { attr, childElements, isElement, type Document, type Element } from '../dom/tree.ts'
import type { Resolve } from './links.ts'
import { addValue, valueOf, type Item } from './microdata.ts'

const words = (text: string | null): string[] => (text ?? '').split(/\s+/).filter(Boolean)
const DEPTH_MAX = 300
/** rel values of plain links, which describe no thing. */
const PLAIN_REL =
  /^(stylesheet|icon|shortcut|apple-.*|preload|prefetch|dns-prefetch|preconnect|nofollow|noopener|noreferrer|ugc|sponsored|external|pingback|edituri|wlwmanifest|https:\/\/api\.w\.org\/|bookmark|alternate|manifest|mask-icon|canonical|shortlink|amphtml|home|up|contents|index|glossary|tag|next|prev|first|last|start|help|search)$/i
/** Prefixes that need no declaration (RDFa initial context), as far as pages use them. */
const INITIAL: Readonly<Record<string, string>> = {
  og: 'http://ogp.me/ns#',
  article: 'http://ogp.me/ns/article#',
  book: 'http://ogp.me/ns/book#',
  product: 'http://ogp.me/ns/product#',
  profile: 'http://ogp.me/ns/profile#',
  video: 'http://ogp.me/ns/video#',
  music: 'http://ogp.me/ns/music#',
  fb: 'http://ogp.me/ns/fb#',
  schema: 'http://schema.org/',
  dc: 'http://purl.org/dc/terms/',
  dcterms: 'http://purl.org/dc/terms/',
  dc11: 'http://purl.org/dc/elements/1.1/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  v: 'http://rdf.data-vocabulary.org/#',
  gr: 'http://purl.org/goodrelations/v1#',
  cc: 'http://creativecommons.org/ns#',
  sioc: 'http://rdfs.org/sioc/ns#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  xhv: 'http://www.w3.org/1999/xhtml/vocab#',
}

type Prefixes = Readonly<Record<string, string>>
interface Scope {
  item: Item
  vocab: string
  prefixes: Prefixes
  /** Property waiting for the next `typeof` or link below (`rel` without a target). */
  pending: string[]
}

/** The prefixes that hold below an element: `prefix="a: http://…"` and `xmlns:a`. */
function prefixesOf(element: Element, outer: Prefixes): Prefixes {
  const own: Record<string, string> = {}
  const declared = words(attr(element, 'prefix'))
  for (let at = 0; at + 1 < declared.length; at += 2) {
    if (declared[at]!.endsWith(':'))
      own[declared[at]!.slice(0, -1).toLowerCase()] = declared[at + 1]!
  }
  for (const { name, value, prefix } of element.attrs) {
    const local = prefix === 'xmlns' ? name : /^xmlns:(.+)$/.exec(name)?.[1]
    if (local) own[local.toLowerCase()] = value.trim()
  }
  return Object.keys(own).length > 0 ? { ...outer, ...own } : outer
}

/** 'foaf:name' as the address it stands for; other names stay as they are. */
function expanded(name: string, prefixes: Prefixes): string {
  const curie = /^\[?([\w-]*):(?!\/\/)([^\]]*)\]?$/.exec(name)
  const key = curie?.[1]!.toLowerCase() ?? ''
  return curie && Object.hasOwn(prefixes, key) ? prefixes[key]! + curie[2]! : name
}

class RdfaReader {
  readonly items: Item[] = []
  readonly document: Item = { properties: {} }
  readonly #subjects = new Map<string, Item>()
  readonly #resolve: Resolve

  constructor(resolve: Resolve) {
    this.#resolve = resolve
  }

  /** A resource in an attribute: an address, or a name with a prefix. */
  #address(reference: string, { prefixes }: Scope): string {
    const full = expanded(reference, prefixes)
    return full === reference ? this.#resolve(reference) : full
  }

  /** The item of an id; several elements may speak of one. */
  #subject(id: string): Item {
    let item = this.#subjects.get(id)
    if (!item) {
      item = { id, properties: {} }
      this.#subjects.set(id, item)
      this.items.push(item)
    }
    return item
  }

  visit(element: Element, outer: Scope, depth: number): void {
    if (depth > DEPTH_MAX) return
    const vocab = attr(element, 'vocab') ?? outer.vocab
    let scope: Scope = {
      item: outer.item,
      vocab,
      prefixes: prefixesOf(element, outer.prefixes),
      pending: [],
    }
    const isTyped = attr(element, 'typeof') !== null
    const named = (attribute: string): string[] =>
      words(attr(element, attribute)).map((name) => expanded(name, scope.prefixes))
    const isRelation = (name: string): boolean =>
      !PLAIN_REL.test(name) && (name.includes(':') || vocab !== '')
    const properties = named('property')
    const relations = named('rel').filter(isRelation)
    const reversed = named('rev').filter(isRelation)
    const resource = attr(element, 'resource')
    const about = attr(element, 'about')
    const target = resource ?? attr(element, 'href') ?? attr(element, 'src')
    const isPlain = properties.length + relations.length + reversed.length === 0
    if (!isTyped) {
      if (about !== null) scope.item = this.#subject(this.#address(about, scope))
      else if (resource !== null && isPlain && outer.pending.length === 0)
        scope.item = this.#subject(this.#address(resource, scope))
    }
    const names = [...properties, ...relations, ...outer.pending]
    if (isTyped) {
      const types = named('typeof').map((type) => (/[:/]/.test(type) ? type : vocab + type))
      const own = about ?? resource ?? (properties.length + relations.length > 0 ? target : null)
      const id = own === null ? null : this.#address(own, scope)
      const known = id === null ? undefined : this.#subjects.get(id)
      const item: Item = known ?? { ...(id && { id }), properties: {} }
      if (types.length > 0) item.type = types.length === 1 ? types[0]! : types
      if (id !== null) this.#subjects.set(id, item)
      // Spoken of before: named by its id, so that nothing ever holds itself.
      if (names.length > 0) for (const name of names) addValue(scope.item, name, known ? id! : item)
      else if (!known) this.items.push(item)
      scope = { ...scope, item }
    } else {
      for (const name of properties) {
        const isLinked = attr(element, 'content') === null && resource !== null
        const value = isLinked ? this.#address(resource, scope) : valueOf(element, this.#resolve)
        addValue(scope.item, name, value)
      }
      const linked = [...relations, ...(properties.length === 0 ? outer.pending : [])]
      if (target !== null) {
        const address = this.#address(target, scope)
        for (const name of linked) addValue(scope.item, name, address)
        for (const name of reversed) addValue(this.#subject(address), name, scope.item.id ?? '')
      } else if (relations.length > 0) scope.pending = relations
      else if (isPlain && about === null) scope.pending = outer.pending
    }
    for (const child of childElements(element)) this.visit(child, scope, depth + 1)
  }
}

/**
 * Items with a type or at least one property, in document order; nested ones sit in their parent.
 * Names with a prefix are written out; those of a vocabulary stay short, as in microdata.
 */
export function harvestRdfa(page: Document, resolve: Resolve): Item[] {
  const reader = new RdfaReader(resolve)
  const scope: Scope = { item: reader.document, vocab: '', prefixes: INITIAL, pending: [] }
  for (const child of page.childNodes) if (isElement(child)) reader.visit(child, scope, 0)
  return [reader.document, ...reader.items].filter(
    (item) => Object.keys(item.properties).length > 0 || item.type !== undefined,
  )
}
