/** A registry on a real database, with the demo plugin and plugins that misbehave on demand. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Plugin, PluginEnv } from '../../../kernel/plugins/contract.ts'
import { loadPlugins } from '../../../host/plugin-loading/loader.ts'
import { ProductRegistry, type RegistryOptions } from '../../../kernel/products/registry.ts'
import type { Database } from '../../../kernel/storage/contract.ts'
import { pluginDb } from '../../../kernel/storage/plugin-db.ts'
import { priceHistory } from '../../../host/price-history/index.ts'
import { productReader } from '../../../host/product-files/index.ts'
import { productRevisions } from '../../../host/product-revisions/index.ts'
import demo from '../../../plugins/demo/index.ts'
import { silentLog } from '../../support/log.ts'
import { PATIENT } from '../../support/patience.ts'

export const RESERVED = [
  { method: 'GET', path: '/v1/keys/{id}' },
  { method: 'GET', path: '/' },
  { method: 'GET', path: '/health' },
] as const

/** A fresh folder for product files; removed by `dispose`. */
export function productsFolder() {
  const dir = mkdtempSync(join(tmpdir(), 'coinop-products-'))
  return { dir, dispose: () => rmSync(dir, { recursive: true, force: true }) }
}

export async function registryOn(
  db: Database,
  options: Partial<RegistryOptions> & { extra?: readonly Plugin[] } = {},
): Promise<ProductRegistry> {
  const { extra = [], ...rest } = options
  return new ProductRegistry({
    db,
    plugins: await loadPlugins({ builtins: [demo, ...extra], pluginsDir: null, packages: [] }),
    productsDir: null,
    reader: productReader,
    revisions: productRevisions,
    priceHistory,
    env: {},
    railAvailable: () => ({ ok: true }),
    kernelRails: ['credits', 'x402'],
    reservedRoutes: RESERVED,
    makeEnv: (plugin, product, config) => makeEnv(db, plugin, product, config),
    log: silentLog,
    ...rest,
  })
}

function makeEnv(
  db: Database,
  plugin: Plugin,
  product: PluginEnv['product'],
  config: unknown,
): PluginEnv {
  return {
    config: config as object,
    product,
    log: silentLog,
    db: pluginDb(db, plugin.id),
    fetch: {} as never,
    jobs: {} as never,
    publicUrl: 'http://localhost',
    sandbox: true,
    now: () => new Date(),
    secret: () => undefined,
    variable: (variable) => variable.fallback,
    service: () => {
      throw new Error('no services here')
    },
    provided: () => null,
  }
}

/** Waits until `check` holds; throws with `what` when it never does. */
export async function until(check: () => boolean, what: string): Promise<void> {
  const end = Date.now() + PATIENT.timeout
  while (!check()) {
    if (Date.now() > end) throw new Error(`not within ${PATIENT.timeout} ms: ${what}`)
    await Bun.sleep(10)
  }
}

export const DEMO = `product_id: demo
plugin: demo
base_path: /v1/paid
skills:
  - { skill: demo.echo, route: POST /echo, price: { credits: 1 } }
  - { skill: demo.hash, route: POST /hash, price: { credits: 2 } }
  - { skill: demo.health, route: GET /health, price: { credits: 1 } }
`
