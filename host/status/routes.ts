/** /health, /ready and /metrics. */
import { Type } from 'typebox'
import type { Route, RouteRequest } from '#kernel'
import type { ShownMetrics } from '#kernel/host'
import { publicReport } from './public-view.ts'
import type { ReadyReport } from './readiness.ts'

export interface MetaDeps {
  readiness(): Promise<ReadyReport>
  metrics: ShownMetrics
  version: string
  startedAt: Date
  stopping(): boolean
  /** Whether who asks may see what is not for everybody. */
  isInsider(asked: Pick<RouteRequest, 'request' | 'clientAddress' | 'operator'>): Promise<boolean>
  /** Names of checks that are not for everybody. */
  hiddenChecks(): ReadonlySet<string>
  /** What everybody may see of the metrics. */
  publicMetrics(): ShownMetrics
}

const TAG = 'Meta'
const CheckSchema = Type.Object({
  state: Type.Enum(['ok', 'degraded', 'down']),
  critical: Type.Boolean(),
  latencyMs: Type.Number(),
  detail: Type.Optional(Type.String()),
})
const READY_SCHEMA = Type.Object({
  status: Type.Enum(['ready', 'degraded', 'unavailable', 'stopping']),
  checks: Type.Record(Type.String(), CheckSchema),
})
/** A 503 has the checks as its body; what fails in another way is an error like any. */
const NOT_READY_SCHEMA = Type.Unsafe({
  anyOf: [READY_SCHEMA, { $ref: '#/components/schemas/Error' }],
})
const TEXT_TYPES: ReadonlySet<string> = new Set(['text/plain', 'application/openmetrics-text'])
const JSON_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*'])

/**
 * Whether an Accept header asks for Prometheus text rather than JSON, by weight and then by order:
 * many HTTP clients name text/plain behind application/json on every request.
 */
function prefersText(accept: string): boolean {
  let text = { q: 0, at: 0 }
  let json = { q: 0, at: 0 }
  for (const [at, entry] of accept.toLowerCase().split(',').entries()) {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    const q = weight === undefined ? 1 : Number(weight)
    if (TEXT_TYPES.has(type) && q > text.q) text = { q, at }
    if (JSON_TYPES.has(type) && q > json.q) json = { q, at }
  }
  return text.q > json.q || (text.q > 0 && text.q === json.q && text.at < json.at)
}

export function metaRoutes(deps: MetaDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/health',
      auth: 'public',
      tag: TAG,
      summary: 'Liveness',
      description:
        'Answers as long as the process does, whatever state the database is in; for whether calls can be sold ask /ready.',
      handler: ({ requestId }) => {
        const uptimeS = Math.round((Date.now() - deps.startedAt.getTime()) / 1000)
        return quickJson({ status: 'ok', version: deps.version, uptimeS }, requestId)
      },
    },
    {
      method: 'GET',
      path: '/ready',
      auth: 'public',
      tag: TAG,
      summary: 'Readiness: checks with their latency; details with the admin token',
      description:
        '200 while calls can be sold, also with `status` degraded; 503 when a critical check is down or the gateway is stopping.',
      statuses: [503],
      output: READY_SCHEMA,
      refusal: NOT_READY_SCHEMA,
      handler: async (asked) => {
        const whole = await deps.readiness()
        const report = (await deps.isInsider(asked))
          ? whole
          : publicReport(whole, deps.hiddenChecks())
        const stopping = deps.stopping()
        const status = stopping ? 'stopping' : report.status
        return Response.json(
          { ...report, status },
          {
            status: status === 'unavailable' || stopping ? 503 : 200,
            headers: { 'cache-control': 'no-store' },
          },
        )
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      auth: 'public',
      tag: TAG,
      summary: 'Counters as JSON, or Prometheus text by Accept or format=prom',
      description:
        'Everybody sees calls and latencies of what is sold in the open; revenue, events and unlisted products are for the admin token or METRICS_TOKEN.',
      query: Type.Object({ format: Type.Optional(Type.Enum(['json', 'prom'])) }),
      handler: async (asked) => {
        const { request, query } = asked
        const metrics = (await deps.isInsider(asked)) ? deps.metrics : deps.publicMetrics()
        const format = query.get('format')
        const isText =
          format === 'prom' || (format === null && prefersText(request.headers.get('accept') ?? ''))
        if (!isText) return Response.json(await metrics.json())
        return new Response(await metrics.text(), {
          headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        })
      },
    },
  ]
}

const jsonHeaders = new Headers({ 'content-type': 'application/json' })

/** A JSON answer with its request id already set: the cheapest kind, for frequent requests. */
function quickJson(body: unknown, requestId: string): Response {
  // The Response copies these headers.
  jsonHeaders.set('x-request-id', requestId)
  return new Response(JSON.stringify(body), { headers: jsonHeaders })
}
