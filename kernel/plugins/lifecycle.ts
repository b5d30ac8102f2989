/**
 * The lifecycle of a plugin instance: config checked → setup → migrations → ready → … → stop. Every
 * step has a deadline, and a failure is returned as a value: the previous revision keeps serving.
 */
import { Default } from 'typebox/value'
import type { Issue } from '../errors.ts'
import { compileSchema } from '../schema/json.ts'
import type { Instance, Plugin, PluginEnv } from './contract.ts'
import type { ProductView } from './catalog.ts'
import type { ReturnChecks } from './loaded.ts'
import type { Migration } from '../storage/contract.ts'
import { StorageError } from '../storage/errors.ts'
import type { Logger } from '../log/logger.ts'
import { endWithin } from '../work/timeout.ts'

export const SETUP_TIMEOUT_MS = 30_000
export const READY_TIMEOUT_MS = 60_000
const LATE_STOP_MS = 5000

export interface LifecycleDeps {
  makeEnv(plugin: Plugin, product: ProductView, config: unknown): PluginEnv
  migrate(pluginId: string, migrations: readonly Migration[]): Promise<unknown>
  checks: ReturnChecks
  log: Logger
}
export interface Started {
  plugin: Plugin
  instance: Instance
  env: PluginEnv
}
export type Stage = 'spec' | 'plugin' | 'config' | 'setup' | 'mount' | 'migrations' | 'ready'
/** `issues` have pointers into `config`; the message is for the operator, not for callers. */
export interface LifecycleFailure {
  ok: false
  stage: Stage
  message: string
  issues?: Issue[]
}

/** The plugin's instance for a product, after setup and before it has any effect outside. */
export async function setUp(
  plugin: Plugin,
  product: ProductView,
  rawConfig: unknown,
  deps: LifecycleDeps,
): Promise<({ ok: true } & Started) | LifecycleFailure> {
  const config = Default(plugin.config, structuredClone(rawConfig))
  const unfit = compileSchema(plugin.config).issues(config)
  const issues = unfit.length > 0 ? unfit : [...problemsOf(plugin, config)]
  if (issues.length > 0)
    return { ok: false, stage: 'config', message: `does not fit plugin ${plugin.id}`, issues }
  let making: Promise<Instance> | null = null
  try {
    const env = deps.makeEnv(plugin, product, config)
    making = (async () => plugin.setup(env as PluginEnv<never>) as Instance | Promise<Instance>)()
    const instance = await endWithin(SETUP_TIMEOUT_MS, making)
    const wrong = deps.checks.instanceProblem(instance)
    if (wrong !== null) throw new Error(wrong)
    return { ok: true, plugin, instance, env }
  } catch (error) {
    // A setup that ends too late or with an unusable value still made something to be stopped.
    making
      ?.then((instance: Partial<Instance> | undefined) =>
        instance?.stop?.(new Date(Date.now() + LATE_STOP_MS)),
      )
      .catch(() => {})
    return { ok: false, stage: 'setup', message: messageOf(plugin, 'setup', error) }
  }
}

/** The plugin's own problems with a config that passed its schema. */
function problemsOf(plugin: Plugin, config: unknown): readonly Issue[] {
  try {
    return plugin.configProblems?.(config as never) ?? []
  } catch (error) {
    return [{ path: '', message: messageOf(plugin, 'configProblems', error) }]
  }
}

/** Runs migrations and `ready`; stops the instance after a failure. */
export async function makeReady(
  started: Started,
  deps: LifecycleDeps,
): Promise<{ ok: true } | LifecycleFailure> {
  const { plugin, instance } = started
  let stage: Stage = 'migrations'
  try {
    if (plugin.migrations && plugin.migrations.length > 0)
      await deps.migrate(plugin.id, plugin.migrations)
    stage = 'ready'
    if (instance.ready) await endWithin(READY_TIMEOUT_MS, instance.ready())
    return { ok: true }
  } catch (error) {
    await stop(started, new Date(Date.now() + LATE_STOP_MS), deps.log)
    return { ok: false, stage, message: messageOf(plugin, stage, error) }
  }
}

/** Stops the instance; a throw or a hang is only logged. */
export async function stop(
  { plugin, instance }: { plugin: Plugin; instance: Pick<Instance, 'stop'> },
  deadline: Date,
  log: Logger,
): Promise<void> {
  if (!instance.stop) return
  try {
    await endWithin(Math.max(1, deadline.getTime() - Date.now()), instance.stop(deadline))
  } catch (error) {
    log.error({ err: error, plugin: plugin.id }, 'a plugin failed to stop')
  }
}

function messageOf(plugin: Plugin, step: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  const fix = error instanceof StorageError ? ` ${error.fix}` : ''
  return `plugin ${plugin.id} failed in ${step}: ${reason.slice(0, 500)}${fix}`
}
