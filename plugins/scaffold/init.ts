/** `coinop init`: a folder to run a gateway from. */
import { join, relative, resolve } from 'node:path'
import { EXIT, type PluginCommand, type PluginCommandContext } from '#kernel'
import { writeOperatorFiles } from './operator-folder.ts'

async function init(context: PluginCommandContext): Promise<number> {
  const { positionals, options, say } = context
  const folder = resolve(positionals[0] ?? '.')
  const isAll = options['all'] === true
  const written = [
    ...writeOperatorFiles(folder, context.version),
    ...context
      .writeProducts(join(folder, 'products'), isAll)
      .map((name) => `products/${name}.yaml`),
  ]
  for (const name of written) say(`  ${name}`)
  if (written.length === 0) say('Everything is there already; nothing was changed.')
  const here = relative(process.cwd(), folder)
  say('')
  say('Next:')
  if (here !== '') say(`  cd ${here}`)
  for (const [command, what] of NEXT) say(`  ${command.padEnd(NEXT_WIDTH)}${what}`.trimEnd())
  return EXIT.ok
}

const NEXT = [
  ['npm install', ''],
  ['npx coinop start', 'a sandbox: test key, test wallet, console'],
  ['npx coinop plugin new NAME', 'a skill of your own, with its test'],
  ['npx coinop product import FILE|URL --price 1 --write', 'sells an HTTP API that you have'],
] as const
const NEXT_WIDTH = Math.max(...NEXT.map(([command]) => command.length)) + 2

export const initCommand: PluginCommand = {
  name: 'init',
  usage: 'init [folder] [--all]',
  summary: 'make a folder to run a gateway from; --all with every product that is shipped',
  options: { all: { type: 'boolean' } },
  run: init,
}
