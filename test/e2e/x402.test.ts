/** Unmodified x402 clients against the real gateway, on a real local chain, with real faults. */
import { ExactEvmSchemeV1 } from '@x402/evm/v1'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { resolve } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TEST_WALLET } from '../../plugins/x402/sandbox/wallets.ts'
import { startGateway } from '../support/gateway.ts'
import { freePort } from '../support/ports.ts'
import { withoutChain } from '../support/x402/chain.ts'
import type { Fault } from '../support/x402/facilitator.ts'
import {
  comeBack,
  killAmid,
  payingFetch,
  payOnce,
  post,
  until,
  x402Gateways,
} from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { decode, encode, requirementsIn, signPayment, type Bend } from '../support/x402/payments.ts'

const without = withoutChain('x402 on a local chain')

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

describe.skipIf(without)('a sandbox started with nothing', () => {
  it('brings its own chain, sells every priced route, and takes its chain with it when killed', async () => {
    const port = await freePort()
    const gateway = await startGateway({ PORT: String(port) })
    onTestFinished(async () => {
      await gateway.kill()
      // Its PostgreSQL outlives it; the next gateway there takes it over, and ends it.
      const heir = await startGateway({ SANDBOX_CHAIN: 'false' }, { dataDir: gateway.dataDir })
      await heir.stop()
    })
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
    await until(() => !family.some(isAnvil))
  })

  it('is paid by the mppx command line', async () => {
    const port = await freePort()
    const gateway = await startGateway({ PORT: String(port) })
    onTestFinished(async () => void (await gateway.stop()))
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
  const ground = x402Ground({ buyerAtomic: 100_000_000n })
  const { received, facilitator, expireLeases } = ground
  const { start, ownSigner, settlingBy, signed } = x402Gateways(ground)

  it.each(['own signer', 'remote facilitator'])(
    'is paid by @x402/fetch, settling by its %s',
    async (way) => {
      const remote = way === 'own signer' ? null : facilitator()
      const gateway = await start(remote ? { X402_FACILITATOR_URL: remote.url } : ownSigner())
      const before = await received()
      const answer = await payingFetch(ground.buyer)(
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
    const gateway = await start(ownSigner())
    const before = await received()
    const sent: (string | null)[] = []
    const client = new x402Client().registerV1('base', new ExactEvmSchemeV1(ground.buyer))
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
    const first = await start(ownSigner())
    const second = await start(ownSigner())
    const before = await received()
    const payment = await signed(first)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        i < 6
          ? payOnce(i % 2 === 0 ? first : second, payment)
          : first.call('GET', '/v1/paid/health', { headers: { 'payment-signature': payment } }),
      ),
    )
    for (const answer of answers) expect([200, 402, 409, 503]).toContain(answer.status)
    const again = await comeBack(() => payOnce(second, payment))
    expect((await received()) - before).toBe(10_000n)
    const paid = answers.filter((answer) => answer.status === 200)
    for (const answer of answers.filter(({ status }) => status === 402)) {
      expect(answer.problem.details.reason).toBe('nonce_already_used')
    }
    // Where the free health check has it, the echo cannot.
    const isHealth = again.status === 402
    expect([200, 402]).toContain(again.status)
    for (const { text } of paid) expect(text.includes('"at"')).toBe(isHealth)
    expect((await received()) - before).toBe(10_000n)
  })

  it('a caller who hung up gets the stored answer with the same payment', async () => {
    const gateway = await start(ownSigner())
    const before = await received()
    const payment = await signed(gateway)
    const controller = new AbortController()
    const init = post({ message: 'hi' }, { 'payment-signature': payment })
    const first = fetch(`${gateway.url}/v1/paid/echo`, { ...init, signal: controller.signal })
    setTimeout(() => controller.abort(), 1)
    await first.catch(() => {})
    const answer = await comeBack(() => payOnce(gateway, payment))
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ message: 'hi' })
    expect((await received()) - before).toBe(10_000n)
  })

  it.each(['settle_then_hang', 'hang'] as Fault[])(
    'killed with a facilitator that does "%s": the next gateway finishes, and the caller gets the answer',
    async (fault) => {
      const remote = facilitator([fault])
      const env = settlingBy(remote)
      const doomed = await start(env)
      const before = await received()
      const payment = await signed(doomed)
      const moved = fault === 'hang' ? 0n : 10_000n
      await killAmid(
        doomed,
        [payOnce(doomed, payment)],
        async () => remote.settles > 0 && (await received()) - before === moved,
      )
      await expireLeases()
      const next = await start(env)
      const answer = await comeBack(() => payOnce(next, payment))
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({ message: 'hi' })
      expect(answer.headers.get('idempotency-replayed')).toBe('true')
      expect((await received()) - before).toBe(10_000n)
      const metrics = await next.call('GET', '/ready')
      expect(metrics.json.checks.x402_settlements.state).toBe('ok')
    },
  )

  it('refuses every bent payment with a 402 that names the field, for people and for clients', async () => {
    const gateway = await start(ownSigner())
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
      headers.push([encode(await signPayment(ground.buyer, asked, bend)), field])
    for (const [header, field] of headers) {
      const answer = await payOnce(gateway, header)
      expect(answer.status).toBe(402)
      const { code, message, details } = answer.problem
      expect(code).toBe('PAYMENT_FAILED')
      expect(message).toMatch(/^Payment not accepted: /)
      expect(details.field).toBe(field ?? details.field)
      const challenge = decode<{ error: string }>(answer.headers.get('payment-required'))
      expect(challenge.error).toContain(`${details.reason}: ${details.field}`)
      expect(requirementsIn(challenge)).toEqual(asked)
    }
    expect(await received()).toBe(before)
    const fresh = await gateway.call('POST', '/v1/paid/echo', { body: {} })
    const [now, then] = [fresh, unpaid].map(({ headers }) => {
      const challenge = decode<{ extensions: object }>(headers.get('payment-required'))
      // The offer to sign in is another in each 402.
      return { ...challenge, extensions: { ...challenge.extensions, 'sign-in-with-x': null } }
    })
    expect(now).toEqual(then)
  })

  it('paid with invalid input is refused before anything is claimed', async () => {
    const gateway = await start(ownSigner())
    const before = await received()
    const path = '/v1/paid/hash'
    const payment = await signed(gateway, path)
    expect((await payOnce(gateway, payment, { path, body: { wrong: 1 } })).status).toBe(400)
    expect(await received()).toBe(before)
    expect((await payOnce(gateway, payment, { path, body: { input: 'hello' } })).status).toBe(200)
  })

  const missing: [string, () => Record<string, string>][] = [
    ['no settlement address', () => ({ ...ownSigner(), SETTLEMENT_ADDRESS: '' })],
    ['no signer key', () => ({ X402_RPC_URL: ground.chain.rpcUrl })],
    ['a node that is down', () => ({ ...ownSigner(), X402_RPC_URL: 'http://127.0.0.1:1' })],
    ['a facilitator that is down', () => ({ X402_FACILITATOR_URL: 'http://127.0.0.1:1' })],
    ['the wrong network', () => ({ ...ownSigner(), X402_NETWORK: 'eip155:84532' })],
    [
      'a token that nobody knows',
      () => ({ ...ownSigner(), X402_ASSET: ground.chain.receivingAddress }),
    ],
  ]
  it.each(missing)('with %s gives nothing away', async (_, env) => {
    const working = await start(ownSigner())
    const payment = await signed(working)
    const gateway = await start(env())
    const before = await received()
    const unpaid = await gateway.call('POST', '/v1/paid/echo', { body: { message: 'free?' } })
    expect([402, 404, 503]).toContain(unpaid.status)
    const paid = await payOnce(gateway, payment)
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
