/** The embedded database as one thing to open and close. */
import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  codeOf,
  type EmbeddedOptions,
  isAlive,
  type OpenedServer,
  StorageError,
} from '#kernel/host'
import { createClient } from '../database/client.ts'
import { withDatabase } from './connection-text.ts'
import { cacheFolders, findBinaries, type Binaries } from './binaries.ts'
import { makeCluster } from './cluster.ts'
import { occupy, type Occupancy } from './occupancy.ts'
import { checkReachable, preparePlace } from './place.ts'
import { runningPostmaster } from './postmaster.ts'
import { markSandbox, removeSocketDirectory, sweepRemains } from './remains.ts'
import { ensureServer, stopServer, trimLog, type RunningServer } from './server.ts'
import { supervise } from './supervisor.ts'
import { GRACE_MS, startWatchdog } from './watchdog.ts'

const DATABASE = 'coinop'
const JOIN_TRIES = 5
const TRIM_EVERY_MS = 60_000
/** Every so often the supervisor reads files as well: on macOS that starts a process. */
const LOOKS_PER_READING = 5

/**
 * Adopts or starts the server of DATA_DIR. A 'gateway' is alone on it, a 'tool' may run beside a
 * gateway; both restart it when it dies. When this process is killed, the server is stopped
 * `graceMs` later unless somebody else uses it.
 */
export async function openEmbedded(
  { dataDir, role, mustExist = false, sandbox, log }: EmbeddedOptions,
  graceMs = GRACE_MS,
): Promise<OpenedServer> {
  if (mustExist && !existsSync(resolve(dataDir, 'postgres'))) {
    throw new StorageError(
      `There is no database in DATA_DIR ${resolve(dataDir)}.`,
      'Set DATA_DIR to the folder of the gateway that is meant (or DATABASE_URL); `coinop start` makes a new one.',
    )
  }
  const place = preparePlace(dataDir)
  if (role === 'gateway') sweepRemains(log)
  const watchdog = startWatchdog(resolve(dataDir), place, graceMs)
  let found: Binaries | undefined
  // Adopting a live server needs no programs.
  const binaries = () => (found ??= findBinaries(place.user, cacheFolders(dataDir)))
  if (existsSync(place.clusterLink)) checkReachable(place)
  else await makeCluster(place, binaries(), log)

  const { server, occupancy } = await join()
  watchdog.watch(server, realpathSync(place.clusterLink))
  try {
    if (role === 'gateway') markSandbox(dataDir, sandbox)
    log.info({ pid: server.pid, adopted: server.adopted }, 'the embedded database is ready')
    await ensureDatabase(server.url)
  } catch (error) {
    await leave()
    throw error
  }
  let { pid } = server
  let looks = 0
  const isServing = (): boolean =>
    looks++ % LOOKS_PER_READING === 0
      ? runningPostmaster(place.clusterLink)?.pid === pid
      : isAlive(pid)
  const endSupervision = supervise(
    () => isServing() && occupancy.isHeld(),
    async () => {
      const restarted = await ensureServer(place, binaries, log)
      await occupancy.renew()
      // Not before: without its locks the server counts as down, and this is tried again.
      pid = restarted.pid
      watchdog.watch(restarted, realpathSync(place.clusterLink))
    },
    log,
  )
  const trims = setInterval(() => {
    try {
      trimLog(place.logFile)
    } catch (error) {
      log.warn({ err: error }, 'the log of the embedded database cannot be cut')
    }
  }, TRIM_EVERY_MS)
  trims.unref()
  return {
    url: withDatabase(server.url, DATABASE),
    async close() {
      clearInterval(trims)
      await endSupervision()
      await leave()
    },
  }

  /** Gives the server up; who is the last of its users stops it. */
  async function leave(): Promise<void> {
    const isLeft = await occupancy.leave(async () => {
      await stopServer(place, 'fast')
      removeSocketDirectory(dataDir, place.socketDir)
    })
    // Without DATA_DIR the server was not found.
    watchdog.end(isLeft && existsSync(place.clusterLink) ? 'closed' : 'left')
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
    if (codeOf(error) !== '42P04') throw error
  } finally {
    await sql.end({ timeout: 1 })
  }
}
