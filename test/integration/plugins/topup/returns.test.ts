/** What a dispute took and the merchant won goes back, also when giving it back fails at first. */
import { expect, it } from 'vitest'
import type { RouteRequest } from '../../../../kernel/plugins/route.ts'
import { flaggedRoute } from '../../../../plugins/topup/flagged-route.ts'
import type { Flagged } from '../../../../plugins/topup/store.ts'
import { settle } from '../../../../plugins/topup/crediting.ts'
import { returnByName, unreturned } from '../../../../plugins/topup/returning.ts'
import { reverse } from '../../../../plugins/topup/reversing.ts'
import type { ReversalName } from '../../../../plugins/topup/reversals.ts'
import type { BookedReversal } from '../../../simulator/virtual-provider.ts'
import { topupGround } from '../../../support/topup-ground.ts'

const ground = topupGround()
const { provider, available } = ground

const told = async (reversal: BookedReversal): Promise<string> =>
  (await reverse(ground.checkout, provider, provider.noticeOf(reversal))).outcome
const nameOf = ({ kind, id }: BookedReversal): ReversalName => ({
  provider: 'provider_a',
  kind,
  id,
})
/** The key is one of live money, which no test top-up funds, as after a change of SANDBOX. */
const asLive = (isLive: boolean) =>
  ground.database.db
    .sql`UPDATE coinop.api_key SET mode = ${isLive ? 'live' : 'test'} WHERE id = ${ground.keyId}`
const owed = async () =>
  (await unreturned(ground.checkout)).filter((one) => one.keyId === ground.keyId)
const reasons = async (reversal: BookedReversal): Promise<string[]> => {
  const rows = await ground.checkout.store.flagged(200)
  const ours = rows.filter(({ detail }) => detail.startsWith(`${reversal.kind} ${reversal.id}`))
  return ours.map(({ reason }) => reason).toReversed()
}

it('what was flagged is listed page by page', async () => {
  const { store } = ground.checkout
  for (const reference of ['page-1', 'page-2', 'page-3'])
    await store.flag({ provider: 'provider_a', reference, reason: 'unknown_reference', detail: '' })
  const list = flaggedRoute(store, 'Top-ups')
  const page = async (query: string): Promise<{ references: string[]; next: string | null }> => {
    const answer = await list.handler({ query: new URLSearchParams(query) } as RouteRequest)
    const { rows, nextCursor } = await (answer as Response).json()
    return { references: rows.map((row: Flagged) => row.reference), next: nextCursor }
  }
  const first = await page('limit=2')
  expect(first.references).toEqual(['page-3', 'page-2'])
  expect((await page(`limit=2&cursor=${first.next}`)).references[0]).toBe('page-1')
  expect(
    await list.handler({ query: new URLSearchParams('cursor=no') } as RouteRequest),
  ).toMatchObject({ ok: false })
})

/** Five dollars, and a refund or dispute that took half of them and is decided for the merchant. */
async function wonReversal(): Promise<BookedReversal> {
  const reference = await ground.paidCheckout()
  await settle(ground.checkout, provider, reference)
  const reversal = provider.reverse(reference)!
  reversal.state = 'gone'
  expect(await told(reversal)).toBe('taken')
  expect(await available()).toBe(2_500_000n)
  reversal.state = 'kept'
  return reversal
}

/** A round when all that is owed is due, until `isOver`. */
async function round(isOver: () => Promise<boolean>): Promise<void> {
  await ground.database.db.sql`
    UPDATE plugin_topup.reversal SET return_due_at = now() - interval '1 second'
    WHERE return_due_at IS NOT NULL`
  await ground.round(isOver)
}
const isPostponed = async (): Promise<boolean> =>
  (
    await ground.database.db.sql`
      SELECT 1 FROM plugin_topup.reversal WHERE return_due_at < now() + interval '50 minutes'`
  ).length === 0

it('stays owed while it cannot be given back, and the round gives it back once', async () => {
  const reversal = await wonReversal()
  const { kind } = reversal
  await asLive(true)
  expect(await told(reversal)).toBe('owed')
  expect(await owed()).toMatchObject([
    { ...nameOf(reversal), takenAtomic: 2_500_000n, isRetried: true },
  ])
  await round(isPostponed)
  expect(await available()).toBe(2_500_000n)
  await asLive(false)
  await round(async () => (await owed()).length === 0)
  expect(await available()).toBe(5_000_000n)
  expect(await reasons(reversal)).toEqual([
    kind === 'refund' ? 'refunded' : 'disputed',
    `${kind}_not_returned`,
    `${kind}_returned`,
  ])
  expect(await told(reversal)).toBe('already')
  expect(await returnByName(ground.checkout, nameOf(reversal))).toMatchObject({
    outcome: 'already',
  })
  expect(await available()).toBe(5_000_000n)
})

it('is given back by its next callback as well', async () => {
  const reversal = await wonReversal()
  await asLive(true)
  expect(await told(reversal)).toBe('owed')
  await asLive(false)
  const outcomes = await Promise.all([1, 2, 3].map(() => told(reversal)))
  expect(outcomes.toSorted()).toEqual(['already', 'already', 'returned'])
  expect(await available()).toBe(5_000_000n)
  expect(await owed()).toEqual([])
})

it('does not shield the rest of its top-up from a later refund', async () => {
  const reversal = await wonReversal()
  await asLive(true)
  expect(await told(reversal)).toBe('owed')
  await asLive(false)
  const extra = { amountAtomic: 5_000_000n, reference: reversal.id, note: 'a gift' }
  expect(await ground.checkout.funds.grant({ keyId: ground.keyId, ...extra })).toMatchObject({
    ok: true,
  })
  // All five dollars are refunded: of 750 credits, 500 go. The 250 of the dispute are still to come.
  const later = provider.reverse(reversal.reference)!
  Object.assign(later, { state: 'gone', amountMinor: 500n })
  expect(await told(later)).toBe('taken')
  expect(await available()).toBe(2_500_000n)
  await round(async () => (await owed()).length === 0)
  expect(await available()).toBe(5_000_000n)
})

