/**
 * One span per metered call to OTEL_EXPORTER_OTLP_ENDPOINT, as OTLP over HTTP with JSON
 * (opentelemetry-proto, `POST /v1/traces`), joined to the caller's trace by `traceparent` (W3C Trace
 * Context). Spans are sent in batches and dropped, counted, when the collector is away: a trace
 * never slows a call down. No payload and no key goes into a span.
 */
import { randomBytes } from 'node:crypto'
import type { CreateTracer, SpanFacts } from '#kernel/host'

const EVERY_MS = 5000
const MAX_WAITING = 2048
const TIMEOUT_MS = 5000
/** A collector that is away for a night is told of so often, not with each batch. */
const TELL_EVERY_MS = 60_000
const SERVER_SPAN = 2
const STATUS_ERROR = 2

export const createTracer: CreateTracer = (endpoint, service, log, headers = {}) => {
  if (endpoint === null) return { isOn: false, record: () => {}, stop: async () => {} }
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const resource = {
    attributes: attributesOf({ 'service.name': service.name, 'service.version': service.version }),
  }
  let waiting: object[] = []
  let dropped = 0
  /** When the log last told that batches are lost; null while they are taken. */
  let toldAtMs: number | null = null
  /** Batches under way: several where the collector is slow. */
  const underWay = new Set<Promise<void>>()

  function flush(): void {
    if (waiting.length === 0) return
    const sending = send(waiting).finally(() => underWay.delete(sending))
    underWay.add(sending)
    waiting = []
  }

  /** Never rejects: what cannot be sent is counted. */
  async function send(spans: readonly object[]): Promise<void> {
    const body = JSON.stringify({
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: service.name }, spans }] }],
    })
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await answer.body?.cancel()
      if (!answer.ok) throw new Error(`the collector answered ${answer.status}`)
      if (toldAtMs !== null) log.info({ dropped }, 'spans are sent again')
      toldAtMs = null
    } catch (error) {
      dropped += spans.length
      const nowMs = performance.now()
      if (toldAtMs !== null && nowMs - toldAtMs < TELL_EVERY_MS) return
      toldAtMs = nowMs
      log.warn({ error: String(error), dropped }, 'spans could not be sent')
    }
  }
  const timer = setInterval(flush, EVERY_MS)
  timer.unref()

  return {
    isOn: true,
    record(span) {
      if (waiting.length >= MAX_WAITING) dropped += 1
      else waiting.push(spanOf(span))
    },
    async stop() {
      clearInterval(timer)
      flush()
      await Promise.all(underWay)
    },
  }
}

function spanOf(span: SpanFacts): object {
  const parent = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(span.traceparent ?? '')
  const endMs = performance.timeOrigin + performance.now()
  return {
    traceId: parent?.[1] ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    ...(parent && { parentSpanId: parent[2] }),
    name: span.name,
    kind: SERVER_SPAN,
    startTimeUnixNano: nanoseconds(endMs - span.durationMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: attributesOf(span.attributes),
    ...(span.failed && { status: { code: STATUS_ERROR } }),
  }
}

function nanoseconds(ms: number): string {
  return (BigInt(Math.round(ms * 1000)) * 1000n).toString()
}

function attributesOf(values: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { doubleValue: value },
  }))
}
