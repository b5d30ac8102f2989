/**
 * The composition root: the command line, the plugins that ship with the gateway, and what comes with
 * it beside them (`Machinery`). The only kernel file that imports from there.
 */
import { formatProblems } from '../cli/config-problems.ts'
import { loadConfig } from '../cli/load-config.ts'
import { choose, helpText, type Command } from '../cli/command.ts'
import { backupCommands } from '../cli/commands/backup.ts'
import { ledgerCommands } from '../cli/commands/ledger.ts'
import { productCommands } from '../cli/commands/products.ts'
import { setupCommands } from '../cli/commands/setup.ts'
import { startCommand } from '../cli/commands/start.ts'
import { pluginCommands } from '../cli/plugin-commands.ts'
import { say, warn } from '../cli/output.ts'
import { valueOf } from './config/variable.ts'
import { VARIABLES } from './config/variables.ts'
import { EXIT } from './plugins/command.ts'
import { pluginsOf } from './plugins/loaded.ts'
import { StorageError } from './storage/errors.ts'
import { VERSION } from './version.ts'
import * as contract from './index.ts'
import { openTokenService } from '../host/access-tokens/index.ts'
import { createAccountManagement } from '../host/account-management/index.ts'
import { startEventDelivery } from '../host/account-events/index.ts'
import { databaseConnector } from '../host/database/index.ts'
import { createDocumentPool } from '../host/document-jobs/index.ts'
import { embeddedPostgres } from '../host/embedded-postgres/index.ts'
import { openGiveBackJournal } from '../host/give-back-journal/index.ts'
import { readLongJson } from '../host/json-slices/index.ts'
import { createOperatorChanges } from '../host/operator-changes/index.ts'
import { openOutbound } from '../host/outbound/index.ts'
import { loadPlugins, provideContract } from '../host/plugin-loading/index.ts'
import { priceHistory } from '../host/price-history/index.ts'
import { productReader } from '../host/product-files/index.ts'
import { productRevisions } from '../host/product-revisions/index.ts'
import { createPluginServices } from '../host/plugin-services/index.ts'
import { createRateLimiter } from '../host/rate-limits/index.ts'
import * as skillkit from '../plugins/shared/skillkit/index.ts'
import { reporting } from '../host/reporting/index.ts'
import { openStatus } from '../host/status/index.ts'
import { secrets } from '../host/secrets/index.ts'
import { createLog, createMetrics, createTracer } from '../host/telemetry/index.ts'
import { SHIPPED_PLUGINS, SHIPPED_PRODUCTS } from '../plugins/shipped.ts'

const ownCommands: readonly Command[] = [
  startCommand,
  ...setupCommands,
  ...backupCommands,
  ...ledgerCommands,
  ...productCommands,
]

const HELP: ReadonlySet<string> = new Set(['--help', '-h'])

async function main(argv: readonly string[]): Promise<number> {
  const [first] = argv
  if (first === '--version' || first === 'version') {
    say(VERSION)
    return EXIT.ok
  }
  provideContract(contract, skillkit)
  const plugins = await loadPlugins({
    builtins: SHIPPED_PLUGINS,
    pluginsDir: valueOf(process.env, VARIABLES.pluginsDir),
    packages: valueOf(process.env, VARIABLES.plugins),
  })
  const all = [...ownCommands, ...pluginCommands(plugins)]
  // The commands of one first word stand together.
  const commands = [...Map.groupBy(all, ({ name }) => name.split(' ')[0]).values()].flat()
  if (first === undefined || first === 'help' || argv.some((word) => HELP.has(word))) {
    const about = first === 'help' ? argv[1] : argv.find((word) => !HELP.has(word))
    say(helpText(commands, about))
    return first === undefined ? EXIT.usage : EXIT.ok
  }
  const chosen = choose(commands, argv)
  if (!chosen.ok) {
    warn(`${chosen.message}\nRun \`coinop help\`.`)
    return EXIT.usage
  }
  const loaded = loadConfig(process.env, pluginsOf(plugins))
  if (!loaded.ok) {
    warn(formatProblems(loaded.problems))
    return EXIT.config
  }
  const { isChange, name } = chosen.command
  return chosen.command.run({
    ...(isChange && { changing: name }),
    config: loaded.config,
    configLines: loaded.lines,
    values: loaded.values,
    plugins,
    machinery: {
      connector: databaseConnector,
      embedded: embeddedPostgres,
      createLog,
      createMetrics,
      createTracer,
      createOutbound: openOutbound,
      createDocumentPool,
      priceHistory,
      productReader,
      productRevisions,
      reporting,
      startEventDelivery,
      readLongJson,
      secrets,
      openStatus,
      createOperatorChanges,
      createAccountManagement,
      createPluginServices,
      createRateLimiter,
      openTokenService,
      openGiveBackJournal,
    },
    shippedProducts: SHIPPED_PRODUCTS,
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
