/** Bodies by media type. Swagger 2 writes them as parameters with `consumes` and `produces`. */
import type { Document, Place } from '../document.ts'
import { isMap, type JsonMap, join, mapOf, stringsOf } from '../pointer.ts'
import type { Body, Content, Parameter } from './model.ts'

/** A `content` map by media type, lower case and without spaces. */
export function contentOf(document: Document, map: Place): Map<string, Content> {
  const content = new Map<string, Content>()
  for (const mediaType of Object.keys(mapOf(map.raw))) {
    const place = document.part(document.child(map, mediaType))
    const schema = mediaSchema(document, place)
    content.set(canonical(mediaType), { mediaType, schema, pointer: place.pointer })
  }
  return content
}

/** The schema of a body; `itemSchema` (OpenAPI 3.2) is that of every item of a stream. */
function mediaSchema(document: Document, media: Place): Place | null {
  const raw = mapOf(media.raw)
  const schema = 'schema' in raw ? document.child(media, 'schema') : null
  if (!('itemSchema' in raw)) return schema
  const item = document.child(media, 'itemSchema')
  document.adopt(item.raw, item.pointer)
  const stream: JsonMap = { type: 'array', items: item.raw }
  if (!schema) return { raw: stream, pointer: media.pointer }
  document.adopt(schema.raw, schema.pointer)
  return { raw: { allOf: [schema.raw, stream] }, pointer: media.pointer }
}

function canonical(mediaType: string): string {
  return mediaType.toLowerCase().replaceAll(/\s+/g, '')
}

/** The request body of an operation; null when it has none. */
export function bodyOf(document: Document, operation: Place, parameters: Parameter[]): Body | null {
  if (document.version !== '2.0') {
    const place = document.part(document.child(operation, 'requestBody'))
    if (!isMap(place.raw)) return null
    const content = contentOf(document, document.child(place, 'content'))
    return { required: place.raw.required === true, content, pointer: place.pointer }
  }
  const body = parameters.find((one) => one.in === 'body')
  if (body) {
    const types = listOf(document, operation, 'consumes', 'application/json')
    return {
      required: body.required,
      content: repeated(types, body.schema, body.pointer),
      pointer: body.pointer,
    }
  }
  const form = parameters.filter((one) => one.in === 'formData')
  if (form.length === 0) return null
  const types = listOf(document, operation, 'consumes', 'application/x-www-form-urlencoded')
  const schema = formSchema(document, operation, form)
  return {
    required: form.some((one) => one.required),
    content: repeated(types, schema, schema.pointer),
    pointer: schema.pointer,
  }
}

/** The object schema that a list of form fields amounts to. */
function formSchema(document: Document, operation: Place, form: Parameter[]): Place {
  const properties: JsonMap = {}
  for (const field of form) {
    document.adopt(field.raw, field.pointer)
    properties[field.name] = field.raw
  }
  const required = form.filter((one) => one.required).map((one) => one.name)
  const pointer = join(operation.pointer, 'parameters')
  return { raw: { type: 'object', properties, required }, pointer }
}

/** What a response sends, by media type. */
export function responseContent(
  document: Document,
  operation: Place,
  response: Place,
): Map<string, Content> {
  if (document.version !== '2.0') return contentOf(document, document.child(response, 'content'))
  if (!isMap(response.raw) || !('schema' in response.raw)) return new Map()
  const types = listOf(document, operation, 'produces', 'application/json')
  return repeated(types, document.child(response, 'schema'), response.pointer)
}

function listOf(document: Document, operation: Place, key: string, fallback: string): string[] {
  const own = stringsOf(mapOf(operation.raw)[key])
  if (own.length > 0) return own
  const common = stringsOf(mapOf(document.root)[key])
  return common.length > 0 ? common : [fallback]
}

function repeated(types: string[], schema: Place | null, pointer: string): Map<string, Content> {
  return new Map(types.map((mediaType) => [canonical(mediaType), { mediaType, schema, pointer }]))
}

/** Whether values of this media type keep their JSON types on the wire. */
export function isJson(mediaType: string): boolean {
  const base = mediaType.split(';')[0]!
  return (
    base === '*/*' ||
    base === 'application/*' ||
    /[/+]json$/.test(base) ||
    /json-seq|ndjson|jsonl/.test(base)
  )
}

/** True when every message of media type `inner` is one of `outer`, as names tell. */
export function includesMediaType(outer: string, inner: string): boolean {
  const [a, b] = [outer.split(';')[0]!, inner.split(';')[0]!]
  if (outer.includes(';') && outer !== inner) return false
  if (a === b || a === '*/*') return true
  if (a.endsWith('/*')) return b.startsWith(a.slice(0, -1))
  const suffix = b.split('+')[1]
  return suffix !== undefined && a === `${b.split('/')[0]}/${suffix}`
}
