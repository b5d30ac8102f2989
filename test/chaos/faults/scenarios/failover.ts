/** Another PostgreSQL takes over from the one that gateways use. */
import { join } from 'node:path'
import { forwarder, type Forwarder } from '../forwarder.ts'
import { missingForPatroni, PatroniCluster } from '../patroni.ts'
import { debianPostgres, Server } from '../postgres.ts'
import { shopThrough, type FaultReport } from '../shop.ts'
import { DATABASE, type Ground, type Scenario } from './ground.ts'
import { all, debian } from './needs.ts'

/** A synchronous standby takes over from a primary that was killed; the address leads to it. */
async function failover({ folder, seed, size }: Ground): Promise<FaultReport> {
  const primary = Server.create(
    debianPostgres()!,
    join(folder, 'primary'),
    'synchronous_commit = on\n',
  )
  let standby: Server | null = null
  let address: Forwarder | null = null
  try {
    await primary.start()
    await primary.query(`CREATE DATABASE ${DATABASE}`)
    const second = Server.standbyOf(primary, join(folder, 'standby'), 'second')
    standby = second
    await second.start()
    await primary.query("ALTER SYSTEM SET synchronous_standby_names = 'second'")
    await primary.query('SELECT pg_reload_conf()')
    const door = await forwarder(primary.port)
    address = door
    return await shopThrough({
      seed,
      size,
      env: { DATABASE_URL: `postgresql://coinop@127.0.0.1:${door.port}/${DATABASE}` },
      async disturb() {
        await primary.kill()
        await second.promote()
        door.leadTo(second.port)
      },
      auditUrl: async () => second.url(DATABASE),
    })
  } finally {
    address?.close()
    await primary.stop()
    await standby?.stop()
  }
}

/** Two gateways over a Patroni cluster; what was disturbed must be whole again afterwards. */
async function patroni(
  { folder, seed, size }: Ground,
  disturb: (cluster: PatroniCluster) => Promise<void>,
): Promise<FaultReport> {
  const cluster = new PatroniCluster(debianPostgres()!, join(folder, 'cluster'))
  try {
    await cluster.start()
    await cluster.query(`CREATE DATABASE ${DATABASE}`)
    return await shopThrough({
      seed,
      size,
      env: { DATABASE_URL: cluster.url(DATABASE) },
      async disturb() {
        await disturb(cluster)
        await cluster.whole()
      },
    })
  } finally {
    await cluster.stop()
  }
}

export const FAILOVERS: Record<string, Scenario> = {
  failover: { missing: debian, run: failover },
  'patroni-switchover': {
    missing: all(debian, missingForPatroni),
    run: (ground) =>
      patroni(ground, async (cluster) => {
        await cluster.switchOver()
      }),
  },
  'patroni-failover': {
    missing: all(debian, missingForPatroni),
    run: (ground) =>
      patroni(ground, async (cluster) => {
        const killed = await cluster.killPrimary()
        await cluster.successorOf(killed)
        cluster.startNode(killed)
      }),
  },
}
