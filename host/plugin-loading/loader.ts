/**
 * Finds plugins: those that ship with the gateway, the files and folders of PLUGINS_DIR, and npm
 * packages by name. One that cannot be used is reported; the others load.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import semver from 'semver'
import {
  compileSchema,
  KERNEL_CONTRACT_VERSION,
  type Plugin,
  type PluginCommand,
  type Variable,
} from '#kernel'
import {
  codeOf,
  endWithin,
  type LoadedPlugin,
  type LoadedPlugins,
  type PluginProblem,
} from '#kernel/host'

import { nameProblem } from './manifest-names.ts'
import { gatewayPartProblem, instanceProblem } from './returned.ts'

export interface PluginSources {
  builtins: readonly Plugin[]
  /** Each file (.ts, .js, .mjs) or folder in it is a plugin; null: none. */
  pluginsDir: string | null
  /** npm packages, resolved from the working folder. */
  packages: readonly string[]
  /** How long a module may take to load; default 30 s. */
  importTimeoutMs?: number
}

/** A module that waits at its top level would hold up the start of everything else. */
const IMPORT_TIMEOUT_MS = 30_000
const PLUGIN_ID = /^[a-z][a-z0-9_-]{0,39}$/
const PATH = /^(\/[A-Za-z0-9._~-]+)+$/
const VARIABLE_NAME = /^[A-Z][A-Z0-9_]*$/
const ENTRY_FILES = ['index.ts', 'index.js', 'index.mjs', 'src/index.ts', 'dist/index.js']

/** Loads and checks every plugin of the sources. Never throws. */
export async function loadPlugins(sources: PluginSources): Promise<LoadedPlugins> {
  const plugins = new Map<string, LoadedPlugin>()
  const problems: PluginProblem[] = []
  const add = (value: unknown, origin: string, isBuiltin: boolean): void => {
    const wrong = manifestProblem(value)
    if (wrong !== null) {
      problems.push({ origin, message: wrong })
      return
    }
    const plugin = value as Plugin
    const other = plugins.get(plugin.id)
    if (other) {
      const owner = other.isBuiltin ? 'a plugin that ships with the gateway' : other.origin
      const message = `plugin id ${plugin.id} is taken by ${owner}: give it another \`id\``
      problems.push({ origin, message })
      return
    }
    plugins.set(plugin.id, { plugin, origin, isBuiltin })
  }
  for (const plugin of sources.builtins) add(plugin, 'built in', true)
  for (const { origin, find } of candidates(sources, problems)) {
    try {
      const loading = import(find()) as Promise<{ default?: unknown; plugin?: unknown }>
      const module = await endWithin(sources.importTimeoutMs ?? IMPORT_TIMEOUT_MS, loading)
      add(module.default ?? module.plugin, origin, false)
    } catch (error) {
      problems.push({ origin, message: `cannot be imported: ${reasonOf(error).slice(0, 500)}` })
    }
  }
  return { plugins, problems, checks: { instanceProblem, gatewayPartProblem } }
}

/** What was thrown, in a line; of a module that does not parse, its first mistake and the place. */
function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const { message, position } = (first ?? {}) as {
    message?: unknown
    position?: { file: string; line: number; column: number } | null
  }
  const [reason = ''] = String(message ?? first).split('\nRequire stack:', 1)
  return position ? `${position.file}:${position.line}:${position.column} ${reason}` : reason
}

interface Candidate {
  origin: string
  /** What to import; throws when it is not there. */
  find(): string
}

function candidates(sources: PluginSources, problems: PluginProblem[]): Candidate[] {
  const found: Candidate[] = []
  if (sources.pluginsDir !== null) {
    const dir = resolve(sources.pluginsDir)
    let names: string[] = []
    try {
      names = readdirSync(dir).sort()
    } catch {
      problems.push({ origin: dir, message: 'PLUGINS_DIR is not a folder that can be read' })
    }
    for (const name of names) {
      const path = join(dir, name)
      if (name.startsWith('.') || name === 'node_modules') continue
      try {
        if (statSync(path).isDirectory())
          found.push({ origin: path, find: () => pathToFileURL(entryOf(path)).href })
        else if (/\.(ts|js|mjs)$/.test(name) && !/\.(d|test)\.ts$/.test(name))
          found.push({ origin: path, find: () => pathToFileURL(path).href })
      } catch (error) {
        // A link that leads nowhere, or to itself.
        problems.push({ origin: path, message: `cannot be read (${codeOf(error)})` })
      }
    }
  }
  const fromHere = createRequire(join(process.cwd(), 'package.json'))
  for (const name of sources.packages) {
    found.push({ origin: name, find: () => pathToFileURL(fromHere.resolve(name)).href })
  }
  return found
}

