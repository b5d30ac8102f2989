/** A payment whose gateway died at work: it can be used again, and once too late its payer is told so. */
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RailCall } from '../../../../kernel/rails/contract.ts'
import type { SandboxChain } from '../../../../kernel/rails/x402/chain/sandbox.ts'
import { PrepaidDesk } from '../../../../kernel/rails/x402/prepaid.ts'
import type { X402Rail } from '../../../../kernel/rails/x402/rail.ts'
import { createLedger } from '../../../../kernel/ledger/ledger.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import {
  buyerOn,
  encode,
  paidBy,
  requirementsIn,
  signPayment,
  testChain,
  testRail,
  workQuote as quote,
} from '../../../support/x402.ts'

let database: TestDatabase
let chain: SandboxChain
let rail: X402Rail
let buyer: PrivateKeyAccount

beforeAll(async () => {
  database = await testDatabase()
  chain = await testChain()
  rail = await testRail({ database: database.db, ledger: createLedger(database.db), chain })
  buyer = await buyerOn(chain)
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(async () => {
  await rail.stop()
  await chain.stop()
  await database.close()
})

const callOf = (): RailCall => ({
  requestId: crypto.randomUUID(),
  quote,
  identity: null,
  fingerprint: 'f',
  acquisition: null,
  deadline: new Date(Date.now() + 5000),
  holdId: Bun.randomUUIDv7(),
})
const signed = () => signPayment(buyer, requirementsIn(rail.offer(quote)!.challenge))
/** The leases of all workers run out. */
const timePasses = () =>
  database.db.sql`UPDATE coinop.x402_claim SET lease_until = now() - interval '1 second'`
/** Payments that were signed before have expired. */
function anHourPasses(): void {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + 3_600_000)
}
const tooLate = {
  code: 'PAYMENT_FAILED',
  details: {
    reason: 'invalid_exact_evm_payload_authorization_valid_before',
    field: 'payload.authorization.validBefore',
  },
}

describe('a payment whose gateway died at work', () => {
  it('is in flight while its worker may live, then runs again, and settles once', async () => {
    const payment = paidBy(await signed())
    const before = await chain.balanceOf(chain.receivingAddress)
    const dead = await rail.authorize(callOf(), payment)
    if (dead.outcome !== 'authorized') throw new Error(JSON.stringify(dead))
    expect(await rail.authorize(callOf(), payment)).toMatchObject({
      outcome: 'refused',
      failure: { retryable: true, details: { reason: 'payment_in_flight' } },
    })
    await timePasses()
    const again = await rail.authorize(callOf(), payment)
    if (again.outcome !== 'authorized') throw new Error(JSON.stringify(again))
    expect(await rail.capture(again.authorization, 10_000n, null)).toMatchObject({
      outcome: 'captured',
    })
    expect((await rail.capture(dead.authorization, 10_000n, null)).outcome).toBe('failed')
    expect((await chain.balanceOf(chain.receivingAddress)) - before).toBe(10_000n)
  })

  it('and that came back too late is told so, and its worker can no longer settle it', async () => {
    const payment = paidBy(await signed())
    const before = await chain.balanceOf(chain.receivingAddress)
    const dead = await rail.authorize(callOf(), payment)
    if (dead.outcome !== 'authorized') throw new Error(JSON.stringify(dead))
    await timePasses()
    anHourPasses()
    const late = await rail.authorize(callOf(), paidBy(payment.header('payment-signature')!))
    expect(late).toMatchObject({ outcome: 'refused', failure: tooLate })
    vi.useRealTimers()
    expect((await rail.capture(dead.authorization, 10_000n, null)).outcome).toBe('failed')
    expect(await chain.balanceOf(chain.receivingAddress)).toBe(before)
  })

  it.each(['claimed', 'released'])(
    'ahead of its call and that came back too late is told so (%s)',
    async (state) => {
      const desk = new PrepaidDesk(rail.core!, rail.prepaid)
      const payment = await signed()
      const order = {
        quote,
        requestId: crypto.randomUUID(),
        paymentSignature: encode(payment),
        keyId: null,
      }
      const call = { ...callOf(), fingerprint: '', requestId: order.requestId }
      const dead = await rail.authorize(call, paidBy(payment))
      if (dead.outcome !== 'authorized') throw new Error(JSON.stringify(dead))
      if (state === 'released') await rail.release(dead.authorization, 'failed')
      await timePasses()
      anHourPasses()
      expect(await desk.settle(order)).toMatchObject(tooLate)
    },
  )
})
