/** Joins a spec with its plugin's skills: what is sold where, at which price and limits. */
import type { MountedSkill, ProductView } from '../plugins/catalog.ts'
import type { PluginEnv } from '../plugins/contract.ts'
import type { Route } from '../plugins/route.ts'
import type { Skill, SkillTool } from '../plugins/skill.ts'
import type { Started } from '../plugins/lifecycle.ts'
import { isMeasured } from '../pricing/rule.ts'
import { isWithin } from './path.ts'
import type { ReportProblem, SpecPath } from './reader.ts'
import type { ProductSpec, SkillSpec } from './spec.ts'

const DEFAULT_LIMITS = { timeoutMs: 30_000, bodyBytes: 1_048_576, concurrency: 64 } as const

export type RailCheck = (id: string) => { ok: true } | { ok: false; reason: string }

/** A mounted skill before the version of the price table and the mounted rails are known. */
export type Unpriced = Omit<MountedSkill, 'priceVersion' | 'rails'> & Pick<SkillSpec, 'rails'>
export interface Mounting {
  spec: ProductSpec
  started: Started
  /** Whether the plugin ships with the gateway: only then may its routes be anywhere. */
  isBuiltin: boolean
  railAvailable: RailCheck
  /** Ids of the rails that are mounted now. */
  mountedRails: readonly string[]
}

/** The product as its own plugin sees it, with every reference resolved. */
export function viewOf(spec: ProductSpec): ProductView {
  const { productId: id, title, description, basePath } = spec
  return { id, title, description, basePath, spec: { ...spec } }
}

/** The skills that the spec sells; errors are passed to `problem`, oddities to `warning`. */
export function mountSkills(
  mounting: Mounting,
  problem: ReportProblem,
  warning: ReportProblem,
): Unpriced[] {
  const { spec, started } = mounting
  const offered = new Map(
    (started.instance.skills ?? []).map((skill) => [skill.id, skill as Skill]),
  )
  // The public view: without upstream and configuration.
  const product = viewOf({ ...spec, upstream: null, config: {} })
  const mounted: Unpriced[] = []
  spec.skills.forEach((entry, index) => {
    const path = ['skills', index]
    const skill = offered.get(entry.id)
    if (skill === undefined) {
      const known = [...offered.keys()].join(', ') || 'none'
      problem(path, `plugin ${started.plugin.id} has no skill ${entry.id}; it has: ${known}`)
      return
    }
    if (entry.metered) checkRails(entry, path, mounting, problem)
    const { per, baseTiers, free } = entry.price
    if (skill.billing === 'self' && (per.length > 0 || baseTiers !== null || free !== null))
      problem(
        [...path, 'price'],
        `must be one price: ${entry.id} charges by itself inside of a call`,
      )
    mounted.push(mountOne(spec, entry, skill, started.env, product))
  })
  const listed = new Set(spec.skills.map((entry) => entry.id))
  for (const id of offered.keys()) {
    if (!listed.has(id)) warning(['skills'], `plugin skill ${id} is not listed, so it is not sold`)
  }
  return mounted
}

function mountOne(
  spec: ProductSpec,
  entry: SkillSpec,
  offered: Skill,
  env: PluginEnv,
  product: ProductView,
): Unpriced {
  const skill = keyOnly(withTexts(offered, entry), spec)
  return {
    skill,
    env,
    product,
    route: entry.route && {
      method: entry.route.method,
      path: entry.route.path === '/' ? spec.basePath : spec.basePath + entry.route.path,
    },
    tools: toolsOf(skill, entry),
    metered: entry.metered,
    amountAtomic: entry.amountAtomic,
    price: entry.price,
    isMeasured: isMeasured(entry.price),
    rails: entry.rails,
    limits: { ...DEFAULT_LIMITS, ...definedOf(skill.limits), ...entry.limits },
  }
}

function definedOf(limits: Skill['limits']): object {
  return Object.fromEntries(Object.entries(limits ?? {}).filter(([, value]) => value !== undefined))
}

/** The plugin's object with other members; its methods still see the object that they belong to. */
function changed<T extends object>(of: T, members: Partial<T>): T {
  return Object.assign(Object.create(of) as T, members)
}

function withTexts(skill: Skill, { title, description }: SkillSpec): Skill {
  if (title === null && description === null) return skill
  const texts = { ...(title !== null && { title }), ...(description !== null && { description }) }
  return changed(skill, texts)
}

/** A private product can be called only with an API key, even where it is free. */
function keyOnly(skill: Skill, { visibility }: ProductSpec): Skill {
  return visibility === 'private' ? changed(skill, { payer: 'key' }) : skill
}

/** A tool name of the plugin keeps its input and texts; any other is an alias of the skill. */
function toolsOf(skill: Skill, entry: SkillSpec): readonly SkillTool[] {
  if (entry.tools === null) return skill.tools
  return entry.tools.map((name) => skill.tools.find((tool) => tool.name === name) ?? { name })
}

/** Whether the spec sells something for which none of the named rails can take money now. */
export function awaitsRail({ skills }: ProductSpec, railAvailable: RailCheck): boolean {
  return skills.some(
    ({ metered, rails }) => metered && rails !== null && !rails.some((id) => railAvailable(id).ok),
  )
}

/** A priced skill is never served for free: without a rail that can take money it is an error. */
function checkRails(
  entry: SkillSpec,
  path: SpecPath,
  { started, railAvailable, mountedRails }: Mounting,
  problem: ReportProblem,
): void {
  const reasons: string[] = []
  for (const id of entry.rails ?? mountedRails) {
    // A product's own rail is mounted together with its skills.
    if (started.instance.rails?.some((rail) => rail.id === id)) return
    const state = railAvailable(id)
    if (state.ok) return
    reasons.push(`${id}: ${state.reason}`)
  }
  problem([...path, 'rails'], `no rail of ${entry.id} can take money now (${reasons.join('; ')})`)
}

/** The routes of the instance; misplaced routes are passed to `problem`. */
export function checkRoutes(
  { spec, started, isBuiltin }: Mounting,
  problem: ReportProblem,
): readonly Route[] {
  const routes = started.instance.routes ?? []
  for (const route of routes) {
    const places = [spec.basePath, ...(started.plugin.reservedPaths ?? [])]
    if (!isBuiltin && !places.some((place) => isWithin(route.path, place)))
      problem(
        [],
        `plugin ${started.plugin.id} adds ${route.method} ${route.path} outside of ${spec.basePath}`,
      )
  }
  if (spec.visibility !== 'private') return routes
  const privateTo = { productId: spec.productId, skillIds: spec.skills.map(({ id }) => id) }
  const closed = { auth: 'key', privateTo } as const
  return routes.map((route) => (route.auth === 'admin' ? route : changed(route, closed)))
}
