/** Reads the operations of a document: paths, parameters, responses and callbacks. */
import type { Document, Place } from '../document.ts'
import { isMap, mapOf } from '../pointer.ts'
import { bodyOf, contentOf, responseContent } from './content.ts'
import type { Header, Operation, Parameter, PathItem, Response } from './model.ts'

const METHODS = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
] as const

/** The path items under a map of them (`paths`, `webhooks`, one callback), in document order. */
export function readPaths(document: Document, map: Place): PathItem[] {
  if (!isMap(map.raw)) return []
  const items: PathItem[] = []
  for (const path of Object.keys(map.raw)) {
    if (path.startsWith('x-')) continue
    const item = document.part(document.child(map, path))
    if (!isMap(item.raw)) continue
    const operations = readOperations(document, path, item)
    items.push({ path, pointer: item.pointer, operations, external: item.external })
  }
  return items
}

function readOperations(document: Document, path: string, item: Place): Map<string, Operation> {
  const operations = new Map<string, Operation>()
  const shared = readParameters(document, document.child(item, 'parameters'), true)
  const add = (method: string, place: Place): void => {
    const own = readParameters(document, document.child(place, 'parameters'), false)
    const inherited = shared.filter((one) => !own.some((other) => sameParameter(one, other)))
    operations.set(method, readOperation(document, path, method, place, [...inherited, ...own]))
  }
  for (const method of METHODS) {
    const place = document.child(item, method)
    if (isMap(place.raw)) add(method, place)
  }
  // OpenAPI 3.2: methods without a field of their own, written as they are sent.
  const additional = document.child(item, 'additionalOperations')
  for (const method of Object.keys(mapOf(additional.raw))) {
    const place = document.child(additional, method)
    if (isMap(place.raw)) add(method, place)
  }
  return operations
}

/** Parameters are the same by place and name; header names ignore case (RFC 9110 §5.1). */
export function sameParameter(a: Parameter, b: Parameter): boolean {
  if (a.in !== b.in) return false
  return a.in === 'header' ? a.name.toLowerCase() === b.name.toLowerCase() : a.name === b.name
}

function readOperation(
  document: Document,
  path: string,
  method: string,
  place: Place,
  parameters: Parameter[],
): Operation {
  const raw = mapOf(place.raw)
  return {
    method,
    path,
    label: `${method.toUpperCase()} ${path}`,
    raw,
    pointer: place.pointer,
    parameters: parameters.filter((one) => one.in !== 'body' && one.in !== 'formData'),
    body: bodyOf(document, place, parameters),
    responses: readResponses(document, place),
    callbacks: readCallbacks(document, place),
  }
}

function readParameters(document: Document, list: Place, shared: boolean): Parameter[] {
  if (!Array.isArray(list.raw)) return []
  return list.raw.flatMap((_, index) => {
    const place = document.part(document.child(list, index))
    const raw = place.raw
    if (!isMap(raw) || typeof raw.name !== 'string' || typeof raw.in !== 'string') return []
    return [
      {
        in: raw.in,
        name: raw.name,
        required: raw.required === true || raw.in === 'path',
        shared,
        raw,
        pointer: place.pointer,
        schema: parameterSchema(document, place),
      },
    ]
  })
}

/** In Swagger 2 the parameter (or header) object is its own schema. */
function parameterSchema(document: Document, place: Place): Place | null {
  const raw = mapOf(place.raw)
  if ('schema' in raw) return document.child(place, 'schema')
  if (document.version === '2.0') return place
  const content = contentOf(document, document.child(place, 'content'))
  return [...content.values()][0]?.schema ?? null
}

function readResponses(document: Document, operation: Place): Map<string, Response> {
  const responses = new Map<string, Response>()
  const map = document.child(operation, 'responses')
  for (const status of Object.keys(mapOf(map.raw))) {
    if (status.startsWith('x-')) continue
    const place = document.part(document.child(map, status))
    if (!isMap(place.raw)) continue
    responses.set(status.toUpperCase().replace('DEFAULT', 'default'), {
      status,
      content: responseContent(document, operation, place),
      headers: readHeaders(document, document.child(place, 'headers')),
      pointer: place.pointer,
    })
  }
  return responses
}

function readHeaders(document: Document, map: Place): Map<string, Header> {
  const headers = new Map<string, Header>()
  for (const name of Object.keys(mapOf(map.raw))) {
    const place = document.part(document.child(map, name))
    const required = mapOf(place.raw).required === true
    const schema = parameterSchema(document, place)
    // OpenAPI 3 §4.8.17: a Content-Type header here is ignored.
    if (name.toLowerCase() === 'content-type') continue
    headers.set(name.toLowerCase(), {
      name,
      required,
      schema,
      pointer: place.pointer,
      raw: place.raw,
    })
  }
  return headers
}

function readCallbacks(document: Document, operation: Place): Map<string, Operation> {
  const callbacks = new Map<string, Operation>()
  const map = document.child(operation, 'callbacks')
  for (const name of Object.keys(mapOf(map.raw))) {
    if (name.startsWith('x-')) continue
    const callback = document.part(document.child(map, name))
    for (const item of readPaths(document, callback)) {
      for (const called of item.operations.values()) {
        callbacks.set(`${name} ${called.label}`, called)
      }
    }
  }
  return callbacks
}
