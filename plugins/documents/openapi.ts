/**
 * The OpenAPI 3.1 description: the kernel's routes, the routes of plugins and every listed skill
 * with its price (`x-payment-info`, as crawlers of paid resources read it) and its 402.
 */
import {
  type CatalogSnapshot,
  costsOneSum,
  type DocumentedRail,
  formatUsd,
  isCeiling,
  isFlatPrice,
  isObject,
  isOnePlace,
  leastAtomic,
  listedSkills,
  type MountedSkill,
  type OperatorFacts,
  priceWithExample,
  type PriceRule,
  priceView,
  type RailAnswerHeader,
  type Route,
} from '#kernel'
import type { TSchema } from 'typebox'
import {
  bodyType,
  hasBody,
  bodyValueSchema,
  isInHeader,
  isInQuery,
  membersOf,
  namesInPath,
  namesOnlyInPath,
  styleOf,
  type Style,
} from '../shared/documents/request-places.ts'
import { placedSchema } from './openapi-references.ts'
import { routeDescription, tagDescription } from './openapi-words.ts'
import {
  BODILESS,
  CALL_HEADERS,
  ERROR_REF,
  errorAnswer,
  headersOf,
  laterAnswer,
  jsonAnswer,
  MEANINGS,
  PARAMETERS,
  SHARED_HEADERS,
  paymentRequiredAnswer,
  componentSchemas,
  securitySchemes,
  type Json,
  isMailbox,
} from './openapi-parts.ts'

/** The group of routes that name none. */
const OTHER = 'Other'

export interface OpenApiFacts {
  publicUrl: string
  version: string
  contactEmail: string
  operator: OperatorFacts
  isSandbox?: boolean
}
const NO_TAGS: ReadonlyMap<string, string> = new Map()
/** How calls are paid at this moment. */
export interface PaidBy {
  list: readonly DocumentedRail[]
  creditsFirst: readonly DocumentedRail[]
  /** Headers of every charged answer, whichever rail was paid. */
  receiptHeaders?: readonly RailAnswerHeader[]
}

/**
 * The whole document for the given kernel routes, plugin routes, snapshot and rails;
 * `tagDescriptions` says what the groups of plugins' routes are for.
 */
export function openApiOf(
  facts: OpenApiFacts,
  allRoutes: readonly Route[],
  snapshot: CatalogSnapshot,
  { list, creditsFirst, receiptHeaders = [] }: PaidBy,
  tagDescriptions = NO_TAGS,
): Json {
  const routes = allRoutes.filter(
    ({ rail, isUndocumented }) => !isUndocumented && (rail === undefined || isMounted(list, rail)),
  )
  const paths: Record<string, Json> = {}
  for (const route of routes) place(paths, route.path, route.method, routeOperation(route, list))
  const shared: Json = {}
  for (const mounted of listedSkills(snapshot)) {
    if (mounted.route && isOnePlace(mounted.route))
      place(
        paths,
        mounted.route.path,
        mounted.route.method,
        skillOperation(mounted, list, receiptHeaders, shared),
      )
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Coinop',
      version: facts.version,
      summary: 'Machine work sold one call at a time.',
      description: `Pay each call with ${told(creditsFirst, 'summary').join(' or ')}. 1 credit = USD 0.01. Work that failed is never charged.`,
      ...operatorInfo(facts),
      'x-guidance': `Call a paid route; ${told(list, 'guidance').join(', or ')}. Failed work is never charged.`,
    },
    'x-agentcash-guidance': { llmsTxtUrl: `${facts.publicUrl}/llms.txt` },
    servers: [{ url: facts.publicUrl }],
    tags: tagsOf(routes, snapshot, tagDescriptions),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: { ...componentSchemas(list), ...shared },
      parameters: PARAMETERS,
      headers: SHARED_HEADERS,
      securitySchemes: securitySchemes(list),
    },
  }
}

/** Members of `info` that name the operator, with those that documentation tools know beside OpenAPI's. */
function operatorInfo({ operator, contactEmail }: OpenApiFacts): Json {
  const { name, logoUrl, termsUrl, privacyUrl, supportUrl } = operator
  return {
    ...(termsUrl !== null && { termsOfService: termsUrl }),
    contact: {
      ...(name !== null && { name }),
      ...(supportUrl !== null && { url: supportUrl }),
      ...(isMailbox(contactEmail) && { email: contactEmail }),
    },
    license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    ...(privacyUrl !== null && { 'x-privacy-policy': privacyUrl }),
    ...(logoUrl !== null && { 'x-logo': { url: logoUrl } }),
  }
}

function isMounted(rails: readonly DocumentedRail[], id: string): boolean {
  return rails.some((rail) => rail.id === id)
}

