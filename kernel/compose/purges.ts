/** Background rounds that delete the kernel's expired rows in slices. */
import { purgeFreeUse } from '../ledger/free-use.ts'
import type { Logger } from '../log/logger.ts'
import type { IdempotencyStore } from '../metering/idempotency.ts'
import type { SqlClient } from '../storage/contract.ts'
import { inSlices, repeat } from '../work/background.ts'

const ANSWERS_EVERY_MS = 60_000
const FREE_USE_EVERY_MS = 3_600_000
const SLICE = 5000

export interface PurgeDeps {
  sql: SqlClient
  idempotency: Pick<IdempotencyStore, 'purge'>
  log: Logger
}

/** Starts the rounds; safe on any number of instances. */
export function startPurges({ sql, idempotency, log }: PurgeDeps): { stop(): Promise<void> } {
  const rounds = [
    repeat({ name: 'idempotency purge', everyMs: ANSWERS_EVERY_MS, log }, (stopping) =>
      inSlices((limit) => idempotency.purge(limit), SLICE, stopping),
    ),
    repeat({ name: 'free calls purge', everyMs: FREE_USE_EVERY_MS, log }, (stopping) =>
      inSlices((limit) => purgeFreeUse(sql, limit), SLICE, stopping),
    ),
  ]
  return {
    stop: async () => {
      await Promise.all(rounds.map((round) => round.stop()))
    },
  }
}
