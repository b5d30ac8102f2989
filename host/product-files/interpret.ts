/**
 * From a document that fits the schema to the spec the gateway works with: units, prices, routes,
 * defaults, and the rules a JSON Schema cannot say. Every broken rule is reported, not the first.
 */
import type { ProductSpec, RouteSpec, SkillSpec } from '#kernel'
import { flatPrice, type SpecPath } from '#kernel/host'
import type { ProductDocument } from './document.ts'
import { interpretLimits, interpretSkill } from './interpret-skill.ts'
import { interpretUpstream } from './interpret-upstream.ts'
import type { Findings } from './problem.ts'

/** The skill that an unmetered upstream without a list of skills gets. */
const EVERYTHING: RouteSpec = { method: 'ANY', path: '/*' }

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
  // Said here once; each skill that has no limits of its own takes them.
  interpretLimits(document.limits, ['limits'], found.problem)
  const metered = document.metered ?? true
  const skills = (document.skills ?? []).map((skill, index) =>
    interpretSkill(document, skill, ['skills', index], found),
  )
  if (upstream !== undefined) addEverything(document, skills, found)
  checkUnique(skills, found)
  warnOfWildcards(skills, found)
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
    toolInputs: {},
    title: null,
    description: null,
    metered: false,
    amountAtomic: 0n,
    price: flatPrice(0n),
    rails: document.rails ?? null,
    limits: interpretLimits(document.limits, ['limits'], () => {}),
    input: null,
    output: null,
    annotations: {},
    example: null,
  })
}

/** Warns of cheap wildcards: upstreams differ in which paths they treat as the same. */
function warnOfWildcards(skills: readonly SkillSpec[], { warning }: Findings): void {
  const highest = skills.reduce(
    (most, { amountAtomic }) => (amountAtomic > most ? amountAtomic : most),
    0n,
  )
  skills.forEach(({ route, metered, amountAtomic }, index) => {
    if (route?.path.endsWith('/*') && metered && amountAtomic < highest)
      warning(
        ['skills', index, 'route'],
        'costs less than other skills: an upstream that ignores case or trailing slashes could serve those by it',
      )
  })
}

function checkUnique(skills: readonly SkillSpec[], { problem }: Findings): void {
  const seen = new Map<string, number>()
  const claim = (key: string, path: SpecPath, index: number, what: string): void => {
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
