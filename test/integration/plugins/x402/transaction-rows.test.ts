/** The nonces of the gateway's own transactions, reserved in the database. */
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TransactionRows } from '../../../../plugins/x402/chain/transaction-rows.ts'
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
const paymentOf = (payer: string) => ({ asset: '0xa', payer, nonce: '0x1' })

it('a late worker touches no nonce of its payment that another payment has by now', async () => {
  const rows = rowsOf('0xaa')
  const { stored } = await rows.reserve(paymentOf('alice'), call, 5)
  const late = (await rows.byPayment(paymentOf('alice')))!
  await rows.delete(stored)
  const taken = (await rows.reserve(paymentOf('bob'), call, 5)).stored
  expect(taken.nonce).toBe(stored.nonce)
  expect(await rows.renew(late)).toBeNull()
  await rows.addAttempt(late, { maxFeePerGas: 4n, maxPriorityFeePerGas: 2n })
  await rows.delete(late)
  expect(await rows.byPayment(paymentOf('bob'))).toEqual(taken)
})

it('reserves the lowest free nonce, and a payment that has one the same again', async () => {
  const rows = rowsOf('0xbb')
  const nonceOf = async (payer: string) =>
    (await rows.reserve(paymentOf(payer), call, 3)).stored.nonce
  expect([await nonceOf('a'), await nonceOf('b'), await nonceOf('c')]).toEqual([3, 4, 5])
  await rows.delete((await rows.byPayment(paymentOf('b')))!)
  expect([await nonceOf('a'), await nonceOf('d'), await nonceOf('e')]).toEqual([3, 4, 6])
})
