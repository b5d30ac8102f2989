/** What is done to gateways and their database, one fault each; callers buy all the time. */
import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { anvilBinary } from '../../../plugins/x402/sandbox/anvil.ts'
import { startGateway } from '../../support/gateway.ts'
import { missingForSolana } from '../../support/x402/solana-node.ts'
import { ENV } from '../gateways.ts'
import { killChildren } from './children.ts'
import { forwarder, type Forwarder } from './forwarder.ts'
import {
  customersAt,
  killedGateways,
  killedOnSolana,
  killedOnTempo,
  killedTills,
} from './killed-gateways.ts'
import { drippedDestinations, killedNode, lyingFacilitators, undoneBlocks } from './outsiders.ts'
import { missingForPatroni, PatroniCluster } from './patroni.ts'
import { hasPgbouncer, startPooler, type Pooler } from './pooler.ts'
import { debianPostgres, Server } from './postgres.ts'
import { shopThrough, type FaultOptions, type FaultReport, type Shop } from './shop.ts'
import type { Size } from './sizes.ts'

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

const DATABASE = 'shop'
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const HOUR_S = 3600
const JUMPS_S = [HOUR_S, 0, -HOUR_S, 0, 24 * HOUR_S, 0, -24 * HOUR_S, 0]

const debian = () => (debianPostgres() === null ? "Debian's postgresql" : null)
/** The first of what is missing. */
const all =
  (...checks: (() => string | null)[]) =>
  () =>
    checks.map((check) => check()).find((missing) => missing !== null) ?? null
const faketime = () => (existsSync(FAKETIME) ? null : 'libfaketime (apt-get install faketime)')
const pgbouncer = () => (hasPgbouncer() ? null : 'pgbouncer (apt-get install pgbouncer)')
const anvil = () => (anvilBinary().ok ? null : 'anvil for this platform')
const root = () => (process.getuid?.() === 0 ? null : 'root, to mount a small file system,')

/** Shops over the database that there is, or on a server of its own. */
const onAny = (
  ground: Ground,
  fault: Omit<FaultOptions, 'seed' | 'size' | 'env'> & { env?: Record<string, string> },
): Promise<FaultReport> => {
  const { databaseUrl, seed, size } = ground
  if (databaseUrl === null) return onServer(ground, fault)
  return shopThrough({ seed, size, ...fault, env: { DATABASE_URL: databaseUrl, ...fault.env } })
}

/** Shops on a server of its own; `disturb` has it at hand. */
async function onServer(
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

async function freeze(server: Server, { frozenMs }: Size): Promise<void> {
  server.signal('SIGSTOP')
  await Bun.sleep(frozenMs)
  server.signal('SIGCONT')
}

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
  const why = mode === 'session' ? 'drops settings' : 'in transaction mode'
  const isClear = started.includes(why) && started.includes('Name PostgreSQL itself')
  const wrong = isClear ? [] : [`${mode}: no clear refusal: ${started.slice(0, 600)}`]
  return { answered: 0, duringAndAfter: 0, sentAgain: 0, unclear: 0, longestPauseS: 0, wrong }
}

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

/** The embedded server on a file system without room; then there is some again. */
async function fullDisk({ folder, seed, size }: Ground): Promise<FaultReport> {
  const small = join(folder, 'small')
  mkdirSync(small)
  const mount = ['mount', '-t', 'tmpfs', '-o', 'size=320m,mode=755', 'tmpfs', small]
  const { exitCode, stderr } = Bun.spawnSync(mount)
  // Without it the ballast would fill the disk of whoever runs this.
  if (exitCode !== 0) throw new Error(`no small file system: ${stderr.toString()}`)
  const ballast = join(small, 'ballast')
  try {
    return await shopThrough({
      seed,
      size,
      gateways: 1,
      env: {},
      dataDir: join(small, 'data'),
      async disturb() {
        const { bavail, bsize } = statfsSync(small)
        try {
          writeFileSync(ballast, Buffer.alloc(bavail * bsize))
        } catch {
          // The server took some of the room meanwhile: none is left all the same.
        }
        await Bun.sleep(size.frozenMs)
        rmSync(ballast)
      },
      auditUrl: ([gateway]) => embeddedUrl(gateway!.dataDir),
    })
  } finally {
    Bun.spawnSync(['umount', '-l', small])
  }
}

async function embeddedUrl(dataDir: string): Promise<string> {
  const { stdout } = Bun.spawnSync([
    'sh',
    '-c',
    `head -5 ${dataDir}/postgres/*/postmaster.pid ${dataDir}/postgres/postmaster.pid 2>/dev/null | grep '^/' | tail -1`,
  ])
  const socketDir = stdout.toString().trim()
  return `postgresql://coinop@localhost/coinop?host=${encodeURIComponent(socketDir)}`
}

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

