/**
 * Pays calls by x402: USDC on an EVM chain, settled by facilitators or by the gateway's own key.
 * README.md names its folders, its settings and the states of a payment.
 */
import { type Background, definePlugin, type PluginEnv, type Variable } from '#kernel'
import {
  CHALLENGE_EXTENSIONS,
  extensionName,
  type ChallengeExtension,
} from '../shared/payments/challenge-extensions.ts'
import { entriesOfConfig, networkProblems, X402Config } from './config.ts'
import { entryOfVariables, tempoOfVariables, variablesThatAreSet } from './config-from-variables.ts'
import { migrations } from './migrations.ts'
import type { ExtensionsFor } from './offers/answer-extensions.ts'
import { PAYMENTS } from '../shared/payments/contract.ts'
import { resolveAsset } from './terms/asset.ts'
import { olderPricesOf } from './terms/prices.ts'
import { paymentsOf } from './provided/payments.ts'
import { X402Rail } from './rail.ts'
import { channelRoutes } from './routes/channel-routes.ts'
import { discoveryRoutes } from './routes/discovery.ts'
import { progressRoute } from './routes/progress-route.ts'
import { settleRoutes } from './routes/settle-routes.ts'
import { sandboxRoutes } from './routes/sandbox-routes.ts'
import { walletScriptRoute } from './browser/wallet-script.ts'
import { sandboxNotes } from './sandbox/start-notes.ts'
import type { SandboxChain } from './sandbox/sandbox.ts'
import { borrowSandboxChain, type BorrowedChain } from './sandbox/shared-chain.ts'
import { watchStuck } from './settle/stuck-watch.ts'
import { gaugesOf } from './status.ts'
import {
  contradictions,
  PREPAID_FIAT,
  SANDBOX_CHAIN,
  setupFindings,
  VARIABLES,
  X402_ASSET,
  X402_FACILITATOR_URL,
  X402_NETWORK,
  X402_RPC_URL,
} from './variables.ts'

/** At the end of the time that a stop gets, background work and the chain are ended. */
const STOP_RESERVE_MS = 3000
const NO_CHAIN = 'no sandbox chain: only prepaid credits are sold'

export default definePlugin({
  id: 'x402',
  version: '1.0.0',
  kernel: '^1.4.0',
  config: X402Config,
  configProblems: networkProblems,
  variables: VARIABLES,
  contradictions,
  setupFindings,
  reservedPaths: ['/v1/x402', '/.well-known/x402', '/.well-known/x402.json'],
  requires: ['alerts', 'catalog', 'documents', 'quotes', 'settlements', 'signals'],
  migrations,
  setup(env) {
    const quotes = env.service('quotes')
    const catalog = env.service('catalog')
    const valueOf = <T>(variable: Variable<T>): T => env.variable(variable)
    const listed = entriesOfConfig(env.config)
    const set = variablesThatAreSet(valueOf)
    if (listed && set.length > 0) {
      env.log.warn({ variables: set }, 'x402 takes its networks from the product file alone')
    }
    const wantsChain = listed === null && wantsSandboxChain(env)
    const isConfigured = wantsChain || set.length > 0
    let borrowed: BorrowedChain | null = null
    let running: SandboxChain | null = null
    const chain = (): SandboxChain | null => running
    const rail = new X402Rail({
      db: env.db,
      records: env.service('settlements'),
      signals: env.service('signals'),
      log: env.log,
      entries: listed ?? (isConfigured ? [entryOfVariables(valueOf)] : []),
      tempo: tempoOfVariables(valueOf),
      sandboxChain: async () => {
        borrowed = wantsChain ? borrowChain(env) : null
        running = borrowed && (await runningChain(env, borrowed))
        return running
      },
      olderPrices: olderPricesOf(env.db, quotes),
      extensions: (...challenge) => extensionsFor(env, challenge),
    })
    const prepaidFiat = env.variable(PREPAID_FIAT)
    let stuck: Background | null = null
    return {
      rails: [rail],
      provides: { [PAYMENTS]: paymentsOf(rail) },
      routes: [
        ...settleRoutes({ rail, catalog, quotes }),
        progressRoute(rail),
        ...discoveryRoutes({
          rail,
          catalog,
          quotes,
          publicUrl: env.publicUrl,
          prepaidFiat,
          operator: env.service('documents').operator,
        }),
        ...channelRoutes({ rail, publicUrl: env.publicUrl }),
        walletScriptRoute(),
        ...(wantsChain ? sandboxRoutes(chain) : []),
      ],
      health: rail.health(),
      gauges: gaugesOf(rail),
      async startNotes() {
        const started = chain()
        return started ? sandboxNotes(started) : []
      },
      async ready() {
        await rail.start()
        const backlog = () => rail.core?.claims.backlog() ?? null
        stuck = watchStuck({ alerts: env.service('alerts'), backlog, log: env.log })
      },
      async stop(deadline) {
        await stuck?.stop()
        await rail.stop(new Date(deadline.getTime() - STOP_RESERVE_MS))
        await borrowed?.giveBack()
      },
    }
  },
})

/** The extensions that other plugins may add, and by which name these provide them. */
const EXTENSIONS = CHALLENGE_EXTENSIONS.map((key) => ({ key, name: extensionName(key) }))

/** JSON of what the plugins that provide an extension add to a challenge for one answer. */
function extensionsFor(
  env: PluginEnv,
  challenge: Parameters<ExtensionsFor>,
): ReturnType<ExtensionsFor> {
  const members: string[] = []
  for (const { key, name } of EXTENSIONS) {
    const value = env.provided<ChallengeExtension>(name)?.textFor(...challenge)
    if (value) members.push(`"${key}":${value}`)
  }
  return members
}

/** A sandbox has a chain of its own where nothing else is set to pay on. */
function wantsSandboxChain(env: PluginEnv): boolean {
  const isElsewhere =
    env.variable(X402_RPC_URL) !== null || env.variable(X402_FACILITATOR_URL).length > 0
  return env.sandbox && env.variable(SANDBOX_CHAIN) && !isElsewhere
}

/** Null where the network has no known token; the log says so. */
function borrowChain(env: PluginEnv): BorrowedChain | null {
  const resolved = resolveAsset(env.variable(X402_NETWORK), env.variable(X402_ASSET))
  if (resolved.ok) return borrowSandboxChain(resolved.asset)
  env.log.warn({ reason: resolved.reason }, NO_CHAIN)
  return null
}

/** The chain as soon as it runs; the reason why there is none is in the log. */
async function runningChain(env: PluginEnv, borrowed: BorrowedChain): Promise<SandboxChain | null> {
  const started = await borrowed.started
  if (started.ok) return started.chain
  env.log.warn({ reason: started.reason }, NO_CHAIN)
  // Another revision of the product starts another one.
  await borrowed.giveBack()
  return null
}