function entryOf(folder: string): string {
  const manifest = join(folder, 'package.json')
  // A package says itself what its entry is; Bun resolves `exports` and `main` of a path.
  if (existsSync(manifest)) return createRequire(manifest).resolve(folder)
  const entry = ENTRY_FILES.map((name) => join(folder, name)).find((path) => existsSync(path))
  if (entry === undefined) throw new Error(`no package.json and none of ${ENTRY_FILES.join(', ')}`)
  return entry
}

/** Why a value is not a plugin of this kernel; null when it is. */
function manifestProblem(value: unknown): string | null {
  if (value === null || typeof value !== 'object')
    return 'has no default export made by definePlugin()'
  const { id, version, kernel, config, setup, ...lists } = value as Partial<Plugin>
  if (typeof id !== 'string' || !PLUGIN_ID.test(id))
    return `\`id\` must be lower-case letters, digits, _ and -, got ${shown(id)}`
  if (typeof version !== 'string' || semver.valid(version) === null)
    return `plugin ${id}: \`version\` must be a semver version, got ${shown(version)}`
  if (typeof kernel !== 'string' || semver.validRange(kernel) === null)
    return `plugin ${id}: \`kernel\` must be a semver range, got ${shown(kernel)}`
  if (!semver.satisfies(KERNEL_CONTRACT_VERSION, kernel))
    return `plugin ${id} is for kernel contract ${kernel}; this gateway has ${KERNEL_CONTRACT_VERSION}`
  if (typeof setup !== 'function') return `plugin ${id}: \`setup\` must be a function`
  if (config === null || typeof config !== 'object' || config.type !== 'object')
    return `plugin ${id}: \`config\` must be a schema of an object`
  try {
    compileSchema(config).check({})
  } catch {
    return `plugin ${id}: \`config\` is not a schema that can be compiled`
  }
  if (!isListOf(lists.variables, isVariable))
    return `plugin ${id}: \`variables\` must be a list of { name, expected, example, fallback, parse }`
  if (!isListOf(lists.commands, isCommand))
    return `plugin ${id}: \`commands\` must be a list of { name, usage, summary, run }`
  for (const name of ['configProblems', 'contradictions', 'setupFindings', 'gateway'] as const) {
    if (lists[name] !== undefined && typeof lists[name] !== 'function')
      return `plugin ${id}: \`${name}\` must be a function`
  }
  if (!isListOf(lists.reservedPaths, (path) => typeof path === 'string' && PATH.test(path)))
    return `plugin ${id}: \`reservedPaths\` must be a list of absolute paths without parameters`
  for (const name of ['secrets', 'requires'] as const) {
    if (!isListOf(lists[name], (item) => typeof item === 'string'))
      return `plugin ${id}: \`${name}\` must be a list of names`
  }
  const wrongName = nameProblem(value, lists.requires ?? [])
  if (wrongName !== null) return `plugin ${id}: ${wrongName}`
  const { migrations } = lists
  if (!isListOf(migrations, isMigration))
    return `plugin ${id}: \`migrations\` must be a list of { id, up } with texts`
  const ids = migrations?.map((migration) => migration.id)
  if (new Set(ids).size !== (ids?.length ?? 0)) return `plugin ${id} has two migrations of one id`
  return null
}

function isListOf(value: unknown, fits: (item: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.every(fits))
}

function isVariable(value: unknown): boolean {
  const { name, expected, example, parse } = (value ?? {}) as Partial<Variable>
  return (
    typeof name === 'string' &&
    VARIABLE_NAME.test(name) &&
    typeof expected === 'string' &&
    typeof example === 'string' &&
    typeof parse === 'function'
  )
}

function isCommand(value: unknown): boolean {
  const { name, usage, summary, run } = (value ?? {}) as Partial<PluginCommand>
  const areTexts = [name, usage, summary].every((text) => typeof text === 'string' && text !== '')
  return areTexts && typeof run === 'function'
}

function isMigration(value: unknown): boolean {
  const { id, up } = (value ?? {}) as { id?: unknown; up?: unknown }
  return typeof id === 'string' && id !== '' && typeof up === 'string'
}

/** A value that should have been a text, for a message. */
function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}
