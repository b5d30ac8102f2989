/** Unmodified x402 clients against the real gateway, on a real local chain, with real faults. */
import { ExactEvmScheme } from '@x402/evm'
import { ExactEvmSchemeV1 } from '@x402/evm/v1'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { anvilBinary } from '../../kernel/rails/x402/chain/anvil.ts'
import type { SandboxChain } from '../../kernel/rails/x402/chain/sandbox.ts'
import { TEST_WALLET } from '../../kernel/rails/x402/chain/wallets.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { skipPart } from '../support/skips.ts'
import {
  buyerOn,
  decode,
  encode,
  freePort,
  requirementsIn,
  signPayment,
  startFacilitator,
  testChain,
  type Bend,
  type Fault,
} from '../support/x402.ts'

const anvil = anvilBinary()
const without = !anvil.ok && skipPart('x402 on a local chain', anvil.reason)
/** Instances of one database share it. */
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
const opened: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

/** The client of @x402/fetch with its default settings. */
function payingFetch(account: PrivateKeyAccount) {
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account))
  return wrapFetchWithPayment(fetch, client)
}

/** Everything in /.well-known/x402 that is bought over HTTP, with its example as input. */
async function pricedRoutes(url: string) {
  const { items } = (await (await fetch(`${url}/.well-known/x402`)).json()) as {
    items: { type: string; method: string; resource: string; price: string; extensions: any }[]
  }
  return items
    .filter((item) => item.type === 'http')
    .map((item) => ({
      method: item.method,
      path: new URL(item.resource).pathname,
      price: BigInt(item.price),
      body: item.extensions.bazaar.info.input.body as unknown,
    }))
}

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

describe.skipIf(without)('a sandbox started with nothing', () => {
  it('brings its own chain, sells every priced route, and takes its chain with it when killed', async () => {
    const port = await freePort()
    const gateway = await startGateway({ PORT: port })
    opened.push(() => gateway.kill())
    const pay = payingFetch(privateKeyToAccount(TEST_WALLET.privateKey))
    const routes = await pricedRoutes(gateway.url)
    expect(routes.length).toBeGreaterThanOrEqual(3)
    for (const route of routes.filter(({ path }) => path.startsWith('/v1/paid/'))) {
      const init = route.method === 'GET' ? {} : post(route.body)
      const answer = await pay(gateway.url + route.path, { ...init, method: route.method })
      expect(`${route.path} ${answer.status}`).toBe(`${route.path} 200`)
      const receipt = decodePaymentResponseHeader(answer.headers.get('payment-response')!)
      expect(receipt).toMatchObject({ success: true, network: 'eip155:8453' })
      expect(answer.headers.get('x-charged-credits')).toBe(String(Number(route.price) / 10_000))
    }
    const ready = await gateway.call('GET', '/ready')
    expect(ready.json.checks.x402.state).toBe('ok')
    const family = childrenOf(gateway.pid)
    expect(family.length).toBeGreaterThan(0)
    await gateway.kill()
    for (let attempt = 0; attempt < 100 && family.some(isAnvil); attempt++) await Bun.sleep(50)
    expect(family.filter(isAnvil)).toEqual([])
  })

  it('is paid by the mppx command line', async () => {
    const port = await freePort()
    const gateway = await startGateway({ PORT: port })
    opened.push(() => gateway.stop())
    const cli = Bun.spawn(
      [
        process.execPath,
        resolve('node_modules/mppx/dist/bin.js'),
        `http://127.0.0.1:${port}/v1/paid/echo`,
        '-J',
        '{"message":"by mppx"}',
        '-i',
      ],
      {
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: process.env['HOME'] ?? '',
          MPPX_PRIVATE_KEY: TEST_WALLET.privateKey,
        },
        stdout: 'pipe',
        stderr: 'pipe',
      },
    )
    const [output, errors] = await Promise.all([
      new Response(cli.stdout).text(),
      new Response(cli.stderr).text(),
    ])
    expect(`${output}${errors}`).toContain('{"message":"by mppx"}')
    expect(output.toLowerCase()).toContain('payment-response')
  })
})

