/** What a payment buys from an upstream, through the real gateway: streams that break off, cookies. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { GatewayProcess } from '../support/gateway.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'
import { withoutChain } from '../support/x402/chain.ts'
import { x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { PATIENT } from '../support/patience.ts'

const without = withoutChain('what x402 buys from an upstream')

const PRODUCT = `product_id: feed
base_path: /v1/feed
upstream:
  url: \${PRODUCT_UPSTREAM_URL}
  allow_private: true
  timeout: 60s
  pass_headers: [Set-Cookie]
skills:
  - { id: feed.events, route: GET /events, price: { credits: 1 } }
  - { id: feed.cookies, route: GET /cookies, price: { credits: 1 } }
`

describe.skipIf(without)('a paid upstream', () => {
  const ground = x402Ground({ buyerAtomic: 100_000_000n })
  const { received, expireLeases } = ground
  const { start, ownSigner, signed } = x402Gateways(ground, () => ({
    PRODUCT_UPSTREAM_URL: upstream.url,
  }))
  let upstream: TestUpstream
  let gateway: GatewayProcess
  /** How the next calls of /events go; afterwards they end well. */
  let endings: ('breaks' | 'stalls')[] = []
  let runs = 0
  let cut = (): unknown => undefined

  beforeAll(async () => {
    upstream = await startUpstream((incoming, response) => {
      if (incoming.url === '/cookies') {
        response.writeHead(200, { 'set-cookie': ['a=1; Path=/', 'b=2, really', 'c=3'] })
        return response.end('{"fresh":true}')
      }
      runs++
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: one\n\n')
      const ending = endings.shift()
      if (ending === 'breaks') return (cut = () => response.socket?.destroy())
      return ending === 'stalls' ? undefined : response.end('data: last\n\n')
    })
    ground.closing(() => upstream.close())
    gateway = await start(ownSigner())
    const put = await gateway.call('PUT', '/v1/admin/products/feed', {
      headers: {
        authorization: `Bearer ${gateway.adminToken}`,
        'content-type': 'application/yaml',
      },
      body: PRODUCT,
    })
    if (put.status >= 300) throw new Error(put.text)
  })

  /** A payment for what `at` asks there, as headers. */
  const paying = async (path: string, at = gateway): Promise<Record<string, string>> => ({
    'payment-signature': await signed(at, path, { method: 'GET' }),
  })
  const get = (path: string, headers: Record<string, string>, at = gateway) =>
    fetch(at.url + path, { headers })

  it('gives every cookie that its product lets through, at once and from the store', async () => {
    const headers = await paying('/v1/feed/cookies')
    for (const replayed of [null, 'true']) {
      const answer = await get('/v1/feed/cookies', headers)
      expect(await answer.json()).toEqual({ fresh: true })
      expect(answer.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2, really', 'c=3'])
      expect(answer.headers.get('idempotency-replayed')).toBe(replayed)
    }
  })

  it('that breaks a stream off is asked again for the same payment, charged once', async () => {
    const before = await received()
    runs = 0
    endings = ['breaks']
    const headers = await paying('/v1/feed/events')
    const first = await get('/v1/feed/events', headers)
    expect(first.headers.get('x-charged-credits')).toBe('1')
    const reader = first.body!.getReader()
    await reader.read()
    cut()
    await expect(reader.read()).rejects.toThrow()
    const second = await vi.waitFor(async () => {
      const answer = await get('/v1/feed/events', headers)
      expect(answer.status).toBe(200)
      return answer
    }, PATIENT)
    expect(second.headers.get('x-charged-credits')).toBe('0')
    expect(await second.text()).toBe('data: one\n\ndata: last\n\n')
    expect(runs).toBe(2)
    expect((await received()) - before).toBe(10_000n)
    await vi.waitFor(async () => {
      const third = (await (await get('/v1/feed/events', headers)).json()) as any
      expect(third.error.details.reason).toBe('answer_not_kept')
    }, PATIENT)
  })

  it('with a gateway killed in the middle of a stream: the next one runs it again, charged once', async () => {
    const before = await received()
    runs = 0
    endings = ['stalls']
    const doomed = await start(ownSigner())
    const headers = await paying('/v1/feed/events', doomed)
    const first = await get('/v1/feed/events', headers, doomed)
    const reader = first.body!.getReader()
    await reader.read()
    const again = await get('/v1/feed/events', headers, doomed)
    expect(again.status).toBe(409)
    expect(await again.json()).toMatchObject({ error: { retryable: true } })
    await doomed.kill()
    await reader.cancel().catch(() => {})
    await expireLeases()
    const next = await start(ownSigner())
    const second = await vi.waitFor(async () => {
      const answer = await get('/v1/feed/events', headers, next)
      expect(answer.status).toBe(200)
      return answer
    }, PATIENT)
    expect(await second.text()).toBe('data: one\n\ndata: last\n\n')
    expect(runs).toBe(2)
    expect((await received()) - before).toBe(10_000n)
  })
})
