/** What operations on a database cost: CPU time of its processes and of this one, and log written. */
import type { SqlClient } from '../../../kernel/storage/contract.ts'
import { cpuSeconds } from './process.ts'

export interface Cost {
  /** Microseconds of CPU, of the server's processes and of this process. */
  serverUs: number
  clientUs: number
  walBytes: number
}

export interface CostMeter {
  /** The cost since the meter was made, divided by so many operations. */
  per(operations: number): Promise<Cost>
}

/** Reads /proc (Linux) of a server on this machine; elsewhere `serverUs` is NaN. */
export async function costMeter(sql: SqlClient): Promise<CostMeter> {
  const before = await readings(sql)
  return {
    async per(operations) {
      const after = await readings(sql)
      let serverS = 0
      // A process that ended in between is not counted; pools keep theirs.
      for (const [pid, cpuS] of after.servers) serverS += cpuS - (before.servers.get(pid) ?? 0)
      return {
        serverUs: (serverS / operations) * 1e6,
        clientUs: (after.clientUs - before.clientUs) / operations,
        walBytes: Number(after.wal - before.wal) / operations,
      }
    },
  }
}

async function readings(sql: SqlClient) {
  const rows = await sql<{ pid: number }[]>`SELECT pid FROM pg_stat_activity`
  const [log] = await sql<[{ written: bigint }]>`
    SELECT (pg_current_wal_lsn() - '0/0')::bigint AS written`
  const { user, system } = process.cpuUsage()
  return {
    servers: new Map(rows.map(({ pid }) => [pid, cpuOf(pid)])),
    clientUs: user + system,
    wal: log.written,
  }
}

function cpuOf(pid: number): number {
  try {
    return cpuSeconds(pid)
  } catch {
    return NaN
  }
}
