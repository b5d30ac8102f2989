/** How calls are paid: the rails, the store of idempotent answers, and the meter over both. */
import type { Config } from '../config/config.ts'
import { IdempotencyStore } from '../metering/idempotency.ts'
import { Meter } from '../metering/meter.ts'
import { Quotes } from '../metering/quotes.ts'
import type { GatewayLog } from '../log/log.ts'
import { pricesSince } from '../pricing/older.ts'
import { enterRail } from '../products/mounted-product.ts'
import { creditsRail, type CreditsRail } from '../rails/credits/rail.ts'
import { RailRegistry } from '../rails/registry.ts'
import type { Closers } from './closers.ts'
import type { Foundation } from './foundation.ts'
import type { OpenedIdentity } from './identity.ts'
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
    creditsRail({ ledger, holdTtlMs: config.holdTtlMs }),
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
  rails.add(x402.rail)
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
