/**
 * Swagger 2.0 as the OpenAPI 3.0 that the import reads, which has no use for answers. References stay as
 * they are: the document keeps its `definitions` and `parameters` where they were.
 */
import { isObject } from '#kernel'
import { FORM_BODY, JSON_BODY } from '../../shared/documents/request-places.ts'
import { targetOf } from './source.ts'
import { asList, withOwn, type Json } from './terms.ts'

const MULTIPART = 'multipart/form-data'
/** What a parameter of Swagger 2.0 says of its value, which stands in a `schema` of OpenAPI 3. */
const OF_VALUE =
  `type format items default enum pattern multipleOf uniqueItems maximum minimum exclusiveMaximum
  exclusiveMinimum maxLength minLength maxItems minItems x-nullable`.split(/\s+/)
/** Lists by their `collectionFormat` (Parameter Object), as OpenAPI 3 has them in a query or a form. */
const STYLES: Readonly<Record<string, Json>> = {
  csv: { style: 'form', explode: false },
  ssv: { style: 'spaceDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
  multi: { style: 'form', explode: true },
}

/** Whether the document is Swagger 2.0. */
export function isSwagger(document: Json): boolean {
  return document['swagger'] !== undefined
}

/** The document with `servers`, parameters, request bodies and security schemes as of OpenAPI 3.0. */
export function fromSwagger(document: Json): Json {
  const { swagger: _, securityDefinitions, ...rest } = document
  const paths = Object.entries(isObject(document['paths']) ? document['paths'] : {})
  return {
    ...rest,
    openapi: '3.0.4',
    servers: serversOf(document),
    paths: Object.fromEntries(paths.map(([path, item]) => [path, itemOf(document, item)])),
    components: { securitySchemes: schemesOf(securityDefinitions) },
  }
}

/** The first scheme that is encrypted, else the first that HTTP has; none without a host. */
function serversOf({ host, basePath = '', schemes }: Json): Json[] {
  if (typeof host !== 'string') return typeof basePath === 'string' ? [{ url: basePath }] : []
  const named = asList(schemes).filter((one) => one === 'http' || one === 'https')
  const scheme = named.length === 0 || named.includes('https') ? 'https' : 'http'
  return [{ url: `${scheme}://${host}${String(basePath)}` }]
}

function itemOf(document: Json, item: unknown): unknown {
  if (!isObject(item)) return item
  const shared = parametersOf(document, item)
  const members = Object.entries(item).map(([name, member]) => {
    if (name === 'parameters' || !isObject(member)) return [name, member]
    return [name, operationOf(document, member, shared)]
  })
  return { ...Object.fromEntries(members), parameters: [] }
}

function parametersOf(document: Json, { parameters }: Json): Json[] {
  return asList(parameters)
    .map((one) => targetOf(document, one))
    .filter(isObject)
}

function operationOf(document: Json, operation: Json, shared: readonly Json[]): Json {
  const { consumes = document['consumes'], ...rest } = operation
  const all = withOwn([...shared, ...parametersOf(document, operation)])
  // There is one body.
  const body = all.findLast((one) => one['in'] === 'body')
  const form = all.filter((one) => one['in'] === 'formData')
  const requestBody = body
    ? bodyOf(body, consumes)
    : form.length > 0
      ? formOf(form, consumes)
      : null
  return {
    ...rest,
    parameters: all
      .filter((one) => one['in'] !== 'body' && one['in'] !== 'formData')
      .map(parameterOf),
    ...(requestBody && { requestBody }),
  }
}

const valueOf = (parameter: Json): Json =>
  Object.fromEntries(
    OF_VALUE.flatMap((name) => (name in parameter ? [[name, parameter[name]]] : [])),
  )

const styleOf = ({ collectionFormat = 'csv' }: Json): Json => STYLES[String(collectionFormat)] ?? {}

function parameterOf(parameter: Json): Json {
  const { name, in: place, description, required } = parameter
  const example = parameter['x-example']
  return {
    name,
    in: place,
    ...(description !== undefined && { description }),
    ...(required !== undefined && { required }),
    ...(example !== undefined && { example }),
    schema: valueOf(parameter),
    ...(parameter['type'] === 'array' && place === 'query' && styleOf(parameter)),
  }
}

const typesOf = (said: unknown, otherwise: string): string[] => {
  const types = asList(said).filter((one) => typeof one === 'string')
  return types.length > 0 ? types : [otherwise]
}

function bodyOf({ schema = {}, required, description }: Json, consumes: unknown): Json {
  const content = typesOf(consumes, JSON_BODY).map((type) => [type, { schema }])
  return { description, required, content: Object.fromEntries(content) }
}

/** A form with a file is multipart, another one urlencoded unless the operation takes multipart alone. */
function formOf(form: readonly Json[], consumes: unknown): Json {
  const said = typesOf(consumes, FORM_BODY)
  const isUrlencoded = said.includes(FORM_BODY) || !said.includes(MULTIPART)
  const type = isUrlencoded && form.every((one) => one['type'] !== 'file') ? FORM_BODY : MULTIPART
  const properties = form.map((one) => [
    one['name'],
    {
      ...valueOf(one),
      ...(one['type'] === 'file' && { type: 'string', format: 'binary' }),
      ...(one['description'] !== undefined && { description: one['description'] }),
    },
  ])
  const lists = form.filter((one) => one['type'] === 'array')
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: form.filter(({ required }) => required === true).map(({ name }) => name),
  }
  const encoding = Object.fromEntries(lists.map((one) => [one['name'], styleOf(one)]))
  return { required: schema.required.length > 0, content: { [type]: { schema, encoding } } }
}

function schemesOf(definitions: unknown): Json {
  const all = Object.entries(isObject(definitions) ? definitions : {})
  return Object.fromEntries(
    all.map(([name, one]) => [
      name,
      isObject(one) && one['type'] === 'basic' ? { ...one, type: 'http', scheme: 'basic' } : one,
    ]),
  ) as Json
}
