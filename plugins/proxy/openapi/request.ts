/** What an operation of an OpenAPI document takes, as the input of a skill. */
import { isObject } from '#kernel'
import {
  bodyKind,
  JSON_BODY,
  MULTIPART_BODY,
  NO_BODY,
  takesBody,
  WHOLE_BODY,
} from '../../shared/documents/request-places.ts'
import { bodyOf, NOTHING, type Body } from './body.ts'
import { addHeaders, headerMembers, isObjectSchema } from './headers.ts'
import { exampleBody, exampleShown, type Shown } from './examples.ts'
import { inline, type Source } from './source.ts'
import { asList, placeholderOf, styleFor, withOwn, type Json } from './terms.ts'
import { clip } from './texts.ts'

/** What an operation takes, with its references in place. */
export interface Parts {
  parameters: Json[]
  body: Body
  /** The request has the body, if there is one; else the members of the body are in the query. */
  sendsBody: boolean
  /** Names of the header parameters that are members of the input. */
  headers: ReadonlySet<string>
  /** Members of the body that a query parameter hides. */
  hidden: string[]
  /** Why no tool can send it; null where one can. */
  unfit: string | null
}

/**
 * The parameters and the body of an operation of the path `item` (`method` in capital letters); adds its
 * headers to those of `source`. Throws `TooManyValues`.
 */
export function partsOf(source: Source, operation: Json, item: Json, method: string): Parts {
  const said = [...asList(item['parameters']), ...asList(operation['parameters'])]
  const parameters = withOwn(said.map((raw) => inline(source, raw)).filter(isObject))
  const body = bodyOf(inline(source, operation['requestBody']))
  const sendsBody = takesBody(method) || isAskedFor(body, method)
  const isInQuery = body.unfit === null && body.schema === null && body.type !== MULTIPART_BODY
  addHeaders(source, parameters)
  const kept = sendsBody || isInQuery ? body : { ...NOTHING, isNeeded: body.isNeeded }
  return { ...withoutClashes(source, parameters, kept), sendsBody }
}

/** OpenAPI 3.0 says that the body of a DELETE is ignored. Some documents have empty ones, and some APIs ask for one. */
function isAskedFor(body: Body, method: string): boolean {
  return method === 'DELETE' && (body.isNeeded || Object.keys(body.members).length > 0)
}

/** A query parameter that must be there keeps its name where the body has one of that name that need not. */
function withoutClashes(
  { headers }: Source,
  parameters: Json[],
  body: Body,
): Omit<Parts, 'sendsBody'> {
  const needed = parameters.filter((one) => one['in'] === 'query' && one['required'] === true)
  const names = new Set(needed.map((one) => String(one['name'])))
  const isHidden = (name: string): boolean => names.has(name) && !body.required.includes(name)
  const all = Object.entries(body.members)
  const others = parameters.filter((one) => one['in'] !== 'header')
  const taken = [
    WHOLE_BODY,
    ...others.map((one) => memberName(one, NO_HEADERS)),
    ...Object.keys(body.members),
  ]
  return {
    parameters,
    headers: headerMembers(headers, parameters, new Set(taken.map(String))),
    unfit: body.unfit ?? unfitPath(parameters) ?? unfitWhole(parameters, body),
    body: { ...body, members: Object.fromEntries(all.filter(([name]) => !isHidden(name))) },
    hidden: all.map(([name]) => name).filter(isHidden),
  }
}

/** Why a parameter of the path cannot be written by a tool, which knows texts and lists with commas; else null. */
function unfitPath(parameters: readonly Json[]): string | null {
  for (const { in: place, name, style = 'simple', schema } of parameters) {
    if (place !== 'path') continue
    if (style !== 'simple') return `its path has ${String(name)} in the style ${String(style)}`
    if (isObjectSchema(schema)) return `its path has the object ${String(name)}`
  }
  return null
}

/** Why a tool has no place for a body that is one of its members; else null. */
function unfitWhole(parameters: readonly Json[], body: Body): string | null {
  const isTaken =
    body.schema !== null && parameters.some((one) => memberName(one, NO_HEADERS) === WHOLE_BODY)
  return isTaken ? `the parameter ${WHOLE_BODY} has the name of its whole body` : null
}

