/** `coinop start`: runs a gateway until it is told to stop. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { codeOf } from '../../kernel/errors.ts'
import { startGateway } from '../../kernel/compose/gateway.ts'
import type { ConfigLine } from '../../kernel/config/config.ts'
import { VARIABLES } from '../../kernel/config/variables.ts'
import { ENV_FILES, envFileTroubles } from '../env-files.ts'
import { closedFiles, refusesWriting } from '../file-trouble.ts'
import { makeFirstKey } from '../first-key.ts'
import { untilToldToEnd } from '../ending.ts'
import { isLoopbackHost } from '../../kernel/net/local-url.ts'
import { AddressError } from '../../kernel/http/app.ts'
import { VaultError } from '../../kernel/auth/secrets.ts'
import { homesOf } from '../../kernel/products/homes.ts'
import type { Logger } from '../../kernel/log/logger.ts'
import { pluginsOf } from '../../kernel/plugins/loaded.ts'
import { formatProductProblem, type ProductRegistry } from '../../kernel/products/registry.ts'
import { describeMisspelt, misspeltVariables } from '../misspelt-variables.ts'
import { describeUnused, unusedVariables } from '../unused-variables.ts'
import { banner, type BannerFacts } from '../banner.ts'
import type { Command, CommandContext } from '../command.ts'
import { EXIT } from '../../kernel/plugins/command.ts'
import { writeProducts } from '../shipped-products.ts'
import { startNotes } from '../start-notes.ts'
import { outliveStrayErrors } from '../stray-errors.ts'
import { toldOnce } from '../told-once.ts'
import { say, warn } from '../output.ts'

async function start(context: CommandContext): Promise<number> {
  const { config } = context
  const log = context.machinery.createLog({ level: config.logLevel, format: config.logFormat })
  // Also while it starts: a start that hangs could be ended only by SIGKILL.
  const stopped = untilToldToEnd(() => {
    warn('coinop: second signal, leaving at once; open holds expire by themselves')
    process.exit(EXIT.failed)
  })
  log.info(settingsOf(context), 'configuration; secrets are masked')
  const settings = context.configLines.map(({ name }) => name)
  for (const misspelt of misspeltVariables(settings, context.env))
    log.warn(misspelt, describeMisspelt(misspelt))
  for (const file of closedFiles(ENV_FILES))
    log.warn({ file }, 'a file of settings cannot be read by this user: nothing of it is used')
  for (const trouble of envFileTroubles(ENV_FILES, context.env)) log.warn({}, trouble)
  outliveStrayErrors((error, what) => log.error({ err: error }, what))
  if (config.sandbox && !isLoopbackHost(config.host)) {
    log.warn(
      { host: config.host },
      'a sandbox listens beyond this machine: its keys, its wallets and its chain are for tests and open to whoever reaches it. For real money set SANDBOX=false, or listen on 127.0.0.1',
    )
  }
  try {
    beginFolder(context)
    const gateway = await startGateway({
      config: { ...config, migrate: config.migrate && context.options['no-migrate'] !== true },
      configLines: context.configLines,
      plugins: context.plugins,
      machinery: context.machinery,
      env: context.env,
      log,
    })
    try {
      warnOfUnused(context, gateway.registry, log)
      if (refusesWriting(resolve(config.dataDir)))
        log.warn(
          { dataDir: config.dataDir },
          'DATA_DIR cannot be written: charges that are to be given back are lost if this process is killed',
        )
      for (const line of banner(await factsOf(gateway, log))) say(line)
      const signal = await stopped
      log.info(
        { signal, timeoutMs: config.shutdownTimeoutMs },
        'stopping: calls under way finish first',
      )
    } finally {
      // Also where it could not be told that it runs: its embedded database would outlive it.
      await gateway.stop()
    }
    log.info({}, 'stopped')
    return EXIT.ok
  } catch (error) {
    if (error instanceof AddressError) {
      const { message } = error.cause as Error
      warn(`coinop: ${error.message}: ${message}\n  ${addressFix(error.cause)}`)
      return EXIT.unavailable
    }
    // To start again does not mend it.
    if (error instanceof VaultError) {
      warn(`coinop: ${error.message}`)
      return EXIT.config
    }
    throw error
  } finally {
    await log.flush()
  }
}

/** What an operator can do about an address that cannot be listened on. */
function addressFix(cause: unknown): string {
  const code = codeOf(cause)
  if (code === 'EADDRINUSE') return 'Stop what is there, or set PORT, HOST or ADMIN_URL.'
  if (code === 'EACCES') return 'Set PORT to one above 1023, or let this user have lower ones.'
  return 'Set HOST to an address of this machine: 127.0.0.1, or 0.0.0.0 for all of them.'
}

