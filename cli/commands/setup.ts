/** `coinop config`, `migrate` and `doctor`: the setup before and beside a gateway. */
import { accessSync, constants } from 'node:fs'
import type { SetupFinding } from '../../kernel/config/variable.ts'
import { pluginsOf } from '../../kernel/plugins/loaded.ts'
import { openDatabase } from '../../kernel/storage/open.ts'
import type { Logger } from '../../kernel/log/logger.ts'
import { planMigrations, planPluginMigrations } from '../migration-plan.ts'
import type { Command, CommandContext } from '../command.ts'
import { EXIT } from '../../kernel/plugins/command.ts'
import { printRows, say, warn } from '../output.ts'

async function showConfig(context: CommandContext): Promise<number> {
  printRows(context.configLines.map((line) => ({ ...line })))
  return EXIT.ok
}

async function migrate(context: CommandContext): Promise<number> {
  const { config } = context
  const { connector, embedded, createLog } = context.machinery
  const log = createLog({ level: 'warn', format: 'pretty' })
  if (context.options['dry-run'] === true) return showPlan(context, log)
  const db = await openDatabase({ ...config, connector, embedded, log, migrate: true }, 'tool')
  await db.close()
  say('The database is up to date.')
  return EXIT.ok
}

/** What a migration would do; changes nothing. */
async function showPlan(
  { config, plugins, machinery: { connector, embedded } }: CommandContext,
  log: Logger,
): Promise<number> {
  const db = await openDatabase({ ...config, connector, embedded, log, migrate: 'leave' }, 'tool')
  try {
    const planned = await planMigrations(db.sql)
    const atMount = await planPluginMigrations(db.sql, pluginsOf(plugins))
    if (planned.length + atMount.length === 0) {
      say('The database is up to date.')
      return EXIT.ok
    }
    printRows([...planned, ...atMount].map((one) => ({ ...one })))
    if (planned.length === 0) {
      warn(
        'Nothing was changed. Back the database up before a gateway of this version starts on it.',
      )
      return EXIT.ok
    }
    const seconds = planned.reduce((sum, { estimateSeconds }) => sum + estimateSeconds, 0)
    warn(
      `Nothing was changed. All of it is one transaction of about ${Math.max(1, seconds)} s with a core to itself;` +
        ' stop every gateway and back the database up first.',
    )
    return EXIT.ok
  } finally {
    await db.close()
  }
}

async function doctor(context: CommandContext): Promise<number> {
  const findings = [
    await checkDatabase(context),
    checkFolder('PRODUCTS_DIR', context.config.productsDir),
    ...pluginsOf(context.plugins).flatMap((one) => one.setupFindings?.(context.values) ?? []),
  ]
  printRows(findings.map((finding) => ({ ...finding })))
  const failed = findings.some((finding) => finding.state === 'failed')
  if (failed) warn('Something that the gateway needs does not work.')
  return failed ? EXIT.failed : EXIT.ok
}

async function checkDatabase({
  config,
  machinery: { connector, embedded, createLog },
}: CommandContext): Promise<SetupFinding> {
  const part =
    config.databaseUrl === null
      ? `embedded PostgreSQL in ${config.dataDir}`
      : 'PostgreSQL of DATABASE_URL'
  try {
    const log = createLog({ level: 'silent', format: 'json' })
    const db = await openDatabase({ ...config, connector, embedded, log, migrate: false }, 'tool')
    const rows = await db.sql<
      { version: string }[]
    >`SELECT current_setting('server_version') AS version`
    await db.close()
    return {
      part,
      state: 'ok',
      detail: `version ${rows[0]?.version ?? 'unknown'}, migrations applied`,
    }
  } catch (error) {
    return { part, state: 'failed', detail: (error as Error).message }
  }
}

function checkFolder(name: string, folder: string): SetupFinding {
  try {
    accessSync(folder, constants.R_OK)
    return { part: name, state: 'ok', detail: folder }
  } catch {
    return { part: name, state: 'failed', detail: `${folder} cannot be read` }
  }
}

export const setupCommands: readonly Command[] = [
  {
    name: 'config',
    usage: 'config',
    summary: 'print every effective setting with its origin',
    run: showConfig,
  },
  {
    name: 'migrate',
    usage: 'migrate [--dry-run]',
    summary: 'bring the database up to date and exit; --dry-run only says what that would do',
    options: { 'dry-run': { type: 'boolean' } },
    run: migrate,
  },
  {
    name: 'doctor',
    usage: 'doctor',
    summary: 'check database, folders and settlement',
    run: doctor,
  },
]
