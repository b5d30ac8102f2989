/** How calls are paid: the rails, the store of idempotent answers, and the meter over both. */
import type { Config } from '../config/config.ts'
import { IdempotencyStore } from '../metering/idempotency.ts'
import { Meter } from '../metering/meter.ts'
import { Quotes } from '../metering/quotes.ts'
import type { GatewayLog } from '../log/log.ts'
import { pricesSince } from '../pricing/older.ts'
import { enterRail } from '../products/mounted-product.ts'
import { creditsCalls } from '../rails/credits/calls.ts'
import { creditsRail, type CreditsRail } from '../rails/credits/rail.ts'
import { RailRegistry } from '../rails/registry.ts'
import type { Closers } from './closers.ts'
import type { Foundation } from './foundation.ts'
import type { OpenedIdentity } from './identity.ts'
import type { PluginTx } from '../storage/contract.ts'
import { x402Calls } from '../../plugins/x402/claims/calls-list.ts'
import { openX402, type OpenedX402 } from '../../plugins/x402/open.ts'

export interface OpenedMetering {
  /** The kernel's own two; those of plugins come and go with their products. */
  rails: RailRegistry
  credits: CreditsRail
  x402: OpenedX402
  idempotency: IdempotencyStore
  meter: Meter
  quotes: Quotes
}

/** Throws with the reason when the x402 rail is configured and cannot settle. */
export async function openMetering(
  config: Config,
  { db, ledger }: Foundation,
  { auth, limiter }: OpenedIdentity,
  log: GatewayLog,
  closers: Closers,
): Promise<OpenedMetering> {
  const rails = new RailRegistry()
  const credits = closers.add(
    'credits rail',
    creditsRail({ ledger, holdTtlMs: config.holdTtlMs, calls: creditsCalls(db.sql) }),
    (rail) => rail.drain(),
  )
  rails.add(credits)
  const x402 = closers.add(
    'x402 rail',
    await openX402({
      config,
      db,
      ledger,
      log,
      olderPrices: (skillId, since) => pricesSince(db, skillId, since),
    }),
    (opened) => opened.stop(),
  )
  const query = db.sql.unsafe.bind(db.sql) as unknown as PluginTx['query']
  rails.add(Object.assign(x402.rail, { calls: x402Calls({ query }) }))
  const idempotency = new IdempotencyStore(db.sql, (railId, holdId) =>
    rails.stateOf(railId, holdId),
  )
  const meter = new Meter({
    auth,
    limiter,
    rails,
    idempotency,
    log,
    defaults: { rpm: config.rateLimitRpm, burst: config.rateLimitBurst },
    sandbox: config.sandbox,
    enterRail,
  })
  return { rails, credits, x402, idempotency, meter, quotes: new Quotes(config.publicUrl) }
}
