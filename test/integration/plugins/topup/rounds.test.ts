/** What the rounds of top-ups find after a long time without a gateway, on a real ledger. */
import { expect, it } from 'vitest'
import { newId } from '../../../../kernel/ids.ts'
import { startCheckout } from '../../../../plugins/topup/checkout.ts'
import { fulfil } from '../../../../plugins/topup/purchase.ts'
import { topupGround } from '../../../support/topup-ground.ts'

const AMOUNT_ATOMIC = 5_000_000n
const ground = topupGround()
const { settled, provider, available, paidCheckout, round } = ground

/** The checkout is so many days old, and was last looked at on that day of its life, if at all. */
const ageCheckout = (reference: string, days: number, lastLookOnDay: number | null) => {
  const lookedDaysAgo = lastLookOnDay === null ? null : days - lastLookOnDay
  return ground.database.db.sql`
    UPDATE plugin_topup.intent SET created_at = now() - ${days} * interval '1 day',
      checked_at = now() - ${lookedDaysAgo}::float8 * interval '1 day'
    WHERE reference = ${reference}`
}

async function purchaseOfDaysAgo(days: number): Promise<string> {
  const requestId = newId()
  await ground.purchase.store.addPurchase({
    requestId,
    keyId: ground.keyId,
    owner: null,
    accountId: null,
    amountAtomic: AMOUNT_ATOMIC,
    retryHash: null,
    paidWith: null,
  })
  await ground.database.db.sql`
    UPDATE plugin_topup.purchase SET created_at = now() - ${days} * interval '1 day'
    WHERE request_id = ${requestId}`
  return requestId
}

const isFunded = async (): Promise<boolean> => (await available()) > 0n
const isKnown = async (requestId: string): Promise<boolean> =>
  (
    await ground.database.db
      .sql`SELECT 1 FROM plugin_topup.purchase WHERE request_id = ${requestId}`
  ).length > 0
const wasLookedAt = async (reference: string): Promise<boolean> => {
  const [row] = await ground.database.db.sql<{ isRecent: boolean }[]>`
    SELECT checked_at > now() - interval '1 hour' AS "isRecent" FROM plugin_topup.intent
    WHERE reference = ${reference}`
  return row?.isRecent ?? false
}

it('delivers a paid purchase of a month ago, and forgets an unpaid one', async () => {
  const [paid, unpaid] = [await purchaseOfDaysAgo(31), await purchaseOfDaysAgo(31)]
  settled.add(paid)
  await round(async () => (await isFunded()) && !(await isKnown(unpaid)))
  expect(await available()).toBe(AMOUNT_ATOMIC)
  expect(await isKnown(paid)).toBe(true)
})

it('a paid purchase whose key was revoked meanwhile is refused, and flagged once', async () => {
  const paid = await purchaseOfDaysAgo(0)
  settled.add(paid)
  await ground.services.keys.revoke(ground.keyId)
  const ends = await Promise.all(Array.from({ length: 4 }, () => fulfil(ground.purchase, paid)))
  expect(ends).toEqual(Array(4).fill('refused'))
  expect(await available()).toBe(0n)
  const flagged = await ground.purchase.store.flagged(100)
  expect(flagged.filter(({ reference }) => reference === paid)).toMatchObject([
    { provider: 'x402', reason: 'revoked', creditedAt: null },
  ])
})

it('credits that are rolled back leave no key without credits behind', async () => {
  const paid = await purchaseOfDaysAgo(0)
  await ground.database.db.sql`
    UPDATE plugin_topup.purchase SET key_id = NULL WHERE request_id = ${paid}`
  const boughtKeys = async () =>
    (await ground.services.keys.list({ limit: 100, cursor: null })).records.filter(
      ({ name }) => name === 'bought with x402',
    )
  const { purchase } = ground
  // Between the key and its note.
  const away = { ...purchase.vault, seal: () => Promise.reject(new Error('the vault is away')) }
  await expect(fulfil({ ...purchase, vault: away }, paid)).rejects.toThrow('away')
  expect(await boughtKeys()).toEqual([])
  const vault = { ...purchase.vault, seal: async () => 'sealed' }
  const failing = {
    ...purchase.funds,
    credit: () => Promise.reject(new Error('the ledger is away')),
  }
  await expect(fulfil({ ...purchase, vault, funds: failing }, paid)).rejects.toThrow('away')
  const bought = await fulfil({ ...purchase, vault }, paid)
  const keys = await boughtKeys()
  expect(bought).toMatchObject({ keyId: keys[0]!.id, sealedKey: 'sealed' })
  expect(keys).toHaveLength(1)
  const balance = await ground.services.ledger.balance(keys[0]!.accountId)
  expect(balance?.availableAtomic).toBe(AMOUNT_ATOMIC)
})

it('keeps an unpaid purchase that may still be paid', async () => {
  const [young, old] = [await purchaseOfDaysAgo(29), await purchaseOfDaysAgo(31)]
  await round(async () => !(await isKnown(old)))
  expect(await isKnown(young)).toBe(true)
})

it('forgets no purchase that was paid, however old', async () => {
  const paid = await purchaseOfDaysAgo(60)
  settled.add(paid)
  await round(isFunded)
  await ground.purchase.store.forgetUnpaid(paid)
  expect(await isKnown(paid)).toBe(true)
})

it.each([
  ['never', null],
  ['on its first day', 0.5],
])('credits a checkout paid nine days ago that was looked at %s', async (_when, lastLook) => {
  await ageCheckout(await paidCheckout(), 9, lastLook)
  await round(isFunded)
  expect(await available()).toBe(AMOUNT_ATOMIC)
})

it('looks again days later if the provider could not be asked after a week', async () => {
  const reference = await paidCheckout()
  await ageCheckout(reference, 9, 0.5)
  provider.wrong = 1
  await round(() => wasLookedAt(reference))
  expect(await available()).toBe(0n)
  provider.wrong = 0
  await ageCheckout(reference, 13, 9)
  await round(isFunded)
  expect(await available()).toBe(AMOUNT_ATOMIC)
})

it('looks at an abandoned checkout eight times between a week and 90 days', async () => {
  const begun = await startCheckout(ground.checkout, { apiKeyId: ground.keyId, amountUsd: 5 })
  if (!begun.ok) throw new Error(begun.message)
  const { reference } = begun.checkout
  let lastLook = 7
  let looks = 0
  for (let day = 8; day < 95; day++) {
    await ageCheckout(reference, day, lastLook)
    const claimed = await ground.checkout.store.claimUnchecked(120_000, 50)
    if (!claimed.some((intent) => intent.reference === reference)) continue
    looks++
    lastLook = day
  }
  expect(looks).toBe(8)
})
