/** The body of a tool's request: the members of its input that stand there, as its schema says it. */
import { decodeBase64, invalid, type Failure, type SkillSpec } from '#kernel'
import { addPairs } from '../shared/documents/request-pairs.ts'
import {
  bodyKind,
  bodyType,
  bodyValueSchema,
  isFile,
  membersOf,
  styleOf,
  WHOLE_BODY,
} from '../shared/documents/request-places.ts'
import { withDigits } from '../shared/exact-numbers.ts'

type Input = Readonly<Record<string, unknown>>

export interface ToolBody {
  type: string
  bytes: Uint8Array
}

/**
 * The members in `rest` of the input as a body; null where the request has none. INVALID_INPUT for a file
 * that is not base64.
 */
export async function toolBody(
  rest: Input,
  input: Input,
  schema: SkillSpec['input'],
): Promise<ToolBody | null | Failure> {
  const type = bodyType(schema)
  const written = (text: string): ToolBody => ({ type, bytes: new TextEncoder().encode(text) })
  switch (bodyKind(schema)) {
    case 'none':
      return null
    case 'json':
      return written(jsonText(rest, input, schema))
    case 'form':
      return written(formText(rest, schema))
    case 'multipart':
      return formOf(rest, schema)
    case 'text':
      return written(String(input[WHOLE_BODY]))
    case 'bytes': {
      const bytes = fileBytes(input[WHOLE_BODY])
      return bytes === null ? notBase64(WHOLE_BODY) : { type, bytes }
    }
  }
}

function jsonText(rest: Input, input: Input, schema: SkillSpec['input']): string {
  const exact = withDigits(input, 'json')
  if (bodyValueSchema(schema) !== null) return JSON.stringify(exact[WHOLE_BODY])
  return JSON.stringify(Object.fromEntries(Object.keys(rest).map((name) => [name, exact[name]])))
}

function formText(rest: Input, schema: SkillSpec['input']): string {
  const members = membersOf(schema)
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(rest))
    addPairs(form, name, value, styleOf(members[name]))
  return form.toString()
}

/** `multipart/form-data` (RFC 7578). A file has its member's name. */
async function formOf(rest: Input, schema: SkillSpec['input']): Promise<ToolBody | Failure> {
  const members = membersOf(schema)
  const form = new FormData()
  const texts = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    const member = members[name]
    if (!isFile(member)) {
      addPairs(texts, name, value, styleOf(member))
      continue
    }
    for (const file of [value].flat()) {
      const bytes = fileBytes(file)
      if (bytes === null) return notBase64(name)
      form.append(name, new Blob([bytes], { type: mediaTypeOf(member) }), name)
    }
  }
  for (const [name, text] of texts) form.append(name, text)
  const sent = new Response(form)
  return { type: sent.headers.get('content-type')!, bytes: await sent.bytes() }
}

/** The bytes of a file, also of one in a `data:` URL; null for what is no base64. */
function fileBytes(value: unknown): Buffer<ArrayBuffer> | null {
  if (typeof value !== 'string') return null
  const base64 = value.replace(/^data:[^,]{0,200};base64,/, '').replaceAll(/\s+/g, '')
  const bytes = decodeBase64(base64)
  return bytes && Buffer.from(bytes)
}

/** That which the schema names, unless it leaves it open. */
function mediaTypeOf(member: unknown): string {
  const { contentMediaType, items } = member as { contentMediaType?: unknown; items?: unknown }
  if (items !== undefined) return mediaTypeOf(items)
  const isNamed = typeof contentMediaType === 'string' && !contentMediaType.includes('*')
  return isNamed ? contentMediaType : 'application/octet-stream'
}

function notBase64(name: string): Failure {
  return invalid([{ path: `/${name}`, message: 'must be a file as base64' }])
}

/** The schema of a file, or of several, as a tool's caller sends it. */
export function asBase64(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { format: _, items, ...rest } = schema
  if (items !== undefined) return { ...rest, items: asBase64(items as Record<string, unknown>) }
  const said = schema['description']
  const description = typeof said === 'string' ? `${said} (a file, as base64)` : 'A file, as base64'
  return { ...rest, type: 'string', contentEncoding: 'base64', description }
}
