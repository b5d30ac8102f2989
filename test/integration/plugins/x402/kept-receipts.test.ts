/** Signed receipts that calls of one moment keep with their answers, in one statement. */
import { beforeAll, expect, it } from 'vitest'
import type { X402Rail } from '../../../../plugins/x402/rail.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { offerIn, paidBy, signPayment } from '../../../support/x402/payments.ts'
import { authorized, railCall, startRail, workQuote as quote } from '../../../support/x402/rail.ts'

const ANSWER = { status: 200, headers: { 'x-made': 'here' }, body: new Uint8Array([1]) }
const ground = x402Ground()
let rail: X402Rail

beforeAll(async () => {
  rail = await startRail(ground)
})

const signed = () => signPayment(ground.buyer, offerIn(rail.offer(quote)!.challenge, 'exact'))

/** The headers of the answer that the same payment gets again. */
async function keptFor(payment: unknown): Promise<Record<string, string>> {
  const outcome = await rail.authorize(railCall(quote), paidBy(payment))
  if (outcome.outcome !== 'replay') throw new Error(`${outcome.outcome} instead of the answer`)
  return outcome.answer.headers
}

it('each answer keeps its own receipt, beside the headers it had', async () => {
  const payments = await Promise.all(Array.from({ length: 12 }, signed))
  const calls = await Promise.all(
    payments.map((payment) => authorized(rail, railCall(quote), payment)),
  )
  for (const authorization of calls) {
    expect(await rail.capture(authorization, 10_000n, ANSWER)).toMatchObject({
      outcome: 'captured',
    })
  }
  await Promise.all(
    calls.map((authorization, index) =>
      rail.keepReceipt(authorization, { 'coinop-receipt': `receipt ${index}` }),
    ),
  )
  const kept = await Promise.all(payments.map(keptFor))
  expect(kept).toStrictEqual(
    payments.map((_, index) => ({ 'x-made': 'here', 'coinop-receipt': `receipt ${index}` })),
  )
})

it('a call that was not paid keeps nothing, and spoils no other', async () => {
  const [failed, paid] = [await signed(), await signed()]
  const unpaid = await authorized(rail, railCall(quote), failed)
  await rail.release(unpaid, 'the work failed')
  const authorization = await authorized(rail, railCall(quote), paid)
  await rail.capture(authorization, 10_000n, ANSWER)
  const both = [unpaid, authorization].map((one) =>
    rail.keepReceipt(one, { 'coinop-receipt': 'kept' }),
  )
  await Promise.all(both)
  expect(await keptFor(paid)).toMatchObject({ 'coinop-receipt': 'kept' })
  const again = await authorized(rail, railCall(quote), failed)
  await rail.capture(again, 10_000n, ANSWER)
  expect(await keptFor(failed)).toStrictEqual(ANSWER.headers)
})
