/**
 * What an untrusted caller does to the wire: requests hidden in requests, paths and hosts that lead astray,
 * tokens that are bent, many calls at once for one balance, and bombs in everything that is parsed.
 */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { PATIENT } from '../support/patience.ts'

const MIB = 1_048_576
let database: TestDatabase
let gateway: GatewayProcess
let key: { id: string; key: string }

beforeAll(async () => {
  database = await testDatabase()
  gateway = await startGateway({
    DATABASE_URL: database.url,
    COINOP_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    RATE_LIMIT_RPM: '100000',
    RATE_LIMIT_BURST: '100000',
  })
  key = await gateway.key(10_000)
})
afterAll(async () => {
  await gateway.stop()
  await database.close()
})

/**
 * All that comes back for these bytes, until the gateway closes; or has said nothing for a while, where
 * they do not ask it to close.
 */
async function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url)
  const isClosing = text.includes('Connection: close')
  const socket = connect(Number(port), hostname)
  const { promise, resolve } = Promise.withResolvers<void>()
  let answer = ''
  socket.on('error', resolve)
  socket.on('close', () => resolve())
  socket.on('data', (data) => {
    answer += String(data)
    if (!isClosing) socket.setTimeout(400)
  })
  socket.setTimeout(isClosing ? PATIENT.timeout : 5000, () => socket.destroy())
  socket.write(text)
  await promise
  return answer
}
const hostLine = (): string => `Host: ${new URL(gateway.url).host}`
const answers = (text: string): number => text.split(/^HTTP\/1\.1 /m).length - 1

describe('a request hidden in another', () => {
  const hidden = (): string =>
    `GET /health HTTP/1.1\r\n${hostLine()}\r\nX-Request-Id: smuggled\r\n\r\n`
  const framings: [string, string, string][] = [
    ['length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked', '0\r\n\r\n'],
    ['chunks and length', 'Transfer-Encoding: chunked\r\nContent-Length: 4', '0\r\n\r\n'],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 0', '{}'],
    ['a list of lengths', 'Content-Length: 0, 2', '{}'],
    ['a length with a sign', 'Content-Length: +0', ''],
    ['a length below nothing', 'Content-Length: -1', ''],
    ['a length that is no number', 'Content-Length: 0x0', ''],
    ['an unknown coding', 'Transfer-Encoding: xchunked', '0\r\n\r\n'],
    ['two codings', 'Transfer-Encoding: chunked, identity', '0\r\n\r\n'],
    ['a space before the colon', 'Content-Length : 0\r\nTransfer-Encoding : chunked', '0\r\n\r\n'],
    ['a folded line', 'Transfer-Encoding:\r\n chunked\r\nContent-Length: 0', '0\r\n\r\n'],
    ['a bare line feed', 'X-A: b\nTransfer-Encoding: chunked\r\nContent-Length: 0', '0\r\n\r\n'],
    ['a chunk with a wrong size', 'Transfer-Encoding: chunked', '-1\r\n\r\n0\r\n\r\n'],
    ['a chunk of a huge size', 'Transfer-Encoding: chunked', 'ffffffffffffffff1\r\n\r\n0\r\n\r\n'],
  ]
  it.each(framings)('by %s is not answered beside an accepted one', async (_, lines, body) => {
    const outer = `POST /v1/paid/echo HTTP/1.1\r\n${hostLine()}\r\nContent-Type: application/json\r\nX-Request-Id: outer\r\n${lines}\r\n\r\n${body}`
    const text = await raw(outer + hidden())
    const [first = ''] = text.split('\r\n')
    // Either the framing is refused and nothing more is read, or it is plain where it ends: never
    // is a part of a body that a proxy would have counted taken for a request.
    const isRefused = /^HTTP\/1\.1 4\d\d/.test(first) && answers(text) === 1
    const isPlain = answers(text) <= 2 && !first.startsWith('HTTP/1.1 200')
    expect(isRefused || isPlain || text === '', `${answers(text)}: ${text.slice(0, 600)}`).toBe(
      true,
    )
    if (
      /Content-Length[\s\S]*Transfer-Encoding|Transfer-Encoding[\s\S]*Content-Length|Content-Length[\s\S]*Content-Length/.test(
        lines,
      )
    ) {
      expect(text, text.slice(0, 600)).not.toContain('smuggled')
    }
  })
})

