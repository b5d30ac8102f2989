/** The embedded database as one thing to open and close. */
import { existsSync } from 'node:fs'
import type { Logger } from '../../plugins/contract.ts'
import { createClient, withDatabase } from '../address.ts'
import { findBinaries, type Binaries } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import { occupy } from './occupancy.ts'
import { checkReachable, preparePlace } from './place.ts'
import { runningPostmaster } from './postmaster.ts'
import { ensureServer, stopServer } from './server.ts'
import { supervise } from './supervisor.ts'

const DATABASE = 'coinop'

export interface EmbeddedServer {
  /** Connection text of the gateway's database. */
  url: string
  /** Stops the server unless somebody else still uses it. */
  close(): Promise<void>
}

/**
 * Adopts or starts the server of DATA_DIR. A 'gateway' is alone on it and restarts it when it dies;
 * a 'tool' may run beside a gateway.
 */
export async function openEmbedded(
  dataDir: string,
  role: 'gateway' | 'tool',
  log: Logger,
): Promise<EmbeddedServer> {
  const place = preparePlace(dataDir)
  let found: Binaries | undefined
  // Adopting a live server needs no programs.
  const binaries = () => (found ??= findBinaries(place.user))
  if (existsSync(place.clusterLink)) checkReachable(place)
  else await ensureCluster(place, binaries(), log)

  const server = await ensureServer(place, binaries, log)
  const url = withDatabase(server.url, DATABASE)
  const occupancy = await occupy(server.url, role, dataDir, log)
  log.info({ pid: server.pid, adopted: server.adopted }, 'the embedded database is ready')
  await ensureDatabase(server.url)
  let { pid } = server
  const endSupervision = supervise(
    () => runningPostmaster(place.clusterLink)?.pid === pid && occupancy.isHeld(),
    async () => {
      const restarted = await ensureServer(place, binaries, log)
      await occupancy.renew()
      // Not before: without its locks the server counts as down, and this is tried again.
      pid = restarted.pid
    },
    log,
  )
  return {
    url,
    async close() {
      await endSupervision()
      if (await occupancy.leave()) await stopServer(place, 'fast')
    },
  }
}

async function ensureDatabase(maintenanceUrl: string): Promise<void> {
  const sql = createClient(maintenanceUrl, { max: 1, applicationName: 'coinop' })
  try {
    const [found] = await sql`select 1 from pg_database where datname = ${DATABASE}`
    if (found === undefined) await sql.unsafe(`create database ${DATABASE}`)
  } catch (error) {
    // Two processes at once: the other one made it.
    if ((error as { code?: string }).code !== '42P04') throw error
  } finally {
    await sql.end({ timeout: 1 })
  }
}
