/**
 * A product spec from an OpenAPI 3 document: one paid skill per operation, ready to be edited.
 * References inside the document are inlined; a recursive one becomes "any value".
 */
import { PRODUCT_BYTES_MAX, isObject } from '#kernel'
import { stringify } from 'yaml'
import { pointerOfFragment, valueAt } from '../shared/json-pointer.ts'
import { FORM_BODY, JSON_BODY } from '../shared/documents/request-places.ts'
import { credentialLines } from './openapi-credentials.ts'
import { exampleBody, exampleInput, exampleShown, type Shown } from './openapi-examples.ts'
import {
  asJsonSchema,
  isReadPattern,
  placeholderOf,
  routePath,
  serverUrl,
  styleFor,
} from './openapi-terms.ts'

export interface ImportOptions {
  productId: string
  priceCredits: number
  /** Base URL of the API; default: the document's first server. */
  url?: string
  /** Only operations with this tag or, where it begins with `/`, with this path or one below it. */
  tag?: string
  /** The API may be at a private address. */
  allowPrivate?: boolean
}
type Json = Record<string, unknown>

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const TEXT_MAX = 400
/** Hosts of models take no longer names of tools. */
const TOOL_NAME_MAX = 64
/** Values of the document with its references in place; nested ones multiply. */
const VALUES_MAX = 1_000_000
/** Tags or paths of the document that a message names. */
const PARTS_NAMED = 60

interface Source {
  document: Json
  /** How many of its values may still be put in place. */
  left: number
  /** Patterns that were left out of what was put in place. */
  patterns: Set<string>
}
class TooManyValues extends Error {}

export interface Imported {
  ok: true
  productId: string
  /** Base URL of the API. */
  url: string
  yaml: string
  skills: number
  /** What the product does not have of the document, one line each. */
  dropped: string[]
}

/** What an order can add so that the document can be imported: a base URL, one tag or path of several. */
export type Lacking = 'url' | 'tag'

export interface NotImported {
  ok: false
  message: string
  lacks?: Lacking
}

/** YAML of the product, or why the document cannot be imported. */
export function productFromOpenApi(
  document: unknown,
  options: ImportOptions,
): Imported | NotImported {
  try {
    return imported(document, options)
  } catch (error) {
    if (!(error instanceof TooManyValues)) throw error
    return {
      ok: false,
      message: `with its references in place the document has more than ${VALUES_MAX} values`,
      lacks: 'tag',
    }
  }
}

function imported(document: unknown, options: ImportOptions): Imported | NotImported {
  if (!isObject(document) || !isObject(document['paths'])) {
    return { ok: false, message: 'the document has no `paths`: is it OpenAPI 3?' }
  }
  if (document['swagger'] !== undefined)
    return { ok: false, message: 'the document is Swagger 2.0: convert it to OpenAPI 3 first' }
  const url = options.url ?? serverUrl(document)
  if (url === undefined || !/^https?:\/\//.test(url)) {
    return { ok: false, message: 'the document names no absolute server URL', lacks: 'url' }
  }
  // In a product file it would read a variable of this gateway and send it there.
  if (options.url === undefined && url.includes('${'))
    return { ok: false, message: `the document's server URL is ${url}`, lacks: 'url' }
  const info = isObject(document['info']) ? document['info'] : {}
  const skills: Json[] = []
  const ids = new Set<string>()
  const dropped: string[] = []
  const source: Source = { document, left: VALUES_MAX, patterns: new Set() }
  const tags = new Set<string>()
  for (const [path, item] of Object.entries(document['paths'])) {
    if (!isObject(item)) continue
    for (const method of METHODS) {
      const operation = item[method]
      if (!isObject(operation)) continue
      const place = `${method.toUpperCase()} ${path}`
      for (const tag of asList(operation['tags'])) tags.add(String(tag))
      const other = otherPart(operation, path, options.tag)
      if (other !== null) {
        dropped.push(`${place}: ${other}`)
        continue
      }
      const route = routePath(path)
      if (route === null) {
        dropped.push(
          `${place}: a route cannot have this path: each segment is a text or one {placeholder}`,
        )
        continue
      }
      const parts = partsOf(source, operation, item, method)
      dropped.push(...partsDropped(parts).map((part) => `${place}: ${part}`))
      skills.push(skillOf(parts, options, route, method, operation, ids))
      for (const pattern of source.patterns)
        dropped.push(`${place}: its input does not check the pattern ${pattern}`)
      source.patterns.clear()
    }
    for (const method of ['head', 'options', 'trace'])
      if (isObject(item[method]) && otherPart(item[method], path, options.tag) === null)
        dropped.push(`${method.toUpperCase()} ${path}: no such skills`)
  }
  if (skills.length === 0) {
    if (options.tag !== undefined) {
      const which = isPath(options.tag) ? 'below' : 'with the tag'
      const message = `the document has no operations ${which} ${options.tag}; ${named(tags, document)}`
      return { ok: false, message }
    }
    const why = dropped.length > 0 ? `; ${dropped[0]}` : ''
    return { ok: false, message: `the document has no operations${why}` }
  }
  dropped.push(...credentialLines(document, options.productId))
  const product = {
    product_id: options.productId,
    title: clipLine(info['title']) ?? options.productId,
    ...(clip(info['description']) && { description: clip(info['description']) }),
    base_path: `/v1/${options.productId}`,
    path_rewrite: 'strip',
    metered: true,
    upstream: { url, ...(options.allowPrivate === true && { allow_private: true }) },
    skills,
  }
  const whole = yamlOf(product)
  // A document that is just short enough to be sold is sold without its examples.
  const yaml =
    Buffer.byteLength(whole) <= PRODUCT_BYTES_MAX
      ? whole
      : yamlOf({ ...product, skills: skills.map(({ example: _example, ...skill }) => skill) })
  const sizeBytes = Buffer.byteLength(yaml)
  if (sizeBytes > PRODUCT_BYTES_MAX) {
    const message = `its product is ${sizeBytes} bytes long, and ${PRODUCT_BYTES_MAX} are read`
    return { ok: false, message: `${message}; ${named(tags, document)}`, lacks: 'tag' }
  }
  return {
    ok: true,
    productId: options.productId,
    url,
    yaml,
    skills: skills.length,
    dropped,
  }
}

