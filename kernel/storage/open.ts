/** Opens the one database of a gateway: the operator's server, or the embedded one of DATA_DIR. */
import type { Logger } from '../log/logger.ts'
import type {
  Database,
  DatabaseConnector,
  EmbeddedOptions,
  EmbeddedPostgres,
  OpenedServer,
} from './contract.ts'
import { StorageError } from './errors.ts'
import { migrateDatabase, pendingMigrations } from './migrate.ts'

export interface OpenOptions {
  /** Null: `embedded` starts a server in `dataDir`. */
  databaseUrl: string | null
  dataDir: string
  connector: DatabaseConnector
  embedded?: EmbeddedPostgres
  /** Whether the gateway holds play money only; default false. */
  sandbox?: boolean
  log: Logger
  /** Connections of `sql`; default 12. */
  poolSize?: number
  /** False: only checks that every migration is applied; 'leave' does not even look. */
  migrate?: boolean | 'leave'
}

/**
 * The gateway's database, migrated. StorageErrors say what the operator can do: no server, another
 * gateway on this DATA_DIR, missing migrations with `migrate: false`. With `role` 'tool' it is for a
 * command beside a gateway: it uses a running embedded server, or starts one for itself and stops
 * it at close unless a gateway has joined.
 */
export async function openDatabase(
  options: OpenOptions,
  role: EmbeddedOptions['role'] = 'gateway',
): Promise<Database> {
  const { databaseUrl, connector, log, poolSize } = options
  const own = databaseUrl === null ? await openEmbedded(options, role) : null
  const db = connector.connect({
    url: own?.url ?? databaseUrl!,
    kind: own === null ? 'server' : 'embedded',
    log,
    poolSize,
    onClose: () => own?.close() ?? Promise.resolve(),
  })
  try {
    if (own === null) await connector.checkServer(db, log)
    await bringUpToDate(db, options)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

function openEmbedded(options: OpenOptions, role: EmbeddedOptions['role']): Promise<OpenedServer> {
  const { embedded, dataDir, sandbox = false, migrate = true, log } = options
  const mustExist = role === 'tool' && migrate !== true
  if (embedded !== undefined) return embedded.open({ dataDir, role, mustExist, sandbox, log })
  throw new StorageError(
    'There is no database: DATABASE_URL is not set, and no PostgreSQL is embedded.',
    'Set DATABASE_URL.',
  )
}

async function bringUpToDate(db: Database, options: OpenOptions): Promise<void> {
  const { migrate = true, connector, log } = options
  if (migrate === 'leave') return
  const missing = await pendingMigrations(db.sql)
  if (missing.length === 0) return
  if (!migrate)
    throw new StorageError(
      `The database lacks ${missing.length} migrations: ${missing.join(', ')}.`,
      'Run `coinop migrate`, or start without --no-migrate.',
    )
  // Before the lock of migrations, which another instance, or what a killed one began, may hold for long.
  const takes = missing[0]!.startsWith('0000_') ? '' : ', which may take minutes'
  log.info({ missing }, `migrating the database${takes}`)
  const applied = await migrateDatabase(db.url, connector.openClient)
  if (applied.length > 0) log.info({ applied }, 'database migrated')
}
