/** The commands that plugins bring, with what they may use. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from '../kernel/compose/gateway.ts'
import { declaredVariables } from '../kernel/config/declared.ts'
import {
  EXIT,
  type PluginCommand,
  type PluginCommandContext,
  type SandboxGateway,
} from '../kernel/plugins/command.ts'
import { pluginsOf, type LoadedPlugins } from '../kernel/plugins/loaded.ts'
import { formatProblem } from '../kernel/products/problem.ts'
import type { Command, CommandContext } from './command.ts'
import { formatProblems } from './config-problems.ts'
import { loadConfig } from './load-config.ts'
import { exitCodeOf, untilToldToEnd } from './ending.ts'
import { printRecord, printRows, say, usageOf, warn } from './output.ts'
import { VERSION } from '../kernel/version.ts'
import { writeProducts } from './shipped-products.ts'
import { withFoundation } from './with-foundation.ts'

const ADMIN_TOKEN = 'sandbox-admin-token-of-at-least-32-characters'

export function pluginCommands(plugins: LoadedPlugins): Command[] {
  return pluginsOf(plugins).flatMap(({ commands = [] }) =>
    commands.map((command) => ({
      ...command,
      run: (context) => command.run(openTo(context, command)),
    })),
  )
}

/** What a plugin's command may use of the context of a command. */
function openTo(context: CommandContext, command: PluginCommand): PluginCommandContext {
  const { config, env, machinery, plugins, positionals, options } = context
  return {
    positionals,
    options,
    publicUrl: config.publicUrl,
    dataDir: config.dataDir,
    productsDir: config.productsDir,
    sandbox: config.sandbox,
    version: VERSION,
    shippedPlugins: [...plugins.plugins.values()].flatMap(({ plugin, isBuiltin }) =>
      isBuiltin ? [plugin.id] : [],
    ),
    writeProducts: (folder, isAll) => writeProducts(context.shippedProducts, folder, isAll),
    adminToken: machinery.secrets.knownAdminToken(config.adminToken, config.dataDir),
    say,
    warn,
    printRecord,
    printRows,
    usage: (why) => usageOf(command, why),
    onBooks: (work, use) => withFoundation(context, work, use),
    verifyLedger: () =>
      withFoundation(context, ({ db }) => machinery.reporting.verifyLedger(db.sql)),
    storedProducts: () =>
      withFoundation(context, ({ db }) => machinery.productRevisions.storedIn(db).rows(), 'read'),
    productProblems(text) {
      const variables = declaredVariables(pluginsOf(plugins))
      return machinery.productReader
        .parse(text, { file: 'the product', env, variables })
        .flatMap((product) => (product.ok ? [] : product.problems.map(formatProblem)))
    },
    withSandbox: (work) => withSandbox(context, work),
  }
}

async function withSandbox(
  { plugins, machinery, env, config, shippedProducts }: CommandContext,
  work: (gateway: SandboxGateway) => Promise<number>,
): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'coinop-sandbox-'))
  // Whatever ends it: the gateway and its folder go.
  const ended = untilToldToEnd(() => process.exit(EXIT.failed))
  const defaults = declaredVariables(pluginsOf(plugins)).map(({ name }) => [name, undefined])
  const ownEnv = {
    ...env,
    ...(Object.fromEntries(defaults) as Record<string, undefined>),
    HOST: '127.0.0.1',
    PORT: '0',
    PUBLIC_URL: undefined,
    ADMIN_URL: undefined,
    DATABASE_URL: undefined,
    DATA_DIR: dataDir,
    // In a folder that no gateway was started from yet.
    ...(!existsSync(config.productsDir) && { PRODUCTS_DIR: shippedProducts.folder }),
    SANDBOX: 'true',
    ADMIN_TOKEN,
  }
  try {
    const loaded = loadConfig(ownEnv, pluginsOf(plugins))
    if (!loaded.ok) throw new Error(formatProblems(loaded.problems))
    const gateway = await startGateway({
      config: loaded.config,
      configLines: loaded.lines,
      plugins,
      machinery,
      env: ownEnv,
      log: machinery.createLog({ level: 'silent', format: 'json' }),
    })
    try {
      const done = work({
        url: gateway.listening,
        adminToken: ADMIN_TOKEN,
        verifyLedger: () => machinery.reporting.verifyLedger(gateway.foundation.db.sql),
      })
      return await Promise.race([done, ended.then(exitCodeOf)])
    } finally {
      await gateway.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
