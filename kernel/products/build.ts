/**
 * Builds a product revision beside the one that serves: plugin, config, setup, mount, ownership,
 * migrations, ready. If a step fails, everything is undone and the reason is returned.
 */
import { makeReady, setUp, stop, type LifecycleDeps, type Stage } from '../plugins/lifecycle.ts'
import type { LoadedPlugins } from '../plugins/loaded.ts'
import { pointerTokens } from '../schema/issues.ts'
import { repeatedWithin, wantedBy, type Ownership, type Wanted } from './ownership.ts'
import { checkRoutes, mountSkills, viewOf, type RailCheck } from './mount.ts'
import type { ProductParts } from './mounted-product.ts'
import type { ParsedProduct, SpecPath } from './reader.ts'
import type { SpecProblem } from '../plugins/product-desk.ts'

export interface BuildDeps extends LifecycleDeps {
  plugins: LoadedPlugins
  ownership: Ownership
  railAvailable: RailCheck
  /** Ids of the rails that are mounted now. */
  mountedRails(): readonly string[]
}
export interface Built {
  ok: true
  parts: Omit<ProductParts, 'revision' | 'source'>
  wanted: Wanted
  warnings: SpecProblem[]
  /** Discards what was built. */
  discard(): Promise<void>
}
export interface NotBuilt {
  ok: false
  /** 'conflict': another product owns something it wants. */
  stage: Stage | 'conflict'
  problems: SpecProblem[]
}

const DISCARD_MS = 10_000

/** Builds it; `dryRun` leaves out migrations and ready, and must be discarded. */
export async function buildProduct(
  parsed: ParsedProduct,
  deps: BuildDeps,
  dryRun = false,
): Promise<Built | NotBuilt> {
  const { spec } = parsed
  const failed = (stage: NotBuilt['stage'], problems: SpecProblem[]): NotBuilt => ({
    ok: false,
    stage,
    problems,
  })
  // An upstream stands for the plugin that calls it.
  const ofPlugin = (message: string) =>
    parsed.problemAt([spec.upstream === null ? 'plugin' : 'upstream'], message)
  const loaded = deps.plugins.plugins.get(spec.pluginId)
  if (!loaded) return failed('plugin', [ofPlugin(unknownPlugin(spec.pluginId, deps.plugins))])
  const started = await setUp(loaded.plugin, viewOf(spec), spec.config, deps)
  if (!started.ok) {
    const { stage, message, issues } = started
    const problems = issues?.map((issue) =>
      parsed.problemAt(['config', ...pointerTokens(issue.path)], `${issue.message} (${message})`),
    )
    return failed(stage, problems ?? [ofPlugin(message)])
  }
  const dropped = (): Promise<void> => stop(started, new Date(Date.now() + DISCARD_MS), deps.log)
  const problems: SpecProblem[] = []
  const warnings = [...parsed.warnings]
  const problem = (path: SpecPath, message: string): void => {
    problems.push(parsed.problemAt(path, message))
  }
  const mounting = {
    spec,
    started,
    isBuiltin: loaded.isBuiltin,
    railAvailable: deps.railAvailable,
    mountedRails: deps.mountedRails(),
  }
  const skills = mountSkills(mounting, problem, (path, message) =>
    warnings.push(parsed.problemAt(path, message)),
  )
  const routes = checkRoutes(mounting, problem)
  for (const text of repeatedWithin(spec, skills, routes)) problem(['skills'], text)
  if (problems.length > 0) {
    await dropped()
    return failed('mount', problems)
  }
  const wanted = wantedBy(spec, skills, routes, started.instance.rails ?? [])
  const conflicts = deps.ownership.take(spec.productId, wanted)
  if (conflicts.length > 0) {
    await dropped()
    return failed(
      'conflict',
      conflicts.map((text) =>
        parsed.problemAt(text.startsWith('base_path') ? ['base_path'] : ['skills'], text),
      ),
    )
  }
  if (!dryRun) {
    const ready = await makeReady(started, deps)
    if (!ready.ok) {
      deps.ownership.give(spec.productId, wanted)
      return failed(ready.stage, [ofPlugin(ready.message)])
    }
  }
  return {
    ok: true,
    parts: { spec, document: parsed.document, hash: parsed.hash, started, skills, routes },
    wanted,
    warnings,
    async discard() {
      deps.ownership.give(spec.productId, wanted)
      await dropped()
    },
  }
}

function unknownPlugin(id: string, { plugins, problems }: LoadedPlugins): string {
  const named = new RegExp(`(/${id}(\\.\\w+)?|plugin ${id}:?) `)
  const why = problems.find(({ origin, message }) => named.test(`${origin} ${message}`))
  const known = [...plugins.keys()].sort().join(', ') || 'none'
  return `plugin ${id} is not loaded${why ? ` (${why.origin} ${why.message})` : ''}; loaded at the start from the gateway, PLUGINS_DIR and PLUGINS were: ${known}`
}
