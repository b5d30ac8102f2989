/**
 * The server of the tests' databases: the embedded PostgreSQL without its waits for the disk. What
 * a machine without power would lose is no test's subject here; those of the embedded server start
 * their own.
 */
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { cacheFolders, findBinaries } from '../../host/embedded-postgres/binaries.ts'
import { makeCluster, serverEnvironment } from '../../host/embedded-postgres/cluster.ts'
import { openEmbedded } from '../../host/embedded-postgres/embedded.ts'
import { preparePlace } from '../../host/embedded-postgres/place.ts'
import { runningPostmaster } from '../../host/embedded-postgres/postmaster.ts'
import { SETTINGS } from '../../host/embedded-postgres/server.ts'
import { runAs } from '../../host/embedded-postgres/user.ts'
import type { OpenedServer } from '../../kernel/host.ts'
import { silentLog } from './log.ts'

/** Starts it in the empty folder `dataDir`; it ends when it is closed or this process is killed. */
export async function openTestServer(dataDir: string): Promise<OpenedServer> {
  const place = preparePlace(dataDir)
  const binaries = findBinaries(place.user, cacheFolders(dataDir))
  await makeCluster(place, binaries, silentLog)
  const settings = {
    ...SETTINGS,
    fsync: 'off',
    full_page_writes: 'off',
    // Three files at once, some with several gateways, had all of the usual hundred.
    max_connections: '300',
  }
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const directory = realpathSync(place.clusterLink)
  const child = spawn(binaries.postgres, ['-D', directory, '-k', place.socketDir, ...words], {
    ...runAs(place.user),
    env: serverEnvironment(),
    detached: true,
    stdio: 'ignore',
  })
  child.unref()
  while (runningPostmaster(place.clusterLink)?.ready !== true) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`)
    await Bun.sleep(10)
  }
  // It finds the server that runs and has it watched.
  return openEmbedded({ dataDir, role: 'gateway', sandbox: false, log: silentLog })
}
