/** Events that ended long ago are deleted a slice at a time, until none is left or the gateway ends. */
import { expect, test } from 'vitest'
import { purgeEvents } from '../../../host/account-events/outbox-claims.ts'

/** How often each table was asked, where the outbox has `left` old rows. */
async function purged(left: number, ending = new AbortController()) {
  const asked: string[] = []
  let rows = left
  /** A tagged template: a fragment, or a statement that deletes as many rows as its limit allows. */
  const sql = (parts: TemplateStringsArray, ...values: unknown[]) => {
    const table = /DELETE FROM coinop\.(\w+)/.exec(parts.join('?'))?.[1]
    if (table === undefined) return 'fragment'
    expect(parts.join('?')).toMatch(/LIMIT \? FOR UPDATE SKIP LOCKED/)
    asked.push(table)
    const limit = values.findLast((value) => typeof value === 'number')!
    const count = table === 'outbox' ? Math.min(rows, limit) : 0
    rows -= count
    return Promise.resolve({ count })
  }
  await purgeEvents(sql as never, 70, ending.signal)
  return asked
}

test('as many slices as there are, and one look at the other tables', async () => {
  expect(await purged(0)).toEqual(['outbox', 'budget_notice', 'alert'])
  expect(await purged(12_000)).toEqual(['outbox', 'outbox', 'outbox', 'budget_notice', 'alert'])
})

test('none once the gateway ends', async () => {
  const ending = new AbortController()
  ending.abort()
  expect(await purged(12_000, ending)).toEqual([])
})
