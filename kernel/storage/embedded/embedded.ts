/** The embedded database as one thing to open and close. */
import { existsSync } from 'node:fs'
import type { Logger } from '../../plugins/contract.ts'
import { createClient, withDatabase } from '../address.ts'
import { StorageError } from '../errors.ts'
import { findBinaries, type Binaries } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import { occupy, type Occupancy } from './occupancy.ts'
import { checkReachable, preparePlace } from './place.ts'
import { runningPostmaster } from './postmaster.ts'
import { ensureServer, stopServer, type RunningServer } from './server.ts'
import { supervise } from './supervisor.ts'

const DATABASE = 'coinop'
const JOIN_TRIES = 5

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

  const { server, occupancy } = await join()
  const url = withDatabase(server.url, DATABASE)
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
      await occupancy.leave(() => stopServer(place, 'fast'))
    },
  }

  /** The server with our locks on it. Who left it last may stop it just then: it is started anew. */
  async function join(): Promise<{ server: RunningServer; occupancy: Occupancy }> {
    for (let left = JOIN_TRIES; ; left--) {
      const server = await ensureServer(place, binaries, log)
      try {
        return { server, occupancy: await occupy(server.url, role, dataDir, log) }
      } catch (error) {
        if (error instanceof StorageError || left === 1) throw error
        log.info({ err: error }, 'the embedded database was just being stopped; starting it anew')
      }
    }
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
