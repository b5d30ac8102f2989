/** Opens the x402 rail as configured; a sandbox without an RPC gets its own local chain. */
import type { Logger } from '#kernel'
import type { Config } from '../../kernel/config/config.ts'
import { createSettlements } from '../../kernel/services/settlements.ts'
import { createSignals } from '../../kernel/services/signals.ts'
import { migratePlugin, pluginDb } from '../../kernel/storage/plugin-db.ts'
import { migrations } from './migrations.ts'
import type { Database } from '../../kernel/storage/contract.ts'
import type { Ledger } from '../../kernel/ledger/contract.ts'
import { resolveAsset } from './offers/asset.ts'
import { startSandboxChain, type SandboxChain } from './sandbox/sandbox.ts'
import type { OlderPrice } from './offers/challenge-cache.ts'
import { x402Rail, type X402Rail } from './rail.ts'

export interface OpenedX402 {
  rail: X402Rail
  chain: SandboxChain | null
  stop(): Promise<void>
}

export interface X402Deps {
  config: Config
  db: Database
  ledger: Ledger
  log: Logger
  olderPrices(skillId: string, since: Date): Promise<readonly OlderPrice[]>
}

/** The rail after its first round of checks; closed with the reason when it cannot settle. */
export async function openX402(deps: X402Deps): Promise<OpenedX402> {
  const { config, db, ledger, log } = deps
  const chain = await openChain(config, log)
  await migratePlugin(db, 'x402', migrations)
  const rail = x402Rail({
    db: pluginDb(db, 'x402'),
    records: createSettlements(ledger),
    signals: createSignals(db, 'x402'),
    log,
    network: config.x402Network,
    asset: config.x402Asset,
    payTo: config.settlementAddress ?? chain?.receivingAddress ?? null,
    facilitators: config.x402FacilitatorUrls,
    facilitatorAuth: config.x402FacilitatorAuth,
    rpcUrl: config.x402RpcUrl ?? chain?.rpcUrl ?? null,
    signerKey: config.x402SignerKey ?? chain?.signerKey ?? null,
    chainRef: chain?.ref ?? null,
    olderPrices: deps.olderPrices,
  })
  await rail.start()
  return {
    rail,
    chain,
    async stop() {
      await rail.stop()
      await chain?.stop()
    },
  }
}

async function openChain(config: Config, log: Logger): Promise<SandboxChain | null> {
  const wanted = config.sandbox && config.sandboxChain && config.x402RpcUrl === null
  if (!wanted || config.x402FacilitatorUrls.length > 0) return null
  const asset = resolveAsset(config.x402Network, config.x402Asset)
  if (!asset.ok) {
    log.warn({ reason: asset.reason }, 'no sandbox chain: only prepaid credits are sold')
    return null
  }
  const started = await startSandboxChain(asset.asset)
  if (started.ok) return started.chain
  log.warn({ reason: started.reason }, 'no sandbox chain: only prepaid credits are sold')
  return null
}