describe.skipIf(without)('a gateway on a chain that outlives it', () => {
  let chain: SandboxChain
  let database: TestDatabase
  let buyer: PrivateKeyAccount

  beforeAll(async () => {
    chain = await testChain()
    database = await testDatabase()
    buyer = await buyerOn(chain, 100_000_000n)
  })
  afterAll(async () => {
    await chain.stop()
    await database.close()
  })

  const received = () => chain.balanceOf(chain.receivingAddress)
  const ownSigner = () => ({ X402_RPC_URL: chain.rpcUrl, X402_SIGNER_KEY: chain.signerKey })

  async function gatewayWith(env: Record<string, string>): Promise<GatewayProcess> {
    const dataDir = mkdtempSync(join(tmpdir(), 'coinop-x402-'))
    const gateway = await startGateway(
      {
        DATABASE_URL: database.url,
        SANDBOX: 'true',
        COINOP_MASTER_KEY: MASTER_KEY,
        SETTLEMENT_ADDRESS: chain.receivingAddress,
        ...env,
      },
      { dataDir },
    )
    opened.push(async () => {
      await gateway.stop()
      rmSync(dataDir, { recursive: true, force: true })
    })
    return gateway
  }
  function facilitator(faults: Fault[] = []) {
    const started = startFacilitator(chain)
    started.faults = faults
    opened.push(() => started.stop())
    return started
  }
  async function signed(gateway: GatewayProcess, path = '/v1/paid/echo'): Promise<string> {
    const unpaid = await gateway.call('POST', path, { body: {} })
    expect(unpaid.status).toBe(402)
    const challenge = decode(unpaid.headers.get('payment-required'))
    return encode(await signPayment(buyer, requirementsIn(challenge)))
  }
  const call = (
    gateway: GatewayProcess,
    payment: string,
    body: unknown = { message: 'hi' },
    path = '/v1/paid/echo',
  ) => gateway.call('POST', path, { body, headers: { 'payment-signature': payment } })
  /** The same payment until it is no longer told to wait; every wait must be retryable and no 402. */
  async function comeBack(gateway: GatewayProcess, payment: string) {
    for (let attempt = 0; attempt < 300; attempt++) {
      const answer = await call(gateway, payment)
      if (answer.json?.error?.retryable !== true) return answer
      expect([409, 503]).toContain(answer.status)
      await Bun.sleep(100)
    }
    throw new Error('the settlement never ended')
  }

  it.each(['own signer', 'remote facilitator'])(
    'is paid by @x402/fetch, settling by its %s',
    async (way) => {
      const remote = way === 'own signer' ? null : facilitator()
      const gateway = await gatewayWith(remote ? { X402_FACILITATOR_URL: remote.url } : ownSigner())
      const before = await received()
      const answer = await payingFetch(buyer)(
        `${gateway.url}/v1/paid/hash`,
        post({ input: 'hello' }),
      )
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ algorithm: 'sha256' })
      expect((await received()) - before).toBe(20_000n)
      if (remote) expect(remote.settles).toBe(1)
      const { transaction } = decodePaymentResponseHeader(answer.headers.get('payment-response')!)
      const rows = await gateway.admin(
        'GET',
        `/v1/ledger?requestId=${answer.headers.get('x-request-id')}`,
      )
      expect(rows.json.rows).toMatchObject([
        { kind: 'settlement', rail: 'x402', transaction, amountUsdcAtomic: 20_000 },
      ])
    },
  )

  it('is paid by a version 1 client, which reads the body and sends X-PAYMENT', async () => {
    const gateway = await gatewayWith(ownSigner())
    const before = await received()
    const sent: (string | null)[] = []
    const client = new x402Client().registerV1('base', new ExactEvmSchemeV1(buyer))
    const withoutHeader = async (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init)
      sent.push(request.headers.get('x-payment'))
      const response = await fetch(request)
      const headers = new Headers(response.headers)
      headers.delete('payment-required')
      return new Response(response.body, { status: response.status, headers })
    }
    const pay = wrapFetchWithPayment(withoutHeader as typeof fetch, client)
    const answer = await pay(`${gateway.url}/v1/paid/echo`, post({ message: 'one' }))
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ message: 'one' })
    expect(sent[1]).not.toBeNull()
    const receipt = decodePaymentResponseHeader(answer.headers.get('x-payment-response')!)
    expect(receipt).toMatchObject({ success: true, network: 'base' })
    expect((await received()) - before).toBe(10_000n)
  })

  it('one payment ×8 over two instances and two routes runs once and moves the money once', async () => {
    const first = await gatewayWith(ownSigner())
    const second = await gatewayWith(ownSigner())
    const before = await received()
    const payment = await signed(first)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        i < 6
          ? call(i % 2 === 0 ? first : second, payment)
          : first.call('GET', '/v1/paid/health', { headers: { 'payment-signature': payment } }),
      ),
    )
    expect((await received()) - before).toBe(10_000n)
    for (const answer of answers) expect([200, 402, 409, 503]).toContain(answer.status)
    const paid = answers.filter((answer) => answer.status === 200)
    expect(paid.length).toBeGreaterThanOrEqual(1)
    for (const answer of answers.filter(({ status }) => status === 402)) {
      expect(answer.json.error.details.reason).toBe('nonce_already_used')
    }
    const again = await call(second, payment)
    const winner = paid[0]!.text.includes('"at"') ? 402 : 200
    expect(again.status).toBe(winner)
    expect((await received()) - before).toBe(10_000n)
  })

  it('a caller who hung up gets the stored answer with the same payment', async () => {
    const gateway = await gatewayWith(ownSigner())
    const before = await received()
    const payment = await signed(gateway)
    const controller = new AbortController()
    const init = post({ message: 'hi' }, { 'payment-signature': payment })
    const first = fetch(`${gateway.url}/v1/paid/echo`, { ...init, signal: controller.signal })
    setTimeout(() => controller.abort(), 1)
    await first.catch(() => {})
    const answer = await comeBack(gateway, payment)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ message: 'hi' })
    expect((await received()) - before).toBe(10_000n)
  })

  it.each(['settle_then_hang', 'hang'] as Fault[])(
    'killed with a facilitator that does "%s": the next gateway finishes, and the caller gets the answer',
    async (fault) => {
      const remote = facilitator([fault])
      const env = { X402_FACILITATOR_URL: remote.url, X402_RPC_URL: chain.rpcUrl }
      const doomed = await gatewayWith(env)
      const before = await received()
      const payment = await signed(doomed)
      const cut = call(doomed, payment).catch(() => null)
      const moved = fault === 'hang' ? 0n : 10_000n
      for (let attempt = 0; attempt < 200; attempt++) {
        if (remote.settles > 0 && (await received()) - before === moved) break
        await Bun.sleep(25)
      }
      await doomed.kill()
      await cut
      // The dead gateway's lease runs for some seconds more; this test does not wait for it.
      await database.db
        .sql`UPDATE coinop.x402_claim SET lease_until = now() WHERE state = 'settling'`
      const next = await gatewayWith(env)
      const answer = await comeBack(next, payment)
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({ message: 'hi' })
      expect(answer.headers.get('idempotency-replayed')).toBe('true')
      expect((await received()) - before).toBe(10_000n)
      const metrics = await next.call('GET', '/ready')
      expect(metrics.json.checks.x402_settlements.state).toBe('ok')
    },
  )

  it('refuses every bent payment with a 402 that names the field, for people and for clients', async () => {
    const gateway = await gatewayWith(ownSigner())
    const before = await received()
    const unpaid = await gateway.call('POST', '/v1/paid/echo', { body: {} })
    const asked = requirementsIn(decode(unpaid.headers.get('payment-required')))
    const nowS = BigInt(Math.floor(Date.now() / 1000))
    const other = '0x000000000000000000000000000000000000dEaD' as const
    const bends: Record<string, [Bend, string]> = {
      tampered: [{ sent: { nonce: `0x${'11'.repeat(32)}` } }, 'payload.signature'],
      expired: [{ authorization: { validBefore: nowS - 1n } }, 'payload.authorization.validBefore'],
      early: [{ authorization: { validAfter: nowS + 600n } }, 'payload.authorization.validAfter'],
      underpaid: [
        { authorization: { value: 1n }, accepted: { amount: '1' } },
        'payload.authorization.value',
      ],
      overpaid: [
        { authorization: { value: 20_000n }, accepted: { amount: '20000' } },
        'payload.authorization.value',
      ],
      're-targeted': [{ authorization: { to: other } }, 'payload.authorization.to'],
      'foreign chain': [{ accepted: { network: 'eip155:1' } }, 'accepted.network'],
      'foreign token': [{ accepted: { asset: other } }, 'accepted.asset'],
      'wrong domain': [
        { accepted: { extra: { name: 'USDC', version: '2' } } },
        'accepted.extra.name',
      ],
      'wrong domain signed': [{ domain: { name: 'USDC' } }, 'payload.signature'],
    }
    const headers: [string, string | null][] = ['x', '!!!!', encode({}), encode([])].map((text) => [
      text,
      null,
    ])
    for (const [bend, field] of Object.values(bends))
      headers.push([encode(await signPayment(buyer, asked, bend)), field])
    for (const [header, field] of headers) {
      const answer = await call(gateway, header)
      expect(answer.status).toBe(402)
      const { code, message, details } = answer.json.error
      expect(code).toBe('PAYMENT_FAILED')
      expect(message).toMatch(/^Payment not accepted: /)
      expect(details.field).toBe(field ?? details.field)
      const challenge = decode<{ error: string }>(answer.headers.get('payment-required'))
      expect(challenge.error).toContain(`${details.reason}: ${details.field}`)
      expect(requirementsIn(challenge)).toEqual(asked)
    }
    expect(await received()).toBe(before)
    const fresh = await gateway.call('POST', '/v1/paid/echo', { body: {} })
    expect(fresh.headers.get('payment-required')).toBe(unpaid.headers.get('payment-required'))
  })

  it('paid with invalid input is refused before anything is claimed', async () => {
    const gateway = await gatewayWith(ownSigner())
    const before = await received()
    const unpaid = await gateway.call('POST', '/v1/paid/hash', { body: {} })
    const payment = encode(
      await signPayment(buyer, requirementsIn(decode(unpaid.headers.get('payment-required')))),
    )
    expect((await call(gateway, payment, { wrong: 1 }, '/v1/paid/hash')).status).toBe(400)
    expect(await received()).toBe(before)
    expect((await call(gateway, payment, { input: 'hello' }, '/v1/paid/hash')).status).toBe(200)
  })

  const missing: [string, () => Record<string, string>][] = [
    ['no settlement address', () => ({ ...ownSigner(), SETTLEMENT_ADDRESS: '' })],
    ['no signer key', () => ({ X402_RPC_URL: chain.rpcUrl })],
    ['a node that is down', () => ({ ...ownSigner(), X402_RPC_URL: 'http://127.0.0.1:1' })],
    ['a facilitator that is down', () => ({ X402_FACILITATOR_URL: 'http://127.0.0.1:1' })],
    ['the wrong network', () => ({ ...ownSigner(), X402_NETWORK: 'eip155:84532' })],
    ['a token that nobody knows', () => ({ ...ownSigner(), X402_ASSET: chain.receivingAddress })],
  ]
  it.each(missing)('with %s gives nothing away', async (_, env) => {
    const working = await gatewayWith(ownSigner())
    const payment = await signed(working)
    const gateway = await gatewayWith(env())
    const before = await received()
    const unpaid = await gateway.call('POST', '/v1/paid/echo', { body: { message: 'free?' } })
    expect([402, 404, 503]).toContain(unpaid.status)
    const paid = await call(gateway, payment)
    expect([402, 404, 503]).toContain(paid.status)
    expect(await received()).toBe(before)
  })
})

/** Processes below `pid`, by /proc (Linux) or ps. */
function childrenOf(pid: number): number[] {
  const listed = Bun.spawnSync(['ps', '-eo', 'pid=,ppid=']).stdout.toString()
  const parents = listed
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
  const below = (parent: number): number[] =>
    parents.filter(([, ppid]) => ppid === parent).flatMap(([child]) => [child, ...below(child)])
  return below(pid).filter(isAnvil)
}

function isAnvil(pid: number): boolean {
  return Bun.spawnSync(['ps', '-o', 'args=', '-p', String(pid)])
    .stdout.toString()
    .includes('/bin/anvil')
}
