/**
 * The server of the tests' databases: the embedded PostgreSQL without its waits for the disk. What
 * a machine without power would lose is no test's subject here; those of the embedded server start
 * their own.
 */
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { findBinaries } from '../../host/embedded-postgres/binaries.ts'
import { makeCluster, serverEnvironment } from '../../host/embedded-postgres/cluster.ts'
import { openEmbedded } from '../../host/embedded-postgres/embedded.ts'
import { preparePlace } from '../../host/embedded-postgres/place.ts'
import { runningPostmaster } from '../../host/embedded-postgres/postmaster.ts'
import { runAs } from '../../host/embedded-postgres/user.ts'
import type { OpenedServer } from '../../kernel/host.ts'
import { silentLog } from './log.ts'

const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'jit=off',
  'listen_addresses=',
  'max_connections=100',
  'unix_socket_permissions=0700',
]

/** Starts it in the empty folder `dataDir`; it ends when it is closed or this process is killed. */
export async function openTestServer(dataDir: string): Promise<OpenedServer> {
  const place = preparePlace(dataDir)
  const { postgres, ...others } = findBinaries(place.user)
  await makeCluster(place, { postgres, ...others }, silentLog)
  const settings = SETTINGS.flatMap((setting) => ['-c', setting])
  const directory = realpathSync(place.clusterLink)
  spawn(postgres, ['-D', directory, '-k', place.socketDir, ...settings], {
    ...runAs(place.user),
    env: serverEnvironment(),
    detached: true,
    stdio: 'ignore',
  }).unref()
  while (runningPostmaster(place.clusterLink)?.ready !== true) await Bun.sleep(10)
  // It finds the server that runs and has it watched.
  return openEmbedded({ dataDir, role: 'gateway', sandbox: false, log: silentLog })
}