const yamlOf = (product: Json): string =>
  stringify(product, { lineWidth: 100, aliasDuplicateObjects: false })

/** Why an operation is not of the part that is imported; null if it is. */
function otherPart(operation: Json, path: string, part: string | undefined): string | null {
  if (part === undefined) return null
  if (!isPath(part))
    return asList(operation['tags']).includes(part) ? null : `it has no tag ${part}`
  const above = part.replace(/\/+$/, '')
  return path === above || path.startsWith(`${above}/`) ? null : `it is not below ${part}`
}

const isPath = (part: string): boolean => part.startsWith('/')

/** The tags or, where it has none, the paths that an import can be limited to. */
function named(tags: ReadonlySet<string>, document: Json): string {
  const paths = Object.keys(document['paths'] as Json)
  const [word, all] = tags.size > 0 ? ['tags', [...tags]] : ['paths', firstPaths(paths)]
  const first = all.slice(0, PARTS_NAMED).join(', ')
  return `its ${word} are ${first}${all.length > PARTS_NAMED ? ', …' : ''}`
}

/** The beginnings of paths by which a document falls into parts: as short as there are two. */
function firstPaths(paths: readonly string[]): string[] {
  for (let segments = 1; segments <= 4; segments++) {
    const starts = paths.map((path) => path.split('/').slice(0, segments + 1))
    const texts = new Set(
      starts.map((start) => start.join('/')).filter((one) => !one.includes('{')),
    )
    if (texts.size > 1) return [...texts]
  }
  return [...paths]
}

/** What an operation takes, with its references in place. */
interface Parts {
  parameters: Json[]
  body: Body
  /** Members of the body that a query parameter hides. */
  hidden: string[]
}
interface Body {
  /** Null: it has none. */
  type: string | null
  /** Its members and which of them must be there. */
  members: Json
  required: string[]
  /** What it is where it is no object with named members; null where it is one. */
  schema: Json | null
  /** Its example in the document; undefined for none. */
  shown: unknown
  /** Why no tool can send it; null where one can. */
  unfit: string | null
}

function partsOf(source: Source, operation: Json, item: Json, method: string): Parts {
  const parameters = [...asList(item['parameters']), ...asList(operation['parameters'])]
    .map((raw) => inline(source, raw, new Set()))
    .filter(isObject)
  const body = bodyOf(inline(source, operation['requestBody'], new Set()))
  // OpenAPI 3.0 says that bodies of these methods are ignored, and some documents have empty ones.
  const isIgnored = hasNoBody(method) && body.required.length === 0 && body.unfit !== null
  return withoutClashes(parameters, isIgnored ? NO_BODY : body)
}

const NO_BODY: Body = {
  type: null,
  members: {},
  required: [],
  schema: null,
  shown: undefined,
  unfit: null,
}
const hasNoBody = (method: string): boolean => method === 'get' || method === 'delete'

/** A query parameter that must be there keeps its name where the body has one of that name that need not. */
function withoutClashes(parameters: Json[], body: Body): Parts {
  const needed = parameters.filter((one) => one['in'] === 'query' && one['required'] === true)
  const names = new Set(needed.map((one) => String(one['name'])))
  const isHidden = (name: string): boolean => names.has(name) && !body.required.includes(name)
  const all = Object.entries(body.members)
  return {
    parameters,
    body: { ...body, members: Object.fromEntries(all.filter(([name]) => !isHidden(name))) },
    hidden: all.map(([name]) => name).filter(isHidden),
  }
}

