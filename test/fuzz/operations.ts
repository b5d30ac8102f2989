/** The operations of an OpenAPI document, and requests for them. */
import fc from 'fast-check'
import { spoiled, valueOf, oddValue, type Schema } from './values.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema?: Schema
}
export interface Operation {
  id: string
  method: string
  path: string
  parameters: Parameter[]
  body: { schema: Schema | null; example: unknown } | null
  /** Its body is sent as a form. */
  isForm?: boolean
  /** Schemas of answers by status and content type. */
  answers: Map<string, Map<string, Schema | null>>
  /** Names of security schemes; empty: nobody needs to say who calls. */
  security: string[]
  isPaid: boolean
}
/** Who calls; what they send is the runner's to know. */
export const CALLERS = ['none', 'key', 'other key', 'poor key', 'admin', 'nonsense'] as const
/** Also who is signed in to the account pages, and to the console. */
export type Caller = (typeof CALLERS)[number] | 'person' | 'console'
export interface FuzzRequest {
  caller: Caller
  path: Record<string, string>
  query: [string, string][]
  headers: Record<string, string>
  /** Null: none. */
  body: string | null
}

interface Document {
  paths: Record<string, Record<string, Record<string, unknown>>>
  components?: Record<string, unknown>
}
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete'])

export function operationsOf(document: Document): Operation[] {
  const found: Operation[] = []
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, raw] of Object.entries(methods)) {
      if (METHODS.has(method))
        found.push(operationOf(path, method, resolved(raw, document) as typeof raw))
    }
  }
  return found
}

function operationOf(path: string, method: string, raw: Record<string, unknown>): Operation {
  type Content = Record<string, { schema?: Schema; example?: unknown }>
  const body = raw['requestBody'] as { content: Content } | undefined
  const [media] = Object.values(body?.content ?? {})
  const answers = Object.entries(raw['responses'] as Record<string, { content?: Content }>).map(
    ([status, { content = {} }]) =>
      [
        status,
        new Map(Object.entries(content).map(([type, { schema }]) => [type, schema ?? null])),
      ] as const,
  )
  const security = ((raw['security'] ?? []) as object[]).flatMap((one) => Object.keys(one))
  return {
    id: String(raw['operationId'] ?? `${method} ${path}`),
    method: method.toUpperCase(),
    path,
    parameters: (raw['parameters'] ?? []) as Parameter[],
    body: media ? { schema: media.schema ?? null, example: media.example } : null,
    answers: new Map(answers),
    security,
    isPaid: 'x-payment-info' in raw,
  }
}

/** The value with its references in their places; a circle ends as anything. */
function resolved(value: unknown, document: Document, open: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, document, open))
  if (typeof value !== 'object' || value === null) return value
  const { $ref: reference } = value as { $ref?: string }
  if (typeof reference === 'string') {
    if (open.includes(reference)) return {}
    let at: unknown = document
    for (const step of reference.slice(2).split('/')) at = (at as Record<string, unknown>)[step]
    return resolved(at, document, [...open, reference])
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, resolved(one, document, open)]),
  )
}

/** Requests for the operation; `known` are ids that its answers named, by the names of parameters. */
export function requestsFor(
  operation: Operation,
  known: (name: string) => readonly string[],
): fc.Arbitrary<FuzzRequest> {
  const { parameters, body, security } = operation
  const of = (place: Parameter['in']) => parameters.filter((one) => one.in === place)
  const textOf = (value: unknown): string =>
    typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const odd = oddValue.map(textOf)
  const pathValue = ({ name, schema }: Parameter): fc.Arbitrary<string> =>
    fc.oneof(
      // Read when it is drawn, so that ids that turned up meanwhile are among them.
      { weight: 4, arbitrary: fc.nat().chain((n) => {
        const ids = known(name)
        return ids.length > 0 ? fc.constant(ids[n % ids.length]!) : valueOf(schema).map(textOf)
      }) },
      { weight: 1, arbitrary: valueOf(schema).map(textOf) },
      { weight: 1, arbitrary: odd },
    ) // prettier-ignore
  const path = fc.record(Object.fromEntries(of('path').map((one) => [one.name, pathValue(one)])))
  const query = fc.tuple(
    ...of('query').map((one) =>
      fc.option(fc.oneof({ weight: 3, arbitrary: pathValue(one) }, { weight: 1, arbitrary: odd }), { freq: one.required ? 20 : 1 })
        .map((value) => (value === null ? [] : [[one.name, value] as [string, string]])),
    ),
    fc.constantFrom<[string, string][]>([], [], [], [['unknown', '1']], [['limit', '1'], ['limit', '2']]),
  ).map((all) => all.flat() as [string, string][]) // prettier-ignore
  const headers = fc
    .tuple(
      fc.constantFrom<Record<string, string>>(
        {}, {}, {}, {}, { 'content-type': 'text/plain' }, { 'content-type': 'application/json; charset=utf-16' }, { 'content-type': 'nonsense' },
        { 'content-encoding': 'gzip' }, { accept: 'text/html' }, { accept: '*/*;q=0' }, { 'if-match': '"1"' }, { 'if-none-match': '*' },
        { 'x-request-id': 'a'.repeat(300) }, { 'payment-signature': 'e30=' }, { 'payment-signature': '####' }, { authorization: 'Payment e30' },
        { 'sign-in-with-x': 'e30=' }, { range: 'bytes=0-1' }, { origin: 'https://evil.example' }, { traceparent: '00-zz' },
      ),
      fc.oneof(
        { weight: 6, arbitrary: fc.constant<Record<string, string>>({}) },
        { weight: 2, arbitrary: fc.nat(20).map((n) => ({ 'idempotency-key': `fuzz-${n}` })) },
        { weight: 1, arbitrary: fc.stringMatching(/^[!-~]{1,300}$/).map((key) => ({ 'idempotency-key': key })) },
      ),
    )
    .map(([one, other]) => ({ ...one, ...other })) // prettier-ignore
  const usual = ((): Caller => {
    for (const who of ['person', 'console'] as const) if (security.includes(who)) return who
    if (security.includes('apiKey')) return 'key'
    return security.length > 0 ? 'admin' : 'none'
  })()
  const caller = fc.oneof(
    { weight: 5, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom<Caller>(...CALLERS) },
  ) // prettier-ignore
  return fc.record({ caller, path, query, headers, body: bodyOf(body) })
}

function bodyOf(body: Operation['body']): fc.Arbitrary<string | null> {
  if (body === null) return fc.constantFrom(null, null, null, '{}')
  const valid = valueOf(body.schema ?? true)
  const written = (value: unknown) => JSON.stringify(value) ?? 'null'
  const near = body.example === undefined ? valid : fc.constant(body.example)
  return fc.oneof(
    { weight: 3, arbitrary: valid.map(written) },
    { weight: 2, arbitrary: near.map(written) },
    { weight: 4, arbitrary: fc.oneof(valid, near).chain(spoiled).map(written) },
    { weight: 1, arbitrary: fc.constantFrom(null, '', '{', '[', 'null', '"', '[]', '{"a":1,"a":2}', '﻿{}', `${'['.repeat(2000)}`, `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`) },
  ) // prettier-ignore
}
