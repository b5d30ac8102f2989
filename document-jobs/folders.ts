/** Temporary folders of job processes; those that a killed gateway left behind are swept later. */
import { isAlive } from '#kernel/host'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'coinop-job-'
/** A young folder may belong to a gateway in another process namespace, whose id says nothing here. */
const STALE_MS = 3_600_000

/** A new folder that names this process, so that a later one can tell whose it was. */
export function makeJobFolder(): string {
  return mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
}

/** Removes the folders of dead gateways, which may hold customers' documents; returns how many. */
export function sweepJobFolders(now: number = Date.now()): number {
  let removed = 0
  for (const name of readdirSync(tmpdir())) {
    const owner = Number(/^coinop-job-(\d+)-/.exec(name)?.[1] ?? process.pid)
    if (owner === process.pid || isAlive(owner)) continue
    const folder = join(tmpdir(), name)
    try {
      if (now - statSync(folder).mtimeMs < STALE_MS) continue
      rmSync(folder, { recursive: true, force: true })
      removed += 1
    } catch {
      // Another gateway sweeps as well, or another user owns it.
    }
  }
  return removed
}
