/**
 * From a document that fits the schema to the spec the gateway works with: units, prices, routes,
 * defaults, and the rules a JSON Schema cannot say. Every broken rule is reported, not the first.
 */
import { ATOMIC_PER_CREDIT, creditsToAtomic, parseAtomic } from '../money.ts'
import { compileSchema } from '../schema/validator.ts'
import { parseDurationMs, parseSizeBytes } from '../units.ts'
import type { Path, Report } from './references.ts'
import {
  DEFAULT_RAILS,
  type ProductDocument,
  type ProductSpec,
  type RouteSpec,
  type SkillDocument,
  type SkillSpec,
  type UpstreamSpec,
} from './spec.ts'

/** The largest values a spec may ask for. */
const MAX_TIMEOUT_MS = 240_000
const MAX_BODY_BYTES = 1024 ** 3
const DEFAULT_UPSTREAM_TIMEOUT_MS = 30_000
const DEFAULT_BREAKER = { failures: 5, resetMs: 30_000 }
/** The skill that an unmetered upstream without a list of skills gets. */
const EVERYTHING: RouteSpec = { method: 'ANY', path: '/*' }

/** Refusals go to `problem`, remarks that refuse nothing to `warning`. */
export interface Findings {
  problem: Report
  warning: Report
}

/** The spec of a document that its schema accepts; null when `problem` was called. */
export function interpret(document: ProductDocument, findings: Findings): ProductSpec | null {
  let broken = false
  const found: Findings = {
    warning: findings.warning,
    problem: (path, message) => {
      broken = true
      findings.problem(path, message)
    },
  }
  const { product_id: productId, plugin, upstream } = document
  if (plugin === undefined && upstream === undefined)
    found.problem([], 'needs `plugin` (the id of a plugin) or `upstream` (any HTTP API)')
  if (plugin !== undefined && upstream !== undefined)
    found.problem(['upstream'], 'stands beside `plugin`: a product has one of the two')
  if (upstream === undefined && document.path_rewrite !== undefined)
    found.problem(['path_rewrite'], 'is for products with an upstream')
  if (upstream !== undefined && document.config !== undefined)
    found.problem(['config'], 'is for products with a plugin; an upstream has its own settings')
  const metered = document.metered ?? true
  const skills = (document.skills ?? []).map((skill, index) =>
    interpretSkill(document, skill, ['skills', index], found),
  )
  if (upstream !== undefined) addEverything(document, skills, found)
  checkUnique(skills, found)
  const spec: ProductSpec = {
    productId,
    title: document.title ?? productId,
    description: document.description ?? '',
    basePath: document.base_path ?? `/v1/${productId}`,
    pathRewrite: document.path_rewrite ?? 'strip',
    pluginId: plugin ?? 'proxy',
    upstream: upstream === undefined ? null : interpretUpstream(upstream, found),
    config: document.config ?? {},
    metered,
    visibility: document.visibility ?? 'public',
    skills,
  }
  return broken ? null : spec
}

/**
 * An unmetered upstream serves everything below its base. A metered one never does: another
 * spelling of a priced path would be a free one.
 */
function addEverything(
  document: ProductDocument,
  skills: SkillSpec[],
  { problem }: Findings,
): void {
  const paid = skills.some((skill) => skill.metered)
  skills.forEach((skill, index) => {
    if (paid && !skill.metered && skill.route?.path.endsWith('*')) {
      problem(
        ['skills', index, 'route'],
        'is a free wildcard beside priced skills: give it a price, or list the free paths one by one',
      )
    }
  })
  if ((document.metered ?? true) && skills.length === 0) {
    problem(['skills'], 'is empty: a metered product lists every path it sells, with its price')
  }
  if ((document.metered ?? true) || paid) return
  if (skills.some((skill) => skill.route?.path === EVERYTHING.path)) return
  skills.push({
    id: `${document.product_id}.everything`,
    route: EVERYTHING,
    tools: [],
    title: null,
    description: null,
    metered: false,
    amountAtomic: 0n,
    rails: document.rails ?? DEFAULT_RAILS,
    limits: interpretLimits(document.limits, ['limits'], () => {}),
    input: null,
    output: null,
    annotations: {},
    example: null,
  })
}

