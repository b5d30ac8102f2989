/** /metrics: which form a caller gets. */
import { expect, it } from 'vitest'
import { metaRoutes, type MetaDeps } from '../../../host/status/routes.ts'
import { PrometheusMetrics } from '../../../host/telemetry/metrics.ts'
import type { RouteRequest } from '../../../kernel/plugins/route.ts'

const deps = {
  metrics: new PrometheusMetrics(),
  startedAt: new Date(),
  isInsider: () => true,
} as unknown as MetaDeps
const { handler } = metaRoutes(deps).find(({ path }) => path === '/metrics')!

async function formOf(query: string, accept?: string): Promise<string> {
  const request = new Request('http://localhost/metrics', {
    headers: accept === undefined ? {} : { accept },
  })
  const asked = { request, query: new URLSearchParams(query) } as unknown as RouteRequest
  const answer = (await handler(asked)) as Response
  return answer.headers.get('content-type')!.startsWith('text/plain') ? 'text' : 'json'
}

it.each([
  ['', undefined, 'json'],
  ['', '*/*', 'json'],
  ['', 'application/json, text/plain, */*', 'json'],
  ['', 'text/html,application/xhtml+xml,*/*;q=0.8', 'json'],
  ['', 'text/plain', 'text'],
  ['', 'text/plain, application/json;q=0.9', 'text'],
  [
    '',
    'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1',
    'text',
  ],
  ['format=prom', 'application/json', 'text'],
  ['format=json', 'text/plain', 'json'],
])('%j with Accept %j is %s', async (query, accept, form) => {
  expect(await formOf(query, accept)).toBe(form)
})
