/**
 * What a plugin returned, checked before anything reads it: a plugin in plain JavaScript may return
 * anything, and what does not fit is named instead of breaking its neighbours.
 */
import { compileSchema, HEADER_NAME_PATTERN, isObject, OPERATOR_ROLES } from '#kernel'
import { RAIL_ID, SCHEMA_TYPES, schemaParts } from '#kernel/host'

type Members = Record<string, unknown>
/** Why a value does not fit, after the name of its place; null when it does. */
type Check = (value: unknown) => string | null

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/

const is =
  (fits: (value: unknown) => boolean, what: string): Check =>
  (value) =>
    fits(value) ? null : `must be ${what}`
const text = is((value) => typeof value === 'string' && value !== '', 'a text that is not empty')
const method = is((value) => typeof value === 'function', 'a function')
const yesOrNo = is((value) => typeof value === 'boolean', 'true or false')
const positive = is(
  (value) => Number.isSafeInteger(value) && (value as number) > 0,
  'a whole number above 0',
)
const finite = is((value) => Number.isFinite(value), 'a number')
const oneOf = (...values: string[]): Check =>
  is((value) => values.includes(value as string), values.join(' or '))
const matching = (pattern: RegExp, what = `a name like ${pattern.source}`): Check =>
  is((value) => typeof value === 'string' && pattern.test(value), what)
const path = matching(/^\//, 'a path that begins with /')
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? null : check(value)

const words = is((value) => typeof value === 'string', 'a text')

/** What documents and lists show: one value that cannot be written would cost everybody the list. */
const json: Check = (value) => {
  try {
    return JSON.stringify(value) === undefined ? 'must be a JSON value' : null
  } catch {
    return 'must be a JSON value'
  }
}

const schema: Check = (value) => {
  if (!isObject(value)) return 'must be a schema'
  try {
    compileSchema(value).check({})
  } catch (error) {
    return `is not a schema that can be compiled: ${error instanceof Error ? error.message : ''}`
  }
  return json(value) ?? wrongType(value)
}

/** Names a `type` that does not exist: the compiler passes over it, and so anything would fit. */
function wrongType(schema: object): string | null {
  const types: unknown[] = schemaParts(schema).flatMap(({ part: { type } }) =>
    type === undefined ? [] : type,
  )
  const wrong = types.find((one) => !SCHEMA_TYPES.includes(one as string))
  if (wrong === undefined) return null
  return `has the type ${JSON.stringify(wrong)}; the types are ${SCHEMA_TYPES.join(', ')}`
}

const listOf =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return 'must be a list'
    for (const [index, item] of value.entries()) {
      const wrong = check(item)
      if (wrong !== null) return `[${index}]${wrong}`
    }
    return null
  }

/** An object with these members; `name` is the one that says which of a list it is. */
const shaped =
  (checks: Readonly<Record<string, Check>>, name?: string): Check =>
  (value) => {
    if (!isObject(value)) return ' must be an object'
    const named =
      name !== undefined && typeof value[name] === 'string'
        ? ` ${JSON.stringify(value[name].slice(0, 60))}`
        : ''
    for (const [member, check] of Object.entries(checks)) {
      const wrong = check(value[member])
      if (wrong !== null) return `${named}.${member}${/^[[.]/.test(wrong) ? '' : ' '}${wrong}`
    }
    return null
  }

