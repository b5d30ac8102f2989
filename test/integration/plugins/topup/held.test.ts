/** What a refund takes of credits that are on hold: all that calls give back, and no later money. */
import { afterAll, beforeEach, expect, it } from 'vitest'
import { verifyLedger } from '../../../../host/reporting/verify.ts'
import type { Hold, Spender } from '../../../../kernel/ledger/contract.ts'
import { settle } from '../../../../plugins/topup/crediting.ts'
import { reverse } from '../../../../plugins/topup/reversing.ts'
import type { BookedReversal } from '../../../simulator/virtual-provider.ts'
import { callOf, heldCall } from '../../../support/spenders.ts'
import { topupGround } from '../../../support/topup-ground.ts'

const ground = topupGround()
const { provider, available } = ground

let spender: Spender
beforeEach(async () => {
  const key = (await ground.services.keys.get(ground.keyId))!
  spender = { accountId: key.accountId, keyId: key.id }
})
afterAll(async () => {
  expect((await verifyLedger(ground.database.db.sql)).violations).toEqual([])
})

const told = async (reversal: BookedReversal): Promise<string> =>
  (await reverse(ground.checkout, provider, provider.noticeOf(reversal))).outcome
const held = (amountAtomic: bigint): Promise<Hold> =>
  heldCall(ground.services.ledger, callOf(spender, amountAtomic))
const released = ({ id }: Hold) => ground.services.ledger.release({ holdId: id, ...spender })
const captured = ({ id }: Hold, amountAtomic: bigint) =>
  ground.services.ledger.capture({ holdId: id, ...spender, amountAtomic })
const granted = (amountAtomic: bigint, reference: string) =>
  ground.checkout.funds.grant({ keyId: ground.keyId, amountAtomic, reference, note: 'a gift' })

/** Five dollars that are credited. */
async function credited(): Promise<string> {
  const reference = await ground.paidCheckout()
  await settle(ground.checkout, provider, reference)
  return reference
}
/** A refund of them that the provider has made. */
function refunded(reference: string, amountMinor: bigint): BookedReversal {
  const reversal = provider.reverse(reference)!
  return Object.assign(reversal, { kind: 'refund', state: 'gone', amountMinor })
}
/** A round that looks at every rest, until that of `reversal` is as expected. */
async function round(reversal: BookedReversal, expected: Partial<Rest>): Promise<void> {
  await ground.database.db.sql`
    UPDATE plugin_topup.reversal SET rest_due_at = now() WHERE rest_due_at IS NOT NULL`
  await ground.round(async () => {
    const rest = await restOf(reversal)
    return Object.entries(expected).every(([name, value]) => rest[name as keyof Rest] === value)
  })
}
interface Rest {
  taken: bigint
  rest: bigint
}
async function restOf({ id }: BookedReversal): Promise<Rest> {
  const [row] = await ground.database.db.sql<Rest[]>`
    SELECT taken_atomic AS taken, rest_atomic AS rest FROM plugin_topup.reversal WHERE id = ${id}`
  return row!
}
const flags = async ({ reference }: BookedReversal): Promise<[string, number | null][]> =>
  (await ground.checkout.store.flagged(200))
    .filter((row) => row.reference === reference)
    .map(({ reason, owedCredits }): [string, number | null] => [reason, owedCredits])
    .toReversed()

it('takes what a call gives back, once, and tells the operator', async () => {
  const reference = await credited()
  const call = await held(2_000_000n)
  const refund = refunded(reference, 500n)
  expect(await told(refund)).toBe('taken')
  expect(await restOf(refund)).toEqual({ taken: 3_000_000n, rest: 2_000_000n })
  await granted(700_000n, refund.id)
  await round(refund, { rest: 2_000_000n })
  expect(await available()).toBe(700_000n)
  await released(call)
  await round(refund, { rest: 0n })
  expect(await restOf(refund)).toEqual({ taken: 5_000_000n, rest: 0n })
  expect(await available()).toBe(700_000n)
  expect(await flags(refund)).toEqual([
    ['refunded', 0],
    ['refund_rest_taken', 0],
  ])
  expect(await told(refund)).toBe('already')
  expect(await available()).toBe(700_000n)
})

it('takes nothing for what a call spent: it stays owed, and later money is its own', async () => {
  const reference = await credited()
  await captured(await held(1_000_000n), 1_000_000n)
  const call = await held(2_000_000n)
  const refund = refunded(reference, 500n)
  expect(await told(refund)).toBe('taken')
  await captured(call, 1_500_000n)
  await granted(3_000_000n, refund.id)
  await round(refund, { rest: 0n })
  // Of the hold of 200 credits, 50 came back.
  expect(await available()).toBe(3_000_000n)
  expect(await restOf(refund)).toEqual({ taken: 2_500_000n, rest: 0n })
  expect(await flags(refund)).toEqual([
    ['refunded', 100],
    ['refund_rest_taken', 150],
  ])
})