/** What an operation takes that no input of its skill says; the HTTP route passes it on all the same. */
function partsDropped({ parameters, body, hidden }: Parts): string[] {
  const others = parameters
    .filter((one) => one['in'] === 'header' || one['in'] === 'cookie')
    .map((one) => `the ${String(one['in'])} ${String(one['name'])} is not in its input`)
  if (body.unfit !== null) return [...others, `${ONLY_HTTP}: ${body.unfit}`]
  const inQuery = parameters
    .filter((one) => one['in'] === 'query' && Object.hasOwn(body.members, String(one['name'])))
    .map((one) => `the query ${String(one['name'])} has the name of a member of its body`)
  const inBody = hidden.map(
    (name) => `the member ${name} of its body has the name of a query parameter`,
  )
  return [...others, ...inQuery, ...inBody]
}

const ONLY_HTTP = 'it is sold over HTTP and is not a tool'

function bodyOf(body: unknown): Body {
  if (!isObject(body) || !isObject(body['content'])) return NO_BODY
  const { content } = body
  const types = Object.keys(content)
  if (types.length === 0) return NO_BODY
  const type = types.toSorted((one, other) => rankOf(one) - rankOf(other))[0]!
  const isSent = rankOf(type) < NOT_SENT
  const media = isObject(content[type]) ? content[type] : {}
  const schema = isObject(media['schema']) ? media['schema'] : {}
  const hasMembers = isObject(schema['properties'])
  const isName = (member: unknown): member is string => typeof member === 'string'
  return {
    type: /\*/.test(type) ? JSON_BODY : essence(type),
    members: hasMembers ? styled(schema['properties'] as Json, media['encoding']) : {},
    required: hasMembers ? asList(schema['required']).filter(isName) : [],
    schema: hasMembers || schema['type'] === 'object' ? null : schema,
    shown: exampleShown(media, schema),
    unfit: !isSent
      ? `its body is ${type}`
      : hasMembers
        ? null
        : 'its body is not an object with named members',
  }
}

/** A media type without its parameters. */
const essence = (type: string): string => type.split(';', 1)[0]!.trim().toLowerCase()

/** Which of several types of one body is sent: JSON first, then what is as JSON, then a form. */
function rankOf(type: string): number {
  const name = essence(type)
  if (name === JSON_BODY) return 0
  if (name === '*/*' || name === 'application/*') return 1
  if (name === FORM_BODY) return 2
  return name.endsWith('+json') ? 3 : NOT_SENT
}
const NOT_SENT = 4

/** Members of a form with the styles that its `encoding` has for them. */
function styled(members: Json, encoding: unknown): Json {
  if (!isObject(encoding)) return members
  const entries = Object.entries(members).map(([name, member]) => {
    const said = encoding[name]
    const style =
      isObject(said) && ('style' in said || 'explode' in said) ? styleFor(said, member) : null
    return [name, isObject(member) && style !== null ? { ...member, 'x-style': style } : member]
  })
  return Object.fromEntries(entries) as Json
}

function skillOf(
  parts: Parts,
  options: ImportOptions,
  path: string,
  method: string,
  operation: Json,
  ids: Set<string>,
): Json {
  const lengthMax = TOOL_NAME_MAX - options.productId.length - 1
  const name = uniqueName(operation['operationId'] ?? `${method} ${path}`, lengthMax, ids)
  const id = `${options.productId}.${name}`
  const input = inputOf(parts, method)
  const example = exampleInput(input, shownOf(parts))
  return {
    id,
    title: clipLine(operation['summary']) ?? name.replaceAll('_', ' '),
    description:
      clip(operation['description']) ??
      clip(operation['summary']) ??
      `${method.toUpperCase()} ${path}`,
    route: `${method.toUpperCase()} ${path}`,
    ...(parts.body.unfit === null && { tool: id }),
    price: { credits: options.priceCredits },
    input,
    annotations: {
      readOnlyHint: method === 'get',
      idempotentHint: method !== 'post' && method !== 'patch',
    },
    ...(example !== null && { example: { input: example } }),
  }
}

/** What the document shows of the input: a body as a whole, and each parameter. */
function shownOf({ parameters, body }: Parts): Shown {
  const hasWhole = body.schema === null && isObject(body.shown)
  const ofParameters = parameters.flatMap((parameter) => {
    const schema = isObject(parameter['schema']) ? parameter['schema'] : {}
    const value = exampleShown(parameter, schema)
    const name = memberName(parameter)
    return name === null || value === undefined ? [] : [[name, value]]
  })
  return {
    members: {
      ...(hasWhole && (body.shown as Json)),
      ...(Object.fromEntries(ofParameters) as Json),
    },
    together: hasWhole ? Object.keys(body.members) : [],
  }
}

