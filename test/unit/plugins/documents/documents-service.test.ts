import { expect, it } from 'vitest'
import { createDocuments } from '../../../../host/plugin-services/documents.ts'
import type { ServiceParts } from '../../../../kernel/host.ts'

it('names prepaid credits first, in the same list until a rail comes or goes', () => {
  let list = [{ id: 'coins' }, { id: 'voucher' }, { id: 'credits' }]
  const documents = createDocuments({
    config: { adminUrl: null },
    metering: { rails: { list: () => list } },
  } as unknown as ServiceParts)
  const first = documents.rails()
  expect(first.map(({ id }) => id)).toEqual(['credits', 'coins', 'voucher'])
  expect(documents.rails()).toBe(first)
  list = [{ id: 'coins' }, { id: 'credits' }]
  expect(documents.rails().map(({ id }) => id)).toEqual(['credits', 'coins'])
})
