import { expect, test } from 'vitest'
import { credentialsOf, type Exchange } from '../../../../plugins/mcp/exchange.ts'

const OF_CALL = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const OF_CONNECTION = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

function sourceOf(meta: Exchange['meta']) {
  const headers = { traceparent: OF_CONNECTION, 'x-api-key': 'k' }
  const request = new Request('http://localhost/mcp', { headers })
  return credentialsOf({ meta, http: { request }, order: null } as Exchange)
}

test('the trace of a call is that of its _meta, else that of the request', () => {
  expect(sourceOf({ traceparent: OF_CALL }).header('traceparent')).toBe(OF_CALL)
  expect(sourceOf({}).header('traceparent')).toBe(OF_CONNECTION)
  expect(sourceOf({ traceparent: 7 }).header('traceparent')).toBe(OF_CONNECTION)
})

test('_meta gives no key', () => {
  expect(sourceOf({ 'x-api-key': 'forged' }).header('x-api-key')).toBe('k')
})
