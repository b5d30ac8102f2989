import { expect, it } from 'vitest'
import type { RailCallRow, RailCalls } from '../../../../kernel/rails/calls-contract.ts'
import { listCalls } from '../../../../plugins/console/reports/calls.ts'

/** A rail with one call at a fixed moment, whose list comes when `answered` resolves. */
function railWith(id: string, answered: Promise<void>) {
  const call = { id, at: new Date('2026-11-30T00:00:00Z') } as Partial<RailCallRow> as RailCallRow
  const calls: Pick<RailCalls, 'list'> = {
    async list() {
      await answered
      return { rows: [{ call, cursor: id }], next: null, lookedBackTo: null }
    },
  }
  return { id, calls: calls as RailCalls }
}

it('calls of one moment come in the order of their rails, whichever rail answers first', async () => {
  const slow = Promise.withResolvers<void>()
  const rails = [railWith('credits', slow.promise), railWith('x402', Promise.resolve())]
  const listing = listCalls(rails, {}, { limit: 10 })
  await new Promise((next) => setImmediate(next))
  slow.resolve()
  expect((await listing)!.calls.map(({ id }) => id)).toEqual(['credits', 'x402'])
})