/** A false clock that a file moves while its programs run. */
function clock(folder: string): { env: Record<string, string>; set(offsetS: number): void } {
  const file = join(folder, 'clock')
  const set = (offsetS: number) =>
    writeFileSync(file, `${offsetS < 0 ? '' : '+'}${offsetS}\n`, { mode: 0o644 })
  set(0)
  const env = {
    LD_PRELOAD: FAKETIME,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  return { env, set }
}

async function jump(set: (offsetS: number) => void, { jumpMs }: Size): Promise<void> {
  for (const offsetS of JUMPS_S) {
    set(offsetS)
    await Bun.sleep(jumpMs)
  }
}

export const SCENARIOS: Record<string, Scenario> = {
  frozen: {
    missing: debian,
    run: (ground) =>
      onServer(ground, {
        disturb: (_shop, server) => freeze(server, ground.size),
      }),
  },
  'customers-frozen': {
    missing: debian,
    run: (ground) =>
      customersAt(
        (fault) =>
          onServer(ground, { ...fault, disturb: (_shop, server) => freeze(server, ground.size) }),
        ground,
      ),
  },
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
  'pooler-session': { missing: all(debian, pgbouncer), run: (ground) => pooled('session', ground) },
  'pooler-transaction': {
    missing: all(debian, pgbouncer),
    run: (ground) => pooled('transaction', ground),
  },
  'full-disk': { missing: root, run: fullDisk },
  'slow-network': { missing: debian, run: slowNetwork },
  'children-of-one': {
    missing: () => null,
    isOverAny: true,
    run: ({ folder, seed, size }) =>
      killChildren(
        (fault) =>
          shopThrough({
            ...fault,
            seed,
            size,
            gateways: 1,
            dataDir: join(folder, 'data'),
            auditUrl: ([gateway]) => embeddedUrl(gateway!.dataDir),
          }),
        seed,
        size,
      ),
  },
  'children-of-three': {
    missing: () => null,
    isOverAny: true,
    run: (ground) =>
      killChildren((fault) => onAny(ground, { ...fault, gateways: 3 }), ground.seed, ground.size),
  },
  facilitators: {
    missing: anvil,
    isOverAny: true,
    run: (ground) => lyingFacilitators((fault) => onAny(ground, fault), ground),
  },
  'chain-node': {
    missing: anvil,
    isOverAny: true,
    run: (ground) => killedNode((fault) => onAny(ground, fault), ground),
  },
  reorganisations: {
    missing: anvil,
    isOverAny: true,
    run: (ground) => undoneBlocks((fault) => onAny(ground, fault), ground),
  },
  channels: {
    missing: anvil,
    isOverAny: true,
    run: (ground) => killedGateways((fault) => onAny(ground, fault), ground, 'channels'),
  },
  upfront: {
    missing: anvil,
    isOverAny: true,
    run: (ground) => killedGateways((fault) => onAny(ground, fault), ground, 'upfront'),
  },
  permit2: {
    missing: anvil,
    isOverAny: true,
    run: (ground) => killedGateways((fault) => onAny(ground, fault), ground, 'permit2'),
  },
  purchases: {
    missing: anvil,
    isOverAny: true,
    run: (ground) =>
      killedGateways((fault) => onAny(ground, { ...fault, gateways: 3 }), ground, 'purchases'),
  },
  solana: {
    missing: missingForSolana,
    isOverAny: true,
    run: (ground) => killedOnSolana((fault) => onAny(ground, fault), ground),
  },
  tempo: {
    missing: anvil,
    isOverAny: true,
    run: (ground) => killedOnTempo((fault) => onAny(ground, { ...fault, gateways: 3 }), ground),
  },
  'customers-of-one': {
    missing: () => null,
    isOverAny: true,
    run: (ground) => killedTills((fault) => onAny(ground, { ...fault, gateways: 1 }), ground),
  },
  'customers-of-three': {
    missing: () => null,
    isOverAny: true,
    run: (ground) => killedTills((fault) => onAny(ground, { ...fault, gateways: 3 }), ground),
  },
  destinations: {
    missing: () => null,
    isOverAny: true,
    run: (ground) => drippedDestinations((fault) => onAny(ground, fault), ground),
  },
  'clock-of-gateways': {
    missing: all(debian, faketime),
    run(ground) {
      const { env, set } = clock(ground.folder)
      return onServer(ground, { env, disturb: () => jump(set, ground.size) })
    },
  },
  'clock-of-database': {
    missing: all(debian, faketime),
    run(ground) {
      const { env, set } = clock(ground.folder)
      return onServer(ground, { serverEnv: env, disturb: () => jump(set, ground.size) })
    },
  },
}
