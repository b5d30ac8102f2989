/** A network to the database that slows down and stands still. */
import { join } from 'node:path'
import { forwarder, type Forwarder } from '../forwarder.ts'
import { debianPostgres, Server } from '../postgres.ts'
import { shopThrough, type FaultReport } from '../shop.ts'
import { DATABASE, type Ground, type Scenario } from './ground.ts'
import { debian } from './needs.ts'

/** Three gateways, one address of the database behind a network that slows down and stands still. */
async function slowNetwork(ground: Ground): Promise<FaultReport> {
  const server = Server.create(debianPostgres()!, join(ground.folder, 'server'))
  let door: Forwarder | null = null
  try {
    await server.start()
    await server.query(`CREATE DATABASE ${DATABASE}`)
    const network = await forwarder(server.port)
    door = network
    return await shopThrough({
      seed: ground.seed,
      size: ground.size,
      gateways: 3,
      env: { DATABASE_URL: `postgresql://coinop@127.0.0.1:${network.port}/${DATABASE}` },
      async disturb() {
        for (const delayMs of [50, Infinity, 300, Infinity]) {
          network.delay(delayMs)
          await Bun.sleep(ground.size.frozenMs / 2)
        }
        network.delay(0)
      },
      auditUrl: async () => server.url(DATABASE),
    })
  } finally {
    door?.close()
    await server.stop()
  }
}

export const NETWORKS: Record<string, Scenario> = {
  'slow-network': { missing: debian, run: slowNetwork },
}
