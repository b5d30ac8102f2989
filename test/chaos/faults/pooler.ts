/** PgBouncer between gateways and a server. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../../../host/database/client.ts'
import { patiently } from '../patiently.ts'
import { freePort } from './postgres.ts'

export const PGBOUNCER = '/usr/sbin/pgbouncer'
export const hasPgbouncer = (): boolean => existsSync(PGBOUNCER)

export interface Pooler {
  url(database: string): string
  stop(): Promise<void>
}

/** Resolves when it answers for the database `postgres`. */
export async function startPooler(
  folder: string,
  mode: 'session' | 'transaction',
  serverPort: number,
): Promise<Pooler> {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const port = freePort()
  const users = join(folder, 'users.txt')
  const config = join(folder, 'pgbouncer.ini')
  // By transaction it is refused even where every session has the right settings.
  const passed = mode === 'transaction' ? " connect_query='SET search_path TO coinop'" : ''
  writeFileSync(users, '"coinop" ""\n')
  writeFileSync(
    config,
    `[databases]
* = host=127.0.0.1 port=${serverPort} user=coinop${passed}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
max_client_conn = 400
default_pool_size = 60
ignore_startup_parameters = extra_float_digits,search_path,idle_in_transaction_session_timeout
server_login_retry = 1
`,
  )
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = Bun.spawn([PGBOUNCER, ...user, config], {
    stdout: Bun.file(join(folder, 'out')),
    stderr: Bun.file(join(folder, 'log')),
  })
  const url = (database: string) => `postgresql://coinop@127.0.0.1:${port}/${database}`
  const answers = patiently(async () => {
    const sql = createClient(url('postgres'), { max: 1, applicationName: 'chaos' })
    await sql`SELECT 1`.finally(() => sql.end({ timeout: 1 }))
  })
  await answers.catch((error: unknown) => {
    child.kill('SIGTERM')
    throw error
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}
