import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ensureServer } from '../../../host/embedded-postgres/server.ts'
import { silentLog } from '../../support/log.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coinop-full-disk-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Starts a program in the server's stead that writes these lines and ends. */
function startOf(lines: readonly string[]): Promise<unknown> {
  const postgres = join(folder, 'postgres')
  writeFileSync(postgres, `#!/bin/sh\ncat <<'END'\n${lines.join('\n')}\nEND\nexit 1\n`)
  chmodSync(postgres, 0o755)
  const clusterLink = join(folder, 'cluster')
  mkdirSync(clusterLink)
  const place = {
    user: null,
    newCluster: clusterLink,
    clusterLink,
    socketDir: join(folder, 'run'),
    logFile: join(folder, 'postgres.log'),
  }
  return ensureServer(place, () => ({ postgres, initdb: postgres, major: '18' }), silentLog)
}

it.each([
  'could not write lock file "postmaster.pid": No space left on device',
  'could not write to file "pg_wal/xlogtemp.7": Disk quota exceeded',
])('a server without room says so, and is not tried again: %s', async (reason) => {
  const fatal = `2026-11-30 02:00:00.000 UTC [7] FATAL:  ${reason}`
  const after = Array.from({ length: 4 }, (_, at) => `LOG:  shutting down (${at})`)
  await expect(startOf([fatal, ...after])).rejects.toMatchObject({
    message: `The embedded PostgreSQL did not start: ${fatal}`,
    fix: `Free some space on the disk of DATA_DIR. Its log is ${join(folder, 'postgres.log')}.`,
  })
})

it('a server without shared memory is told where that is', async () => {
  const fatal =
    '2026-11-30 02:00:00.000 UTC [7] FATAL:  could not resize shared memory segment "/PostgreSQL.7" to 1048576 bytes: No space left on device'
  await expect(startOf([fatal])).rejects.toMatchObject({
    fix: expect.stringMatching(/^Give \/dev\/shm 64 MiB or more/),
  })
})

it('a server that ends without a reason is told by its last lines', async () => {
  await expect(startOf(['one', 'two', 'three', 'four'])).rejects.toThrow(
    /did not start: two three four$/,
  )
})
