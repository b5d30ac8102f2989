/** The files under deploy/: what they watch exists, and a real gateway says it. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { startUpstream } from '../support/upstream.ts'

const read = (name: string) =>
  readFileSync(resolve(import.meta.dirname, '../../deploy', name), 'utf8')
const QUERY_WORDS = /\b(?:gateway|http)_[a-z_]+/g
const PART = /_(?:bucket|count|sum)$/

let gateway: GatewayProcess
let upstream: Awaited<ReturnType<typeof startUpstream>>
/** Names of metrics with the labels that each has. */
let metrics: Map<string, Set<string>>
beforeAll(async () => {
  // A mail server, which need not be there, has the metric of mails shown.
  gateway = await startGateway({ SMTP_URL: 'smtp://127.0.0.1:9' })
  const { key } = await gateway.key(10)
  const headers = { 'x-api-key': key }
  await gateway.call('POST', '/v1/paid/hash', { body: { input: 'a' }, headers })
  upstream = await startUpstream((_request, response) => response.end('{}'))
  const made = await gateway.admin('PUT', '/v1/admin/products/sold', {
    product_id: 'sold',
    upstream: { url: upstream.url, allow_private: true },
    skills: [{ id: 'sold.get', route: 'GET /get', price: { credits: 1 } }],
  })
  expect(made.status, made.text).toBeLessThan(300)
  const { text } = await gateway.call('GET', '/metrics?format=prom', {
    headers: { authorization: `Bearer ${gateway.adminToken}` },
  })
  metrics = new Map([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => [name!, new Set()]))
  for (const [, name, labels] of text.matchAll(/^(\w+)\{([^}]*)\}/gm))
    for (const [, label] of labels!.matchAll(/(\w+)="/g))
      metrics.get(name!.replace(PART, ''))?.add(label!)
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.close()
})

/** Names and labels in these queries that a live gateway does not have. */
function unknownIn(queries: readonly string[]): string[] {
  return queries.flatMap((query) => {
    const bare = query.replaceAll(/"[^"]*"/g, '')
    const names = [...new Set(bare.match(QUERY_WORDS) ?? [])].map((name) => name.replace(PART, ''))
    const labels = [
      ...[...bare.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/,\s*/)),
      ...[...bare.matchAll(/(\w+)(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
    ]
    // Those of Prometheus itself, and of a histogram's parts.
    const known = new Set(['job', 'le', 'instance'])
    for (const name of names) for (const label of metrics.get(name) ?? []) known.add(label)
    // A counter without a series yet has no labels to compare with.
    const isSeen = names.every((name) => metrics.get(name)?.size !== 0)
    return [
      ...names.filter((name) => !metrics.has(name)),
      ...(isSeen ? labels.filter((label) => !known.has(label)) : []),
    ].map((word) => `${word} in ${query}`)
  })
}

it('alerts ask for metrics and labels that a live gateway has', () => {
  const { groups } = parse(read('prometheus-rules.yaml')) as {
    groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[]
  }
  const rules = groups.flatMap((group) => group.rules)
  expect(rules.length).toBeGreaterThanOrEqual(12)
  expect(unknownIn(rules.map(({ expr }) => expr))).toEqual([])
  const operations = readFileSync(resolve(import.meta.dirname, '../../specs/operations.md'), 'utf8')
  for (const { alert, annotations } of rules) {
    expect(annotations.summary).toMatch(/\.$/)
    expect(operations).toContain(`\`${alert}\``)
  }
  expect(unknownIn(['sum by (nothing) (gateway_calls_total)', 'gateway_gone'])).toHaveLength(2)
})

it('one document skill whose slots are all taken is enough for CoinopJobsWait', () => {
  const [, threshold] = read('prometheus-rules.yaml').match(/gateway_jobs_queued\) > (\d+)/)!
  const skills = readFileSync(
    resolve(import.meta.dirname, '../../plugins/docintel/skills.ts'),
    'utf8',
  )
  const [, slots] = skills.match(/concurrency: (\d+)/)!
  const mostChildren = 4
  expect(Number(threshold)).toBeLessThan(Number(slots) - mostChildren)
})

it('the dashboard asks for metrics and labels that a live gateway has', () => {
  const { panels, templating } = JSON.parse(read('grafana-dashboard.json')) as {
    panels: { id: number; title: string; targets?: { expr: string }[] }[]
    templating: { list: { name: string }[] }
  }
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  expect(queries.length).toBeGreaterThanOrEqual(18)
  expect(unknownIn(queries)).toEqual([])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'job'])
})

it('the proxy keeps every route inside that only the operator may call', async () => {
  const { json } = await gateway.call('GET', '/openapi.json')
  const { paths } = json as { paths: Record<string, Record<string, { security?: object[] }>> }
  const ofOperators = Object.entries(paths)
    .filter(([, methods]) =>
      Object.values(methods).some(({ security = [] }) => {
        const ways = security.flatMap(Object.keys)
        return ways.length === 1 && ways[0] === 'bearer'
      }),
    )
    .map(([path]) => path)
  expect(ofOperators.length).toBeGreaterThanOrEqual(40)
  const inside = [...read('Caddyfile').matchAll(/^\t\tpath (.*)$/gm)].flatMap(([, list]) =>
    list!.split(' '),
  )
  const isInside = (path: string) =>
    inside.some((one) => (one.endsWith('/*') ? path.startsWith(one.slice(0, -1)) : path === one))
  expect(ofOperators.filter((path) => !isInside(path))).toEqual([])
  // Some answer with a slash at their end too.
  const slashed = await Promise.all(
    ofOperators.map(async (path) => {
      const { status } = await gateway.call('GET', `${path}/`)
      const { status: posted } = await gateway.call('POST', `${path}/`, { body: {} })
      return status === 404 && posted === 404 ? [] : [`${path}/`]
    }),
  )
  expect(slashed.flat()).toContain('/v1/ledger/')
  expect(slashed.flat().filter((path) => !isInside(path))).toEqual([])
})
