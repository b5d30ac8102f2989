/**
 * The composition root: the command line, and the plugins that ship with the gateway. The only
 * kernel file that imports from plugins/.
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
import { valueOf } from './config/variable.ts'
import { VARIABLES } from './config/variables.ts'
import { loadPlugins } from './plugins/loader.ts'
import { StorageError } from './storage/errors.ts'
import { VERSION } from './version.ts'
import { SHIPPED_PLUGINS } from '../plugins/shipped.ts'
// Until x402 is a plugin.
import * as x402 from '../plugins/x402/variables.ts'

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
  const plugins = await loadPlugins({
    builtins: SHIPPED_PLUGINS,
    pluginsDir: valueOf(process.env, VARIABLES.pluginsDir),
    packages: valueOf(process.env, VARIABLES.plugins),
  })
  const loaded = loadConfig(process.env, [
    ...[...plugins.plugins.values()].map(({ plugin }) => plugin),
    { id: 'x402', variables: x402.VARIABLES, contradictions: x402.contradictions },
  ])
  if (!loaded.ok) {
    warn(formatProblems(loaded.problems))
    return EXIT.config
  }
  return chosen.command.run({
    config: loaded.config,
    configLines: loaded.lines,
    values: loaded.values,
    plugins,
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
