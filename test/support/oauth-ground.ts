/** Two gateways over one database with OAuth open, and people and apps on them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase, type TestDatabase } from './database.ts'
import { startGateway, type GatewayProcess } from './gateway.ts'
import { App, Browser } from './oauth.ts'

export interface OAuthGround {
  database: TestDatabase
  gateways: readonly [GatewayProcess, GatewayProcess]
  /** Of the first gateway; the issuer's name begins with it on both. */
  url: string
  /** Somebody with a test key, signed in at the first gateway. */
  person(
    credits?: number,
    limits?: Record<string, number>,
  ): Promise<{ id: string; key: string; browser: Browser }>
  app(redirectUri?: string): Promise<App>
  close(): Promise<void>
}

const ECHO = /  - skill: demo.echo\n.*\n.*\n/
/** One tool that costs nothing. */
const FREE = `
product_id: free
title: Free
base_path: /v1/free
plugin: demo
metered: false
skills: [{ skill: demo.echo, route: POST /echo }]
`

export async function oauthGround(env: Record<string, string> = {}): Promise<OAuthGround> {
  const database = await testDatabase()
  const products = mkdtempSync(join(tmpdir(), 'coinop-oauth-products-'))
  for (const name of ['demo', 'mcp', 'oauth', 'portal', 'topup', 'utils']) {
    const text = readFileSync(`products/${name}.yaml`, 'utf8')
    writeFileSync(join(products, `${name}.yaml`), text.replace(ECHO, ''))
  }
  writeFileSync(join(products, 'free.yaml'), FREE)
  const shared = {
    DATABASE_URL: database.url,
    COINOP_MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    MCP_OAUTH: 'true',
    PRODUCTS_DIR: products,
    LOG_LEVEL: 'debug',
    RATE_LIMIT_RPM: '100000',
    RATE_LIMIT_BURST: '10000',
    ...env,
  }
  const first = await startGateway(shared)
  const second = await startGateway({ ...shared, PUBLIC_URL: first.url })
  const { url } = first
  return {
    database,
    gateways: [first, second],
    url,
    async person(credits = 1000, limits = {}) {
      const { id, key } = await first.key(credits, limits)
      const browser = new Browser(url)
      await browser.signIn(key)
      return { id, key, browser }
    },
    async app(redirectUri) {
      const made = new App(url, redirectUri)
      const answer = await made.register()
      if (answer.status !== 201) throw new Error(`not registered: ${await answer.text()}`)
      return made
    },
    async close() {
      await Promise.all([first.stop(), second.stop()])
      await database.close()
      rmSync(products, { recursive: true, force: true })
    },
  }
}
