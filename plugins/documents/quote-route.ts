/** POST /v1/quote: what a call would cost at most, by which rule, and who can pay it how. */
import {
  amountView,
  type AmountView,
  atMostAtomic,
  type Catalog,
  compileSchema,
  estimateAtomic,
  type Failure,
  httpSource,
  type Identity,
  invalid,
  type Issue,
  type Logger,
  mostUnitsOf,
  type MountedSkill,
  notFound,
  nullable,
  type Offered,
  type PriceRule,
  priceView,
  privateJson,
  purchaseRefusal,
  type Quote,
  type QuoteBook,
  readInput,
  type Route,
  type RouteRequest,
  type SkillTool,
  unknownUnits,
} from '#kernel'
import { Type, type Static } from 'typebox'
import { titleOf } from './openapi-parts.ts'
import { accountPart, QuotedAccount } from './quote-account.ts'
import { AmountSchema, PriceRef } from './price-schema.ts'

export interface QuoteRouteDeps {
  catalog: Pick<Catalog, 'current'>
  quotes: Pick<QuoteBook, 'http' | 'tool' | 'at' | 'identify' | 'ownPrice' | 'sellers' | 'left'>
  log: Pick<Logger, 'warn'>
}

/** JSON numbers count exactly up to it. */
const MAX_COUNT = 2 ** 53
const NAME = { minLength: 1, maxLength: 200, pattern: '^[\\x20-\\x7e]+$' }
const QuoteInput = Type.Object(
  {
    skill: Type.Optional(Type.String({ ...NAME, description: 'Id of a skill' })),
    tool: Type.Optional(Type.String({ ...NAME, description: 'Name of an MCP tool' })),
    path: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        pattern: '^/[\\x21-\\x7e]*$',
        description: 'Path of a paid route, as it would be called',
      }),
    ),
    method: Type.Optional(
      Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], {
        description: 'Of `path`; default POST',
      }),
    ),
    input: Type.Optional(Type.Unknown({ description: 'The input of the call; it is checked' })),
    units: Type.Optional(
      Type.Record(Type.String({ maxLength: 40 }), Type.Number({ minimum: 0, maximum: MAX_COUNT }), {
        description: 'A guess of what will be measured, by unit: {"page": 12}',
      }),
    ),
  },
  { additionalProperties: false },
)
const Quoted = Type.Object({
  skill: Type.String(),
  title: Type.String(),
  product: Type.String(),
  tool: nullable('string'),
  method: nullable('string'),
  path: nullable('string'),
  metered: Type.Boolean(),
  priceVersion: Type.Integer(),
  rule: PriceRef,
  ownPrice: Type.Boolean({ description: "The rule is of the account's own, not of the list" }),
  held: Type.Unsafe({ ...AmountSchema, description: 'Held while the call runs' }),
  atMost: Type.Unsafe({ ...AmountSchema, description: 'No call with this input costs more' }),
  estimate: Type.Unsafe({
    anyOf: [AmountSchema, { type: 'null' }],
    description: 'What the named `units` cost, as the first call of the month',
  }),
  rails: Type.Array(
    Type.Object({
      rail: Type.String(),
      title: Type.String(),
      most: Type.Unsafe({ ...AmountSchema, description: 'The most that the call costs on it' }),
      charges: Type.Enum(['exactly', 'measured'], {
        description: 'Whether a call costs `held`, or what was measured under it',
      }),
    }),
  ),
  account: Type.Optional(QuotedAccount),
})

/** The route; free, and counted against the caller's address. */
export function quoteRoute(deps: QuoteRouteDeps): Route {
  return {
    method: 'POST',
    path: '/v1/quote',
    auth: 'public',
    rateLimited: true,
    tag: 'Prices',
    summary: 'What a call would cost at most; with an API key also what it has left',
    description:
      'Names a skill, a tool or a path, and perhaps an input or a guess of the units. Nothing is held or charged.',
    input: QuoteInput,
    output: Quoted,
    statuses: [401, 404],
    handler: (request) => quoted(deps, request),
  }
}

/** What is asked about, and how the call to it would be quoted. */
interface Wanted {
  mounted: MountedSkill
  tool: SkillTool | null
  quote: Quote
}

async function quoted(deps: QuoteRouteDeps, request: RouteRequest): Promise<Response | Failure> {
  const read = await readInput(request, QuoteInput)
  if (!read.ok) return read
  const wanted = find(deps, read.value)
  if ('ok' in wanted) return wanted
  const found = await deps.quotes.identify(httpSource(request.request.headers, request))
  if (!found.ok) return found
  if (!mayKnow(wanted.mounted, found.identity)) return notFound(missing(read.value))
  const issues = issuesOf(wanted, read.value)
  if (issues.length > 0) return invalid(issues)
  return privateJson(await answer(deps, wanted, read.value, found.identity))
}