/** What the rails say of themselves, in their order. */
function told(rails: readonly DocumentedRail[], member: 'summary' | 'guidance'): string[] {
  return rails.flatMap((rail) => rail.documents?.()[member] ?? [])
}

/** The groups as a reader wants them: what is sold, what callers use, what operators use. */
function tagsOf(
  routes: readonly Route[],
  snapshot: CatalogSnapshot,
  descriptions: ReadonlyMap<string, string>,
): Json[] {
  const sold = new Map<string, string>()
  for (const { product } of listedSkills(snapshot)) sold.set(product.title, product.description)
  const names = (of: readonly Route[]) => of.map((route) => route.tag ?? OTHER)
  const ofCallers = new Set(names(routes.filter(({ auth }) => auth !== 'admin')))
  const all = [...new Set(names(routes))]
  const others = [
    ...all.filter((name) => ofCallers.has(name)),
    ...all.filter((name) => !ofCallers.has(name)),
  ]
  return [
    ...[...sold].map(([name, description]) => ({
      name,
      description: description || tagDescription(name, descriptions),
    })),
    ...others
      .filter((name) => !sold.has(name))
      .map((name) => ({ name, description: tagDescription(name, descriptions) })),
  ]
}

function place(paths: Record<string, Json>, path: string, method: string, operation: Json): void {
  paths[path] ??= {}
  paths[path][method.toLowerCase()] = operation
}

function pathParameters(path: string, input?: TSchema): Json[] {
  const members = membersOf(input)
  return namesInPath(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: members[name] ?? { type: 'string' },
  }))
}

function operationId(method: string, path: string): string {
  const words = path
    .replaceAll(/[{}.]/g, ' ')
    .split(/[/ _-]+/)
    .filter(Boolean)
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}

function routeOperation(route: Route, rails: readonly DocumentedRail[]): Json {
  const security = {
    public: [],
    key: [{ apiKey: [] }, { bearer: [] }, { serviceToken: [] }],
    admin: [{ bearer: [] }],
  }[route.auth]
  return {
    operationId: operationId(route.method, route.path),
    summary: route.summary,
    description: routeDescription(route),
    tags: [route.tag ?? OTHER],
    security,
    ...withParameters([...pathParameters(route.path), ...parametersOf(route.query)]),
    ...(route.input && {
      requestBody: { required: true, content: { 'application/json': { schema: route.input } } },
    }),
    responses: routeAnswers(route, rails),
  }
}

function routeAnswers(route: Route, rails: readonly DocumentedRail[]): Json {
  const { statuses: own = [], output, refusal } = route
  const statuses = new Set([400, 500, ...own])
  if (!own.some(isSuccess)) statuses.add(200)
  if (route.auth !== 'public') statuses.add(401)
  if (route.path.includes('{')) statuses.add(404)
  if (route.input) statuses.add(413)
  if (route.rateLimited || route.auth === 'admin') statuses.add(429)
  const answer = (status: number): Json => {
    const description = MEANINGS[status] ?? 'Refused'
    if (BODILESS.has(status)) return { description }
    if (isSuccess(status)) return output ? jsonAnswer(description, output) : { description }
    if (status === 402) return paymentRequiredAnswer(rails)
    const refused = refusal ? jsonAnswer(description, refusal) : errorAnswer(description)
    return status === 429 || status === 503 ? laterAnswer(refused) : refused
  }
  return Object.fromEntries([...statuses].map((status) => [status, answer(status)]))
}

const isSuccess = (status: number): boolean => status < 300

