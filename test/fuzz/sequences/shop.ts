/** The gateways that sequences buy from, and what is around them: a chain, destinations, an app, a calendar. */
import type { GatewayProcess } from '../../support/gateway.ts'
import { App } from '../../support/oauth.ts'
import { testChain } from '../../support/x402/chain.ts'
import { openCalendar, type Calendar } from './calendar.ts'
import { startFront } from './front.ts'
import { Gateways } from './gateways.ts'
import { RELAY_FILE, startHooks, type Hooks } from './hooks.ts'
import { PLANS_FILE } from './model.ts'

export interface Shop {
  gateways: Gateways
  /** The public address of both, where people and apps go. */
  url: string
  hooks: Hooks
  chain: Awaited<ReturnType<typeof testChain>>
  /** The app that people give grants. */
  app: App
  calendar: Calendar
  /** USDC that has come in so far, in atomic units. */
  received(): Promise<number>
  close(): Promise<void>
}

/** Gateways over an empty database that sell all that sequences buy. */
export async function openShop(databaseUrl: string): Promise<Shop> {
  const closing: (() => unknown)[] = []
  const close = async (): Promise<void> => {
    for (const one of closing.toReversed()) await one()
  }
  try {
    const hooks = startHooks()
    closing.push(() => hooks.stop())
    const chain = await testChain()
    closing.push(() => chain.stop())
    const front = startFront()
    closing.push(() => front.stop())
    const gateways = await Gateways.start(databaseUrl, {
      PUBLIC_URL: front.url,
      COINOP_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      SANDBOX: 'true',
      RATE_LIMIT_RPM: '1000000',
      RATE_LIMIT_BURST: '100000',
      ALLOW_PRIVATE_TARGETS: hooks.target,
      MIN_PREPAID_BUNDLE: '0.05',
      MCP_OAUTH: 'true',
      MPP_METHODS: 'evm/charge',
      X402_RPC_URL: chain.rpcUrl,
      X402_SIGNER_KEY: chain.signerKey,
      SETTLEMENT_ADDRESS: chain.receivingAddress,
    })
    closing.push(() => gateways.stop())
    let turn = 0
    front.leadTo(() => {
      const running = gateways.running()
      return running[turn++ % running.length]!
    })
    await sell(gateways.running())
    const app = new App(front.url)
    const registered = await app.register()
    if (registered.status !== 201) throw new Error(`no app: ${await registered.text()}`)
    const calendar = await openCalendar(gateways, databaseUrl)
    closing.push(() => calendar.close())
    const received = async () => Number(await chain.balanceOf(chain.receivingAddress))
    return { gateways, url: front.url, hooks, chain, app, calendar, received, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Registers the products, and waits until each gateway sells them. */
async function sell(gateways: readonly GatewayProcess[]): Promise<void> {
  const [first] = gateways
  const headers = {
    authorization: `Bearer ${first!.adminToken}`,
    'content-type': 'application/yaml',
  }
  for (const [id, body] of [
    ['plans', PLANS_FILE],
    ['webinfra', RELAY_FILE],
  ]) {
    const put = await first!.call('PUT', `/v1/admin/products/${id}`, { headers, body })
    if (put.status >= 300) throw new Error(`${id} is not sold: ${put.text}`)
  }
  const soldAt = async (gateway: GatewayProcess): Promise<string> => {
    const answers = await Promise.all([
      gateway.call('GET', '/v1/prices'),
      gateway.call('GET', '/v1/plans'),
    ])
    return JSON.stringify(answers.map(({ json }) => json))
  }
  const sold = await soldAt(first!)
  for (const other of gateways) while ((await soldAt(other)) !== sold);
}
