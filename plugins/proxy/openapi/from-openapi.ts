/**
 * A product spec from an OpenAPI 3 or Swagger 2.0 document: one paid skill per operation, ready to be edited.
 * References inside the document are inlined; a recursive one becomes "any value".
 */
import { PRODUCT_BYTES_MAX, isObject } from '#kernel'
import { Document, stringify, visit } from 'yaml'
import { hasUnseen, visibleText } from '../../shared/visible-text.ts'
import { credentialLines } from './credentials.ts'
import { exampleInput } from './examples.ts'
import { inputOf, partsDropped, partsOf, shownOf, type Parts } from './request.ts'
import { isPath, named, otherPart } from './sections.ts'
import { fromSwagger, isSwagger } from './swagger.ts'
import { TooManyValues, VALUES_MAX, withPathItems, type Source } from './source.ts'
import { asList, routePath, serverUrl, type Json } from './terms.ts'
import { clip, clipLine } from './texts.ts'

export interface ImportOptions {
  productId: string
  priceCredits: number
  /** Base URL of the API; default: the document's first server. */
  url?: string
  /** Operations for which the document names another server are at this one, too. */
  isOneServer?: boolean
  /** Only operations with this tag or, where it begins with `/`, with this path or one below it. */
  tag?: string
  /** The API may be at a private address. */
  allowPrivate?: boolean
  /** Without examples, and without what the document says of parameters. */
  isTerse?: boolean
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const WIDTH = { lineWidth: 100, aliasDuplicateObjects: false } as const
/** Hosts of models take no longer names of tools. */
const TOOL_NAME_MAX = 64

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
    const made = imported(document, options)
    return made.ok
      ? { ...made, dropped: made.dropped.map(visibleText) }
      : { ...made, message: visibleText(made.message) }
  } catch (error) {
    if (!(error instanceof TooManyValues)) throw error
    return {
      ok: false,
      message: `with its references in place the document has more than ${VALUES_MAX} values`,
      lacks: 'tag',
    }
  }
}

function imported(given: unknown, options: ImportOptions): Imported | NotImported {
  if (!isObject(given) || !isObject(given['paths'])) {
    return { ok: false, message: 'the document has no `paths`: is it OpenAPI?' }
  }
  const whole = withPathItems(given, given['paths'])
  const document = isSwagger(whole) ? fromSwagger(whole) : whole
  if (options.url !== undefined && !isWebUrl(options.url)) return notWeb(options.url)
  const url = options.url ?? serverUrl(document)
  if (url === undefined || !isWebUrl(url)) {
    return { ok: false, message: 'the document names no absolute server URL', lacks: 'url' }
  }
  // In a product file it would read a variable of this gateway and send it there.
  if (options.url === undefined && url.includes('${'))
    return { ok: false, message: `the document's server URL is ${url}`, lacks: 'url' }
  const info = isObject(document['info']) ? document['info'] : {}
  const skills: Json[] = []
  const ids = new Set<string>()
  const dropped: string[] = []
  const source: Source = {
    document,
    left: VALUES_MAX,
    patterns: new Set(),
    headers: new Map(),
    credentials: new Set(),
  }
  const tags = new Set<string>()
  /** Operations by their method and their path with nameless parameters. */
  const shapes = new Map<string, string>()
  for (const [path, item] of Object.entries(document['paths'] as Json)) {
    if (!isObject(item)) continue
    if (typeof item['$ref'] === 'string')
      dropped.push(`${path}: its operations stand in another document, ${item['$ref']}`)
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
      const elsewhere = otherServer(document, item, operation)
      if (elsewhere !== null && options.isOneServer !== true) {
        dropped.push(
          `${place}: it is at another server, ${elsewhere}: import it by its path and URL`,
        )
        continue
      }
      const route = routePath(path)
      if (route === null) {
        dropped.push(
          `${place}: a route cannot have this path: each segment has at most one {placeholder}`,
        )
        continue
      }
      const shape = `${method} ${route.replaceAll(/\{[^}]+\}/g, '{}')}`
      const same = shapes.get(shape)
      if (same !== undefined) {
        dropped.push(`${place}: requests of ${same} look the same`)
        continue
      }
      shapes.set(shape, place)
      const parts = partsOf(source, operation, item, method.toUpperCase())
      dropped.push(...partsDropped(parts).map((part) => `${place}: ${part}`))
      skills.push(skillOf(parts, options, route, method, operation, ids))
      for (const pattern of source.patterns)
        dropped.push(`${place}: its input does not check the pattern ${pattern}`)
      source.patterns.clear()
    }
    for (const method of ['head', 'options', 'trace', 'query'])
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
  dropped.push(...credentialLines(document, options.productId, source.credentials))
  const product = {
    product_id: options.productId,
    title: clipLine(info['title']) ?? options.productId,
    ...(clip(info['description']) && { description: clip(info['description']) }),
    base_path: `/v1/${options.productId}`,
    path_rewrite: 'strip',
    metered: true,
    upstream: {
      url,
      ...(options.allowPrivate === true && { allow_private: true }),
      ...(source.headers.size > 0 && { forward_headers: [...source.headers.values()] }),
    },
    skills,
  }
  const yaml = yamlOf(product)
  const sizeBytes = Buffer.byteLength(yaml)
  if (sizeBytes > PRODUCT_BYTES_MAX) {
    // A document that is just short enough to be sold is sold with fewer words.
    if (options.isTerse !== true) return imported(given, { ...options, isTerse: true })
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

const isWebUrl = (url: string): boolean => /^https?:\/\//.test(url)

const notWeb = (url: string): NotImported => ({
  ok: false,
  message: `${url} does not begin with https:// or http://`,
  lacks: 'url',
})

/** The server of an operation or of its path, where it is not that of the document; else null. */
function otherServer(document: Json, item: Json, operation: Json): string | null {
  const own = serverUrl(operation) ?? serverUrl(item)
  const bare = (url: string): string => url.replace(/\/$/, '')
  return own === undefined || bare(own) === bare(serverUrl(document) ?? '/') ? null : own
}

/** As an operator checks it: what nobody would see of a text is escaped in it, as it counts. */
function yamlOf(product: Json): string {
  const yaml = stringify(product, WIDTH)
  if (!hasUnseen(yaml)) return yaml
  const document = new Document(product, WIDTH)
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && hasUnseen(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  return visibleText(document.toString(WIDTH))
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
  const { isTerse = false } = options
  const input = inputOf(parts, method.toUpperCase(), isTerse)
  const example = isTerse ? null : exampleInput(input, shownOf(parts))
  return {
    id,
    title: clipLine(operation['summary']) ?? name.replaceAll('_', ' '),
    description:
      clip(operation['description']) ??
      clip(operation['summary']) ??
      `${method.toUpperCase()} ${path}`,
    route: `${method.toUpperCase()} ${path}`,
    ...(parts.unfit === null && { tool: id }),
    price: { credits: options.priceCredits },
    input,
    annotations: {
      readOnlyHint: method === 'get',
      idempotentHint: method !== 'post' && method !== 'patch',
    },
    ...(example !== null && { example: { input: example } }),
  }
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
