import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createTracer } from '../../../host/telemetry/trace.ts'
import { parseOtlpHeaders } from '../../../kernel/log/otlp-headers.ts'
import { silentLog } from '../../support/log.ts'

const received: any[] = []
let collector: Bun.Server<undefined>
beforeAll(() => {
  collector = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { headers } = request
      received.push({ path: new URL(request.url).pathname, headers, body: await request.json() })
      return Response.json({})
    },
  })
})
afterAll(() => collector.stop(true))

const span = {
  name: 'POST /v1/paid/hash',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  durationMs: 12,
  failed: false,
  attributes: { 'coinop.skill': 'demo.hash', 'http.response.status_code': 200 },
}

it('sends spans that join the caller’s trace', async () => {
  const tracer = createTracer(
    `http://127.0.0.1:${collector.port}/`,
    { name: 'coinop', version: '1' },
    silentLog,
    parseOtlpHeaders('Authorization=Bearer%20a%2Cb, x-tenant=t=1,')!,
  )
  tracer.record(span)
  tracer.record({ ...span, traceparent: 'nonsense', failed: true })
  await tracer.stop()
  expect(received).toHaveLength(1)
  const [first, second] = received[0].body.resourceSpans[0].scopeSpans[0].spans
  expect(received[0].path).toBe('/v1/traces')
  const { headers } = received[0]
  expect(['authorization', 'x-tenant', 'content-type'].map((name) => headers.get(name))).toEqual([
    'Bearer a,b',
    't=1',
    'application/json',
  ])
  expect(first).toMatchObject({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    parentSpanId: 'b7ad6b7169203331',
    name: span.name,
    kind: 2,
  })
  expect(Number(BigInt(first.endTimeUnixNano) - BigInt(first.startTimeUnixNano))).toBe(12_000_000)
  expect(second.traceId).toMatch(/^[0-9a-f]{32}$/)
  expect(second.parentSpanId).toBeUndefined()
  expect(second.status).toEqual({ code: 2 })
})

it('survives a collector that is away, and records nothing without one', async () => {
  const away = createTracer('http://127.0.0.1:9', { name: 'coinop', version: '1' }, silentLog)
  away.record(span)
  await away.stop()
  const off = createTracer(null, { name: 'coinop', version: '1' }, silentLog)
  off.record(span)
  await off.stop()
  expect(received).toHaveLength(1)
})

it('tells once of a collector that refuses its credentials, and when it takes spans again', async () => {
  let status = 401
  const strict = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response('{}', { status }),
  })
  const lines: unknown[] = []
  const keep = (facts: object, text: string) => void lines.push([facts, text])
  const log = { ...silentLog, warn: keep, info: keep } as typeof silentLog
  const tracer = createTracer(strict.url.href, { name: 'coinop', version: '1' }, log)
  const send = () => {
    tracer.record(span)
    return tracer.stop()
  }
  for (let batch = 0; batch < 3; batch++) await send()
  status = 200
  for (let batch = 0; batch < 2; batch++) await send()
  await strict.stop(true)
  expect(lines).toEqual([
    [{ error: 'Error: the collector answered 401', dropped: 1 }, 'spans could not be sent'],
    [{ dropped: 3 }, 'spans are sent again'],
  ])
})

it.each(['x', '=x', 'a b=c', 'a=%zz', 'a=b%0d%0ac', 'Host=elsewhere', 'content-type=text/plain'])(
  'takes no headers such as %j',
  (text) => expect(parseOtlpHeaders(text)).toBe(null),
)

it('waits at its end for what is being sent', async () => {
  const arrived = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const slow = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch() {
      arrived.resolve()
      await taken.promise
      return Response.json({})
    },
  })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const service = { name: 'coinop', version: '1' }
    const tracer = createTracer(`http://127.0.0.1:${slow.port}`, service, silentLog)
    tracer.record(span)
    vi.advanceTimersByTime(60_000)
    await arrived.promise
    let isStopped = false
    const stopping = tracer.stop().then(() => (isStopped = true))
    await Bun.sleep(0)
    expect(isStopped).toBe(false)
    taken.resolve()
    await stopping
  } finally {
    vi.useRealTimers()
    taken.resolve()
    await slow.stop(true)
  }
})
