/** Payment of calls: the rails, the store of idempotent answers, and the meter over both. */
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { IdempotencyStore } from '../metering/idempotency.ts'
import { Meter } from '../metering/meter.ts'
import { AccountTerms, Quotes } from '../metering/quotes.ts'
import { Receipts, ReceiptSigners } from '../metering/receipts.ts'
import type { GatewayLog } from '../log/log.ts'
import { enterRail } from '../products/mounted-product.ts'
import { AccountPages } from '../rails/credits/account-pages.ts'
import { creditsRail } from '../rails/credits/rail.ts'
import { RailRegistry } from '../rails/registry.ts'
import type { Closers } from './closers.ts'
import type { Foundation } from './foundation.ts'
import type { OpenedIdentity } from './identity.ts'
import type { Machinery } from './machinery.ts'

/** The database may be away: what is given up then is in the journal of charges, or expires. */
const UNDOING_MS = 5000
const NOT_UNDONE = 'holds are not given back yet: the next start does it, or they expire'

/** The credits rail is the kernel's own; plugins provide every other rail. */
export async function openMetering(
  config: Config,
  { db, ledger }: Foundation,
  { auth, limiter }: OpenedIdentity,
  { openGiveBackJournal, reporting }: Pick<Machinery, 'openGiveBackJournal' | 'reporting'>,
  log: GatewayLog,
  closers: Closers,
) {
  // Credits, and the rails that are mounted and unmounted with their products.
  const rails = new RailRegistry(log)
  const signers = new ReceiptSigners(log)
  const receipts = new Receipts({ signers, publicUrl: config.publicUrl, log })
  const accountPages = new AccountPages(config.publicUrl)
  const credits = closers.add(
    'credits rail',
    creditsRail({
      ledger,
      holdTtlMs: config.holdTtlMs,
      calls: reporting.creditsCalls(db.sql),
      sandbox: config.sandbox,
      pages: accountPages,
    }),
    async (rail) => {
      if (!(await rail.drain(UNDOING_MS))) log.warn({}, NOT_UNDONE)
    },
  )
  rails.add(credits)
  const idempotency = new IdempotencyStore(db.sql, rails)
  const accountTerms = new AccountTerms()
  const meter = new Meter({
    auth,
    limiter,
    rails,
    idempotency,
    log,
    defaults: { rpm: config.rateLimitRpm, burst: config.rateLimitBurst },
    sandbox: config.sandbox,
    accountTerms,
    receipts,
    giveBackJournal: openGiveBackJournal(join(config.dataDir, 'give-backs')),
    enterRail,
  })
  const quotes = new Quotes(config.publicUrl)
  return {
    rails,
    signers,
    receipts,
    credits,
    idempotency,
    meter,
    quotes,
    accountTerms,
    accountPages,
  }
}
