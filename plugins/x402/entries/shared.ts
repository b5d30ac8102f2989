/** What all entries of a rail share. */
import type { Logger, PluginDb } from '#kernel'
import type { DatabaseClock } from '../../shared/storage/database-clock.ts'
import type { Claims } from '../claims/claims.ts'
import type { OlderPrices, Prices } from '../terms/prices.ts'
import type { Leases } from '../settle/leases.ts'

export interface EntryShared {
  db: PluginDb
  claims: Claims
  leases: Leases
  prices: Prices
  /** Prices of a skill valid since a moment, for quotes that other instances gave. */
  olderPrices?: OlderPrices
  clock: DatabaseClock
  log: Logger
  timing: X402Timing
  /** To be called when an entry offers something else than before. */
  changed(): void
}

/** Waiting times, all in milliseconds; the defaults suit public networks. */
export interface X402Timing {
  settleTimeoutMs?: number
  verifyTimeoutMs?: number
  /** How long a facilitator's settlement may take to show on our own node. */
  confirmTimeoutMs?: number
  /** How long all ways of settling together may take while a caller waits. */
  attemptTimeoutMs?: number
  /** One question to the node. */
  rpcTimeoutMs?: number
  receiptPollMs?: number
  /** When an own transaction without a receipt is sent again with higher fees. */
  raiseAfterMs?: number
  reconcileEveryMs?: number
  /** How often facilitators are asked what they support. */
  refreshEveryMs?: number
  /** How long the start waits for what they answer first. */
  firstLookMs?: number
  /** When a settlement is looked at again, should the chain have undone it. */
  recheckAfterMs?: number
  /** How long the start waits for the sandbox's own chain, which may come later. */
  sandboxWaitMs?: number
  breaker?: { failures: number; resetMs: number }
}
