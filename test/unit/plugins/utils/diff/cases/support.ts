/** A small language for pairs of documents and what must be reported of them. */

export interface Case {
  name: string
  before: unknown
  after: unknown
  /** `level id` of every change, in any order; [] when nothing must be reported. */
  expect: readonly string[]
  direction?: 'request' | 'response' | 'both'
}

type Json = Record<string, unknown>

/** A document with one operation, `POST /items/{id}`, and the given parts. */
export function api(operation: Json, rest: Json = {}, version = '3.1.0'): Json {
  const item = {
    parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }],
  }
  const post = { responses: { 200: { description: 'done' } }, ...operation }
  return {
    openapi: version,
    info: { title: 'Items', version: '1' },
    paths: { '/items/{id}': { ...item, post } },
    ...rest,
  }
}

/** The operation part of a JSON request body. */
export function body(schema: unknown, required = true): Json {
  return { requestBody: { required, content: { 'application/json': { schema } } } }
}

/** The operation part of a JSON answer with status 200. */
export function answer(schema: unknown, extra: Json = {}): Json {
  return {
    responses: {
      200: { description: 'done', content: { 'application/json': { schema } }, ...extra },
    },
  }
}

/** The operation part of one query parameter `q`. */
export function query(schema: unknown, extra: Json = {}): Json {
  return { parameters: [{ in: 'query', name: 'q', schema, ...extra }] }
}

/** The operation part of one response header `X-Rate`. */
export function header(schema: unknown, extra: Json = {}): Json {
  return {
    responses: { 200: { description: 'done', headers: { 'X-Rate': { schema, ...extra } } } },
  }
}

/** An object schema with the given properties. */
export function object(properties: Json, ...required: string[]): Json {
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

type Row = [name: string, before: unknown, after: unknown, ...expect: string[]]

/** Cases of a request body, written as schemas. */
export function inRequest(...rows: Row[]): Case[] {
  return rows.map(([name, a, b, ...expect]) => ({
    name: `request body: ${name}`,
    before: api(body(a)),
    after: api(body(b)),
    expect,
  }))
}

/** Cases of a response body, written as schemas. */
export function inResponse(...rows: Row[]): Case[] {
  return rows.map(([name, a, b, ...expect]) => ({
    name: `response body: ${name}`,
    before: api(answer(a)),
    after: api(answer(b)),
    expect,
  }))
}

/** Cases of a query parameter's schema. */
export function inQuery(...rows: Row[]): Case[] {
  return rows.map(([name, a, b, ...expect]) => ({
    name: `query parameter: ${name}`,
    before: api(query(a)),
    after: api(query(b)),
    expect,
  }))
}

/** Cases of one operation, written as its parts. */
export function inOperation(...rows: Row[]): Case[] {
  return rows.map(([name, a, b, ...expect]) => ({
    name: `operation: ${name}`,
    before: api(a as Json),
    after: api(b as Json),
    expect,
  }))
}

/** Cases of whole documents. */
export function ofDocuments(...rows: Row[]): Case[] {
  return rows.map(([name, before, after, ...expect]) => ({ name, before, after, expect }))
}

/** Conditional keywords, made so that no object literal has a member like a promise's. */
export function conditional(parts: { if: unknown; yes?: unknown; no?: unknown }): Json {
  const entries = [
    ['if', parts.if],
    ['then', parts.yes],
    ['else', parts.no],
  ].filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Json
}