it('waits for another call that took what the first gave back', async () => {
  const reference = await credited()
  const first = await held(5_000_000n)
  const refund = refunded(reference, 500n)
  expect(await told(refund)).toBe('taken')
  await released(first)
  const second = await held(4_000_000n)
  await round(refund, { taken: 1_000_000n, rest: 4_000_000n })
  await released(second)
  await round(refund, { taken: 5_000_000n, rest: 0n })
  expect(await available()).toBe(0n)
})

it('takes nothing more once the merchant has won, and gives back what was taken', async () => {
  const reference = await credited()
  const calls = [await held(1_000_000n), await held(1_000_000n)] as const
  const refund = refunded(reference, 500n)
  expect(await told(refund)).toBe('taken')
  await released(calls[0])
  await round(refund, { taken: 4_000_000n, rest: 1_000_000n })
  refund.state = 'kept'
  expect(await told(refund)).toBe('returned')
  await released(calls[1])
  await round(refund, { taken: 4_000_000n, rest: 0n })
  expect(await available()).toBe(5_000_000n)
})

it('of two refunds that find one call, each waits for its own part', async () => {
  const [one, other] = [await credited(), await credited()]
  const call = await held(10_000_000n)
  const refunds = [refunded(one, 500n), refunded(other, 300n)]
  for (const refund of refunds) expect(await told(refund)).toBe('taken')
  await captured(call, 2_000_000n)
  for (const refund of refunds) await round(refund, { rest: 0n })
  expect(await available()).toBe(0n)
  expect(await Promise.all(refunds.map(restOf))).toEqual([
    { taken: 5_000_000n, rest: 0n },
    { taken: 3_000_000n, rest: 0n },
  ])
})

it('of two refunds that find one call, neither takes later money for what the other has taken', async () => {
  const [one, other] = [await credited(), await credited()]
  const call = await held(10_000_000n)
  const refunds = [refunded(one, 500n), refunded(other, 300n)]
  for (const refund of refunds) expect(await told(refund)).toBe('taken')
  await captured(call, 4_000_000n)
  await granted(4_000_000n, one)
  for (const refund of refunds) await round(refund, { rest: 0n })
  expect(await available()).toBe(4_000_000n)
  const taken = (await Promise.all(refunds.map(restOf))).map((rest) => rest.taken)
  expect(taken.reduce((sum, atomic) => sum + atomic)).toBe(6_000_000n)
})

it('does not call owed what a dispute is not about any more', async () => {
  const reference = await credited()
  const call = await held(4_000_000n)
  const dispute = refunded(reference, 500n)
  dispute.kind = 'dispute'
  expect(await told(dispute)).toBe('taken')
  expect(await restOf(dispute)).toEqual({ taken: 1_000_000n, rest: 4_000_000n })
  // The merchant accepts a part of it.
  dispute.amountMinor = 300n
  expect(await told(dispute)).toBe('returned')
  expect(await restOf(dispute)).toEqual({ taken: 1_000_000n, rest: 2_000_000n })
  await captured(call, 2_500_000n)
  await round(dispute, { rest: 0n })
  expect(await restOf(dispute)).toEqual({ taken: 2_500_000n, rest: 0n })
  expect((await flags(dispute)).at(-1)).toEqual(['dispute_rest_taken', 50])
})

it('calls nothing owed where what is left on hold covers the lowered dispute', async () => {
  const reference = await credited()
  const [spent, call] = [await held(1_000_000n), await held(3_000_000n)]
  const dispute = refunded(reference, 500n)
  dispute.kind = 'dispute'
  expect(await told(dispute)).toBe('taken')
  await captured(spent, 1_000_000n)
  await round(dispute, { rest: 3_000_000n })
  dispute.amountMinor = 300n
  expect(await told(dispute)).toBe('returned')
  await released(call)
  await round(dispute, { rest: 0n })
  expect(await restOf(dispute)).toEqual({ taken: 3_000_000n, rest: 0n })
  expect(await available()).toBe(1_000_000n)
  expect((await flags(dispute)).at(-1)).toEqual(['dispute_rest_taken', 0])
})

it('beside many calls that end at that moment, it takes all that they give back', async () => {
  const reference = await credited()
  const calls = await Promise.all(Array.from({ length: 50 }, () => held(100_000n)))
  const refund = refunded(reference, 500n)
  await Promise.all([
    told(refund),
    ...calls.map((call, index) => (index % 5 === 0 ? captured(call, 40_000n) : released(call))),
  ])
  await round(refund, { rest: 0n })
  expect(await restOf(refund)).toEqual({ taken: 4_600_000n, rest: 0n })
  expect(await available()).toBe(0n)
})
