/** Signed receipts that calls of one moment keep with their answers, in one statement. */
import { Challenge } from 'mppx'
import { beforeAll, expect, it, vi } from 'vitest'
import type { CredentialSource } from '../../../../kernel/auth/contract.ts'
import type { ReceiptFacts, ReceiptSigner, SignCharge } from '../../../../kernel/rails/contract.ts'
import { methodsOf } from '../../../../plugins/mpp/charge/methods.ts'
import { Challenges } from '../../../../plugins/mpp/challenges.ts'
import { MppRail } from '../../../../plugins/mpp/rail.ts'
import { idKey } from '../../../../plugins/mpp/wire/challenge.ts'
import { paymentsOf } from '../../../../plugins/x402/provided/payments.ts'
import type { X402Rail } from '../../../../plugins/x402/rail.ts'
import { credentialFor } from '../../../support/mpp.ts'
import { answerOf, refusalOf } from '../../../support/outcomes.ts'
import { echoSkill, x402Instances } from '../../../support/x402/instances.ts'
import { x402Ground } from '../../../support/x402/ground.ts'
import { offerIn, paidBy, signPayment } from '../../../support/x402/payments.ts'
import { authorized, railCall, startRail, workQuote as quote } from '../../../support/x402/rail.ts'

const ANSWER = { status: 200, headers: { 'x-made': 'here' }, body: new Uint8Array([1]) }
const ground = x402Ground()
let rail: X402Rail

beforeAll(async () => {
  rail = await startRail(ground)
})

const receiptNamed = (text: string) => ({ text, headers: { 'coinop-receipt': text }, meta: {} })
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
  // A retry that came at the same moment was signed another one: the first stays.
  await rail.keepReceipt(calls[0]!, { 'coinop-receipt': 'another' })
  const kept = await Promise.all(payments.map(keptFor))
  expect(kept).toStrictEqual(
    payments.map((_, index) => ({ 'x-made': 'here', 'coinop-receipt': `receipt ${index}` })),
  )
})

it('a receipt that is signed while the call is charged is stored with the settlement', async () => {
  const payments = await Promise.all(Array.from({ length: 12 }, signed))
  const calls = await Promise.all(
    payments.map((payment) => authorized(rail, railCall(quote), payment)),
  )
  const keepsLater = vi.spyOn(rail, 'keepReceipt')
  const captured = await Promise.all(
    calls.map((authorization, index) => {
      const sign: SignCharge = async ({ transaction, chargedAtomic }) => {
        expect([transaction, chargedAtomic]).toEqual([expect.stringMatching(/^0x/), 10_000n])
        // The last one cannot be signed, and is paid for all the same.
        return index === 11 ? null : receiptNamed(`receipt ${index}`)
      }
      return rail.capture(authorization, 10_000n, ANSWER, undefined, sign)
    }),
  )
  expect(keepsLater).not.toHaveBeenCalled()
  expect(captured.map((one) => one.outcome === 'captured' && one.signed?.text)).toEqual(
    payments.map((_, index) => (index === 11 ? undefined : `receipt ${index}`)),
  )
  expect(await Promise.all(payments.map(keptFor))).toStrictEqual(
    payments.map((_, index) => ({
      'x-made': 'here',
      ...(index < 11 && { 'coinop-receipt': `receipt ${index}` }),
    })),
  )
})

it('a settlement that another instance wrote down gets the receipt of the call, and one alone', async () => {
  const payment = await signed()
  const authorization = await authorized(rail, railCall(quote), payment)
  await rail.capture(authorization, 10_000n, ANSWER)
  const { claim } = authorization.state as { claim: { id: string } }
  const late = (text: string) =>
    rail.core!.claims.settled({
      id: claim.id,
      transaction: `0x${'12'.repeat(32)}`,
      streamingMs: null,
      headers: receiptNamed(text).headers,
    })
  const [first, second] = [await late('first'), await late('second')]
  expect(second).toEqual(first)
  expect(await keptFor(payment)).toStrictEqual({ 'x-made': 'here', 'coinop-receipt': 'first' })
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

it('an answer that was kept without a receipt gets one with its first retry, in both dialects', async () => {
  const skill = echoSkill({ id: 't.late', rails: ['x402', 'mpp'] })
  const instance = await x402Instances(ground, skill)()
  const challenges = new Challenges({ realm: 'localhost', keys: [idKey(Buffer.alloc(32, 5))] })
  instance.rails.add(
    new MppRail({
      methods: methodsOf(['evm/charge']),
      challenges: () => challenges,
      payments: () => paymentsOf(instance.rail),
    }),
  )
  const unpaid = refusalOf(await instance.ask())
  const headers = new Headers(unpaid.fresh.flatMap(({ part }) => [...part.headers]) as never)
  const credential = await credentialFor(ground.buyer, Challenge.fromHeadersList(headers)[0]!)
  const paid = {
    x402: paidBy(await instance.signed()),
    mpp: paidBy(credential, 'authorization'),
  }
  const signed: ReceiptFacts[] = []
  const signer: ReceiptSigner = {
    answerHeaders: [{ name: 'Coinop-Receipt', description: 'a receipt' }],
    sign(facts) {
      signed.push(facts)
      const text = `receipt ${signed.length}`
      return { text, headers: { 'coinop-receipt': text }, meta: {} }
    },
    keptIn: ({ 'coinop-receipt': text }) =>
      text === undefined ? null : { text, headers: { 'coinop-receipt': text }, meta: {} },
  }
  const receiptOf = async (source: CredentialSource) => {
    const { receipt, replayed } = answerOf(await instance.ask(skill, { a: 1 }, { source }))
    return [replayed, receipt.chargedAtomic, receipt.headers['coinop-receipt']]
  }
  for (const source of Object.values(paid)) {
    instance.signers.setOfPlugins([])
    expect(await receiptOf(source)).toEqual([false, 10_000n, undefined])
    instance.signers.setOfPlugins([signer])
    const text = `receipt ${signed.length + 1}`
    expect(await receiptOf(source)).toEqual([true, 0n, text])
    expect(await receiptOf(source)).toEqual([true, 0n, text])
  }
  expect(signed).toMatchObject(
    ['x402', 'mpp'].map((rail) => ({
      rail,
      chargedAtomic: 10_000n,
      payment: { amount: '10000', payer: ground.buyer.address.toLowerCase() },
    })),
  )
})
