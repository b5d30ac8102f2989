import { importJWK, jwtVerify } from 'jose'
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedPayment } from '../../../../kernel/rails/x402/claim.ts'
import { Facilitator } from '../../../../kernel/rails/x402/settle/facilitator.ts'
import {
  facilitatorAuth,
  isFacilitatorAuth,
} from '../../../../kernel/rails/x402/settle/facilitator-auth.ts'

/** An Ed25519 key as Coinbase hands it out: base64 of seed and public key. */
const { privateKey } = generateKeyPairSync('ed25519')
const jwk = privateKey.export({ format: 'jwk' })
const secret = Buffer.concat([
  Buffer.from(jwk.d!, 'base64url'),
  Buffer.from(jwk.x!, 'base64url'),
]).toString('base64')
const CDP = `cdp:organizations/1/apiKeys/2:${secret}`

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

const payment = { requirements: {}, payload: { authorization: {} } } as unknown as SignedPayment
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
    await facilitator(text).check(payment)
    await facilitator(text).settle(payment)
    expect(seen.splice(0).map(({ headers }) => headers.get(header))).toEqual([value, value])
  })

  it('of Coinbase gets a token for the very path, signed by the API key', async () => {
    expect(isFacilitatorAuth(CDP)).toBe(true)
    const coinbase = facilitator(CDP)
    await coinbase.check(payment)
    await coinbase.settle(payment)
    await coinbase.settle(payment)
    const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x: jwk.x! }, 'EdDSA')
    const tokens = seen.splice(0).map(({ path, headers }) => ({
      path,
      token: headers.get('authorization')!.replace('Bearer ', ''),
    }))
    expect(tokens[1]!.token).toBe(tokens[2]!.token)
    for (const { path, token } of tokens) {
      const { payload, protectedHeader } = await jwtVerify(token, key, {
        issuer: 'cdp',
        subject: 'organizations/1/apiKeys/2',
        audience: 'cdp_service',
      })
      expect(payload['uris']).toEqual([`POST 127.0.0.1:${server.port}${path}`])
      expect(payload.exp! - payload.iat!).toBe(120)
      expect(protectedHeader).toMatchObject({ alg: 'EdDSA', kid: 'organizations/1/apiKeys/2' })
    }
  })

  it('takes nothing that would break a request', () => {
    for (const text of [
      '',
      'abc',
      'Bearer',
      'Bearer a b',
      'X: a\nY: b',
      'cdp:id:tooshort',
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
