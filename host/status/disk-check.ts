/** Whether the disk of the embedded database has room: a full one stops every call, and reading goes on. */
import { statfs } from 'node:fs/promises'
import type { Health } from '#kernel'
import type { SqlClient } from '#kernel/host'

const MIB = 1_048_576
/** Hours for most gateways, and more than PostgreSQL needs at once. */
const LOW_BYTES = 256 * MIB
/** PostgreSQL stops where it cannot make a file of its write-ahead log. */
const FULL_BYTES = 16 * MIB
const LOW_FILES = 1000

/** What a file system says of itself: blocks for unprivileged users, and inodes. */
type DiskSpace = Record<'bavail' | 'bsize' | 'files' | 'ffree', number>

export function diskCheck(
  sql: SqlClient,
  spaceOf: (folder: string) => Promise<DiskSpace> = (folder) => statfs(folder),
): Health {
  return {
    name: 'disk',
    critical: false,
    timeoutMs: 2000,
    async probe() {
      const [row] = await sql<{ folder: string }[]>`
        SELECT current_setting('data_directory') AS folder`
      const { bavail, bsize, files, ffree } = await spaceOf(row!.folder)
      const freeBytes = bavail * bsize
      // Some file systems count no files.
      const freeFiles = files > 0 ? ffree : Infinity
      const isFull = freeBytes < FULL_BYTES || freeFiles === 0
      if (!isFull && freeBytes >= LOW_BYTES && freeFiles >= LOW_FILES) return { state: 'ok' }
      const left =
        freeBytes < LOW_BYTES ? `${Math.floor(freeBytes / MIB)} MiB` : `${freeFiles} files`
      return {
        state: isFull ? 'down' : 'degraded',
        detail: `the disk of the database has ${left} left: without room no call is sold`,
      }
    },
  }
}
