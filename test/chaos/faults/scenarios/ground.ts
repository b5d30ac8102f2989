/** Where the shop of a scenario is opened, and what a scenario is. */
import { join } from 'node:path'
import { debianPostgres, Server } from '../postgres.ts'
import { shopThrough, type FaultOptions, type FaultReport, type Shop } from '../shop.ts'
import type { Size } from '../sizes.ts'

export interface Ground {
  /** An empty database for those who do nothing to its server; null: they start a server. */
  databaseUrl: string | null
  /** Empty, and removed afterwards. */
  folder: string
  seed: number
  size: Size
}
export interface Scenario {
  /** What this machine lacks for it; null: nothing. */
  missing(): string | null
  /** Whether nothing is done to the server of the database: it runs over any that there is. */
  isOverAny?: boolean
  run(ground: Ground): Promise<FaultReport>
}

/** The name of the database on a server that a scenario starts. */
export const DATABASE = 'shop'

/** Shops over the database that there is, or on a server of its own. */
export const onAny = (
  ground: Ground,
  fault: Omit<FaultOptions, 'seed' | 'size' | 'env'> & { env?: Record<string, string> },
): Promise<FaultReport> => {
  const { databaseUrl, seed, size } = ground
  if (databaseUrl === null) return onServer(ground, fault)
  return shopThrough({ seed, size, ...fault, env: { DATABASE_URL: databaseUrl, ...fault.env } })
}

/** Shops on a server of its own; `disturb` has it at hand. */
export async function onServer(
  { folder, seed, size }: Ground,
  fault: Omit<FaultOptions, 'seed' | 'size' | 'env' | 'disturb'> & {
    env?: Record<string, string>
    serverEnv?: Record<string, string>
    disturb(shop: Shop, server: Server): Promise<void>
  },
): Promise<FaultReport> {
  const server = Server.create(debianPostgres()!, join(folder, 'server'))
  try {
    await server.start(fault.serverEnv)
    await server.query(`CREATE DATABASE ${DATABASE}`)
    return await shopThrough({
      seed,
      size,
      ...fault,
      env: { DATABASE_URL: server.url(DATABASE), ...fault.env },
      disturb: (shop) => fault.disturb(shop, server),
    })
  } finally {
    await server.stop()
  }
}

/** Of the database that the gateway of this folder has embedded. */
export async function embeddedUrl(dataDir: string): Promise<string> {
  const { stdout } = Bun.spawnSync([
    'sh',
    '-c',
    `head -5 ${dataDir}/postgres/*/postmaster.pid ${dataDir}/postgres/postmaster.pid 2>/dev/null | grep '^/' | tail -1`,
  ])
  const socketDir = stdout.toString().trim()
  return `postgresql://coinop@localhost/coinop?host=${encodeURIComponent(socketDir)}`
}
