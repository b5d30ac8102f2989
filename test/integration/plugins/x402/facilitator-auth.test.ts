import { jwtVerify } from 'jose'
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedPayment } from '../../../../plugins/x402/claims/claim.ts'
import { Facilitator } from '../../../../plugins/x402/settle/facilitator.ts'
import {
  facilitatorAuth,
  isFacilitatorAuth,
} from '../../../../plugins/x402/settle/facilitator-auth.ts'

/** An Ed25519 key as Coinbase hands it out: base64 of seed and public key. */
const { privateKey } = generateKeyPairSync('ed25519')
const jwk = privateKey.export({ format: 'jwk' })
const secret = Buffer.concat([
  Buffer.from(jwk.d!, 'base64url'),
  Buffer.from(jwk.x!, 'base64url'),
]).toString('base64')
/** The older kind: P-256 in PEM, as the downloaded JSON has it. */
const older = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = older.privateKey.export({ type: 'sec1', format: 'pem' }).toString()
const KEYS: [string, string, KeyObject][] = [
  ['Ed25519', secret, createPublicKey(privateKey)],
  ['P-256 in PEM', pem, older.publicKey],
  ['P-256 in PEM on one line', pem.replaceAll('\n', '\\n'), older.publicKey],
]

const seen: { path: string; headers: Headers }[] = []
let server: ReturnType<typeof Bun.serve>
beforeAll(() => {
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      seen.push({ path: new URL(request.url).pathname, headers: request.headers })
      return new URL(request.url).pathname.endsWith('verify')
        ? Response.json({ isValid: true })
        : Response.json({ success: true, transaction: `0x${'ab'.repeat(32)}` })
    },
  })
})
afterAll(() => server.stop(true))

const requirements = { network: 'eip155:8453' }
const payment = { requirements, payload: { authorization: {} } } as unknown as SignedPayment
const facilitator = (text: string) =>
  new Facilitator({
    url: `http://127.0.0.1:${server.port}/platform/v2/x402/`,
    auth: facilitatorAuth(text),
  })

describe('a facilitator with a credential', () => {
  it.each([
    ['Bearer abc.def', 'authorization', 'Bearer abc.def'],
    ['Authorization: Basic dXNlcjpwYXNz', 'authorization', 'Basic dXNlcjpwYXNz'],
    ['X-Api-Key: some key', 'x-api-key', 'some key'],
    ['-', 'authorization', null],
  ])('gets %s with every request', async (text, header, value) => {
    expect(isFacilitatorAuth(text)).toBe(true)
    const remote = facilitator(text)
    await remote.check(payment)
    await remote.settle(payment)
    expect(seen.splice(0).map(({ headers }) => headers.get(header))).toEqual([value, value])
  })

  it.each(KEYS)(
    'of Coinbase gets a token for the very request, signed by the API key (%s)',
    async (_, text, key) => {
      const entry = `cdp:organizations/1/apiKeys/2:${text}`
      expect(isFacilitatorAuth(entry)).toBe(true)
      const coinbase = facilitator(entry)
      await coinbase.check(payment)
      await coinbase.settle(payment)
      await coinbase.settle(payment)
      const tokens = seen.splice(0).map(({ path, headers }) => ({
        path,
        token: headers.get('authorization')!.replace('Bearer ', ''),
      }))
      const nonces = new Set<unknown>()
      for (const { path, token } of tokens) {
        const { payload, protectedHeader } = await jwtVerify(token, key, {
          issuer: 'cdp',
          subject: 'organizations/1/apiKeys/2',
          audience: 'cdp_service',
        })
        expect(payload['uris']).toEqual([`POST 127.0.0.1:${server.port}${path}`])
        expect(payload.exp! - payload.iat!).toBe(120)
        expect(payload.nbf).toBe(payload.iat)
        const alg = text === secret ? 'EdDSA' : 'ES256'
        expect(protectedHeader).toMatchObject({
          alg,
          kid: 'organizations/1/apiKeys/2',
          typ: 'JWT',
          nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
        })
        nonces.add(protectedHeader['nonce'])
      }
      expect(nonces.size).toBe(tokens.length)
    },
  )

  it('takes nothing that would break a request', () => {
    for (const text of [
      '',
      'abc',
      'Bearer',
      'Bearer a b',
      'X: a\nY: b',
      'cdp:id:tooshort',
      'cdp:id:-----BEGIN EC PRIVATE KEY-----\\nAAAA\\n-----END EC PRIVATE KEY-----',
      `cdp:id:${generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()}`,
      'a b: c',
      'X:a',
    ])
      expect(isFacilitatorAuth(text)).toBe(false)
  })

  it('that is unreachable or refuses is named without its credential', async () => {
    const gone = new Facilitator({
      url: 'http://127.0.0.1:1',
      auth: facilitatorAuth('Bearer secret-token'),
    })
    const outcomes = [await gone.check(payment), await gone.settle(payment)]
    expect(JSON.stringify([gone.name, outcomes])).not.toContain('secret')
  })
})
