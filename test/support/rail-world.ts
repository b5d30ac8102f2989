/** A gateway of its own for the rail suite, with work to sell and an upstream, which can be killed. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { SqlClient } from '../../kernel/storage/contract.ts'
import { startGateway, type GatewayProcess } from './gateway.ts'
import { startUpstream, type TestUpstream } from './upstream.ts'

const root = resolve(import.meta.dirname, '../..')
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

export interface RailWorld {
  readonly gateway: GatewayProcess
  readonly sql: SqlClient
  readonly upstream: TestUpstream
  readonly productsDir: string
  /** The text of each run of the work so far. */
  textsRun(): string[]
  /** How often the work ran for this text. */
  runs(text: string): number
  /** Work that begins from now on waits until it is let go. */
  hold(): () => void
  /** Work fails until it is told not to. */
  failing(): () => void
  /** Streams of the upstream break off until they are told not to. */
  breaking(): () => void
  /** Streams of the upstream stop in the middle, and go on no more. */
  stalling(): () => void
  /** Kills the gateway and starts another one over the same database. */
  killAndRestart(): Promise<void>
  close(): Promise<void>
}

/** Plugins of `plugins` (folders by name) and files of `products` are there beside the work. */
export async function railWorld(options: {
  sql: SqlClient
  databaseUrl: string
  env: Record<string, string>
  plugins?: Readonly<Record<string, string>>
  products: readonly string[]
}): Promise<RailWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'coinop-rails-'))
  const plugins = join(folder, 'plugins')
  const productsDir = join(folder, 'products')
  mkdirSync(productsDir)
  const added = { work: join(root, 'test/support/rail-work'), ...options.plugins }
  for (const [name, from] of Object.entries(added)) {
    cpSync(from, join(plugins, name), { recursive: true })
  }
  // What `npm install` would leave.
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(root, 'node_modules/typebox'), join(folder, 'node_modules/typebox'))
  for (const file of options.products)
    cpSync(join(root, file), join(productsDir, file.split('/').at(-1)!))
  let streams: 'end' | 'break' | 'stall' = 'end'
  const streaming = (how: 'break' | 'stall') => (): (() => void) => {
    streams = how
    return () => {
      streams = 'end'
    }
  }
  const upstream = await startUpstream((request, response) => {
    if (request.url !== '/events') return void response.end('{"ok":true}')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: 1\n\n')
    if (streams === 'break') setTimeout(() => response.socket?.destroy(), 30)
    else if (streams === 'end') response.end('data: 2\n\n')
  })
  writeFileSync(
    join(productsDir, 'work.yaml'),
    `product_id: work
plugin: work
base_path: /v1/work
config: { folder: ${JSON.stringify(folder)} }
skills:
  - { skill: work.run, route: POST /run, tool: work.run, price: { credits: 2 } }
`,
  )
  writeFileSync(
    join(productsDir, 'far.yaml'),
    `product_id: far
upstream: { url: ${upstream.url}, allow_private: true }
skills:
  - { id: far.get, route: POST /get, price: { credits: 2 } }
  - { id: far.page, route: GET /page, price: { credits: 2 } }
  - { id: far.events, route: POST /events, price: { credits: 2 } }
`,
  )
  const start = (): Promise<GatewayProcess> =>
    startGateway(
      {
        DATABASE_URL: options.databaseUrl,
        SANDBOX: 'true',
        COINOP_MASTER_KEY: MASTER_KEY,
        PLUGINS_DIR: plugins,
        PRODUCTS_DIR: productsDir,
        RATE_LIMIT_RPM: '100000',
        RATE_LIMIT_BURST: '10000',
        ...options.env,
      },
      { dataDir: join(folder, 'data') },
    )
  let gateway = await start()
  const textsRun = (): string[] => {
    const file = join(folder, 'runs')
    return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
  }
  const flag = (name: string) => (): (() => void) => {
    writeFileSync(join(folder, name), '')
    return () => rmSync(join(folder, name), { force: true })
  }
  return {
    get gateway() {
      return gateway
    },
    sql: options.sql,
    upstream,
    productsDir,
    textsRun,
    runs: (text) => textsRun().filter((line) => line === text).length,
    hold: flag('hold'),
    failing: flag('fail'),
    breaking: streaming('break'),
    stalling: streaming('stall'),
    async killAndRestart() {
      await gateway.kill()
      gateway = await start()
    },
    async close() {
      await gateway.stop()
      await upstream.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
