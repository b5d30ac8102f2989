/** The gateway that sequences buy from, and what is around it: a chain, destinations, an app, a calendar. */
import { startGateway, type GatewayProcess } from '../../support/gateway.ts'
import { App } from '../../support/oauth.ts'
import { testChain } from '../../support/x402/chain.ts'
import { openCalendar, type Calendar } from './calendar.ts'
import { RELAY_FILE, startHooks, type Hooks } from './hooks.ts'
import { PLANS_FILE } from './model.ts'

export interface Shop {
  gateway: GatewayProcess
  hooks: Hooks
  chain: Awaited<ReturnType<typeof testChain>>
  /** The app that people give grants. */
  app: App
  calendar: Calendar
  /** USDC that has come in so far, in atomic units. */
  received(): Promise<number>
  close(): Promise<void>
}

/** A gateway over an empty database that sells all that sequences buy. */
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
    const gateway = await startGateway({
      DATABASE_URL: databaseUrl,
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
    closing.push(() => gateway.stop())
    await sell(gateway)
    const app = new App(gateway.url)
    const registered = await app.register()
    if (registered.status !== 201) throw new Error(`no app: ${await registered.text()}`)
    const calendar = await openCalendar(gateway, databaseUrl)
    closing.push(() => calendar.close())
    const received = async () => Number(await chain.balanceOf(chain.receivingAddress))
    return { gateway, hooks, chain, app, calendar, received, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function sell(gateway: GatewayProcess): Promise<void> {
  const headers = {
    authorization: `Bearer ${gateway.adminToken}`,
    'content-type': 'application/yaml',
  }
  for (const [id, body] of [
    ['plans', PLANS_FILE],
    ['webinfra', RELAY_FILE],
  ]) {
    const put = await gateway.call('PUT', `/v1/admin/products/${id}`, { headers, body })
    if (put.status >= 300) throw new Error(`${id} is not sold: ${put.text}`)
  }
}
