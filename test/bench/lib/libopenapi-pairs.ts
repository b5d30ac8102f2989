/**
 * Pairs of OpenAPI fragments from the tests of libopenapi (MIT; Debian's package
 * golang-github-pb33f-libopenapi-dev has them under what-changed/model), each with the number of breaking
 * changes that the test asserts. A fragment is set into a document that uses it: schemas and media types as
 * the body of a request and of its answer, since libopenapi's rules know no direction. What has no
 * meaning for callers (contact, license, tags, XML, examples) and tests that configure the rules are left out.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export interface FragmentPair {
  name: string
  kind: string
  before: unknown
  after: unknown
  breaking: boolean
}
type Fragment = Record<string, unknown>
type Wrap = (fragment: Fragment, isSwagger: boolean) => Fragment

const INFO = { title: 'Wrapped', version: '1' }
const answers = { 200: { description: 'Done' } }
const version = (isSwagger: boolean): Fragment =>
  isSwagger ? { swagger: '2.0', info: INFO } : { openapi: '3.1.0', info: INFO }
const withOperation = (operation: Fragment, isSwagger: boolean, more: Fragment = {}): Fragment => ({
  ...version(isSwagger),
  paths: { '/x': { post: { responses: answers, ...operation } } },
  ...more,
})
const asBodies = (media: unknown): Fragment => ({
  requestBody: { content: { 'application/json': media } },
  responses: { 200: { description: 'Done', content: { 'application/json': media } } },
})
const withSchemes = (schemes: Fragment, security: unknown, isSwagger: boolean): Fragment =>
  withOperation(
    { security },
    isSwagger,
    isSwagger ? { securityDefinitions: schemes } : { components: { securitySchemes: schemes } },
  )

const WRAPS: Readonly<Record<string, Wrap>> = {
  Schemas: (document) => {
    const { components } = document as { components?: { schemas?: Fragment } }
    const [name] = Object.keys(components?.schemas ?? {})
    const body = name ? asBodies({ schema: { $ref: `#/components/schemas/${name}` } }) : {}
    return { ...withOperation(body, false), components }
  },
  Documents: (document) => document,
  Operations: (operation, isSwagger) => withOperation(operation, isSwagger),
  PathItems: (item, isSwagger) => ({ ...version(isSwagger), paths: { '/x': item } }),
  Paths: (paths, isSwagger) => ({ ...version(isSwagger), paths }),
  Parameters: (parameter, isSwagger) =>
    withOperation(
      { parameters: [{ name: 'p', in: 'query', ...(!isSwagger && { schema: {} }), ...parameter }] },
      isSwagger,
    ),
  Responses: (responses, isSwagger) => withOperation({ responses }, isSwagger),
  Response: (response, isSwagger) => withOperation({ responses: { 200: response } }, isSwagger),
  RequestBodies: (requestBody) => withOperation({ requestBody }, false),
  MediaTypes: (media) => withOperation(asBodies(media), false),
  Headers: (header, isSwagger) =>
    withOperation(
      { responses: { 200: { description: 'Done', headers: { H: header } } } },
      isSwagger,
    ),
  Callback: (callback) => withOperation({ callbacks: { done: callback } }, false),
  SecuritySchemes: (scheme, isSwagger) => withSchemes({ s: scheme }, [{ s: [] }], isSwagger),
  OAuthFlows: (flows) => withSchemes({ s: { type: 'oauth2', flows } }, [{ s: [] }], false),
  SecurityRequirement: (requirement, isSwagger) =>
    withSchemes(
      Object.fromEntries(Object.keys(requirement).map((name) => [name, { type: 'basic' }])),
      [requirement],
      isSwagger,
    ),
}

/** `CompareParametersV3` is of the kind `Parameters`. */
const kindOf = (called: string): string => called.replace(/(V[23]|_?V[23])$/, '')

function pairIn(test: string): FragmentPair | null {
  const name = /^func (\w+)/.exec(test)?.[1] ?? ''
  const texts = [...test.matchAll(/\b\w+ :?= (?:\[\]byte\()?`([^`]*)`/g)].map(([, text]) => text!)
  const calls = [...test.matchAll(/\bCompare(\w+)\(&?(\w+)[^)]*\)/g)]
  const counts = [
    ...test.matchAll(/assert\.Equal\(t, (\d+), \w+\.TotalBreakingChanges\(\)/g),
    ...test.matchAll(/assert\.Equal\(t, \w+\.TotalBreakingChanges\(\), (\d+)/g),
  ]
  const isEqual = /assert\.Nil\(t, \w*[cC]hanges\)/.test(test)
  if (texts.length !== 2 || calls.length !== 1 || (counts.length === 0 && !isEqual)) return null
  if (/BreakingRules|Compare\w+\((nil|[^)]*, nil\))/.test(test)) return null
  const [, called = '', first = ''] = calls[0]!
  const kind = kindOf(called)
  const wrap = WRAPS[kind]
  if (!wrap) return null
  const isSwagger = /\bv2\./.test(test)
  let sides: Fragment[]
  try {
    sides = texts.map((text) => wrap(parse(text) ?? {}, isSwagger))
  } catch {
    return null
  }
  if (first.startsWith('r')) sides.reverse()
  const breaking = Number(counts[0]?.[1] ?? 0) > 0
  return { name, kind, before: sides[0], after: sides[1], breaking }
}

/** The pairs below `what-changed/model` of the package, in the order of the files. */
export function libopenapiPairs(folder: string): FragmentPair[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('_test.go'))
    .toSorted()
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split(/\n(?=func Test)/))
    .flatMap((test) => pairIn(test) ?? [])
}
