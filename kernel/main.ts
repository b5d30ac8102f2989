/**
 * The composition root: the command line, and the plugins that ship with the gateway. The only
 * kernel file that imports plugins/.
 */
import { choose, commandsOf, EXIT, helpText, type Command } from './cli/command.ts'
import { backupCommands } from './cli/commands/backup.ts'
import { demoCommand } from './cli/commands/demo.ts'
import { documentCommands } from './cli/commands/documents.ts'
import { keyCommands } from './cli/commands/keys.ts'
import { ledgerCommands } from './cli/commands/ledger.ts'
import { productCommands } from './cli/commands/products.ts'
import { setupCommands } from './cli/commands/setup.ts'
import { startCommand } from './cli/commands/start.ts'
import { triggerCommand } from './cli/commands/trigger.ts'
import { say, warn } from './cli/output.ts'
import { formatProblems } from './config/problems.ts'
import { loadConfig } from './config/config.ts'
import type { Plugin } from './plugins/contract.ts'
import { StorageError } from './storage/errors.ts'
import { VERSION } from './version.ts'
import operatorConsole from '../plugins/console/index.ts'
import demo from '../plugins/demo/index.ts'
import docintel from '../plugins/docintel/index.ts'
import topup from '../plugins/topup/index.ts'
import proxy from '../plugins/proxy/index.ts'
import mcp from '../plugins/mcp/index.ts'
import utils from '../plugins/utils/index.ts'
import webinfra from '../plugins/webinfra/index.ts'

const builtins: readonly Plugin[] = [
  operatorConsole,
  demo,
  docintel,
  mcp,
  proxy,
  topup,
  utils,
  webinfra,
]

const commands: readonly Command[] = [
  startCommand,
  demoCommand,
  ...setupCommands,
  ...backupCommands,
  ...ledgerCommands,
  ...keyCommands,
  ...productCommands,
  ...documentCommands,
  triggerCommand,
]

const HELP: ReadonlySet<string> = new Set(['--help', '-h'])

async function main(argv: readonly string[]): Promise<number> {
  const [first] = argv
  if (first === '--version' || first === 'version') {
    say(VERSION)
    return EXIT.ok
  }
  if (first === undefined || first === 'help' || argv.some((word) => HELP.has(word))) {
    const about = first === 'help' ? argv[1] : argv.find((word) => !HELP.has(word))
    say(helpText(commandsOf(commands, about)))
    return first === undefined ? EXIT.usage : EXIT.ok
  }
  const chosen = choose(commands, argv)
  if (!chosen.ok) {
    warn(`${chosen.message}\nRun \`coinop help\`.`)
    return EXIT.usage
  }
  const loaded = loadConfig(process.env)
  if (!loaded.ok) {
    warn(formatProblems(loaded.problems))
    return EXIT.config
  }
  return chosen.command.run({
    config: loaded.config,
    configLines: loaded.lines,
    builtins,
    positionals: chosen.positionals,
    options: chosen.options,
    env: process.env,
  })
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const fix = error instanceof StorageError && error.fix ? `\n  ${error.fix}` : ''
  warn(`coinop: ${error instanceof Error ? error.message : String(error)}${fix}`)
  process.exitCode = EXIT.failed
}
process.exit()
