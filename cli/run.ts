/** Runs one command line: finds its command, reads the environment, and says what goes wrong. */
import type { Machinery } from '../kernel/compose/machinery.ts'
import { valueOf, type Environment } from '../kernel/config/variable.ts'
import { VARIABLES } from '../kernel/config/variables.ts'
import { EXIT } from '../kernel/plugins/command.ts'
import { pluginsOf, type LoadedPlugins } from '../kernel/plugins/loaded.ts'
import { VERSION } from '../kernel/version.ts'
import { choose, helpText, type Command } from './command.ts'
import { backupCommands } from './commands/backup.ts'
import { ledgerCommands } from './commands/ledger.ts'
import { productCommands } from './commands/products.ts'
import { setupCommands } from './commands/setup.ts'
import { startCommand } from './commands/start.ts'
import { formatProblems } from './config-problems.ts'
import { ENV_FILES, envFileTroubles } from './env-files.ts'
import { loadConfig } from './load-config.ts'
import { exceptLoopback } from './loopback.ts'
import { endOutput, endWithOutput, say, warn } from './output.ts'
import { pluginCommands } from './plugin-commands.ts'
import type { ShippedProducts } from './shipped-products.ts'
import { outliveStrayErrors } from './stray-errors.ts'
import { fixOf, messageOf } from './trouble.ts'

const OWN_COMMANDS: readonly Command[] = [
  startCommand,
  ...setupCommands,
  ...backupCommands,
  ...ledgerCommands,
  ...productCommands,
]

const HELP: ReadonlySet<string> = new Set(['--help', '-h'])

/** What a command runs with. */
export interface CommandLineParts {
  env: Environment
  machinery: Machinery
  shippedProducts: ShippedProducts
  /** The plugins that ship, and those of a folder and of npm packages. */
  loadPlugins(from: {
    pluginsDir: string | null
    packages: readonly string[]
  }): Promise<LoadedPlugins>
}

/** Runs the command of `argv` and ends this process with its exit code. */
export async function runToEnd(argv: readonly string[], parts: CommandLineParts): Promise<never> {
  const code = await runCommandLine(argv, parts)
  // A gateway that was told to end does not wait for who reads its log.
  if (argv[0] !== startCommand.name) await endOutput()
  process.exit(code)
}

/** Runs the command of `argv`; the exit code. Never rejects: what a command throws is printed. */
export async function runCommandLine(
  argv: readonly string[],
  parts: CommandLineParts,
): Promise<number> {
  exceptLoopback(process.env)
  try {
    return await run(argv, parts)
  } catch (error) {
    const fix = fixOf(error)
    warn(`coinop: ${messageOf(error)}${fix ? `\n  ${fix}` : ''}`)
    // A database or a file that is missing is not a finding, such as one of `ledger verify`.
    return fix === null ? EXIT.failed : EXIT.unavailable
  }
}

async function run(
  argv: readonly string[],
  { env, machinery, shippedProducts, loadPlugins }: CommandLineParts,
): Promise<number> {
  const [first] = argv
  // A plugin may throw from a timer while others load.
  if (first === startCommand.name)
    outliveStrayErrors((error, what) => warn(`coinop: ${what}: ${messageOf(error)}`))
  else endWithOutput()
  if (first === '--version' || first === 'version') {
    say(VERSION)
    return EXIT.ok
  }
  const plugins = await loadPlugins({
    pluginsDir: valueOf(env, VARIABLES.pluginsDir),
    packages: valueOf(env, VARIABLES.plugins),
  })
  const all = [...OWN_COMMANDS, ...pluginCommands(plugins)]
  // The commands of one first word stand together.
  const commands = [...Map.groupBy(all, ({ name }) => name.split(' ')[0]).values()].flat()
  if (first === undefined || first === 'help' || argv.some((word) => HELP.has(word))) {
    const about = first === 'help' ? argv[1] : argv.find((word) => !word.startsWith('-'))
    const text = helpText(commands, about)
    if (text === null) return notUnderstood(`There is no command '${about}'.`)
    say(text)
    return first === undefined ? EXIT.usage : EXIT.ok
  }
  const chosen = choose(commands, argv)
  if (!chosen.ok) return notUnderstood(chosen.message)
  const loaded = loadConfig(env, pluginsOf(plugins))
  if (!loaded.ok) {
    warn(formatProblems(loaded.problems))
    for (const trouble of envFileTroubles(ENV_FILES, env)) warn(`  ${trouble}`)
    return EXIT.config
  }
  const { isChange, name } = chosen.command
  return chosen.command.run({
    ...(isChange && { changing: name }),
    config: loaded.config,
    configLines: loaded.lines,
    values: loaded.values,
    plugins,
    machinery,
    shippedProducts,
    positionals: chosen.positionals,
    options: chosen.options,
    env,
  })
}

function notUnderstood(message: string): number {
  warn(`${message}\nRun \`coinop help\`.`)
  return EXIT.usage
}
