/** The nonces of the gateway's own transactions, reserved in the database. */
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { TransactionRows } from '../../../../plugins/x402/chain/transaction-rows.ts'
import { migratePlugin, pluginDb } from '../../../../kernel/storage/plugin-db.ts'
import type { Database } from '../../../../kernel/storage/contract.ts'
import { migrations } from '../../../../plugins/x402/migrations.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import { PATIENT } from '../../../support/patience.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await migratePlugin(database.db, 'x402', migrations)
})
afterAll(() => database.close())

/** As an instance of the gateway has it. */
const rowsOf = (account: Hex) =>
  new TransactionRows({
    db: pluginDb(database.db, 'x402'),
    chain: 'eip155:8453',
    account,
    leaseMs: 1000,
  })
const call = {
  to: '0x01',
  data: '0x02',
  gas: 21_000n,
  fees: { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n },
  feeLimit: 20n,
} as const
/** Of a payment whose claim is not asked for. */
const reserved = async (rows: TransactionRows, payer: string, floor: number) =>
  (await rows.reserve(paymentOf(payer), call, floor))!.stored
const paymentOf = (payer: string) => ({ asset: '0xa', payer, nonce: '0x1' })

it('a late worker touches no nonce of its payment that another payment has by now', async () => {
  const rows = rowsOf('0xaa')
  const stored = await reserved(rows, 'alice', 5)
  const late = (await rows.byPayment(paymentOf('alice')))!
  await rows.delete(stored)
  const taken = await reserved(rows, 'bob', 5)
  expect(taken.nonce).toBe(stored.nonce)
  expect(await rows.renew(late)).toBeNull()
  await rows.addAttempt(late, { maxFeePerGas: 4n, maxPriorityFeePerGas: 2n })
  await rows.delete(late)
  expect(await rows.byPayment(paymentOf('bob'))).toEqual(taken)
})

it('reserves the lowest free nonce, and a payment that has one the same again', async () => {
  const rows = rowsOf('0xbb')
  const nonceOf = async (payer: string) => (await reserved(rows, payer, 3)).nonce
  expect([await nonceOf('a'), await nonceOf('b'), await nonceOf('c')]).toEqual([3, 4, 5])
  await rows.delete((await rows.byPayment(paymentOf('b')))!)
  expect([await nonceOf('a'), await nonceOf('d'), await nonceOf('e')]).toEqual([3, 4, 6])
})

describe('for a claim', () => {
  const claimed = async (nonce: string): Promise<string> => {
    const id = Bun.randomUUIDv7()
    await database.db.sql`
      INSERT INTO plugin_x402.x402_claim (id, network, asset, payer, nonce, state, fingerprint,
        request_id, skill_id, path, amount, price_version, valid_before, lease_until)
      VALUES (${id}, 'eip155:8453', '0xa', 'carol', ${nonce}, 'claimed', 'refund', 'r', 's', '/', 1, 0,
        0, now())`
    return id
  }
  const takeOver = (sql: Database['sql'], id: string) =>
    sql`UPDATE plugin_x402.x402_claim SET id = ${Bun.randomUUIDv7()} WHERE id = ${id}`

  it('reserves while it is held, also after its lease, and not once it was taken over or ended', async () => {
    const rows = rowsOf('0xcc')
    const [held, taken, ended] = [await claimed('1'), await claimed('2'), await claimed('3')]
    await takeOver(database.db.sql, taken)
    await database.db.sql`UPDATE plugin_x402.x402_claim SET state = 'released' WHERE id = ${ended}`
    expect(await rows.reserve(paymentOf('d'), call, 0, held)).toMatchObject({ isNew: true })
    expect(await rows.reserve(paymentOf('d'), call, 0, held)).toMatchObject({ isNew: false })
    // Whose place another has gets not even the transaction of that one.
    for (const lost of [taken, ended])
      expect(await rows.reserve(paymentOf('d'), call, 0, lost)).toBeNull()
    expect(await rows.byPayment(paymentOf('e'))).toBeNull()
  })

  it('waits for a takeover that is under way, and then reserves nothing', async () => {
    const rows = rowsOf('0xdd')
    const id = await claimed('4')
    const waits = () => database.db.sql`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
        AND wait_event_type = 'Lock' AND query LIKE '%x402_outgoing%'`
    const other = database.open()
    let reserving: ReturnType<TransactionRows['reserve']> | null = null
    await other.sql.begin(async (tx) => {
      await takeOver(tx as unknown as Database['sql'], id)
      reserving = rows.reserve(paymentOf('f'), call, 0, id)
      await vi.waitUntil(async () => (await waits()).length > 0, PATIENT)
    })
    expect(await reserving).toBeNull()
    expect(await rows.byPayment(paymentOf('f'))).toBeNull()
  })
})

it('a worker takes back what the node refused, unless another one has leased it meanwhile', async () => {
  const rows = rowsOf('0xee')
  const stored = await reserved(rows, 'g', 0)
  expect(await rows.withdraw(stored)).toBe(true)
  expect(await rows.byPayment(paymentOf('g'))).toBeNull()
  const again = await reserved(rows, 'g', 0)
  await rows.renew(again)
  expect(await rows.withdraw(again)).toBe(false)
  expect(await rows.byPayment(paymentOf('g'))).toEqual(again)
})
