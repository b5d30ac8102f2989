/**
 * Histories of x402 and of MPP, which settles by it, from seeds: the real rails, their claims,
 * settlement and reconciler over the real statements, with a storage that fails at each of them, a facilitator that loses its answers, and
 * gateways that die. SIMULATE_SEED and SIMULATE_HISTORIES draw others.
 */
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLedger } from '../../kernel/ledger/ledger.ts'
import { readRows } from '../../host/reporting/ledger-rows.ts'
import { verifyLedger } from '../../host/reporting/verify.ts'
import type { CredentialSource } from '../../kernel/auth/contract.ts'
import type { PaymentRequired } from '@x402/core/types'
import { Challenge } from 'mppx'
import { createSettlements } from '../../host/plugin-services/settlements.ts'
import { createSignals } from '../../host/plugin-services/signals.ts'
import { migratePlugin, pluginDb } from '../../kernel/storage/plugin-db.ts'
import { Challenges } from '../../plugins/mpp/challenges.ts'
import { methodsOf } from '../../plugins/mpp/charge/methods.ts'
import { MppRail } from '../../plugins/mpp/rail.ts'
import { idKey } from '../../plugins/mpp/wire/challenge.ts'
import { migrations } from '../../plugins/x402/migrations.ts'
import { paymentsOf } from '../../plugins/x402/provided/payments.ts'
import { X402Rail } from '../../plugins/x402/rail.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { silentLog } from '../support/log.ts'
import { meterOver } from '../support/metering.ts'
import { credentialFor, partsOf } from '../support/mpp.ts'
import { refusalOf } from '../support/outcomes.ts'
import { echoSkill } from '../support/x402/instances.ts'
import { paidBy, requirementsIn, signPayment } from '../support/x402/payments.ts'
import { entryOf, QUICK } from '../support/x402/rail.ts'
import { faultyPluginDb, type FaultyPluginDb } from './faulty-plugin-db.ts'
import { randomFrom, type Random } from './random.ts'
import { startVirtualFacilitator, type VirtualFacilitator } from './virtual-facilitator.ts'

const FIRST_SEED = Number(process.env['SIMULATE_SEED'] ?? 1)
const HISTORIES = Number(process.env['SIMULATE_HISTORIES'] ?? 16)
const buyer = privateKeyToAccount(`0x${'7'.repeat(64)}`)
const PAY_TO = '0x000000000000000000000000000000000000dEaD'

let database: TestDatabase
let facilitator: VirtualFacilitator
let random: Random = randomFrom(1)
const skill = echoSkill({ rails: ['x402', 'mpp'] })

/** A payment as its buyer sends it, and the nonce by which it moves. */
interface Signed {
  by: CredentialSource
  nonce: string
}

interface Instance {
  db: FaultyPluginDb
  rail: X402Rail
  pay(by: CredentialSource, input: object): Promise<'answered' | 'refused' | 'again' | 'unknown'>
  sign(dialect: 'x402' | 'mpp'): Promise<Signed>
  close(): Promise<void>
}

async function openInstance(isUpfront: boolean): Promise<Instance> {
  const meter = await meterOver(database.db)
  const db = faultyPluginDb(pluginDb(database.db, 'x402'), () => random)
  const entry = {
    network: 'eip155:8453',
    asset: null,
    payTo: PAY_TO,
    facilitators: [facilitator.url],
    rpcUrl: null,
    signerKey: null,
  }
  const rail = new X402Rail({
    db,
    records: createSettlements(createLedger(database.db), async () => null),
    signals: createSignals(database.db, 'x402'),
    log: silentLog,
    entries: [{ ...entryOf(entry), isUpfront }],
    // Its rounds are begun by callers that come back, so that the seed decides.
    timing: { ...QUICK, breaker: { failures: 1e9, resetMs: 1 }, reconcileEveryMs: 3_600_000 },
  })
  await rail.start()
  meter.rails.add(rail)
  const challenges = new Challenges({
    realm: 'localhost',
    keys: [idKey(Buffer.alloc(32, 5))],
  })
  meter.rails.add(
    new MppRail({
      methods: methodsOf(['evm/charge']),
      challenges: () => challenges,
      payments: () => paymentsOf(rail),
    }),
  )
  return {
    db,
    rail,
    async sign(dialect) {
      const unpaid = refusalOf(await meter.meter.run(meter.call(skill, {})))
      if (dialect === 'x402') {
        const { challenge } = unpaid.offers.find((offer) => offer.challenge)!
        const payment = await signPayment(buyer, requirementsIn(challenge as PaymentRequired))
        return { by: paidBy(payment), nonce: payment.payload.authorization.nonce }
      }
      const headers = new Headers(unpaid.fresh.flatMap(({ part }) => [...part.headers]) as never)
      const credential = await credentialFor(buyer, Challenge.fromHeadersList(headers)[0]!)
      const { nonce } = partsOf(credential).payload as { nonce: string }
      return { by: paidBy(credential, 'authorization'), nonce }
    },
    async pay(by, input) {
      const outcome = await meter.meter.run(meter.call(skill, input, { source: by }))
      // A dead gateway says nothing.
      if (db.isDead) return 'unknown'
      if (outcome.kind === 'answer') return 'answered'
      if (outcome.kind === 'stream' || outcome.pending) return 'unknown'
      const { status, retryable, code } = outcome.failure
      return (retryable ?? code !== 'PAYMENT_FAILED') || status === 503 ? 'again' : 'refused'
    },
    async close() {
      await rail.stop()
      await meter.close()
    },
  }
}