const tool = shaped({
  name: text,
  title: optional(words),
  description: optional(words),
  input: optional(schema),
  example: optional(json),
})
const skill = shaped(
  {
    id: text,
    tools: listOf(tool),
    title: text,
    description: text,
    input: schema,
    output: schema,
    annotations: is((value) => isObject(value) && json(value) === null, 'an object, such as PURE'),
    example: optional(json),
    content: optional(method),
    billing: optional(oneOf('call', 'partial', 'self')),
    payer: optional(oneOf('any', 'key')),
    limits: optional(
      shaped({
        timeoutMs: optional(positive),
        bodyBytes: optional(positive),
        concurrency: optional(positive),
      }),
    ),
    fromHttp: optional(method),
    identify: optional(method),
    check: optional(method),
    mostUnits: optional(method),
    forward: optional(method),
  },
  'id',
)
const route = shaped(
  {
    method: oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    path,
    auth: oneOf('public', 'key', 'admin'),
    summary: text,
    role: optional(oneOf(...OPERATOR_ROLES)),
    input: optional(json),
    output: optional(json),
    query: optional(json),
    bodyBytes: optional(positive),
    isAlwaysDocumented: optional(yesOrNo),
    isUndocumented: optional(yesOrNo),
    rail: optional(text),
    sellsCredits: optional(shaped({ name: text, howToBuy: text })),
    handler: method,
  },
  'path',
)
const prompt = shaped(
  {
    name: text,
    title: words,
    description: words,
    arguments: listOf(shaped({ name: text, description: json })),
    messages: method,
  },
  'name',
)
const resource = shaped(
  { uri: text, name: text, title: words, description: words, mimeType: text, read: method },
  'uri',
)
const headers = listOf(
  shaped(
    {
      name: matching(new RegExp(HEADER_NAME_PATTERN)),
      description: words,
      isOffer: optional(yesOrNo),
    },
    'name',
  ),
)
const rail = shaped(
  {
    id: matching(RAIL_ID),
    precedence: finite,
    title: optional(text),
    requestHeaders: optional(headers),
    answerHeaders: optional(headers),
    documents: optional(method),
    calls: optional(
      shaped({
        list: method,
        find: method,
        pending: optional(method),
        uncharged: optional(method),
      }),
    ),
    keepsAnswers: optional(yesOrNo),
    balanceAtomic: optional(method),
    precheck: optional(method),
    inspect: optional(method),
    keepReceipt: optional(method),
    showReceipt: optional(method),
    undo: optional(method),
    delivered: optional(method),
    giveBack: optional(method),
    available: method,
    presented: method,
    offer: method,
    authorize: method,
    capture: method,
    release: method,
    stateOf: method,
  },
  'id',
)
const health = shaped({ name: text, critical: yesOrNo, timeoutMs: positive, probe: method }, 'name')
const gauge = shaped(
  { name: matching(METRIC_NAME), help: text, label: optional(matching(LABEL_NAME)), read: method },
  'name',
)
const instance = shaped({
  skills: optional(listOf(skill)),
  routes: optional(listOf(route)),
  prompts: optional(listOf(prompt)),
  resources: optional(listOf(resource)),
  rails: optional(listOf(rail)),
  health: optional(listOf(health)),
  gauges: optional(listOf(gauge)),
  identifiers: optional(listOf(shaped({ presents: method, identify: method }))),
  receiptSigner: optional(shaped({ sign: method, keptIn: method })),
  provides: optional(is(isObject, 'an object')),
  terms: optional(shaped({ priceOf: method, limitsOf: optional(method) })),
  accountPage: optional(shaped({ path, buyPath: path, budgetsPath: path })),
  home: optional(shaped({ path, title: text })),
  requests: optional(shaped({ ended: method })),
  operators: optional(shaped({ identify: method })),
  changes: optional(shaped({ changed: method })),
  startNotes: optional(method),
  ready: optional(method),
  stop: optional(method),
})

const gatewayPart = shaped({
  routes: optional(listOf(route)),
  gauges: optional(listOf(gauge)),
  documents: optional(shaped({ openapi: method, llms: method, prices: method })),
  notFound: optional(method),
  ready: optional(method),
  stop: optional(method),
})

/** Why a value is no `GatewayPart`, naming the member; null when it is one. */
export function gatewayPartProblem(value: unknown): string | null {
  const wrong = gatewayPart(value)
  return wrong === null ? null : `gateway returned ${wrong.trimStart()}`
}

/** Why a value is no `Instance`, naming the member; null when it is one. */
export function instanceProblem(value: unknown): string | null {
  if (!isObject(value)) return `setup must return an object, got ${String(value).slice(0, 40)}`
  const wrong = instance(value)
  if (wrong !== null) return `setup returned ${wrong.slice(1)}`
  const ids = new Set<unknown>()
  for (const { id, handler, forward } of (value['skills'] ?? []) as Members[]) {
    if (ids.has(id)) return `setup returned two skills with the id ${String(id)}`
    ids.add(id)
    if (typeof (forward ?? handler) !== 'function')
      return `setup returned skill ${String(id)} without a handler`
  }
  return null
}
