/** What every test of x402 stands on: a database and a chain of its own, a buyer, facilitators. */
import type { PrivateKeyAccount } from 'viem/accounts'
import { beforeAll, expect } from 'vitest'
import { verifyLedger } from '../../../host/reporting/verify.ts'
import { migratePlugin } from '../../../kernel/storage/plugin-db.ts'
import { migrations } from '../../../plugins/x402/migrations.ts'
import type { SandboxChain } from '../../../plugins/x402/sandbox/sandbox.ts'
import { testDatabase, type TestDatabase } from '../database.ts'
import { lifetimes, type Closing } from '../lifetimes.ts'
import { buyerOn, testChain } from './chain.ts'
import { startFacilitator, type Fault, type TestFacilitator } from './facilitator.ts'

export interface X402Ground {
  readonly database: TestDatabase
  readonly chain: SandboxChain
  /** An account with USDC. */
  readonly buyer: PrivateKeyAccount
  /** Atomic USDC on the account that payments go to. */
  received(): Promise<bigint>
  /** A facilitator over the chain, with the faults of its next settlements; closed by itself. */
  facilitator(
    faults?: Fault[],
    options?: { listsUpto?: boolean; isStrict?: boolean },
  ): TestFacilitator
  /** Closes what else a test opens, after it or after the last one. */
  closing: Closing
  /** Starts to count; what comes back tells what was taken since: runs of the skills, atomic USDC. */
  tally(): Promise<() => Promise<{ runs: number; moved: bigint }>>
  /** Counts the runs of a skill in every tally. */
  counts(skill: { runs: number }): void
  /** The leases of all workers run out, as when they died some time ago. */
  expireLeases(): Promise<unknown>
}

/**
 * Lays the ground for the tests of a file or a describe block: call it there, outside of any test.
 * In the end its ledger must balance, whatever happened.
 */
export function x402Ground(options: { buyerAtomic?: bigint } = {}): X402Ground {
  let database!: TestDatabase
  let chain!: SandboxChain
  let buyer!: PrivateKeyAccount
  const skills: { runs: number }[] = []
  const closing = lifetimes()
  const received = () => chain.balanceOf(chain.receivingAddress)
  const runs = () => skills.reduce((sum, skill) => sum + skill.runs, 0)

  beforeAll(async () => {
    database = await testDatabase()
    await migratePlugin(database.db, 'x402', migrations)
    closing(async () => {
      expect((await verifyLedger(database.db.sql)).violations).toEqual([])
      await database.close()
    })
    chain = await testChain()
    closing(() => chain.stop())
    buyer = await buyerOn(chain, options.buyerAtomic)
  })
  return {
    get database() {
      return database
    },
    get chain() {
      return chain
    },
    get buyer() {
      return buyer
    },
    received,
    facilitator(faults = [], { listsUpto = false, isStrict = false } = {}) {
      const started = startFacilitator(chain)
      Object.assign(started, { faults, listsUpto, isStrict })
      closing(() => started.stop())
      return started
    },
    closing,
    async tally() {
      const before = { runs: runs(), received: await received() }
      return async () => ({
        runs: runs() - before.runs,
        moved: (await received()) - before.received,
      })
    },
    counts: (skill) => void skills.push(skill),
    expireLeases: () => database.db.sql`
      UPDATE plugin_x402.x402_claim SET lease_until = now() - interval '1 second'
      WHERE state IN ('claimed', 'settling')`,
  }
}