/** The name that a parameter of the path or the query has in an input; null for another one. */
function memberName({ in: place, name }: Json): string | null {
  if (typeof name !== 'string') return null
  if (place === 'path') return placeholderOf(name)
  return place === 'query' ? name : null
}

/**
 * Parameters and the members of a body as one flat object. Where a tool's input is sent as the
 * body, `x-in` tells what belongs in the query; `x-style` tells how a list stands there, and `x-body`
 * what the body is that is not JSON. `x-body-schema` is that of a body without named members.
 */
function inputOf({ parameters, body }: Parts, method: string): Json {
  const properties: Json = {}
  const required: string[] = []
  for (const parameter of parameters) {
    const name = memberName(parameter)
    if (name === null) continue
    const place = parameter['in']
    const schema = isObject(parameter['schema']) ? parameter['schema'] : { type: 'string' }
    const style = place === 'query' ? styleFor(parameter, schema) : null
    properties[name] = {
      ...schema,
      ...(place === 'query' && !hasNoBody(method) && { 'x-in': 'query' }),
      ...(style !== null && { 'x-style': style }),
    }
    if (parameter['required'] === true) required.push(name)
  }
  Object.assign(properties, body.members)
  required.push(...body.required)
  const isOther = body.type !== null && body.type !== JSON_BODY && !hasNoBody(method)
  const value = hasNoBody(method) ? null : body.schema
  return {
    type: 'object',
    ...(isOther && { 'x-body': body.type }),
    ...(value !== null && { 'x-body-schema': isOther ? value : withExample(value, body.shown) }),
    properties,
    ...(required.length > 0 && { required: [...new Set(required)] }),
  }
}

/** The schema of a body with an example that it takes, if one is found. */
function withExample(schema: Json, shown: unknown): Json {
  const example = exampleBody(schema, shown)
  return { ...schema, ...(example !== undefined && { example }) }
}

/** The value with local references put in place; one that leads back to itself becomes {}. */
function inline(source: Source, value: unknown, open: Set<string>): unknown {
  source.left -= 1
  if (source.left < 0) throw new TooManyValues()
  if (Array.isArray(value)) return value.map((member) => inline(source, member, open))
  if (!isObject(value)) return value
  const reference = value['$ref']
  if (typeof reference === 'string') {
    if (!reference.startsWith('#/') || open.has(reference)) return {}
    const found = resolvePointer(source.document, reference)
    const placed = inline(source, found, new Set([...open, reference]))
    const isNullable = value['nullable'] === true && isObject(placed)
    return isNullable ? asJsonSchema({ ...placed, nullable: true }) : placed
  }
  const placed = Object.entries(value)
    .filter(([name, member]) => isSaid(source, value, name, member))
    .map(([name, member]) => [name, inline(source, member, open)])
  return asJsonSchema(Object.fromEntries(placed) as Json)
}

/** Whether a member says something to the gateway: no pattern of another dialect, no `required: true` of a schema. */
function isSaid(source: Source, value: Json, name: string, member: unknown): boolean {
  if (name === 'required') return typeof member !== 'boolean' || typeof value['in'] === 'string'
  if (name !== 'pattern' || typeof member !== 'string' || isReadPattern(member)) return true
  source.patterns.add(member)
  return false
}

function resolvePointer(document: Json, reference: string): unknown {
  return valueAt(document, pointerOfFragment(reference.slice(1))) ?? {}
}

function uniqueName(source: unknown, lengthMax: number, ids: Set<string>): string {
  const words = String(source)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
  const base = words.replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^[_0-9]+|_+$/g, '') || 'call'
  const cut = (length: number): string => base.slice(0, length).replace(/_+$/, '')
  let name = cut(lengthMax)
  for (let n = 2; ids.has(name); n++) name = `${cut(lengthMax - `_${n}`.length)}_${n}`
  ids.add(name)
  return name
}

/** A text for people, without the HTML that documents have in their Markdown. */
function clip(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.replaceAll(HTML_TAG, '').trim().slice(0, TEXT_MAX).trimEnd()
  return text === '' ? undefined : text
}

/** A title, which stands in one line. */
const clipLine = (value: unknown): string | undefined => clip(value)?.replaceAll(/\s+/g, ' ')

/** Tags of texts; `<id>` and its like are words of the document. */
const HTML_TAG = /<\/?(?:a|b|br|code|div|em|h[1-6]|i|li|ol|p|pre|span|strong|ul)(?:\s[^<>]*)?\/?>/gi

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
