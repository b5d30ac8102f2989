/** The places of the own account's transactions in the database. */
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Outbox } from '../../../../plugins/x402/chain/pending-transactions.ts'
import { migratePlugin, pluginDb } from '../../../../kernel/storage/plugin-db.ts'
import { migrations } from '../../../../plugins/x402/migrations.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await migratePlugin(database.db, 'x402', migrations)
})
afterAll(() => database.close())

/** As an instance of the gateway has it. */
const outboxOf = (account: Hex) =>
  new Outbox({ db: pluginDb(database.db, 'x402'), chain: 'eip155:8453', account, tendedMs: 1000 })
const call = {
  to: '0x01',
  data: '0x02',
  gas: 21_000n,
  fees: { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n },
  mostPerGas: 20n,
} as const
const paymentOf = (payer: string) => ({ asset: '0xa', payer, nonce: '0x1' })

it('a late worker touches no place of its payment that another payment has by now', async () => {
  const outbox = outboxOf('0xaa')
  const { placed } = await outbox.add(paymentOf('alice'), call, 5)
  const late = (await outbox.byPayment(paymentOf('alice')))!
  await outbox.remove(placed)
  const taken = (await outbox.add(paymentOf('bob'), call, 5)).placed
  expect(taken.nonce).toBe(placed.nonce)
  expect(await outbox.tend(late)).toBeNull()
  await outbox.addForm(late, { maxFeePerGas: 4n, maxPriorityFeePerGas: 2n })
  await outbox.remove(late)
  expect(await outbox.byPayment(paymentOf('bob'))).toEqual(taken)
})

it('gives the lowest free place, and a payment that has one the same again', async () => {
  const outbox = outboxOf('0xbb')
  const placeOf = async (payer: string) =>
    (await outbox.add(paymentOf(payer), call, 3)).placed.nonce
  expect([await placeOf('a'), await placeOf('b'), await placeOf('c')]).toEqual([3, 4, 5])
  await outbox.remove((await outbox.byPayment(paymentOf('b')))!)
  expect([await placeOf('a'), await placeOf('d'), await placeOf('e')]).toEqual([3, 4, 6])
})
