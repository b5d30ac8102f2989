/** The rail alone, without a meter. */
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import type { Authorization, Quote, RailCall } from '../../../kernel/rails/contract.ts'
import { createSettlements } from '../../../host/plugin-services/settlements.ts'
import { createSignals } from '../../../host/plugin-services/signals.ts'
import type { Database } from '../../../kernel/storage/contract.ts'
import { pluginDb } from '../../../kernel/storage/plugin-db.ts'
import { EvmEntry } from '../../../plugins/x402/evm/entry.ts'
import { VARIABLE_NAMES, type EvmSettings } from '../../../plugins/x402/terms/settings.ts'
import type { X402Options } from '../../../plugins/x402/rail-parts.ts'
import { X402Rail } from '../../../plugins/x402/rail.ts'
import { silentLog } from '../log.ts'
import type { X402Ground } from './ground.ts'
import { paidBy } from './payments.ts'
import { ownAccount } from '../accounts.ts'

/** What the tests of the rail buy where it does not matter what. */
export const workQuote: Quote = {
  skillId: 't.work',
  productId: 't',
  title: 'Work',
  description: 'Works.',
  method: 'POST',
  path: '/v1/t/run',
  resourceUrl: 'http://localhost/v1/t/run',
  transport: 'http',
  amountAtomic: 10_000n,
  priceVersion: 1,
  timeoutMs: 30_000,
}

/** Timings for tests: quick to look again, no breaker in the way, and no start before the offers. */
export const QUICK = {
  receiptPollMs: 5,
  breaker: { failures: 100, resetMs: 100 },
  firstLookMs: 60_000,
} as const

/** A call as the meter hands it to the rail. */
export const railCall = (quote: Quote, overrides: Partial<RailCall> = {}): RailCall => ({
  requestId: crypto.randomUUID(),
  quote,
  identity: null,
  place: { transport: quote.transport, method: quote.method, target: quote.path },
  fingerprint: 'f',
  acquisition: null,
  deadline: new Date(Date.now() + 30_000),
  holdId: Bun.randomUUIDv7(),
  ...overrides,
})

/** What the rail authorizes for this payment; throws where it refuses. */
export async function authorized(
  rail: X402Rail,
  call: RailCall,
  payment: unknown,
): Promise<Authorization> {
  const outcome = await rail.authorize(call, paidBy(payment))
  if (outcome.outcome !== 'authorized') throw new Error(JSON.stringify(outcome))
  return outcome.authorization
}

/** The settings of one EVM entry, as the X402_* variables have them. */
export interface OneEntry {
  network: string
  asset: string | null
  payTo: string | null
  /** URLs in order of preference. */
  facilitators: readonly string[]
  rpcUrl: string | null
  signerKey: string | null
}

/** A list of one. */
export function entryOf({ facilitators, ...entry }: OneEntry): EvmSettings {
  const named = facilitators.map((url) => ({ url, auth: '-' }))
  return { kind: 'evm', ...entry, facilitators: named, names: VARIABLE_NAMES }
}

/** The EVM entry that a started rail of a list of one has. */
export function mainOf(rail: X402Rail): EvmEntry {
  const main = rail.core?.main
  if (!(main instanceof EvmEntry)) throw new Error('the rail has no EVM entry')
  return main
}

/** Options of a rail, over a database of its own where one is given. */
export type RailOptions = Partial<Omit<X402Options, 'db' | 'records' | 'signals'>> &
  Partial<OneEntry> & { database?: Database }

/**
 * A started rail over the ground, settling by its own signer unless told otherwise. It is stopped with
 * what else the ground has to close, where the test has not done it.
 */
export async function startRail(
  ground: X402Ground,
  { database = ground.database.db, ...given }: RailOptions = {},
): Promise<X402Rail> {
  const { chain } = ground
  const {
    network = 'eip155:8453',
    asset = null,
    payTo = chain.receivingAddress,
    facilitators = [],
    rpcUrl = chain.rpcUrl,
    signerKey = chain.signerKey,
    ...options
  } = given
  const rail = new X402Rail({
    db: pluginDb(database, 'x402'),
    records: createSettlements(createLedger(database), async (keyId) => ownAccount(keyId)),
    signals: createSignals(database, 'x402'),
    log: silentLog,
    entries: [entryOf({ network, asset, payTo, facilitators, rpcUrl, signerKey })],
    chainRef: chain.ref,
    timing: {
      ...QUICK,
      settleTimeoutMs: 30_000,
      confirmTimeoutMs: 500,
      verifyTimeoutMs: 20_000,
      reconcileEveryMs: 100,
      // What one test had undone must not be settled again under a later one.
      recheckAfterMs: 3_000_000,
    },
    ...options,
  })
  ground.closing(() => rail.stop())
  await rail.start()
  return rail
}