/**
 * A sandbox that is started where no product file is and none was asked for gets some to begin with:
 * it would sell nothing, and say nothing of how it could.
 */
function beginFolder({ config, configLines, shippedProducts }: CommandContext): void {
  const { productsDir, sandbox } = config
  const isAsked = configLines.some(
    ({ name, origin }) => name === VARIABLES.productsDir.name && origin === 'environment',
  )
  if (!sandbox || isAsked || existsSync(productsDir)) return
  const written = writeProducts(shippedProducts, productsDir, false)
  say(`made ${productsDir}/ with ${written.join(', ')}; \`coinop init --all\` adds the others`)
}

/** The effective settings: for a person only those of the environment, for a log collector all. */
function settingsOf({ config, configLines }: CommandContext): object {
  const named = (origin: ConfigLine['origin']): Record<string, string> =>
    Object.fromEntries(
      configLines.filter((line) => line.origin === origin).map(({ name, value }) => [name, value]),
    )
  const environment = named('environment')
  return config.logFormat === 'pretty'
    ? { environment }
    : { environment, defaults: named('default') }
}

/** What is set for a plugin that no product uses is told: it does nothing. */
function warnOfUnused(
  { plugins, env }: CommandContext,
  registry: ProductRegistry,
  log: Logger,
): void {
  const all = pluginsOf(plugins)
  const usedIds = new Set([
    ...[...registry.current().products.values()].map(({ parts }) => parts.spec.pluginId),
    ...all.flatMap(({ id, gateway }) => (gateway ? [id] : [])),
  ])
  for (const unused of unusedVariables(all, usedIds, env))
    log.warn({ plugin: unused.pluginId }, describeUnused(unused))
}

async function factsOf(
  gateway: Awaited<ReturnType<typeof startGateway>>,
  log: Logger,
): Promise<BannerFacts> {
  const { config, foundation, registry, rails } = gateway
  const snapshot = registry.current()
  const skills = snapshot.skills.filter((mounted) => mounted.metered).length
  const products = [...snapshot.products.values()]
  const key = config.sandbox ? await makeFirstKey(foundation) : null
  return {
    url: gateway.url,
    listening: gateway.listening,
    sandbox: config.sandbox,
    database:
      config.databaseUrl === null
        ? `embedded PostgreSQL in ${config.dataDir}`
        : 'PostgreSQL of DATABASE_URL',
    skills,
    products: new Set(snapshot.skills.map((mounted) => mounted.product.id)).size,
    sellsHash: snapshot.skills.some(({ route }) => route?.path === '/v1/paid/hash'),
    sellsTools: skills > 0 && products.some(({ parts }) => parts.spec.basePath === '/mcp'),
    homes: homesOf(snapshot.products).map(({ path, title, forOperators }) => ({
      url: ((forOperators ? config.adminUrl : null) ?? gateway.url) + path,
      title: forOperators ? `${title.toLowerCase()} for operators` : title.toLowerCase(),
    })),
    rails: rails.list().map((rail) => {
      const state = rails.available(rail.id)
      return { id: rail.id, state: state.ok ? 'open' : `closed: ${state.reason}` }
    }),
    problems: toldOnce(registry.problems()).flatMap(formatProductProblem),
    notes: await startNotes(snapshot.products, log),
    adminToken: gateway.adminToken,
    made: key ? { key } : {},
  }
}

export const startCommand: Command = {
  name: 'start',
  usage: 'start [--no-migrate]',
  summary: 'run the gateway',
  options: { 'no-migrate': { type: 'boolean' } },
  run: start,
}