describe('a path or a host that leads astray', () => {
  const spellings = (path: string): string[] => {
    const [, one, two] = path.split('/')
    return [
      path, `/${path}`, `${path}/`, `/./${path}`, `/x/..${path}`, path.toUpperCase(), `/${one}/%2e/${two}`, `/${one}%2f${two}`,
      `/${one}\\${two}`, `${path};a=b`, `${path}%00`, `${path}%20`, `${path}?x`, `${path}#x`, `/%76${path.slice(2)}`, `${gateway.url}${path}`,
      `//evil.example${path}`, `http://evil.example${path}`, `${path}/.`, `${path}.json`, `/openapi.json/..${path}`,
    ] // prettier-ignore
  }

  it('opens no route of the operator', async () => {
    for (const path of ['/v1/keys', '/v1/ledger', '/v1/admin/config']) {
      for (const spelling of spellings(path)) {
        const text = await raw(
          `GET ${spelling} HTTP/1.1\r\n${hostLine()}\r\nConnection: close\r\n\r\n`,
        )
        expect(text, spelling).not.toMatch(/^HTTP\/1\.1 2\d\d/)
      }
    }
  })

  it('gives nothing that is sold', async () => {
    for (const spelling of spellings('/v1/paid/health')) {
      const text = await raw(
        `GET ${spelling} HTTP/1.1\r\n${hostLine()}\r\nConnection: close\r\n\r\n`,
      )
      expect(text, spelling).not.toMatch(/^HTTP\/1\.1 2\d\d/)
    }
  })

  it('is refused where there are two hosts', async () => {
    for (const lines of [
      `${hostLine()}\r\nHost: evil.example`,
      `Host: evil.example\r\n${hostLine()}`,
      `${hostLine()}\r\nAccept: */*\r\nhost: ${new URL(gateway.url).host}`,
      `${hostLine()}\r\nHost:`,
      `${hostLine()}, evil.example`,
    ]) {
      for (const path of ['/v1/paid/health', '/health', '/console', '/nothing/here']) {
        const text = await raw(`GET ${path} HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`)
        expect(text, `${lines} ${path}`).toMatch(/^HTTP\/1\.1 400 /)
      }
    }
  })

  it('names another site in no answer', async () => {
    for (const lines of [
      'Host: evil.example',
      `${hostLine()}\r\nX-Forwarded-Host: evil.example`,
      `${hostLine()}\r\nForwarded: host=evil.example`,
      `${hostLine()}\r\nX-Original-URL: /v1/keys`,
    ]) {
      for (const path of [
        '/v1/paid/health',
        '/openapi.json',
        '/llms.txt',
        '/.well-known/x402',
        '/v1/products',
      ]) {
        const text = await raw(`GET ${path} HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`)
        expect(text.includes('evil.example'), `${lines} ${path}`).toBe(false)
      }
    }
  })
})

