/** A payment whose gateway died at work: it can be used again, and once too late its payer is told so. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { SettleAhead } from '../../../../plugins/x402/calls/settle-ahead.ts'
import type { X402Rail } from '../../../../plugins/x402/rail.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { encode, paidBy, requirementsIn, signPayment } from '../../../support/x402/payments.ts'
import { authorized, railCall, startRail, workQuote as quote } from '../../../support/x402/rail.ts'

const ground = x402Ground()
const { received, expireLeases } = ground
let rail: X402Rail

beforeAll(async () => {
  rail = await startRail(ground)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const signed = () => signPayment(ground.buyer, requirementsIn(rail.offer(quote)!.challenge))
/** Payments that were signed before have expired. */
function anHourPasses(): void {
  const [nowMs, passedMs] = [Date.now(), performance.now()]
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(nowMs + 3_600_000)
  vi.spyOn(performance, 'now').mockReturnValue(passedMs + 3_600_000)
}
const tooLate = {
  code: 'PAYMENT_FAILED',
  message: expect.stringContaining(
    'has passed, or will before the call could be settled: sign a new',
  ),
  details: {
    reason: 'invalid_exact_evm_payload_authorization_valid_before',
    field: 'payload.authorization.validBefore',
  },
}

describe('a payment whose gateway died at work', () => {
  it('is in flight while its worker may live, then runs again, and settles once', async () => {
    const payment = await signed()
    const before = await received()
    const dead = await authorized(rail, railCall(quote), payment)
    expect(await rail.authorize(railCall(quote), paidBy(payment))).toMatchObject({
      outcome: 'refused',
      failure: { retryable: true, details: { reason: 'payment_in_flight' } },
    })
    await expireLeases()
    const again = await authorized(rail, railCall(quote), payment)
    expect((await rail.capture(again, 10_000n, null)).outcome).toBe('captured')
    expect((await rail.capture(dead, 10_000n, null)).outcome).toBe('failed')
    expect((await received()) - before).toBe(10_000n)
  })

  it('and that came back too late is told so, and its worker can no longer settle it', async () => {
    const payment = await signed()
    const before = await received()
    const dead = await authorized(rail, railCall(quote), payment)
    await expireLeases()
    anHourPasses()
    const late = await rail.authorize(railCall(quote), paidBy(payment))
    expect(late).toMatchObject({ outcome: 'refused', failure: tooLate })
    vi.restoreAllMocks()
    vi.useRealTimers()
    expect((await rail.capture(dead, 10_000n, null)).outcome).toBe('failed')
    expect(await received()).toBe(before)
  })

  it.each(['claimed', 'released'])(
    'ahead of its call and that came back too late is told so (%s)',
    async (state) => {
      const desk = new SettleAhead(rail.core!, rail.prepaid)
      const payment = await signed()
      const order = {
        quote,
        requestId: crypto.randomUUID(),
        paymentSignature: encode(payment),
        keyId: null,
      }
      const call = railCall(quote, { fingerprint: '', requestId: order.requestId })
      const dead = await authorized(rail, call, payment)
      if (state === 'released') await rail.release(dead, 'failed')
      await expireLeases()
      anHourPasses()
      expect(await desk.settle(order)).toMatchObject(tooLate)
    },
  )
})

describe('a payment at work', () => {
  it.each([
    ['behind', -3_600_000],
    ['ahead', 3_600_000],
  ])('is its worker’s alone, for minutes, also while the clock is %s', async (_, stepMs) => {
    const validBefore = BigInt(Math.floor(Date.now() / 1000)) + 7200n
    const requirements = requirementsIn(rail.offer(quote)!.challenge)
    const payment = await signPayment(ground.buyer, requirements, {
      authorization: { validBefore },
    })
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + stepMs)
    const held = await authorized(rail, railCall(quote), payment)
    expect(await rail.authorize(railCall(quote), paidBy(payment))).toMatchObject({
      outcome: 'refused',
      failure: { retryable: true, details: { reason: 'payment_in_flight' } },
    })
    const [lease] = await ground.database.db.sql<{ isOverInMinutes: boolean }[]>`
      SELECT lease_until < now() + interval '10 minutes' AS "isOverInMinutes"
      FROM plugin_x402.x402_claim WHERE nonce = ${payment.payload.authorization.nonce}`
    expect(lease).toEqual({ isOverInMinutes: true })
    await rail.release(held, 'failed')
  })
})
