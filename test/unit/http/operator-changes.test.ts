import { expect, it } from 'vitest'
import { Incoming } from '../../../kernel/http/incoming.ts'
import { createOperatorChanges } from '../../../host/operator-changes/index.ts'
import type { OperatorChange } from '../../../kernel/plugins/observers.ts'
import type { Route } from '../../../kernel/plugins/route.ts'
import { silentLog } from '../../support/log.ts'

it('who keeps changes is told of the one that ends it', async () => {
  const told: OperatorChange[] = []
  const changes = createOperatorChanges(async () => Response.json({ id: 'console' }), silentLog)
  changes.set([{ changed: async (change) => void told.push(change) }])
  const path = '/v1/admin/products/console'
  const route = { method: 'DELETE', path, auth: 'admin' } as Route
  const request = new Request(`http://gateway.example${path}`, { method: 'DELETE' })
  const call = new Incoming(request, null, undefined, (address) => address)
  call.seen.operator = { name: 'ana', role: 'operate' }
  await changes.around(route, call, () => {
    changes.set([])
    return new Response()
  })
  expect(told).toMatchObject([{ operator: 'ana', method: 'DELETE', path }])
})

it('a change of something large is told with what it was before and after', async () => {
  const told: OperatorChange[] = []
  let text = 'a'.repeat(200_000)
  const changes = createOperatorChanges(async () => Response.json({ id: 'big', text }), silentLog)
  changes.set([{ changed: async (change) => void told.push(change) }])
  const path = '/v1/admin/products/big'
  const route = { method: 'PUT', path, auth: 'admin' } as Route
  const request = new Request(`http://gateway.example${path}`, { method: 'PUT' })
  const call = new Incoming(request, null, undefined, (address) => address)
  call.seen.operator = { name: 'ana', role: 'operate' }
  await changes.around(route, call, () => {
    text = 'b'.repeat(200_000)
    return new Response()
  })
  expect(told.map(({ before, after }) => [before, after])).toEqual([
    [
      { id: 'big', text: 'a'.repeat(200_000) },
      { id: 'big', text },
    ],
  ])
})