describe('a bent token', () => {
  const part = (value: unknown): string =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
  const statusOf = async (token: string): Promise<number> =>
    (await gateway.call('GET', '/v1/account', { headers: { authorization: `Bearer ${token}` } }))
      .status

  it('is nobody’s', async () => {
    const { token } = (await gateway.admin('POST', `/v1/keys/${key.id}/jwt`)).json as {
      token: string
    }
    const [head = '', claims = '', signature = ''] = token.split('.')
    const header = JSON.parse(Buffer.from(head, 'base64url').toString())
    const payload = JSON.parse(Buffer.from(claims, 'base64url').toString())
    expect(await statusOf(token)).toBe(200)
    const jwks = (await gateway.call('GET', '/.well-known/jwks.json')).text
    const hmac = (body: string, secret: string) =>
      createHmac('sha256', secret).update(body).digest('base64url')
    const hs256 = `${part({ ...header, alg: 'HS256' })}.${claims}`
    const bent = [
      `${part({ ...header, alg: 'none' })}.${claims}.`,
      `${part({ ...header, alg: 'None' })}.${claims}.${signature}`,
      `${hs256}.${hmac(hs256, jwks)}`,
      `${hs256}.${hmac(hs256, '')}`,
      ...[{ kid: '../../dev/null' }, { kid: "' OR 1=1" }, { kid: null }, { jku: 'http://127.0.0.1/' }, { x5u: 'http://127.0.0.1/' }, { jwk: { kty: 'oct', k: 'AA' } }, { crit: ['exp'] }]
        .map((more) => `${part({ ...header, ...more })}.${claims}.${signature}`),
      ...[{ exp: 9_999_999_999 }, { exp: 1 }, { aud: 'elsewhere' }, { sub: 'key_of_another' }, { iss: 'https://evil.example' }, { nbf: 9_999_999_999 }]
        .map((more) => `${head}.${part({ ...payload, ...more })}.${signature}`),
      `${head}.${claims}.`, `${head}.${claims}`, `${head}.${claims}.${signature}.x`, `${head}..${signature}`, `.${claims}.${signature}`,
      `${head}.${claims}.${signature.slice(0, -6)}`, `${part('[]')}.${claims}.${signature}`, `${head}.${part('null')}.${signature}`,
    ] // prettier-ignore
    for (const one of bent) expect(await statusOf(one), one.slice(0, 120)).toBe(401)
  })
})