function find(
  { catalog, quotes }: QuoteRouteDeps,
  { skill, tool, path, method }: Static<typeof QuoteInput>,
): Wanted | Failure {
  const given = [skill, tool, path].filter((one) => one !== undefined)
  if (given.length !== 1) {
    return invalid([{ path: '', message: 'needs exactly one of `skill`, `tool` and `path`' }])
  }
  const snapshot = catalog.current()
  const none = missing({ tool, path })
  if (tool !== undefined) {
    const found = snapshot.tool(tool)
    if (!found) return notFound(none)
    return { ...found, quote: quotes.tool(found.mounted, found.tool) }
  }
  const mounted =
    skill === undefined
      ? quotes.at(method ?? 'POST', path!.split('?')[0]!)
      : snapshot.skills.find((one) => one.skill.id === skill)
  if (!mounted) return notFound(none)
  return { mounted, tool: null, quote: quotes.http(mounted) }
}

function missing({ tool, path }: Pick<Static<typeof QuoteInput>, 'tool' | 'path'>): string {
  if (tool !== undefined) return 'No tool has this name'
  return path === undefined ? 'No skill has this id' : 'No skill is at this path'
}

/** Whether a caller may learn of the skill: of a private product only with a key that may buy it. */
function mayKnow({ product, skill }: MountedSkill, identity: Identity | null): boolean {
  if (product.spec['visibility'] !== 'private') return true
  const wanted = { productId: product.id, skillId: skill.id }
  return identity !== null && purchaseRefusal(identity, wanted) === null
}

function issuesOf({ mounted, tool }: Wanted, { input, units }: Static<typeof QuoteInput>): Issue[] {
  const named = unknownUnits(mounted.price, units ?? {}).map((name) => ({
    path: `/units/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    message: 'is no unit of this price',
  }))
  if (input === undefined) return named
  const schemas = [mounted.skill.input, ...(tool?.input ? [tool.input] : [])]
  const wrong = schemas.flatMap((schema) => compileSchema(schema).issues(input))
  return [...named, ...wrong.map((issue) => ({ ...issue, path: `/input${issue.path}` }))]
}

async function answer(
  deps: QuoteRouteDeps,
  { mounted, tool, quote }: Wanted,
  { input, units }: Static<typeof QuoteInput>,
  identity: Identity | null,
): Promise<object> {
  const { skill, product, route, metered, priceVersion } = mounted
  const own =
    identity && metered ? deps.quotes.ownPrice(identity.accountId, { mounted, quote }) : null
  const price = own?.mounted.price ?? mounted.price
  const most = input === undefined ? null : mostUnitsOf(mounted, input, deps.log)
  const mostOf = (rule: PriceRule) => amountView(metered ? atMostAtomic(rule, most) : 0n)
  const heldAtomic = atMostAtomic(price, most)
  const subject = { skillId: skill.id, productId: product.id, price, heldAtomic }
  // As metering does it: free calls of an account's own price are for it, whoever opened the account.
  const asking = identity && own ? { ...identity, isPayersOwn: false } : identity
  return {
    skill: skill.id,
    title: quote.title,
    product: product.id,
    tool: tool?.name ?? null,
    method: route?.method ?? null,
    path: route?.path ?? null,
    metered,
    priceVersion,
    rule: priceView(price),
    ownPrice: own !== null,
    held: amountView(price.maxAtomic),
    atMost: mostOf(price),
    estimate: units === undefined ? null : amountView(estimateAtomic(price, units)),
    rails: metered ? railsOf(deps, { mounted, quote }, own, mostOf) : [],
    ...(asking &&
      metered && { account: await accountPart(deps.quotes.left, asking, subject, new Date()) }),
  }
}

/** An account's own price is for its credits: every other rail sells at the list's. */
function railsOf(
  { quotes }: QuoteRouteDeps,
  listed: Offered,
  own: Offered | null,
  mostOf: (rule: PriceRule) => AmountView,
): object[] {
  return quotes.sellers(listed.mounted.rails, listed.quote).map((rail) => {
    const { mounted, quote } = rail.id === 'credits' ? (own ?? listed) : listed
    return {
      rail: rail.id,
      title: titleOf(rail),
      most: mostOf(mounted.price),
      charges: quote.isCeiling ? 'measured' : 'exactly',
    }
  })
}
