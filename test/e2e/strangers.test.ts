/**
 * What strangers send to a real gateway: junk is refused before its body is read, long bodies leave
 * others their turn, uploads that break off are nobody's error, and callers behind a proxy are told
 * apart only where the proxy is trusted.
 */
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { PATIENT } from '../support/patience.ts'

const MIB = 1_048_576
const RECEIPT = '/v1/docintel/extract/receipt'
const BURST = 3

let gateway: GatewayProcess
let key: string

beforeAll(async () => {
  gateway = await startGateway({
    TRUSTED_PROXIES: 'loopback',
    RATE_LIMIT_RPM: '1',
    RATE_LIMIT_BURST: String(BURST),
  })
  const made = await gateway.key(1000, { rpmLimit: 10_000, burstLimit: 1000 })
  key = made.key
})
afterAll(() => gateway.stop())

/** A request that announces `lengthBytes` and sends `sentBytes` of them. */
function beginUpload(
  path: string,
  lengthBytes: number,
  sentBytes: number,
  headers: Record<string, string>,
): Socket {
  const { hostname, port, host } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  const lines = Object.entries({
    host,
    'content-type': 'application/json',
    'content-length': String(lengthBytes),
    ...headers,
  })
  socket.on('error', () => {})
  socket.write(`POST ${path} HTTP/1.1\r\n`)
  socket.write(`${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`)
  if (sentBytes > 0) socket.write(Buffer.alloc(sentBytes, 0x20))
  return socket
}

async function statusLineOf(socket: Socket): Promise<string> {
  for await (const data of socket) return String(data).split('\r\n')[0]!
  return 'closed'
}

async function refusedReceipts(): Promise<number> {
  const { json } = await gateway.call('GET', '/metrics')
  const calls = json.gateway_calls_total.values as {
    labels: { skill: string; outcome: string }
    value: number
  }[]
  const refused = calls.find(
    ({ labels: { skill, outcome } }) =>
      skill === 'docintel.parse_receipt' && outcome === 'INVALID_INPUT',
  )
  return refused?.value ?? 0
}

describe('a junk payment', () => {
  it('is refused while none of its 14 MiB have been sent', async () => {
    const socket = beginUpload(RECEIPT, 14 * MIB, 0, { 'payment-signature': 'junk' })
    expect(await statusLineOf(socket)).toMatch(/^HTTP\/1\.1 402 /)
    socket.destroy()
  })
})

describe('a long body', () => {
  it('lets others be answered while it is parsed', async () => {
    const body = { schema: true, instance: Array(3 * MIB).fill(1) }
    const answering = gateway.call('POST', '/v1/utils/schema', {
      body,
      headers: { 'x-api-key': key },
    })
    const ended = answering.then(() => null)
    let answers = 0
    for (;;) {
      const health = await Promise.race([gateway.call('GET', '/health'), ended])
      if (health === null) break
      expect(health.status).toBe(200)
      answers++
    }
    expect((await answering).status).toBeLessThan(500)
    expect(answers).toBeGreaterThan(1)
  })

  it('with a hundred thousand unknown members is refused for the first', async () => {
    const body = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, n]))
    const { status, json } = await gateway.call('POST', RECEIPT, {
      body,
      headers: { 'x-api-key': key },
    })
    expect(status).toBe(400)
    expect(json.error.details.issues).toHaveLength(20)
    expect(json.error.details.issues[0]).toEqual({
      path: '/k0',
      message: expect.stringMatching(/^is not a known member; known are text, file_base64, /),
    })
  })
})

describe('an upload that its sender breaks off', () => {
  it.each([
    ['long', 10 * MIB, 2 * MIB],
    ['short', MIB / 2, MIB / 8],
  ])('costs nothing and is no error: %s', async (_, lengthBytes, sentBytes) => {
    const before = await refusedReceipts()
    const upload = beginUpload(RECEIPT, lengthBytes, sentBytes, { 'x-api-key': key })
    upload.write(' ', () => upload.destroy())
    await vi.waitFor(async () => expect(await refusedReceipts()).toBe(before + 1), PATIENT)
    expect(gateway.output()).not.toContain('"level":"error"')
  })
})

describe('callers behind a trusted proxy', () => {
  const junkFrom = async (headers: Record<string, string>): Promise<number> => {
    const junk = { 'payment-signature': 'e30=', ...headers }
    return (await gateway.call('POST', RECEIPT, { body: {}, headers: junk })).status
  }

  it('have a limit each, and cannot take another address by writing it in front', async () => {
    const first: number[] = []
    for (let n = 0; n <= BURST; n++) {
      first.push(await junkFrom({ 'x-forwarded-for': `203.0.113.${n}, 192.0.2.1` }))
    }
    expect(first.at(-1)).toBe(429)
    expect(first.slice(0, -1)).not.toContain(429)
    expect(await junkFrom({ 'x-forwarded-for': '192.0.2.1, 192.0.2.2' })).not.toBe(429)
    expect(await junkFrom({ forwarded: 'for="[2001:db8::1]:4711"' })).not.toBe(429)
  })
})
