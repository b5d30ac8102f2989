/** `coinop init`: a folder to run a gateway from. */
import { join, relative, resolve } from 'node:path'
import { EXIT } from '../../plugins/command.ts'
import type { Command, CommandContext } from '../command.ts'
import { writeOperatorFiles, writeProducts } from '../operator-folder.ts'
import { say } from '../output.ts'

async function init({ positionals, options, shippedProducts }: CommandContext): Promise<number> {
  const folder = resolve(positionals[0] ?? '.')
  const isAll = options['all'] === true
  const written = [
    ...writeOperatorFiles(folder),
    ...writeProducts(shippedProducts, join(folder, 'products'), isAll).map(
      (name) => `products/${name}.yaml`,
    ),
  ]
  for (const name of written) say(`  ${name}`)
  if (written.length === 0) say('Everything is there already; nothing was changed.')
  const here = relative(process.cwd(), folder)
  say('')
  say('Next:')
  if (here !== '') say(`  cd ${here}`)
  say('  npm install')
  say('  npx coinop start          a sandbox: test key, test wallet, console')
  say('  npx coinop plugin new NAME         a skill of your own, with its test')
  say('  npx coinop product import URL --price 1 --write    sells an HTTP API that you have')
  return EXIT.ok
}

export const initCommand: Command = {
  name: 'init',
  usage: 'init [folder] [--all]',
  summary: 'make a folder to run a gateway from; --all with every product that is shipped',
  options: { all: { type: 'boolean' } },
  run: init,
}
