/**
 * Who uses an embedded server, as advisory locks in the server itself: PostgreSQL frees them the
 * moment their process dies, however it dies, so no lock file can go stale. A gateway holds the
 * first lock alone; all users share the second one, and the last to leave stops the server.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '#kernel'
import { isAlive, StorageError } from '#kernel/host'
import { createClient } from '../database/client.ts'

const SPACE = 0x636f696e
const GATEWAY = 2
const IN_USE = 3
/** A gateway that was just killed keeps its lock until its connection is noticed as closed. */
const TAKEOVER_MS = 1500
/** A busy server may be slow to notice; where the lock's process is gone, this long is waited. */
const DEAD_TAKEOVER_MS = 15_000
/** A gateway that ends waits this long for a server that does not answer. */
const LEAVE_MS = 5000

export interface Occupancy {
  /** False once the connection with the locks was lost: the server freed them. */
  isHeld(): boolean
  /** Takes the locks again; a StorageError when another gateway has them by now. */
  renew(): Promise<void>
  /**
   * Releases the locks. If nobody else uses the server, `stop` runs first, and newcomers wait for a
   * lock until the server has stopped. False if the server did not answer.
   */
  leave(stop: () => Promise<void>): Promise<boolean>
}

/** Registers this process; as a gateway it is refused while another gateway has the server. */
export async function occupy(
  url: string,
  role: 'gateway' | 'tool',
  dataDir: string,
  log: Logger,
): Promise<Occupancy> {
  let held = false
  const connect = () => {
    const client = createClient(url, {
      max: 1,
      applicationName: `coinop ${role} ${process.pid}`,
      permanent: true,
      onClose: () => {
        if (client === sql) held = false
      },
    })
    return client
  }
  let sql = connect()
  async function take(): Promise<boolean> {
    await sql`select pg_advisory_lock_shared(${SPACE}, ${IN_USE})`
    if (role === 'tool') return true
    const [row] = await sql<{ taken: boolean }[]>`
      select pg_try_advisory_lock(${SPACE}, ${GATEWAY}) as taken`
    return row?.taken === true
  }
  async function holder(): Promise<{ pid: number; since: Date } | null> {
    const [row] = await sql<{ name: string; since: Date }[]>`
      select application_name as name, backend_start as since from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and classid = ${SPACE} and objid = ${GATEWAY} and granted`
    const pid = /\d+$/.exec(row?.name ?? '')?.[0]
    return row === undefined || pid === undefined ? null : { pid: Number(pid), since: row.since }
  }
  /** Null when the lock was taken, else what holds it. */
  async function takeSoon(): Promise<{ by: string } | null> {
    const sinceMs = performance.now()
    while (!(await take())) {
      const known = await holder()
      await sql`select pg_advisory_unlock_shared(${SPACE}, ${IN_USE})`
      const patienceMs = known && isAlive(known.pid) ? TAKEOVER_MS : DEAD_TAKEOVER_MS
      if (performance.now() - sinceMs > patienceMs)
        return { by: known ? ` (process ${known.pid}, since ${known.since.toISOString()})` : '' }
      await delay(100)
    }
    return null
  }
  async function hold(): Promise<void> {
    let refused: { by: string } | null = { by: '' }
    // Before the locks are asked for: a loss meanwhile must not be overwritten.
    held = true
    try {
      refused = await takeSoon()
    } finally {
      held &&= refused === null
    }
    if (refused === null) return
    throw new StorageError(
      `Another gateway${refused.by} is using ${dataDir}.`,
      'Stop it, choose another DATA_DIR, or share one server between gateways with DATABASE_URL.',
    )
  }
  try {
    await hold()
  } catch (error) {
    await sql.end({ timeout: 1 })
    throw error
  }
  return {
    isHeld: () => held,
    async renew() {
      // A fresh client: see database/durable-client.ts.
      const lost = sql
      sql = connect()
      void lost.end({ timeout: 0 })
      await hold()
    },
    async leave(stop) {
      // Its end rejects what a frozen server does not answer.
      const late = setTimeout(() => void sql.end({ timeout: 0 }), LEAVE_MS)
      let isAlone: boolean | null = null
      try {
        await sql`select pg_advisory_unlock_all()`
        const [row] = await sql<{ alone: boolean }[]>`
          select pg_try_advisory_lock(${SPACE}, ${IN_USE}) as alone`
        isAlone = row?.alone === true
      } catch (error) {
        log.warn(
          { err: error },
          'the embedded database was gone or did not answer, and is not stopped',
        )
      } finally {
        clearTimeout(late)
      }
      try {
        if (isAlone === true) await stop()
        return isAlone !== null
      } finally {
        await sql.end({ timeout: 1 })
      }
    },
  }
}