/** What an operation takes that no input of its skill says; the HTTP route passes it on all the same, but for cookies. */
export function partsDropped({
  parameters,
  body,
  sendsBody,
  headers,
  hidden,
  unfit,
}: Parts): string[] {
  const others = parameters
    .filter(({ in: place, name }) =>
      place === 'header' ? !headers.has(String(name)) : place === 'cookie',
    )
    .map((one) => `the ${String(one['in'])} ${String(one['name'])} is not in its input`)
  if (body.isNeeded && !sendsBody)
    others.push(
      `a request of this method has no body here: ${body.type === null ? 'it is left out' : 'its members are sent in the query'}`,
    )
  if (unfit !== null) return [...others, `${ONLY_HTTP}: ${unfit}`]
  const inQuery = parameters
    .filter((one) => one['in'] === 'query' && Object.hasOwn(body.members, String(one['name'])))
    .map((one) => `the query ${String(one['name'])} has the name of a member of its body`)
  const inBody = hidden.map(
    (name) => `the member ${name} of its body has the name of a query parameter`,
  )
  return [...others, ...inQuery, ...inBody]
}

const ONLY_HTTP = 'it is sold over HTTP and is not a tool'

/** What the document shows of the input: a body as a whole, and each parameter. */
export function shownOf({ parameters, headers, body }: Parts): Shown {
  const hasWhole = body.schema === null && isObject(body.shown)
  const ofParameters = parameters.flatMap((parameter) => {
    const schema = isObject(parameter['schema']) ? parameter['schema'] : {}
    const value = exampleShown(parameter, schema)
    const name = memberName(parameter, headers)
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

/** The name that a parameter has in an input; null for one that is not there. */
function memberName({ in: place, name }: Json, headers: ReadonlySet<string>): string | null {
  if (typeof name !== 'string') return null
  if (place === 'path') return placeholderOf(name)
  return place === 'query' || (place === 'header' && headers.has(name)) ? name : null
}
const NO_HEADERS: ReadonlySet<string> = new Set()

/**
 * Parameters and the members of a body as one flat object. `x-in` tells what is a header, what belongs
 * in the query where a tool's input is sent as the body, and what of the path the body must have too; `x-style` tells how a list stands there, and `x-body`
 * what the body is that is not JSON. `x-body-schema` is that of a body without named members.
 * `isTerse`: without what the document says of parameters.
 */
export function inputOf(
  { parameters, headers, body, sendsBody }: Parts,
  method: string,
  isTerse: boolean,
): Json {
  const properties: Json = {}
  const required: string[] = []
  for (const parameter of parameters) {
    const name = memberName(parameter, headers)
    if (name === null) continue
    const place = parameter['in']
    const schema = isObject(parameter['schema']) ? parameter['schema'] : { type: 'string' }
    const style = place === 'query' ? styleFor(parameter, schema) : null
    const description = isTerse ? undefined : clip(parameter['description'])
    properties[name] = {
      ...(description !== undefined && { description }),
      ...schema,
      ...(place === 'query' && sendsBody && { 'x-in': 'query' }),
      ...(place === 'header' && { 'x-in': 'header' }),
      ...(style !== null && { 'x-style': style }),
    }
    if (parameter['required'] === true) required.push(name)
  }
  const inPath = parameters.filter((one) => one['in'] === 'path')
  const pathNames = new Set(inPath.map((one) => memberName(one, NO_HEADERS)))
  for (const [name, member] of Object.entries(body.members)) {
    const isInBoth = pathNames.has(name) && body.required.includes(name) && sendsBody
    properties[name] = isInBoth ? { ...(member as Json), 'x-in': 'body' } : member
  }
  required.push(...body.required)
  const type = sendsBody ? (body.type ?? NO_BODY) : JSON_BODY
  const value = sendsBody ? body.schema : null
  const isByItself = type === JSON_BODY && takesBody(method) === sendsBody
  return {
    type: 'object',
    ...(!isByItself && { 'x-body': type }),
    ...(value !== null && { 'x-body-schema': withExample(value, type, body.shown) }),
    properties,
    ...(required.length > 0 && { required: [...new Set(required)] }),
  }
}

/** The schema of a body with an example that it takes, if one is found; a form or a file has none. */
function withExample(schema: Json, type: string, shown: unknown): Json {
  const kind = bodyKind({ 'x-body': type, 'x-body-schema': schema })
  const example = kind === 'json' || kind === 'text' ? exampleBody(schema, shown) : undefined
  return { ...schema, ...(example !== undefined && { example }) }
}
