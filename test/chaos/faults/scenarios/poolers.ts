/** PgBouncer before the database: a gateway refuses to start over it. */
import { join } from 'node:path'
import { startGateway } from '../../../support/gateway.ts'
import { ENV } from '../../gateways.ts'
import { startPooler, type Pooler } from '../pooler.ts'
import { debianPostgres, Server } from '../postgres.ts'
import type { FaultReport } from '../shop.ts'
import { DATABASE, type Ground, type Scenario } from './ground.ts'
import { all, debian, pgbouncer } from './needs.ts'

async function pooled(mode: 'session' | 'transaction', ground: Ground): Promise<FaultReport> {
  const server = Server.create(debianPostgres()!, join(ground.folder, 'server'))
  let pooler: Pooler | null = null
  try {
    await server.start()
    pooler = await startPooler(join(ground.folder, 'pooler'), mode, server.port)
    await server.query(`CREATE DATABASE ${DATABASE}`)
    return await refusedAtStart({ DATABASE_URL: pooler.url(DATABASE) }, mode)
  } finally {
    await pooler?.stop()
    await server.stop()
  }
}

/** A gateway that cannot work over it says so at the start, and what to do, and has made nothing. */
async function refusedAtStart(
  env: Record<string, string>,
  mode: 'session' | 'transaction',
): Promise<FaultReport> {
  const started = await startGateway({ ...ENV, ...env }).then(
    async (gateway) => {
      await gateway.stop()
      return 'it started'
    },
    (error: Error) => error.message,
  )
  // PgBouncer before 1.20 passes no search_path in session mode: tables would go to another schema.
  // In transaction mode it gives plugins the kernel's path, which is seen before the mode is.
  const why = mode === 'session' ? /drops settings/ : /in transaction mode|search_path is coinop/
  const isClear = why.test(started) && started.includes('Name PostgreSQL itself')
  const wrong = isClear ? [] : [`${mode}: no clear refusal: ${started.slice(0, 600)}`]
  return { answered: 0, duringAndAfter: 0, sentAgain: 0, unclear: 0, longestPauseS: 0, wrong }
}

export const POOLERS: Record<string, Scenario> = {
  'pooler-session': { missing: all(debian, pgbouncer), run: (ground) => pooled('session', ground) },
  'pooler-transaction': {
    missing: all(debian, pgbouncer),
    run: (ground) => pooled('transaction', ground),
  },
}
