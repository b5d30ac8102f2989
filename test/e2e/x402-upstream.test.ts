/** What a payment buys from an upstream, through the real gateway: streams that break off, cookies. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { anvilBinary } from '../../kernel/rails/x402/chain/anvil.ts'
import type { SandboxChain } from '../../kernel/rails/x402/chain/sandbox.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { skipPart } from '../support/skips.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'
import { buyerOn, decode, encode, requirementsIn, signPayment, testChain } from '../support/x402.ts'

const anvil = anvilBinary()
const without = !anvil.ok && skipPart('x402 on a local chain', anvil.reason)

const PRODUCT = `product_id: feed
base_path: /v1/feed
upstream:
  url: \${UPSTREAM_URL}
  allow_private: true
  timeout: 5s
skills:
  - { id: feed.events, route: GET /events, price: { credits: 1 } }
  - { id: feed.cookies, route: GET /cookies, price: { credits: 1 } }
`

describe.skipIf(without)('a paid upstream', () => {
  let chain: SandboxChain
  let database: TestDatabase
  let buyer: PrivateKeyAccount
  let upstream: TestUpstream
  let gateway: GatewayProcess
  const folders: string[] = []
  /** How the next calls of /events go; afterwards they end well. */
  let endings: ('breaks' | 'stalls')[] = []
  let runs = 0
  let cut = (): unknown => undefined

  beforeAll(async () => {
    chain = await testChain()
    database = await testDatabase()
    buyer = await buyerOn(chain, 100_000_000n)
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
    gateway = await start()
    const put = await gateway.call('PUT', '/v1/admin/products/feed', {
      headers: {
        authorization: `Bearer ${gateway.adminToken}`,
        'content-type': 'application/yaml',
      },
      body: PRODUCT,
    })
    if (put.status >= 300) throw new Error(put.text)
  })
  afterAll(async () => {
    await gateway?.stop()
    await upstream?.close()
    await chain?.stop()
    await database?.close()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  function start(): Promise<GatewayProcess> {
    const dataDir = mkdtempSync(join(tmpdir(), 'coinop-x402-upstream-'))
    folders.push(dataDir)
    return startGateway(
      {
        DATABASE_URL: database.url,
        SANDBOX: 'true',
        COINOP_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        SETTLEMENT_ADDRESS: chain.receivingAddress,
        X402_RPC_URL: chain.rpcUrl,
        X402_SIGNER_KEY: chain.signerKey,
        UPSTREAM_URL: upstream.url,
      },
      { dataDir },
    )
  }
  const received = () => chain.balanceOf(chain.receivingAddress)
  async function signed(path: string): Promise<Record<string, string>> {
    const unpaid = await gateway.call('GET', path)
    expect(unpaid.status).toBe(402)
    const asked = requirementsIn(decode(unpaid.headers.get('payment-required')))
    return { 'payment-signature': encode(await signPayment(buyer, asked)) }
  }
  const get = (path: string, headers: Record<string, string>, signal?: AbortSignal) =>
    fetch(gateway.url + path, { headers, ...(signal && { signal }) })

  it('gives every cookie of its answer, at once and from the store', async () => {
    const headers = await signed('/v1/feed/cookies')
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
    const headers = await signed('/v1/feed/events')
    const first = await get('/v1/feed/events', headers)
    expect(first.headers.get('x-charged-credits')).toBe('1')
    const reader = first.body!.getReader()
    await reader.read()
    cut()
    await expect(reader.read()).rejects.toThrow()
    const second = await vi.waitFor(
      async () => {
        const answer = await get('/v1/feed/events', headers)
        expect(answer.status).toBe(200)
        return answer
      },
      { timeout: 10_000 },
    )
    expect(second.headers.get('x-charged-credits')).toBe('0')
    expect(await second.text()).toBe('data: one\n\ndata: last\n\n')
    expect(runs).toBe(2)
    expect((await received()) - before).toBe(10_000n)
    await vi.waitFor(
      async () => {
        const third = (await (await get('/v1/feed/events', headers)).json()) as any
        expect(third.error.details.reason).toBe('answer_not_kept')
      },
      { timeout: 10_000 },
    )
  })

  it('with a gateway killed in the middle of a stream: the next one runs it again, charged once', async () => {
    const before = await received()
    runs = 0
    endings = ['stalls']
    const headers = await signed('/v1/feed/events')
    const first = await get('/v1/feed/events', headers)
    const reader = first.body!.getReader()
    await reader.read()
    const again = await get('/v1/feed/events', headers)
    expect(again.status).toBe(409)
    expect(await again.json()).toMatchObject({ error: { retryable: true } })
    await gateway.kill()
    await reader.cancel().catch(() => {})
    // The dead gateway's lease runs for some seconds more; this test does not wait for it.
    await database.db.sql`UPDATE coinop.x402_claim SET lease_until = now() WHERE state = 'claimed'`
    gateway = await start()
    const second = await get('/v1/feed/events', headers)
    expect(await second.text()).toBe('data: one\n\ndata: last\n\n')
    expect(runs).toBe(2)
    expect((await received()) - before).toBe(10_000n)
  })
})
