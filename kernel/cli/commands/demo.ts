/**
 * `coinop demo`: the whole story with readable output, on a gateway of its own with a local chain in
 * a temporary folder, or, with --url, on a sandbox gateway that runs on this machine.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { knownAdminToken } from '../../auth/admin.ts'
import { localUrl } from '../../net/local-url.ts'
import { startGateway, type RunningGateway } from '../../compose/gateway.ts'
import type { VerifyReport } from '../../ledger/contract.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { untilToldToEnd } from '../ending.ts'
import { createLog } from '../../log/log.ts'
import { TEST_WALLET } from '../../../plugins/x402/sandbox/wallets.ts'
import { EXIT, type Command, type CommandContext } from '../command.ts'
import { Story, type Stage } from '../demo-story.ts'
import { say, warn } from '../output.ts'
import { withFoundation } from '../with-foundation.ts'

const ADMIN_TOKEN = 'demo-admin-token-of-at-least-32-characters'

async function demo(context: CommandContext): Promise<number> {
  const { url } = context.options
  const upstream = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response('out of order', { status: 500 }),
  })
  const brokenUpstreamUrl = `http://127.0.0.1:${upstream.port}`
  try {
    return typeof url === 'string'
      ? await onRunning(context, url.replace(/\/+$/, ''), brokenUpstreamUrl)
      : await onOwn(context, brokenUpstreamUrl)
  } finally {
    await upstream.stop(true)
  }
}

/** A sandbox gateway of this machine: its wallet is the well-known test wallet. */
async function onRunning(
  context: CommandContext,
  url: string,
  brokenUpstreamUrl: string,
): Promise<number> {
  const { adminToken, dataDir } = context.config
  const token = knownAdminToken(adminToken, dataDir)
  if (token === null) {
    warn(`Set ADMIN_TOKEN, or DATA_DIR to the folder that holds admin-token (not in ${dataDir})`)
    return EXIT.usage
  }
  const verify = (): Promise<VerifyReport> =>
    withFoundation(context, ({ db }) => verifyLedger(db.sql))
  return new Story({
    url,
    adminToken: token,
    brokenUpstreamUrl,
    walletKey: TEST_WALLET.privateKey,
    balanceOf: null,
    verify,
  }).tell()
}

async function onOwn(context: CommandContext, brokenUpstreamUrl: string): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'coinop-demo-'))
  // Whatever ends it: the gateway and its folder go.
  const ended = untilToldToEnd(() => process.exit(EXIT.failed))
  say('Starting a gateway of its own, with a database and a local chain …')
  try {
    const gateway = await startGateway({
      config: {
        ...context.config,
        host: '127.0.0.1',
        port: 0,
        publicUrl: localUrl('127.0.0.1', 0),
        adminUrl: null,
        dataDir,
        databaseUrl: null,
        sandbox: true,
        sandboxChain: true,
        adminToken: ADMIN_TOKEN,
        settlementAddress: null,
        x402RpcUrl: null,
        x402FacilitatorUrls: [],
      },
      configLines: context.configLines,
      plugins: context.plugins,
      env: context.env,
      log: createLog({ level: 'silent', format: 'json' }),
    })
    try {
      const told = new Story(stageOf(gateway, brokenUpstreamUrl)).tell()
      return await Promise.race([told, ended.then(() => EXIT.failed)])
    } finally {
      await gateway.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function stageOf(gateway: RunningGateway, brokenUpstreamUrl: string): Stage {
  const { chain } = gateway
  return {
    url: gateway.listening,
    adminToken: ADMIN_TOKEN,
    brokenUpstreamUrl,
    walletKey: chain?.testWallet.privateKey ?? null,
    balanceOf: chain && ((address) => chain.balanceOf(address)),
    verify: () => verifyLedger(gateway.foundation.db.sql),
  }
}

export const demoCommand: Command = {
  name: 'demo',
  usage: 'demo [--url URL]',
  summary: 'walk through the whole story, on a gateway of its own or a running sandbox',
  options: { url: { type: 'string' } },
  run: demo,
}