function interpretSkill(
  document: ProductDocument,
  skill: SkillDocument,
  path: Path,
  { problem, warning }: Findings,
): SkillSpec {
  const route = skill.route === undefined ? null : interpretRoute(skill.route)
  if (route?.path.split('/').some((segment) => segment === '.' || segment === '..'))
    problem([...path, 'route'], 'must not hold the segments . and ..: no request arrives with them')
  const id = skill.skill ?? skill.id ?? (route ? idOfRoute(document.product_id, route) : null)
  if (skill.skill !== undefined && skill.id !== undefined)
    problem([...path, 'id'], 'stands beside `skill`: give one of the two')
  if (id === null) problem(path, 'needs `skill`, `id` or `route`')
  if (skill.tool !== undefined && skill.tools !== undefined)
    problem([...path, 'tool'], 'stands beside `tools`: give one of the two')
  const tools = skill.tools ?? (skill.tool === undefined ? null : [skill.tool])
  if (route === null && (tools === null || tools.length === 0) && skill.skill === undefined)
    problem(path, 'needs a `route` or a `tool`: nobody could call it')
  if (document.upstream !== undefined && route === null)
    problem(path, 'needs a `route`: it names the path of the upstream')
  if (document.upstream === undefined) {
    for (const name of ['input', 'output', 'annotations', 'example'] as const) {
      if (skill[name] !== undefined)
        problem([...path, name], 'is for products with an upstream: the plugin describes its own')
    }
  }
  for (const name of ['input', 'output'] as const) {
    checkSchema(skill[name], [...path, name], name === 'input', problem)
  }
  const metered = skill.metered ?? document.metered ?? true
  const amountAtomic = metered ? priceOf(skill, path, problem) : 0n
  if (!metered && skill.price !== undefined)
    warning([...path, 'price'], 'is not charged, because `metered` is false')
  return {
    id: id ?? '',
    route,
    tools: tools ?? (document.upstream === undefined ? null : []),
    title: skill.title ?? null,
    description: skill.description ?? null,
    metered,
    amountAtomic,
    rails: skill.rails ?? document.rails ?? DEFAULT_RAILS,
    limits: {
      ...interpretLimits(document.limits, ['limits'], () => {}),
      ...interpretLimits(skill.limits, [...path, 'limits'], problem),
    },
    input: skill.input ?? null,
    output: skill.output ?? null,
    annotations: skill.annotations ?? {},
    example: (skill.example as SkillSpec['example']) ?? null,
  }
}

function priceOf(skill: SkillDocument, path: Path, problem: Report): bigint {
  const { price } = skill
  if (price?.credits === undefined && price?.usdc_atomic === undefined) {
    problem(
      price === undefined ? path : [...path, 'price'],
      'is metered and has no price: write `price: { credits: 1 }`, or `metered: false`',
    )
    return 0n
  }
  const amounts: bigint[] = []
  for (const [name, parse] of [
    ['credits', creditsToAtomic],
    ['usdc_atomic', parseAtomic],
  ] as const) {
    if (price[name] === undefined) continue
    const amount = parse(price[name])
    if (!amount.ok) problem([...path, 'price', name], amount.message)
    else if (amount.amountAtomic === 0n)
      problem(
        [...path, 'price', name],
        'must be more than zero; a free skill says `metered: false`',
      )
    else amounts.push(amount.amountAtomic)
  }
  const [first = 0n, second] = amounts
  if (second !== undefined && first !== second) {
    problem(
      [...path, 'price', 'usdc_atomic'],
      `must be ${first}, which is \`credits\` at ${ATOMIC_PER_CREDIT} atomic units per credit`,
    )
  }
  return first
}

type LimitsDocument = NonNullable<ProductDocument['limits']>

