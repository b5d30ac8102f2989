/**
 * Run by the watchdog of a process that ended without closing the embedded database: stops the server
 * unless somebody else uses it, and removes what was made for a DATA_DIR that is gone. Exits with 0
 * when nothing is left to do. Arguments: DATA_DIR, the socket directory, the server's process number
 * and its data directory.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '#kernel'
import { socketUrl } from './connection-text.ts'
import { SUPERUSER } from './cluster.ts'
import { occupy } from './occupancy.ts'
import { runningPostmaster } from './postmaster.ts'
import { removeRemains, removeSocketDirectory } from './remains.ts'
import { stopProcess, stopServer, TOO_MANY_CONNECTIONS } from './server.ts'
import { codeOf } from '#kernel/host'

/** A server that lets nobody in for this long does not answer; crash recovery may take as long. */
const REACH_MS = 120_000

const [dataDir = '', socketDir = '', pid = '', clusterDir = ''] = process.argv.slice(2)
const clusterLink = join(dataDir, 'postgres')
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }

if (existsSync(clusterLink)) {
  await retire()
} else if (clusterDir !== '') {
  // Without DATA_DIR no other process can find the server, so nobody can have adopted it.
  await stopProcess(Number(pid), clusterDir, 'fast')
}
removeRemains(dataDir, socketDir, clusterDir)
process.exit(0)

async function retire(): Promise<void> {
  const until = performance.now() + REACH_MS
  for (;;) {
    const postmaster = runningPostmaster(clusterLink)
    if (postmaster === null) return
    if (performance.now() > until) return stopServer({ clusterLink }, 'fast')
    try {
      const url = socketUrl(postmaster.socketDir, SUPERUSER, 'postgres')
      const occupancy = await occupy(url, 'tool', dataDir, silent)
      await occupancy.leave(async () => {
        await stopServer({ clusterLink }, 'fast')
        removeSocketDirectory(dataDir, socketDir)
      })
      return
    } catch (error) {
      // Somebody uses it.
      if (codeOf(error) === TOO_MANY_CONNECTIONS) return
      await delay(200)
    }
  }
}
