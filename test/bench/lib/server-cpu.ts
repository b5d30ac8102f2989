/** CPU time of a PostgreSQL on this machine, from /proc. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SqlClient } from '../../../kernel/storage/contract.ts'
import { procStat } from '../../support/proc-stat.ts'

const TICK_US = 10_000

/** The process number of the server's postmaster. */
export async function postmasterOf(sql: SqlClient): Promise<number> {
  const [row] = await sql<[{ data_directory: string }]>`SHOW data_directory`
  return Number(readFileSync(join(row.data_directory, 'postmaster.pid'), 'utf8').split('\n')[0])
}

/** Microseconds that it and its children, also those that ended, have used so far. */
export function serverCpuUs(pid: number): number {
  let ticks = 0
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const stat = procStat(name)
      if (Number(name) === pid || Number(stat[1]) === pid)
        ticks += Number(stat[11]) + Number(stat[12])
      // Of its children that ended, such as workers of a parallel query.
      if (Number(name) === pid) ticks += Number(stat[13]) + Number(stat[14])
    } catch {
      // It ended meanwhile.
    }
  }
  return ticks * TICK_US
}
