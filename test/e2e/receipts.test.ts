/**
 * Signed receipts of the running gateway, read by the published functions of x402: by credits, by x402
 * over HTTP and over MCP, after retries, and after a change of the signing key.
 */
import {
  canonicalize,
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  extractReceiptPayload,
  findAcceptsObjectFromSignedOffer,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer, GatewayProcess } from '../support/gateway.ts'
import { freePort } from '../support/ports.ts'
import { withoutChain } from '../support/x402/chain.ts'
import {
  challengeOf,
  comeBack,
  killAmid,
  payingFetch,
  payOnce,
  post,
  x402Gateways,
} from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { decode, encode, requirementsIn, signPayment } from '../support/x402/payments.ts'
import { program } from '../support/program.ts'

const root = resolve(import.meta.dirname, '../..')
const ECHO = '/v1/paid/echo'
const PRICE = '10000'
const hashOf = (body: string): string => `0x${createHash('sha256').update(body).digest('hex')}`
const jws = (signature: string) => ({ format: 'jws', signature }) as const
/** The payload as the published function gives it, with the members beside its type. */
const verified = async (text: string): Promise<Record<string, unknown>> => ({
  ...(await verifyReceiptSignatureJWS(jws(text))),
})

describe.skipIf(withoutChain('signed receipts'))('signed receipts', () => {
  const ground = x402Ground({ buyerAtomic: 1_000_000_000n })
  const gateways = x402Gateways(ground)
  const seed = randomBytes(32).toString('base64')
  let port: number
  let gateway: GatewayProcess

  const start = async (env: Record<string, string> = {}): Promise<GatewayProcess> =>
    gateways.start({ ...gateways.ownSigner(), PORT: String(port), ...env })
  beforeAll(async () => {
    port = await freePort()
    gateway = await start()
  })

  async function tool(headers: Record<string, string>, meta: Record<string, unknown> = {}) {
    const answer = await gateway.call('POST', '/mcp', {
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'demo.echo', arguments: { message: 'by MCP' }, _meta: meta },
      },
      headers: { accept: 'application/json, text/event-stream', ...headers },
    })
    return answer.json.result
  }
  const echo = (headers: Record<string, string>, message = 'hi'): Promise<Answer> =>
    gateway.call('POST', ECHO, { body: { message }, headers })

  it('say what credits were charged for which answer, and a retry brings the same one', async () => {
    const { key, id } = await gateway.key(100)
    const headers = { 'x-api-key': key, 'idempotency-key': crypto.randomUUID() }
    const paid = await echo(headers)
    const text = paid.headers.get('coinop-receipt')!
    const payload = await verified(text)
    expect(payload).toEqual({
      version: 1,
      scheme: 'credits',
      network: 'eip155:8453',
      asset: 'USD',
      amount: PRICE,
      payer: `key:${id}`,
      resourceUrl: `${gateway.url}${ECHO}`,
      issuedAt: expect.any(Number),
      responseHash: hashOf(paid.text),
      responseHashAlg: 'sha256',
      responseHashEncoding: 'raw',
    })
    expect(Buffer.from(text.split('.')[1]!, 'base64url').toString()).toBe(canonicalize(payload))
    expect(Math.abs(Date.now() / 1000 - Number(payload['issuedAt']))).toBeLessThan(60)

    const again = await echo(headers)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect([again.text, again.headers.get('coinop-receipt')]).toEqual([paid.text, text])
  })

  it('come with no answer that nobody paid for, whatever was asked', async () => {
    const unpaid = await echo({})
    const { key } = await gateway.key(100)
    const bad = await gateway.call('POST', '/v1/paid/hash', {
      body: { no: 1 },
      headers: { 'x-api-key': key },
    })
    for (const [answer, status] of [
      [unpaid, 402],
      [bad, 400],
      [await gateway.call('GET', '/health'), 200],
    ] as const) {
      expect([answer.status, answer.headers.get('coinop-receipt')]).toEqual([status, null])
    }
  })

  it('stand in the settlement response of x402 as its client reads them', async () => {
    const challenge = (await challengeOf(gateway)) as {
      accepts: object[]
      resource: { url: string }
    }
    const response = await payingFetch(ground.buyer)(
      `${gateway.url}${ECHO}`,
      post({ message: 'hi' }),
    )
    const body = await response.text()
    expect(response.status).toBe(200)
    const receipt = extractReceiptFromResponse(response)!
    expect(receipt).toEqual(jws(response.headers.get('coinop-receipt')!))
    const payload = await verified(receipt.signature)
    const settled = decode(response.headers.get('payment-response')) as { transaction: string }
    const [offered] = challenge.accepts as Record<string, string>[]
    expect(payload).toMatchObject({
      scheme: 'exact',
      network: offered!['network'],
      asset: offered!['asset'],
      amount: PRICE,
      payer: ground.buyer.address.toLowerCase(),
      transaction: settled.transaction,
      responseHash: hashOf(body),
    })
    const offer = { resourceUrl: challenge.resource.url, network: offered!['network']! }
    expect(verifyReceiptMatchesOffer(receipt, offer as never, [ground.buyer.address])).toBe(true)
    expect(verifyReceiptMatchesOffer(receipt, offer as never, ['0xanother'])).toBe(false)
  })

  it('come again with the answer that x402 kept, byte for byte', async () => {
    const payment = await gateways.signed(gateway)
    const paid = await payOnce(gateway, payment)
    const again = await payOnce(gateway, payment)
    expect([paid.status, again.status]).toEqual([200, 200])
    expect(again.headers.get('x-charged-credits')).toBe('0')
    for (const header of ['coinop-receipt', 'payment-response']) {
      expect(paid.headers.get(header), header).not.toBeNull()
      expect(again.headers.get(header), header).toBe(paid.headers.get(header))
    }
    expect(again.text).toBe(paid.text)
    const total = [...paid.headers].reduce(
      (sum, [name, value]) => sum + name.length + value.length + 4,
      0,
    )
    expect(total).toBeLessThan(8192)
  })

  it('are made for whoever comes back to an answer that died with its gateway', async () => {
    const remote = ground.facilitator(['settle_then_hang'])
    const dying = await gateways.start(gateways.settlingBy(remote))
    const payment = await gateways.signed(dying)
    await killAmid(dying, [payOnce(dying, payment)], () => remote.settles === 1)
    await ground.expireLeases()
    const paid = await comeBack(() => payOnce(gateway, payment))
    expect([paid.status, paid.headers.get('x-charged-credits')]).toEqual([200, '0'])
    const text = paid.headers.get('coinop-receipt')!
    const settled = decode(paid.headers.get('payment-response')) as Record<string, unknown>
    expect(await verified(text)).toMatchObject({
      scheme: 'exact',
      amount: PRICE,
      payer: ground.buyer.address.toLowerCase(),
      transaction: settled['transaction'],
      responseHash: hashOf(paid.text),
    })
    const again = await payOnce(gateway, payment)
    for (const header of ['coinop-receipt', 'payment-response']) {
      expect(again.headers.get(header), header).toBe(paid.headers.get(header))
    }
  })

  it('over MCP are of content and structuredContent, by credits and by x402', async () => {
    const { key, id } = await gateway.key(100)
    const ofResult = ({
      content,
      structuredContent,
    }: {
      content: unknown
      structuredContent: unknown
    }) => hashOf(canonicalize({ content, structuredContent }))
    const headers = { 'x-api-key': key, 'idempotency-key': crypto.randomUUID() }
    const byCredits = await tool(headers)
    const text = byCredits._meta['coinop/receipt']
    expect(await verified(text)).toMatchObject({
      payer: `key:${id}`,
      resourceUrl: 'mcp://tool/demo.echo',
      responseHash: ofResult(byCredits),
    })
    expect((await tool(headers))._meta['coinop/receipt']).toBe(text)

    const unpaid = await tool({})
    const payment = encode(
      await signPayment(ground.buyer, requirementsIn(unpaid.structuredContent)),
    )
    const byX402 = await tool({}, { 'x402/payment': decode(payment) })
    const settled = byX402._meta['x402/payment-response']
    expect(settled).toMatchObject({ success: true })
    const receipt = settled.extensions['offer-receipt'].info.receipt
    expect(receipt).toEqual(jws(byX402._meta['coinop/receipt']))
    expect(await verified(receipt.signature)).toMatchObject({
      transaction: settled.transaction,
      payer: ground.buyer.address.toLowerCase(),
      responseHash: ofResult(byX402),
    })
    const again = await tool({}, { 'x402/payment': decode(payment) })
    expect(again._meta['x402/payment-response']).toEqual(settled)
    expect(again._meta['coinop/receipt']).toBe(receipt.signature)
  })

  it('fail when anything in them or in the body is changed', async () => {
    const { key } = await gateway.key(100)
    const paid = await echo({ 'x-api-key': key })
    const text = paid.headers.get('coinop-receipt')!
    const [head, payload, signature] = text.split('.') as [string, string, string]
    const forged = Buffer.from(
      canonicalize({ ...extractReceiptPayload(jws(text)), amount: '1' }),
    ).toString('base64url')
    await expect(verified(`${head}.${forged}.${signature}`)).rejects.toThrow()
    const last = signature.startsWith('A') ? 'B' : 'A'
    await expect(verified(`${head}.${payload}.${last}${signature.slice(1)}`)).rejects.toThrow()
    expect((await verified(text))['responseHash']).not.toBe(hashOf(`${paid.text} `))

    const folder = mkdtempSync(join(tmpdir(), 'coinop-receipt-'))
    const file = join(folder, 'body')
    const check = async (receipt: string, body: string) => {
      writeFileSync(file, body)
      const child = Bun.spawn([...program(), 'receipt', 'verify', receipt, '--body', file], {
        cwd: root,
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const printed = await new Response(child.stdout).text()
      return { code: await child.exited, printed }
    }
    try {
      const good = await check(text, paid.text)
      expect(good.code, good.printed).toBe(0)
      expect(JSON.parse(good.printed)).toMatchObject({ valid: true, amount: PRICE })
      expect((await check(text, `${paid.text} `)).printed).toMatch(/another body/)
      const bad = await check(`${head}.${forged}.${signature}`, paid.text)
      expect([bad.code, JSON.parse(bad.printed).problem]).toEqual([1, 'the signature is wrong'])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('whose keys are a document without end are refused', async () => {
    const { key } = await gateway.key(100)
    const [, payload, signature] = (await echo({ 'x-api-key': key })).headers
      .get('coinop-receipt')!
      .split('.')
    const endless = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () =>
        new Response(
          new ReadableStream({
            pull: (stream) => stream.enqueue(new Uint8Array(65_536).fill(0x20)),
          }),
        ),
    })
    const kid = `did:web:127.0.0.1%3A${endless.port}#key`
    const head = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid })).toString('base64url')
    const child = Bun.spawn(
      [...program(), 'receipt', 'verify', `${head}.${payload}.${signature}`],
      { cwd: root, stdout: 'pipe', stderr: 'pipe' },
    )
    try {
      const said = await new Response(child.stderr).text()
      expect(said).toContain('answered more than 262144 bytes')
      expect(await child.exited).toBe(69)
    } finally {
      await endless.stop(true)
    }
  })

  it('are readable by pages of other origins, and documented', async () => {
    const { key } = await gateway.key(100)
    const paid = await echo({ 'x-api-key': key, origin: 'https://app.example' })
    expect(paid.headers.get('access-control-expose-headers')).toMatch(/Coinop-Receipt/)
    const { json } = await gateway.call('GET', '/openapi.json')
    expect(json.paths).toHaveProperty(['/.well-known/did.json'])
    expect(json.paths[ECHO].post.responses[200].headers).toHaveProperty(['Coinop-Receipt'])
  })

  /** With RECEIPTS=offers: the main offer of the 402 is signed, and what it says is paid. */
  async function signedOffers(): Promise<void> {
    const unpaid = await gateway.call('POST', ECHO, { body: { message: 'hi' } })
    const header = unpaid.headers.get('payment-required')!
    expect(header.length).toBeLessThan(4096)
    const required = decode(header) as { accepts: Record<string, string>[] }
    const offers = extractOffersFromPaymentRequired(required as never)
    expect(offers).toHaveLength(1)
    const [offer] = decodeSignedOffers(offers)
    expect(await verifyOfferSignatureJWS(offers[0] as never)).toMatchObject({
      resourceUrl: `${gateway.url}${ECHO}`,
      amount: PRICE,
    })
    expect(findAcceptsObjectFromSignedOffer(offer!, required.accepts as never)).toEqual(
      required.accepts[0],
    )
    expect(offer!.validUntil).toBeGreaterThan(Date.now() / 1000)
    const again = await gateway.call('POST', ECHO, { body: { message: 'hi' } })
    expect(
      extractOffersFromPaymentRequired(decode(again.headers.get('payment-required')) as never),
    ).toEqual(offers)

    const response = await payingFetch(ground.buyer)(
      `${gateway.url}${ECHO}`,
      post({ message: 'hi' }),
    )
    expect(response.status).toBe(200)
    const receipt = extractReceiptFromResponse(response)!
    expect(verifyReceiptMatchesOffer(receipt, offer!, [ground.buyer.address])).toBe(true)
  }

  it('stay valid after a new key, and after signing was switched off', async () => {
    const { key } = await gateway.key(100)
    const receipt = async (): Promise<string | null> =>
      (await echo({ 'x-api-key': key })).headers.get('coinop-receipt')
    const kidOf = (text: string) =>
      JSON.parse(Buffer.from(text.split('.')[0]!, 'base64url').toString()).kid
    const derived = (await receipt())!
    expect(kidOf(derived)).toMatch(/^did:web:(localhost|127\.0\.0\.1)%3A\d+#receipts-\d+$/)

    await gateway.stop()
    gateway = await start({ RECEIPTS_KEY: seed, RECEIPTS: 'offers' })
    const second = (await receipt())!
    expect(kidOf(second)).not.toBe(kidOf(derived))
    await verified(derived)
    await verified(second)
    await signedOffers()

    await gateway.stop()
    const third = randomBytes(32).toString('base64')
    gateway = await start({ RECEIPTS_KEY: `${third},${seed}`, RECEIPTS: 'off' })
    expect(await receipt()).toBeNull()
    await verified(derived)
    await verified(second)
    const { json } = await gateway.call('GET', '/.well-known/did.json')
    expect(json.verificationMethod).toHaveLength(3)
    expect(json.assertionMethod).toHaveLength(3)
    expect(JSON.stringify(json)).not.toContain('"d"')
  })
})
