/**
 * Histories of x402 on Solana from seeds: the real rail with its own fee payer over the real statements
 * and a local chain, with a storage that fails at each statement, a node that loses what it was sent
 * and what it answered, and gateways that die. SIMULATE_SEED and SIMULATE_HISTORIES draw others.
 */
import { afterEach, describe, expect, it } from 'vitest'
import type { MeterOutcome } from '../../kernel/metering/call.ts'
import { echoSkill } from '../support/x402/instances.ts'
import { solanaGround, solanaInstances, type SolanaInstance } from '../support/x402/solana.ts'
import { withoutSolana, type SendFault } from '../support/x402/solana-node.ts'
import { faultyPluginDb, type FaultyPluginDb } from './faulty-plugin-db.ts'
import { randomFrom, type Random } from './random.ts'

const FIRST_SEED = Number(process.env['SIMULATE_SEED'] ?? 1)
const HISTORIES = Number(process.env['SIMULATE_HISTORIES'] ?? 5)
const NODE_FAULTS: readonly SendFault[] = ['drop', 'lose', 'hide', '503']
/** Methods that a node may refuse for a while. */
const DOWN = ['sendTransaction', 'getSignatureStatuses', 'getTransaction']
const without = withoutSolana('Solana: histories of the simulator')

interface Instance {
  db: FaultyPluginDb
  shop: SolanaInstance
}
type Told = 'answered' | 'refused' | 'again' | 'unknown'

describe.skipIf(without)('payments on Solana', () => {
  const ground = solanaGround()
  const work = echoSkill()
  const open = solanaInstances(ground, work)
  let random: Random = randomFrom(1)

  afterEach(() => {
    ground.node.faults.length = 0
    ground.node.down.clear()
    ground.node.reveal()
  })

  async function openInstance(): Promise<Instance> {
    let db!: FaultyPluginDb
    const shop = await open(
      {},
      {
        // Its rounds are begun by callers that come back, so that the seed decides.
        timing: { breaker: { failures: 1e9, resetMs: 1 }, reconcileEveryMs: 3_600_000 },
        through: (plain) => (db = faultyPluginDb(plain, () => random)),
      },
    )
    return { db, shop }
  }

  async function pay({ db, shop }: Instance, payment: unknown, input: object): Promise<Told> {
    const outcome: MeterOutcome = await shop.pay(payment, input)
    // A dead gateway says nothing.
    if (db.isDead) return 'unknown'
    if (outcome.kind === 'answer') return 'answered'
    if (outcome.kind === 'stream' || outcome.pending) return 'unknown'
    const { status, retryable, code } = outcome.failure
    return (retryable ?? code !== 'PAYMENT_FAILED') || status === 503 ? 'again' : 'refused'
  }

  it('what was answered was moved once, what was refused was not, and who comes back learns it', async () => {
    const instances = [await openInstance(), await openInstance()]
    const told = { answered: 0, refused: 0, deaths: 0, faults: 0 }
    for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
      random = randomFrom(seed)
      const wrong = random.of([0, 0.3, 0.6])
      const [faulty, fatal] = random.of([[0, 0], [0.1, 0], [0.1, 0.1], [0.3, 0.05]] as const) // prettier-ignore
      const input = { seed }
      const payment = await instances[0]!.shop.signed()
      const movedBefore = ground.tally()
      const heard: Told[] = []
      for (const { db } of instances) Object.assign(db, { faulty, fatal })
      for (let attempt = 0; attempt < 3; attempt++) {
        if (random.chance(wrong)) ground.node.faults.push(random.of(NODE_FAULTS))
        if (random.chance(wrong / 2)) ground.node.down.add(random.of(DOWN))
        const first = random.of(instances)
        const calls = random.chance(0.2) ? [first, random.of(instances)] : [first]
        heard.push(...(await Promise.all(calls.map((one) => pay(one, payment, input)))))
        if (random.chance(0.3)) await ground.expireLeases()
        for (const [i, { db, shop }] of instances.entries()) {
          if (!db.isDead) continue
          told.deaths++
          await shop.rail.stop()
          instances[i] = await openInstance()
          Object.assign(instances[i]!.db, { faulty, fatal })
        }
        ground.node.down.clear()
      }
      // All is well again, and the buyer comes back.
      ground.node.faults.length = 0
      ground.node.reveal()
      for (const { db } of instances) {
        told.faults += db.faults
        Object.assign(db, { faulty: 0, fatal: 0, faults: 0 })
      }
      const at = `seed ${seed} ${JSON.stringify(heard)}`
      let last: Told = 'again'
      for (let n = 0; n < 40 && last !== 'answered' && last !== 'refused'; n++) {
        await ground.expireLeases()
        last = await pay(random.of(instances), payment, input)
        if (last !== 'answered') await Bun.sleep(25)
      }
      expect(['answered', 'refused'], `${at}: unknown resolves`).toContain(last)
      const { moved } = movedBefore()
      expect(moved, `${at}: answered means moved once, refused means not`).toBe(
        last === 'answered' ? work.amountAtomic : 0n,
      )
      if (heard.includes('answered')) expect(last, `${at}: an answer stays`).toBe('answered')
      if (last === 'answered') told.answered++
      else told.refused++
    }
    if (HISTORIES >= 5) expect([told.faults > 0, told.answered > 1]).toEqual([true, true])
  })
})