it('of a row that the version before left as returned is listed, given back by name, and not by itself', async () => {
  const reversal = await wonReversal()
  await ground.database.db.sql`
    UPDATE plugin_topup.reversal SET state = 'returned' WHERE id = ${reversal.id}`
  expect(await owed()).toMatchObject([{ ...nameOf(reversal), isRetried: false }])
  await round(isPostponed)
  expect(await told(reversal)).toBe('already')
  expect(await available()).toBe(2_500_000n)
  await asLive(true)
  expect(await returnByName(ground.checkout, nameOf(reversal))).toMatchObject({
    outcome: 'refused',
  })
  expect(await owed()).toHaveLength(1)
  await asLive(false)
  const done = await Promise.all(
    [1, 2, 3].map(() => returnByName(ground.checkout, nameOf(reversal))),
  )
  expect(done.map(({ outcome }) => outcome).toSorted()).toEqual(['already', 'already', 'returned'])
  expect(await available()).toBe(5_000_000n)
  expect(await owed()).toEqual([])
})

it('is not given back by name before the provider has decided, or under a name that is not known', async () => {
  const reversal = await wonReversal()
  expect(await returnByName(ground.checkout, nameOf(reversal))).toEqual({ outcome: 'not_over' })
  const other = { ...nameOf(reversal), id: 'nobody' }
  expect(await returnByName(ground.checkout, other)).toEqual({ outcome: 'unknown' })
  expect(await available()).toBe(2_500_000n)
  expect(await owed()).toEqual([])
})

it.each([500n, 200n])(
  'of a dispute of everything is taken again by a refund of %s cents beside it, which may fail',
  async (refundMinor) => {
    const reference = await ground.paidCheckout()
    await settle(ground.checkout, provider, reference)
    const dispute = Object.assign(provider.reverse(reference)!, {
      kind: 'dispute',
      state: 'gone',
      amountMinor: 500n,
    })
    expect(await told(dispute)).toBe('taken')
    const refund = Object.assign(provider.reverse(reference)!, {
      kind: 'refund',
      state: 'gone',
      amountMinor: refundMinor,
    })
    expect(await told(refund)).toBe('taken')
    expect(await available()).toBe(0n)
    dispute.state = 'kept'
    expect(await told(dispute)).toBe('returned')
    expect(await available()).toBe((500n - refundMinor) * 10_000n)
    expect(await reasons(refund)).toEqual(['refunded', 'refund_after_dispute'])
    expect(await told(dispute)).toBe('already')
    expect(await told(refund)).toBe('already')
    refund.state = 'kept'
    expect(await told(refund)).toBe('returned')
    expect(await available()).toBe(5_000_000n)
  },
)

it('of a refund that fails is taken for a dispute beside it, as small as that is by then', async () => {
  const reference = await ground.paidCheckout()
  await settle(ground.checkout, provider, reference)
  const reversed = (kind: 'dispute' | 'refund') =>
    Object.assign(provider.reverse(reference)!, { kind, state: 'gone', amountMinor: 500n })
  const refund = reversed('refund')
  expect(await told(refund)).toBe('taken')
  const dispute = reversed('dispute')
  expect(await told(dispute)).toBe('taken')
  dispute.amountMinor = 200n
  expect(await told(dispute)).toBe('already')
  refund.state = 'kept'
  expect(await told(refund)).toBe('returned')
  expect(await available()).toBe(3_000_000n)
})

it('of a dispute that shrinks and is won then is taken for a refund beside it at each step', async () => {
  const reference = await ground.paidCheckout()
  await settle(ground.checkout, provider, reference)
  const reversed = (kind: 'dispute' | 'refund', amountMinor: bigint) =>
    Object.assign(provider.reverse(reference)!, { kind, state: 'gone', amountMinor })
  const dispute = reversed('dispute', 500n)
  expect(await told(dispute)).toBe('taken')
  expect(await told(reversed('refund', 300n))).toBe('taken')
  for (const amountMinor of [400n, 250n]) {
    dispute.amountMinor = amountMinor
    expect(await told(dispute)).toBe('returned')
    expect(await available()).toBe(0n)
  }
  dispute.state = 'kept'
  expect(await told(dispute)).toBe('returned')
  expect(await available()).toBe(2_000_000n)
})

it.each([200n, 300n])(
  'of a dispute that is about no more than the %s cents of its refund by now is given back in full',
  async (refundMinor) => {
    const reference = await ground.paidCheckout()
    await settle(ground.checkout, provider, reference)
    const dispute = provider.reverse(reference)!
    const refund = provider.reverse(reference)!
    const { id: disputeId } = Object.assign(dispute, {
      kind: 'dispute',
      state: 'gone',
      amountMinor: 500n,
    })
    Object.assign(refund, { kind: 'refund', state: 'gone', amountMinor: refundMinor, disputeId })
    // Told first, while the provider still says that the dispute is about everything.
    expect(await told(refund)).toBe('taken')
    expect(await told(dispute)).toBe('taken')
    expect(await available()).toBe(0n)
    dispute.amountMinor = 200n
    expect(await told(dispute)).toBe('returned')
    expect(await available()).toBe((500n - refundMinor) * 10_000n)
    for (const one of [dispute, refund]) expect(await told(one)).toBe('already')
    expect(await available()).toBe((500n - refundMinor) * 10_000n)
  },
)
