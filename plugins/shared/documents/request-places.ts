/**
 * Where the input of a skill stands in its HTTP request, as its schema says it: `x-in` and `x-style`
 * of a member, `x-body` and `x-body-schema` of the whole. For who sends such requests and for who describes them.
 */
import { isObject } from '#kernel'

export const JSON_BODY = 'application/json'
export const FORM_BODY = 'application/x-www-form-urlencoded'
export const MULTIPART_BODY = 'multipart/form-data'
/** The `x-body` of a request without a body although its method may have one. */
export const NO_BODY = 'none'

/**
 * How a list or an object stands in a query or a form: as one text (`a=1,2`), by its members' names
 * (`x=1&y=2`), or by names in brackets (`a[x]=1`). Default: a list as repeated names (`a=1&a=2`), an
 * object as JSON.
 */
export const STYLES = ['comma', 'space', 'pipe', 'members', 'deepObject'] as const
export type Style = (typeof STYLES)[number]

/** Whether a request of this method has a body by itself; that of another has its input in the query. */
export function takesBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'DELETE'
}

/**
 * Whether the request of a skill has a body; else its input is in the path and the query. A DELETE has one
 * if its input names it: HTTP gives it no meaning (RFC 9110 section 9.3.5), and some APIs ask for it.
 */
export function hasBody(method: string, input: unknown): boolean {
  const isNamed = method === 'DELETE' && namesBody(input)
  return (takesBody(method) || isNamed) && bodyType(input) !== NO_BODY
}

function namesBody(input: unknown): boolean {
  return isObject(input) && (input['x-body'] ?? input['x-body-schema']) !== undefined
}

/** The names of the parameters in a route's path, which has them as `{name}`. */
export function namesInPath(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!)
}

/** Those of them that the body does not have. */
export function namesOnlyInPath(path: string, input: unknown): ReadonlySet<string> {
  const members = membersOf(input)
  return new Set(namesInPath(path).filter((name) => !isInBodyToo(members[name])))
}

/** Whether a media type without parameters, in small letters, is JSON. */
export function isJsonType(type: string): boolean {
  return type === JSON_BODY || type.endsWith('+json')
}

/** Whether a member stands in the query although its request has a body. */
export function isInQuery(member: unknown): boolean {
  return isObject(member) && member['x-in'] === 'query'
}

/** Whether a member is a header of the request. */
export function isInHeader(member: unknown): boolean {
  return isObject(member) && member['x-in'] === 'header'
}

/** Whether a member whose name the path has stands in the body too, as the id of an object does. */
export function isInBodyToo(member: unknown): boolean {
  return isObject(member) && member['x-in'] === 'body'
}

/** The style that a member names; null for the default. */
export function styleOf(member: unknown): Style | null {
  const named = isObject(member) ? member['x-style'] : undefined
  return STYLES.find((style) => style === named) ?? null
}

/** The media type of the body, or `NO_BODY`. */
export function bodyType(input: unknown): string {
  const named = isObject(input) ? input['x-body'] : undefined
  return typeof named === 'string' ? named : JSON_BODY
}

export type BodyKind = 'none' | 'json' | 'form' | 'multipart' | 'text' | 'bytes'

/** How the body of an input is written. */
export function bodyKind(input: unknown): BodyKind {
  const type = bodyType(input)
  if (type === NO_BODY) return 'none'
  if (isJsonType(type)) return 'json'
  if (type === FORM_BODY) return 'form'
  if (type === MULTIPART_BODY) return 'multipart'
  return TEXT_TYPE.test(type) && !isFile(bodyValueSchema(input)) ? 'text' : 'bytes'
}

/** Media types whose bodies are text. */
const TEXT_TYPE = /^text\/|[/+](?:xml|yaml|x-yaml|graphql|javascript|sql|(?:x-)?ndjson)$/

/** Whether a member of a form or a whole body is a file, or several, as OpenAPI 3.0 and 3.1 say it. */
export function isFile(member: unknown): boolean {
  if (!isObject(member)) return false
  const { format, contentMediaType, items } = member
  return format === 'binary' || contentMediaType !== undefined || isFile(items)
}

/** The member of a tool's input that is the whole body, where that is no object of members. */
export const WHOLE_BODY = 'body'

/** The schema of a body that is no object of the input's members, such as a list; null where it is one. */
export function bodyValueSchema(input: unknown): Readonly<Record<string, unknown>> | null {
  const named = isObject(input) ? input['x-body-schema'] : undefined
  return isObject(named) ? named : null
}

/** The members of an input, by name. */
export function membersOf(input: unknown): Readonly<Record<string, unknown>> {
  const members = isObject(input) ? input['properties'] : undefined
  return isObject(members) ? members : {}
}
