/** What operators of each role see of products with secrets in them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'

let gateway: GatewayProcess
let upstream: ReturnType<typeof Bun.serve>
beforeAll(async () => {
  upstream = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('{}') })
  gateway = await startGateway({
    SANDBOX_CHAIN: 'false',
    ALLOW_PRIVATE_TARGETS: `127.0.0.1:${upstream.port}`,
  })
})
afterAll(async () => {
  expect(await gateway.stop()).toBe(0)
  await upstream.stop(true)
})

const spec = (credits: number, secret: string): string => `# the old one was s3cret-zero
product_id: weather
base_path: /v1/weather
metered: true
upstream:
  url: http://127.0.0.1:${upstream.port}
  headers:
    x-api-key: ${secret}
skills:
  - id: weather.now
    route: GET /now
    price: { credits: ${credits} }
`

async function operatorOf(role: string) {
  const made = await gateway.admin('POST', '/v1/admin/operators', { name: `the ${role}`, role })
  const authorization = `Bearer ${made.json.token}`
  return (method: string, path: string, body?: string) =>
    gateway.call(method, path, { body, headers: { authorization } })
}

it('who may only look sees no secret of a spec, of its versions, or of what changed', async () => {
  const [reader, operator] = [await operatorOf('read'), await operatorOf('operate')]
  const path = '/v1/admin/products/weather'
  const [first, second] = [spec(1, 's3cret-one'), spec(2, 's3cret-two')]
  for (const text of [first, second]) {
    const put = await operator('PUT', path, text)
    expect([put.status, put.json.error]).toEqual([200, undefined])
  }
  const diff = `${path}/diff?from=1&to=2`
  const changed = { path: 'skills.weather.now.price.credits', before: 1, after: 2 }

  expect((await operator('GET', path)).json).toMatchObject({ text: second, redacted: false })
  expect((await operator('GET', diff)).json).toEqual({
    product_id: 'weather',
    from: 1,
    to: 2,
    changes: [
      changed,
      { path: 'upstream.headers.x-api-key', before: 's3cret-one', after: 's3cret-two' },
    ],
  })

  const read = await reader('GET', path)
  expect(read.json).toMatchObject({
    redacted: true,
    spec: { upstream: { headers: { 'x-api-key': '[hidden]' } } },
  })
  expect(read.json.text).toContain('credits: 2')
  expect((await reader('GET', diff)).json.changes).toEqual([
    changed,
    { path: 'upstream.headers.x-api-key', before: '[hidden]', after: '[hidden]' },
  ])
  for (const answer of [
    read,
    await reader('GET', diff),
    await reader('POST', '/v1/admin/products/validate', first),
    await reader('GET', '/v1/admin/products'),
    await reader('GET', `${path}/versions`),
    await reader('GET', '/v1/admin/changes'),
    await operator('GET', '/v1/admin/changes'),
  ]) {
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain('s3cret')
  }
  expect((await reader('PUT', path, first)).status).toBe(403)

  // What is wrong with a spec is told with the text that stands there.
  const wrong = first
    .replace('x-api-key: s3cret-one', 'x-api-key: 530661')
    .replace('http://127', 'ftp://joe:s3cret@127')
  const validate = '/v1/admin/products/validate'
  const gotsOf = ({ json }: { json: any }) => json.issues.map(({ got }: { got?: string }) => got)
  expect(gotsOf(await operator('POST', validate, wrong))).toContain('530661')
  const told = await reader('POST', validate, wrong)
  expect(told.json.valid).toBe(false)
  expect(new Set(gotsOf(told))).toEqual(new Set([undefined]))
  expect(told.text).not.toMatch(/s3cret|530661/)
})

it('compares versions that are stored, and says what else it cannot', async () => {
  const path = '/v1/admin/products/weather/diff'
  const asked = async (query: string) => {
    const { status, problem } = await gateway.admin('GET', `${path}?${query}`)
    return [status, problem?.details?.issues?.[0]?.path]
  }
  expect(await asked('from=1&to=77')).toEqual([404, undefined])
  expect(await asked('from=1')).toEqual([400, '/to'])
  expect(await asked('from=0&to=2')).toEqual([400, '/from'])
  const same = await gateway.admin('GET', `${path}?from=2&to=2`)
  expect(same.json.changes).toEqual([])
  const elsewhere = await gateway.admin('GET', '/v1/admin/products/nothing/diff?from=1&to=2')
  expect(elsewhere.status).toBe(404)
})