function interpretLimits(
  limits: LimitsDocument | undefined,
  path: Path,
  problem: Report,
): SkillSpec['limits'] {
  const read: SkillSpec['limits'] = {}
  if (limits?.timeout !== undefined) {
    read.timeoutMs = parseDurationMs(limits.timeout) ?? 0
    if (read.timeoutMs < 1 || read.timeoutMs > MAX_TIMEOUT_MS)
      problem([...path, 'timeout'], `must be from 1ms to ${MAX_TIMEOUT_MS / 1000}s`)
  }
  if (limits?.body !== undefined) {
    read.bodyBytes = parseSizeBytes(limits.body) ?? 0
    if (read.bodyBytes > MAX_BODY_BYTES) problem([...path, 'body'], 'must be at most 1GiB')
  }
  if (limits?.concurrency !== undefined) read.concurrency = limits.concurrency
  return read
}

function interpretUpstream(
  upstream: NonNullable<ProductDocument['upstream']>,
  { problem }: Findings,
): UpstreamSpec {
  const url = URL.canParse(upstream.url) ? new URL(upstream.url) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    problem(['upstream', 'url'], 'must be an http or https URL')
  else if (url.username !== '' || url.password !== '')
    problem(['upstream', 'url'], 'must hold no user name: send it in `headers`')
  else if (url.search !== '' || url.hash !== '')
    problem(['upstream', 'url'], 'must end with the path: no query and no fragment')
  for (const [name, value] of Object.entries(upstream.headers ?? {})) {
    if (/[^\t\u0020-\u007e\u0080-\uffff]/.test(value))
      problem(['upstream', 'headers', name], 'holds a control character')
  }
  const breaker = upstream.circuit_breaker
  const duration = (text: string | undefined, path: Path, fallback: number): number => {
    if (text === undefined) return fallback
    const read = parseDurationMs(text) ?? 0
    if (read < 1) problem(path, 'must be at least 1ms')
    return read
  }
  return {
    url: upstream.url,
    headers: upstream.headers ?? {},
    timeoutMs: duration(upstream.timeout, ['upstream', 'timeout'], DEFAULT_UPSTREAM_TIMEOUT_MS),
    circuitBreaker: {
      failures: breaker?.failures ?? DEFAULT_BREAKER.failures,
      resetMs: duration(
        breaker?.reset,
        ['upstream', 'circuit_breaker', 'reset'],
        DEFAULT_BREAKER.resetMs,
      ),
    },
    allowPrivate: upstream.allow_private ?? false,
    forwardHeaders: upstream.forward_headers ?? [],
    // `${NAME:-}`: an optional token that is not set.
    serviceToken: upstream.service_token || null,
  }
}

function interpretRoute(text: string): RouteSpec {
  const [method = '', path = ''] = text.split(' ')
  // '/*' and 'x*' are written by people for the same thing; the router knows '/*' only.
  return { method, path: path.endsWith('*') ? path.replace(/\/?\*$/, '/*') : path }
}

/** 'weather.get_health' of GET /health. */
function idOfRoute(productId: string, route: RouteSpec): string {
  const words = route.path
    .replace(/\*$/, 'any')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
  return `${productId}.${route.method.toLowerCase()}${words === '' ? '' : `_${words}`}`
}

function checkSchema(
  schema: Record<string, unknown> | undefined,
  path: Path,
  isInput: boolean,
  problem: Report,
): void {
  if (schema === undefined) return
  if (isInput && schema['type'] !== 'object')
    problem(path, 'must be a JSON Schema with `type: object` at the root')
  try {
    compileSchema(schema).check({})
  } catch {
    problem(path, 'is no JSON Schema that can be compiled')
  }
}

function checkUnique(skills: readonly SkillSpec[], { problem }: Findings): void {
  const seen = new Map<string, number>()
  const claim = (key: string, path: Path, index: number, what: string): void => {
    const other = seen.get(key)
    if (other === undefined) seen.set(key, index)
    else problem(path, `${what} is taken by skills[${other}] of this product`)
  }
  skills.forEach((skill, index) => {
    const path = ['skills', index]
    claim(`id ${skill.id}`, path, index, `the skill id ${skill.id}`)
    if (skill.route) {
      const shape = skill.route.path.replaceAll(/\{[^}]+\}/g, '{}')
      const label = `${skill.route.method} ${skill.route.path}`
      claim(`route ${skill.route.method} ${shape}`, [...path, 'route'], index, label)
      const names = [...skill.route.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
      if (new Set(names).size !== names.length)
        problem([...path, 'route'], 'names a path parameter twice')
    }
  })
}