function skillOperation(
  mounted: MountedSkill,
  mountedRails: readonly DocumentedRail[],
  receiptHeaders: readonly RailAnswerHeader[],
  components: Json,
): Json {
  const { skill, route, metered, product } = mounted
  const input = placedSchema(skill.input, `${skill.id}.input`, components)
  const output = placedSchema(skill.output, `${skill.id}.output`, components)
  const rails = mountedRails.filter(({ id }) => mounted.rails.includes(id))
  // Without a key no other rail sells it, whatever else the caller pays with.
  const keyless = skill.payer === 'key' ? [] : rails
  const schemes = keyless.flatMap((rail) => Object.keys(rail.documents?.().securitySchemes ?? {}))
  const price = { amountAtomic: mounted.amountAtomic, isCeiling: isCeiling(mounted) }
  const offers = keyless.flatMap((rail) => rail.documents?.().paymentOffers?.(price) ?? [])
  const { method, path } = route!
  const usesBody = hasBody(method, skill.input)
  const inPath = new Set(namesInPath(path))
  const parameters = parametersOf(input).filter(
    ({ name, in: place, schema }) =>
      !inPath.has(name as string) && (!usesBody || place === 'header' || isInQuery(schema)),
  )
  const outsideBody = new Set([
    ...namesOnlyInPath(path, input),
    ...parameters.map(({ name }) => name as string),
  ])
  const bodyValue = bodyValueSchema(input)
  const example =
    bodyValue === null ? withoutNames(skill.example?.input, outsideBody) : bodyValue['example']
  return {
    operationId: skill.id.replaceAll('.', '_'),
    summary: skill.title,
    description: describedWithPrice(mounted),
    tags: [product.title],
    security: metered ? ['apiKey', 'bearer', ...schemes].map((name) => ({ [name]: [] })) : [],
    ...withParameters([...pathParameters(path, input), ...parameters, ...CALL_HEADERS]),
    ...(usesBody && {
      requestBody: {
        required: true,
        content: {
          [bodyType(skill.input)]: {
            schema: bodyValue ?? bodySchema(input, outsideBody),
            ...(example !== undefined && { example }),
          },
        },
      },
    }),
    ...(metered && {
      'x-payment-info': {
        price: priceForCrawlers(mounted.price),
        protocols: keyless.flatMap((rail) => rail.documents?.().protocol ?? []),
        amountUsdcAtomic: mounted.amountAtomic.toString(),
        ...(!isFlatPrice(mounted.price) && { rule: priceView(mounted.price) }),
        ...(offers.length > 0 && { offers }),
      },
    }),
    responses: {
      200: {
        ...jsonAnswer('The result', output),
        ...(metered && headersOf(receiptHeaders)),
      },
      400: errorAnswer('The input is wrong; not charged'),
      ...(inPath.size > 0 && { 404: errorAnswer(MEANINGS[404]!) }),
      ...((metered || skill.statuses?.includes(409)) && {
        409: laterAnswer(conflictAnswer(skill.statuses, output)),
      }),
      ...(metered && {
        401: errorAnswer('The API key is wrong or revoked'),
        402: paymentRequiredAnswer(keyless),
        403: errorAnswer('The target is refused (SSRF or robots rules); not charged'),
      }),
      429: laterAnswer(errorAnswer('Too many calls, or the daily spend ceiling is reached')),
      503: laterAnswer(errorAnswer('The work failed or timed out; not charged')),
    },
  }
}

/** What of the input is in the body: the path and the query have the others. */
function bodySchema(input: TSchema, outside: ReadonlySet<string | undefined>): Json {
  const { properties, required, ...rest } = input as Json
  if (!isObject(properties) || outside.size === 0) return input as Json
  const left = Array.isArray(required) ? required.filter((name) => !outside.has(name)) : []
  return {
    ...rest,
    properties: withoutNames(properties, outside),
    ...(left.length > 0 && { required: left }),
  }
}

/** An object without the members of these names; anything else as it is. */
function withoutNames(value: unknown, names: ReadonlySet<string | undefined>): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)))
}

/** A price that every call costs is in `x-payment-info` alone; a rule is told in words too. */
function describedWithPrice({ skill, metered, price }: MountedSkill): string {
  if (!metered || isFlatPrice(price)) return skill.description
  return `${skill.description}\n\nPrice: ${priceWithExample(price)}.`
}

/**
 * `x-payment-info.price` as crawlers of paid resources read it (the OpenAPI discovery of AgentCash,
 * §7): 'dynamic' has the bounds between which a paid call ends.
 */
function priceForCrawlers(rule: PriceRule): Json {
  if (costsOneSum(rule))
    return { mode: 'fixed', currency: 'USD', amount: formatUsd(rule.maxAtomic) }
  const min = formatUsd(leastAtomic(rule))
  return { mode: 'dynamic', currency: 'USD', min, max: formatUsd(rule.maxAtomic) }
}

/** An Idempotency-Key used for another request, or the skill's own conflict, shaped as its output. */
function conflictAnswer(statuses: readonly number[] | undefined, output: TSchema): Json {
  return statuses?.includes(409)
    ? jsonAnswer(MEANINGS[409]!, { anyOf: [ERROR_REF, output] })
    : errorAnswer(MEANINGS[409]!)
}

/** The members of an input as they are without a body. */
function parametersOf(schema: TSchema | undefined): Json[] {
  const { properties, required } = (schema ?? {}) as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  return Object.entries(properties ?? {}).map(([name, member]) => ({
    name,
    in: isInHeader(member) ? 'header' : 'query',
    required: required?.includes(name) ?? false,
    ...WRITTEN[styleOf(member) ?? 'repeated'],
    schema: member,
  }))
}

/** How OpenAPI says the styles of a member. */
const WRITTEN: Readonly<Record<Style | 'repeated', Json>> = {
  repeated: {},
  members: {},
  comma: { style: 'form', explode: false },
  space: { style: 'spaceDelimited', explode: false },
  pipe: { style: 'pipeDelimited', explode: false },
  deepObject: { style: 'deepObject', explode: true },
}

function withParameters(parameters: Json[]): Json {
  return parameters.length > 0 ? { parameters } : {}
}