describe('many calls at once', () => {
  it('spend no more than the balance has', async () => {
    const poor = await gateway.key(5)
    const calls = Array.from({ length: 25 }, (_, n) =>
      gateway.call('POST', '/v1/paid/echo', { body: { n }, headers: { 'x-api-key': poor.key } }),
    )
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(new Set(statuses)).toEqual(new Set([200, 402]))
  })

  it('by one Idempotency-Key are charged once', async () => {
    const buyer = await gateway.key(100)
    const headers = { 'x-api-key': buyer.key, 'idempotency-key': 'race' }
    const calls = await Promise.all(
      Array.from({ length: 12 }, () =>
        gateway.call('POST', '/v1/paid/echo', { body: { a: 1 }, headers }),
      ),
    )
    expect(calls.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const other = await gateway.call('POST', '/v1/paid/echo', { body: { a: 2 }, headers })
    expect(other.status).toBe(409)
    const { json } = await gateway.call('GET', '/v1/credits/balance', {
      headers: { 'x-api-key': buyer.key },
    })
    expect(json.credits).toBe(99)
  })

  it('to refund one call give it back once', async () => {
    const buyer = await gateway.key(10)
    const paid = await gateway.call('POST', '/v1/paid/echo', {
      body: {},
      headers: { 'x-api-key': buyer.key },
    })
    const requestId = paid.headers.get('x-request-id')!
    await Promise.all(
      Array.from({ length: 8 }, () => gateway.admin('POST', '/v1/credits/refund', { requestId })),
    )
    const { json } = await gateway.call('GET', '/v1/credits/balance', {
      headers: { 'x-api-key': buyer.key },
    })
    expect(json.credits).toBe(10)
  })
})

describe('a bomb', () => {
  const deep = (open: string, close: string, count: number): string =>
    open.repeat(count) + close.repeat(count)
  const file = (
    path: string,
    bytes: Uint8Array | string,
    content_type?: string,
  ): [string, string] => [
    path,
    JSON.stringify({
      file_base64: Buffer.from(bytes).toString('base64'),
      ...(content_type && { content_type }),
    }),
  ]
  /** A PDF whose page is a stream that inflates to `sizeBytes`, in two layers. */
  const pdf = (sizeBytes: number): Buffer => {
    const packed = deflateSync(deflateSync(Buffer.alloc(sizeBytes, 0x20)))
    const head = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R 2 0 R]/Count 999999>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9e9 9e9]/Contents 4 0 R>>endobj\n4 0 obj<</Filter[/FlateDecode/FlateDecode]/Length ${packed.length}>>stream\n`
    return Buffer.concat([
      Buffer.from(head),
      packed,
      Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>'),
    ])
  }
  /** The head of a PNG of this many pixels a side, and no more. */
  const png = (side: number): Buffer => {
    const bytes = Buffer.alloc(33)
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes)
    bytes.writeUInt32BE(side, 16)
    bytes.writeUInt32BE(side, 20)
    bytes.set([8, 6, 0, 0, 0], 24)
    return bytes
  }
  const laughs = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">${Array.from({ length: 30 }, (_, n) => `<!ENTITY ${String.fromCharCode(98 + (n % 24))}${n} "${`&${n === 0 ? 'a' : `${String.fromCharCode(98 + ((n - 1) % 24))}${n - 1}`};`.repeat(10)}">`).join('')}]><Invoice>&f4;</Invoice>`
  const aliases = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghijk'
    .split('')
    .map((name, n) => `${name}: &${name} [${`*${'abcdefghijk'[n]},`.repeat(9)}]`)
    .join('\n')}`
  const bombs: [string, () => [string, string]][] = [
    ['of brackets', () => ['/v1/paid/echo', deep('[', ']', 500_000)]],
    ['of members', () => ['/v1/utils/schema', `{"mode":"infer","sample":${deep('{"a":', '}', 100_000).replace('}', '1}')}}`]],
    ['of schemas', () => ['/v1/utils/schema', `{"mode":"validate","instance":1,"schema":${deep('{"not":', '}', 20_000).replace('}', '{}}')}}`]],
    ['of a pattern', () => ['/v1/utils/schema', JSON.stringify({ mode: 'validate', schema: { pattern: '^(a+)+$' }, instance: `${'a'.repeat(50_000)}!` })]],
    ['of YAML aliases', () => ['/v1/utils/diff', JSON.stringify({ before: aliases, after: {} })]],
    ['of XML entities', () => file('/v1/docintel/extract/invoice', laughs, 'application/xml')],
    ['of tags', () => ['/v1/utils/extract', JSON.stringify({ html: '<div>'.repeat(50_000) })]],
    ['of pixels', () => file('/v1/docintel/extract/receipt', png(60_000), 'image/png')],
    ['of PDF streams, read', () => file('/v1/utils/pdf/extract', pdf(50 * MIB))],
    ['of PDF streams, for an invoice', () => file('/v1/docintel/extract/invoice', pdf(50 * MIB), 'application/pdf')],
    ['of gzip in a file', () => file('/v1/docintel/extract/receipt', gzipSync(Buffer.alloc(100 * MIB)), 'image/png')],
  ] // prettier-ignore
  it.each(bombs)('%s is refused uncharged, or read in bounds', async (_, make) => {
    const [path, body] = make()
    const answer = await gateway.call('POST', path, { body, headers: { 'x-api-key': key.key } })
    expect([200, 400, 413, 503], answer.text.slice(0, 300)).toContain(answer.status)
    if (answer.status !== 200)
      expect([null, '0']).toContain(answer.headers.get('x-charged-credits'))
    expect(answer.problem?.code).not.toBe('INTERNAL_ERROR')
    expect((await gateway.call('GET', '/health')).status).toBe(200)
  })

  it('that is compressed is not opened, and a product file of aliases neither', async () => {
    const { hostname, port } = new URL(gateway.url)
    const packed = gzipSync(Buffer.alloc(100 * MIB, 0x20))
    const answer = await fetch(`http://${hostname}:${port}/v1/paid/echo`, {
      method: 'POST',
      body: packed as BodyInit,
      headers: {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'x-api-key': key.key,
      },
    })
    expect([400, 413, 415]).toContain(answer.status)
    const product = await gateway.call('PUT', '/v1/admin/products/bomb', {
      body: aliases,
      headers: {
        authorization: `Bearer ${gateway.adminToken}`,
        'content-type': 'application/yaml',
      },
    })
    expect([400, 413, 415], product.text.slice(0, 300)).toContain(product.status)
  })

  it('leaves the gateway the memory of a gateway', () => {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${gateway.pid}/status`, 'utf8'))?.[1]
    expect(Number(peak) / 1024, 'MiB at most').toBeLessThan(1500)
    expect(gateway.output()).not.toContain('"level":"error"')
  })
})
