import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import {
  CounterFamily,
  HistogramFamily,
  PrometheusMetrics,
} from '../../../host/telemetry/metrics.ts'

const linesOf = (text: string, start: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(start))

test('a histogram counts a value in every bucket whose bound it does not exceed', async () => {
  const registry = new Registry()
  const names = { name: 'seconds', help: 'h', labelNames: ['route'], buckets: [0.1, 1] }
  const histogram = new HistogramFamily(registry, names)
  for (const value of [0.05, 0.1, 0.5, 7]) histogram.observe(value, '/a')
  expect((await registry.metrics()).trim().split('\n')).toEqual([
    '# HELP seconds h',
    '# TYPE seconds histogram',
    'seconds_bucket{le="0.1",route="/a"} 2',
    'seconds_bucket{le="1",route="/a"} 3',
    'seconds_bucket{le="+Inf",route="/a"} 4',
    'seconds_sum{route="/a"} 7.65',
    'seconds_count{route="/a"} 4',
  ])
})

test('label values are kept apart and escaped, and a dropped one starts anew', async () => {
  const registry = new Registry()
  const counter = new CounterFamily(registry, {
    name: 'calls',
    help: 'h',
    labelNames: ['skill', 'rail'],
  })
  counter.add(1, 'a', 'b"c')
  counter.add(2, 'a', 'd')
  counter.add(4, 'e', 'd')
  counter.drop('a')
  counter.add(8, 'a', 'd')
  expect(linesOf(await registry.metrics(), 'calls{')).toEqual([
    'calls{skill="e",rail="d"} 4',
    'calls{skill="a",rail="d"} 8',
  ])
  counter.add(1, 'f', 'x"y\n')
  expect(await registry.metrics()).toContain('calls{skill="f",rail="x\\"y\\n"} 1')
})

test('text and JSON carry the same numbers, and gone skills and routes are forgotten', async () => {
  const metrics = new PrometheusMetrics()
  metrics.request('GET', '/v1/a', 200, 0.02)
  metrics.request('GET', '/v1/b', 404, 0.02)
  metrics.call('a.one', 'credits', 'charged', 100n)
  metrics.call('b.one', 'none', 'PAYMENT_REQUIRED', 0n)
  metrics.forget({ skills: ['b.one'], routes: ['/v1/b'] })
  const text = await metrics.text()
  expect(linesOf(text, 'gateway_')).toEqual([
    'gateway_calls_total{skill="a.one",rail="credits",outcome="charged"} 1',
    'gateway_charged_atomic_total{skill="a.one",rail="credits"} 100',
  ])
  expect(text).not.toContain('/v1/b')
  expect(await metrics.json()).toMatchObject({
    gateway_calls_total: {
      type: 'counter',
      values: [{ labels: { skill: 'a.one', rail: 'credits', outcome: 'charged' }, value: 1 }],
    },
  })
})

test('acquisition labels past the first 200 count as one', async () => {
  const metrics = new PrometheusMetrics()
  for (let i = 0; i < 205; i++) metrics.acquisition(`campaign-${i}`)
  metrics.acquisition('campaign-3')
  const lines = linesOf(await metrics.text(), 'gateway_calls_by_acquisition_total{')
  expect(lines).toHaveLength(201)
  expect(lines).toContain('gateway_calls_by_acquisition_total{acquisition="campaign-3"} 2')
  expect(lines).toContain('gateway_calls_by_acquisition_total{acquisition="other"} 5')
})

test("a plugin's numbers show as what they are: a counter or a gauge", async () => {
  const metrics = new PrometheusMetrics()
  const runs = new Map([['dead', 1]])
  metrics.labelled({ name: 'runs_total', help: 'h', label: 'outcome', kind: 'counter' }, () => runs)
  metrics.labelled({ name: 'state', help: 'h', label: 'upstream' }, () => new Map([['a', 2]]))
  await metrics.text()
  runs.set('dead', 3).set('succeeded', 5)
  const text = await metrics.text()
  expect(linesOf(text, '# TYPE runs')).toEqual(['# TYPE runs_total counter'])
  expect(linesOf(text, 'runs_total{')).toEqual([
    'runs_total{outcome="dead"} 3',
    'runs_total{outcome="succeeded"} 5',
  ])
  expect(linesOf(text, '# TYPE state')).toEqual(['# TYPE state gauge'])
  expect(linesOf(text, 'state{')).toEqual(['state{upstream="a"} 2'])
})

test('a gauge may have no label, and may be read from elsewhere', async () => {
  const metrics = new PrometheusMetrics()
  const waiting = { count: 2 }
  metrics.labelled({ name: 'waiting', help: 'h' }, async () => waiting.count)
  metrics.labelled({ name: 'away', help: 'h' }, async () => new Map())
  expect(linesOf(await metrics.text(), 'waiting')).toEqual(['waiting 2'])
  waiting.count = 3
  const [text] = await Promise.all([metrics.text(), metrics.text()])
  expect(linesOf(text, 'waiting')).toEqual(['waiting 3'])
  expect(linesOf(text, 'away')).toEqual([])
})

test('what cannot be read is left out, and the rest is still shown', async () => {
  const metrics = new PrometheusMetrics()
  metrics.request('GET', '/v1/a', 503, 0.02)
  let isDown = false
  metrics.gauge('rows', 'h', async () => {
    if (isDown) throw new Error('no database')
    return 7
  })
  metrics.labelled({ name: 'thrown', help: 'h', label: 'of' }, () => {
    throw new TypeError('of undefined')
  })
  expect(linesOf(await metrics.text(), 'rows ')).toEqual(['rows 7'])
  isDown = true
  const text = await metrics.text()
  expect(linesOf(text, 'http_server_request_duration_seconds_count')).toHaveLength(1)
  expect(['rows ', 'thrown{'].flatMap((start) => linesOf(text, start))).toEqual([])
  isDown = false
  metrics.gauge('silent', 'h', () => new Promise<number>(() => {}))
  const later = await metrics.text()
  expect(linesOf(later, 'rows ')).toEqual(['rows 7'])
  expect(linesOf(later, 'silent ')).toEqual([])
  expect(linesOf(later, 'gateway_metrics_unread_total{metric="rows"}')).toEqual([
    'gateway_metrics_unread_total{metric="rows"} 1',
  ])
})

test('an answer after minutes has a bucket of its own', async () => {
  const metrics = new PrometheusMetrics()
  metrics.request('POST', '/slow', 200, 100)
  const lines = (await metrics.text()).split('\n').filter((line) => line.includes('_bucket'))
  expect(lines.find((line) => line.includes('le="60"'))).toMatch(/ 0$/)
  expect(lines.find((line) => line.includes('le="120"'))).toMatch(/ 1$/)
})
