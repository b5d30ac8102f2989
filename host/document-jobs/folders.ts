/** Temporary folders of job processes; those that a killed gateway left behind are swept later. */
import { isAlive } from '#kernel/host'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'coinop-job-'
/** A young folder may belong to a gateway in another process namespace, whose id says nothing here. */
const STALE_MS = 3_600_000
const NAMED = /^coinop-job-(\d+)-(?:([0-9a-f]{12})-)?/

/** A new folder that names this process and where it is, so that a later one can tell whose it was. */
export function makeJobFolder(): string {
  const here = processSpace()
  const owner = here === null ? `${process.pid}-` : `${process.pid}-${here}-`
  return mkdtempSync(join(tmpdir(), PREFIX + owner))
}

/**
 * Removes the folders of dead gateways, which may hold customers' documents; returns how many. Whose
 * process ids are ours go at once, the others after an hour.
 */
export function sweepJobFolders(now: number = Date.now()): number {
  const here = processSpace()
  let removed = 0
  for (const name of readdirSync(tmpdir())) {
    const [, id, space] = NAMED.exec(name) ?? []
    const owner = Number(id ?? process.pid)
    if (owner === process.pid || isAlive(owner)) continue
    const isOurs = here !== null && space === here
    const folder = join(tmpdir(), name)
    try {
      if (!isOurs && now - statSync(folder).mtimeMs < STALE_MS) continue
      rmSync(folder, { recursive: true, force: true })
      removed += 1
    } catch {
      // Another gateway sweeps as well, or another user owns it.
    }
  }
  return removed
}

/** Names the start of the machine and the namespace in which process ids count; null: only Linux says. */
function processSpace(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
    const namespace = readlinkSync('/proc/self/ns/pid')
    return createHash('sha256').update(`${boot} ${namespace}`).digest('hex').slice(0, 12)
  } catch {
    return null
  }
}
