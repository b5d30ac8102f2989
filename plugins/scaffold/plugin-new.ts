/** `coinop plugin new`: a plugin with one skill, its product and its test, all green at once. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { EXIT, type PluginCommand, type PluginCommandContext } from '#kernel'
import { writeOperatorFiles } from './operator-folder.ts'
import { devDependencies, pluginFiles, sharedFiles } from './plugin-template.ts'

const DEFAULT_FOLDER = 'plugins'
/** A gateway that starts anew whenever a file of a plugin changes; `exec` hands signals on to it. */
const DEV = 'exec bun --watch --no-clear-screen node_modules/@coinop/gateway/bin/main.js start'
const ID = /^[a-z][a-z0-9]{1,30}$/

async function newPlugin(context: PluginCommandContext): Promise<number> {
  const { say, warn } = context
  const [id = ''] = context.positionals
  if (!ID.test(id)) {
    warn(
      'The id of a plugin is 2 to 31 lower-case letters and digits.\nusage: coinop plugin new <id>',
    )
    return EXIT.usage
  }
  const folders = {
    plugins: pluginsFolder(),
    products: relative('.', context.productsDir),
  }
  const files = pluginFiles(id, folders)
  const taken = Object.keys(files).filter((path) => existsSync(path))
  if (taken.length > 0 || context.shippedPlugins.includes(id)) {
    warn(
      taken.length > 0 ? `${taken.join(', ')} exists already` : `${id} is a plugin of the gateway`,
    )
    return EXIT.failed
  }
  const written = [
    ...writeOperatorFiles('.', context.version),
    ...Object.entries({ ...sharedFiles(folders), ...files }).flatMap(([path, text]) => {
      if (existsSync(path)) return []
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      return [path]
    }),
  ]
  for (const path of written) say(`  ${path}`)
  for (const line of [...addToManifest('.'), ...addToEnvironment()]) say(`  ${line}`)
  say('')
  say('Next: npm install && npx bun test && npm run dev')
  return EXIT.ok
}

/** Scripts and packages for the plugin's code; what is there stays. Returns what was changed. */
export function addToManifest(folder: string): string[] {
  const path = join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as {
    scripts?: Record<string, string>
    dependencies?: Record<string, string>
    devDependencies?: Record<string, string>
  }
  const scripts = { dev: DEV, test: 'bun test', types: 'tsc', ...manifest.scripts }
  const missing = Object.entries(devDependencies()).filter(
    ([name]) => !Object.hasOwn(manifest.dependencies ?? {}, name),
  )
  const changed = {
    ...manifest,
    scripts,
    devDependencies: { ...Object.fromEntries(missing), ...manifest.devDependencies },
  }
  if (JSON.stringify(changed) === JSON.stringify(manifest)) return []
  writeFileSync(path, `${JSON.stringify(changed, null, 2)}\n`)
  return ['package.json: scripts and packages for plugins']
}

/** Where the gateway of this folder looks for plugins; where it looks nowhere yet, `.env` is to say so. */
const pluginsFolder = (): string => relative('.', process.env['PLUGINS_DIR'] || DEFAULT_FOLDER)

function addToEnvironment(): string[] {
  const known = existsSync('.env') ? readFileSync('.env', 'utf8') : ''
  if (process.env['PLUGINS_DIR'] || /^\s*PLUGINS_DIR\s*=\s*\S/m.test(known)) return []
  const separator = known === '' || known.endsWith('\n') ? '' : '\n'
  const line = `PLUGINS_DIR=${DEFAULT_FOLDER}`
  writeFileSync('.env', `${known}${separator}${line}\n`)
  return [`.env: ${line}`]
}

export const pluginNewCommand: PluginCommand = {
  name: 'plugin new',
  usage: 'plugin new <id>',
  summary: 'make a plugin with a skill, its product and its contract test',
  run: newPlugin,
}
