/** The body of an operation of an OpenAPI document, as the input of a skill has it. */
import { isObject } from '#kernel'
import {
  bodyKind,
  FORM_BODY,
  isFile,
  JSON_BODY,
  MULTIPART_BODY,
} from '../../shared/documents/request-places.ts'
import { exampleShown } from './examples.ts'
import { writable } from './read-only.ts'
import { asList, styleFor, type Json } from './terms.ts'

export interface Body {
  /** Null: it has none. */
  type: string | null
  /** The document says that it must be there. */
  isNeeded: boolean
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

/** Of an operation without one. */
export const NOTHING: Body = {
  type: null,
  isNeeded: false,
  members: {},
  required: [],
  schema: null,
  shown: undefined,
  unfit: null,
}

/** The body with its references in place. */
export function bodyOf(body: unknown): Body {
  if (!isObject(body) || !isObject(body['content'])) return NOTHING
  const { content } = body
  const types = Object.keys(content)
  if (types.length === 0) return NOTHING
  const type = types.toSorted((one, other) => rankOf(one) - rankOf(other))[0]!
  const isSent = rankOf(type) < NOT_SENT
  const media = isObject(content[type]) ? content[type] : {}
  const schema = isObject(media['schema']) ? (writable(media['schema']) as Json) : {}
  const sent = /\*/.test(type) ? JSON_BODY : essence(type)
  const kind = bodyKind({ 'x-body': sent })
  const isWhole = kind === 'text' || kind === 'bytes'
  const hasMembers = !isWhole && isObject(schema['properties']) && !hasOtherMembers(schema)
  const isName = (member: unknown): member is string => typeof member === 'string'
  const isUnfit = !hasMembers && (kind === 'form' || kind === 'multipart')
  return {
    type: sent,
    isNeeded: body['required'] === true,
    members: hasMembers ? styled(schema['properties'] as Json, media['encoding']) : {},
    required: hasMembers ? asList(schema['required']).filter(isName) : [],
    schema: hasMembers ? null : isWhole ? textOrFile(kind, schema) : schema,
    shown: exampleShown(media, schema),
    unfit: !isSent
      ? `its body is ${type}`
      : isUnfit
        ? 'its body is not an object with named members'
        : null,
  }
}

/** The schema of a body that is one text or one file; many documents say nothing of it, or that it is an object. */
function textOrFile(kind: 'text' | 'bytes', { type, format, ...schema }: Json): Json {
  const isText = type === 'string' && format !== 'binary'
  if (kind === 'text' && (isText || type !== 'string'))
    return { ...(isText && schema), type: 'string' }
  const { description } = schema
  return {
    ...(typeof description === 'string' && { description }),
    type: 'string',
    format: 'binary',
  }
}

/** Whether members stand in alternatives or parts of an object, where a flat input cannot have them. */
function hasOtherMembers(schema: Json): boolean {
  return ['oneOf', 'anyOf', 'allOf'].some((keyword) =>
    asList(schema[keyword]).some((part) => isObject(part) && namesNewMember(part, schema)),
  )
}

function namesNewMember(part: Json, schema: Json): boolean {
  const known = schema['properties'] as Json
  const own = isObject(part['properties']) ? Object.keys(part['properties']) : []
  return (
    own.some((name) => !Object.hasOwn(known, name)) ||
    hasOtherMembers({ ...part, properties: known })
  )
}

/** A media type without its parameters. */
const essence = (type: string): string => type.split(';', 1)[0]!.trim().toLowerCase()

/** Which of several types of one body is sent: JSON first, then what is as JSON, then forms, texts and files. */
function rankOf(type: string): number {
  const name = essence(type)
  if (name === JSON_BODY) return 0
  if (name === '*/*' || name === 'application/*') return 1
  if (name === FORM_BODY) return 2
  if (name.endsWith('+json')) return 3
  if (name === MULTIPART_BODY) return 4
  if (name.includes('*') || name.startsWith('multipart/')) return NOT_SENT
  return bodyKind({ 'x-body': name }) === 'text' ? 5 : 6
}
const NOT_SENT = 7

/** Members of a form with the styles and types that its `encoding` has for them. */
function styled(members: Json, encoding: unknown): Json {
  if (!isObject(encoding)) return members
  const entries = Object.entries(members).map(([name, member]) => {
    const said = encoding[name]
    if (!isObject(said) || !isObject(member)) return [name, member]
    const { contentType } = said
    const style = 'style' in said || 'explode' in said ? styleFor(said, member) : null
    const isTyped = isFile(member) && typeof contentType === 'string' && !/[*,]/.test(contentType)
    return [
      name,
      {
        ...member,
        ...(style !== null && { 'x-style': style }),
        ...(isTyped && { contentMediaType: contentType }),
      },
    ]
  })
  return Object.fromEntries(entries) as Json
}