/** Rows that a statement works on wait for the next time: no deadlock. */
const expireLeases = () => database.db.sql`
  UPDATE plugin_x402.x402_claim SET lease_until = now() - interval '1 second'
  WHERE id IN (
    SELECT id FROM plugin_x402.x402_claim WHERE lease_until > now() FOR UPDATE SKIP LOCKED)`

beforeAll(async () => {
  database = await testDatabase()
  await migratePlugin(database.db, 'x402', migrations)
  facilitator = startVirtualFacilitator(() => random)
})
afterAll(async () => {
  await facilitator.stop()
  await database.close()
})

it.each([
  ['after the work', false],
  ['before the work', true],
])(
  'paid %s: what was answered was moved once, what was refused was not, and who comes back learns it',
  async (_, isUpfront) => {
    const instances = [await openInstance(isUpfront), await openInstance(isUpfront)]
    let faults = 0
    const told = { answered: 0, refused: 0, deaths: 0 }
    const reborn = async (): Promise<void> => {
      for (const [i, instance] of instances.entries()) {
        if (!instance.db.isDead) continue
        told.deaths++
        await instance.close()
        instances[i] = await openInstance(isUpfront)
      }
    }
    for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
      random = randomFrom(seed)
      facilitator.wrong = random.of([0, 0.2, 0.5])
      const [faulty, fatal] = random.of([[0, 0], [0.1, 0], [0.1, 0.1], [0.3, 0.05]] as const) // prettier-ignore
      const purchases = await Promise.all(
        Array.from({ length: 1 + random.below(3) }, async (_, n) => ({
          payment: await instances[0]!.sign(random.of(['x402', 'mpp'])),
          input: { seed, n },
          told: [] as string[],
        })),
      )
      for (const { db } of instances) Object.assign(db, { faulty, fatal })
      const runsBefore = skill.runs
      for (let attempt = 0; attempt < 3; attempt++) {
        for (const purchase of purchases) {
          const instance = random.of(instances)
          const calls = random.chance(0.2) ? [instance, random.of(instances)] : [instance]
          const heard = calls.map((one) => one.pay(purchase.payment.by, purchase.input))
          purchase.told.push(...(await Promise.all(heard)))
          if (random.chance(0.3)) await expireLeases()
        }
        await reborn()
        for (const { db } of instances) Object.assign(db, { faulty, fatal })
      }
      // All is well again, and everybody comes back.
      facilitator.wrong = 0
      for (const { db } of instances) {
        faults += db.faults
        Object.assign(db, { faulty: 0, fatal: 0, faults: 0 })
      }
      for (const { payment, input, told: heard } of purchases) {
        const at = `seed ${seed} ${JSON.stringify({ input, heard })}`
        let last = 'again'
        for (let n = 0; n < 8 && last !== 'answered' && last !== 'refused'; n++) {
          await expireLeases()
          last = await random.of(instances).pay(payment.by, input)
        }
        expect(['answered', 'refused'], `${at}: unknown resolves`).toContain(last)
        const { nonce } = payment
        const isMoved = facilitator.moved.has(nonce)
        expect(isMoved, `${at}: answered means moved, refused means not`).toBe(last === 'answered')
        if (heard.includes('answered')) expect(last, `${at}: an answer stays`).toBe('answered')
        const rows = await database.db.sql<{ count: number }[]>`
        SELECT count(*)::int AS count FROM plugin_x402.x402_claim
        WHERE nonce = ${nonce} AND state = 'settled' AND ledger_id IS NOT NULL`
        expect(rows[0]!.count, `${at}: booked once`).toBe(isMoved ? 1 : 0)
        if (last === 'answered') told.answered++
        else told.refused++
      }
      expect(skill.runs - runsBefore, `seed ${seed}: work ran`).toBeGreaterThanOrEqual(1)
    }
    for (const instance of instances) await instance.close()
    const settled = await readRows(database.db.orm, { kind: 'settlement', limit: 500 })
    expect(settled).toHaveLength(Math.min(500, facilitator.moved.size))
    expect((await verifyLedger(database.db.sql)).violations).toEqual([])
    if (HISTORIES >= 16) {
      expect(told.answered).toBeGreaterThanOrEqual(HISTORIES)
      expect([faults > 10, told.deaths > 0]).toEqual([true, true])
    }
  },
)
