/** One skill of a product document: its route, price, limits and schemas. */
import type { RouteSpec, SkillSpec } from '#kernel'
import { flatPrice, parseDurationMs, type ReportProblem, type SpecPath } from '#kernel/host'
import { checkExample, checkSchema } from './check-schema.ts'
import { parseSizeBytes } from './size.ts'
import type { ProductDocument, SkillDocument } from './document.ts'
import { interpretPrice } from './interpret-price.ts'
import type { Findings } from './problem.ts'

/** The largest values a spec may ask for. */
export const MAX_TIMEOUT_MS = 240_000
const MAX_BODY_BYTES = 1024 ** 3

/** The skill at `path` of `document`, whose own settings are the defaults. */
export function interpretSkill(
  document: ProductDocument,
  skill: SkillDocument,
  path: SpecPath,
  findings: Findings,
): SkillSpec {
  const { problem, warning } = findings
  const route = skill.route === undefined ? null : interpretRoute(skill.route)
  if (route?.path.split('/').some((segment) => segment === '.' || segment === '..'))
    problem([...path, 'route'], 'must not hold the segments . and ..: no request arrives with them')
  const colon = route?.path.split('/').find((segment) => segment.startsWith(':'))
  if (colon !== undefined)
    warning(
      [...path, 'route'],
      `takes ${colon} as it stands; a part that callers fill in is {${colon.slice(1)}}`,
    )
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
    for (const name of ['input', 'tool_inputs', 'output', 'annotations', 'example'] as const) {
      if (skill[name] !== undefined)
        problem([...path, name], 'is for products with an upstream: the plugin describes its own')
    }
  }
  for (const name of ['input', 'output'] as const) {
    checkSchema(skill[name], [...path, name], name === 'input', findings)
    checkExample(skill[name], skill.example?.[name], [...path, 'example', name], warning)
  }
  for (const [name, schema] of Object.entries(skill.tool_inputs ?? {})) {
    const place = [...path, 'tool_inputs', name]
    if (!tools?.includes(name)) problem(place, 'is not a tool of this skill')
    checkSchema(schema, place, true, findings)
  }
  const metered = skill.metered ?? document.metered ?? true
  const price = metered
    ? interpretPrice(skill.price, path, document.upstream !== undefined, problem)
    : flatPrice(0n)
  if (!metered && skill.price !== undefined)
    warning([...path, 'price'], 'is not charged, because `metered` is false')
  return {
    id: id ?? '',
    route,
    tools: tools ?? (document.upstream === undefined ? null : []),
    toolInputs: skill.tool_inputs ?? {},
    title: skill.title ?? null,
    description: skill.description ?? null,
    metered,
    amountAtomic: price.maxAtomic,
    price,
    rails: skill.rails ?? document.rails ?? null,
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

type LimitsDocument = NonNullable<ProductDocument['limits']>

/** Limits in milliseconds and bytes; those that are not said are absent. */
export function interpretLimits(
  limits: LimitsDocument | undefined,
  path: SpecPath,
  problem: ReportProblem,
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
