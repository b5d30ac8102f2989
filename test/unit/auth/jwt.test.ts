import { CompactSign, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTokenService, JWT_LIFETIME_S } from '../../../host/access-tokens/tokens.ts'
import { looksLikeJwt } from '../../../kernel/auth/tokens.ts'
import type { SigningKey } from '../../../host/access-tokens/signing-key.ts'

const ISSUER = 'https://gateway.example'
const START_MS = Date.UTC(2026, 10, 21, 12)
const startS = START_MS / 1000

async function newSigningKey(kid: string): Promise<SigningKey> {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const publicJwk = { ...(await exportJWK(pair.publicKey)), kid, alg: 'EdDSA', use: 'sig' }
  return { kid, privateKey: pair.privateKey, publicJwks: [publicJwk] }
}

/** A token with everything right, but for one changed (or, undefined, left out) member. */
function spoiled(claims: Record<string, unknown>, header: { kid?: string; typ?: string } = {}) {
  const right = {
    iss: ISSUER,
    aud: 'coinop',
    sub: 'key_1',
    jti: 'jti-1',
    iat: startS,
    exp: startS + 900,
  }
  return new SignJWT({ ...right, ...claims }).setProtectedHeader({
    alg: 'EdDSA',
    kid: 'k1',
    typ: 'JWT',
    ...header,
  })
}

let key: SigningKey
let other: SigningKey
beforeAll(async () => {
  key = await newSigningKey('k1')
  other = await newSigningKey('k1')
})
const service = (nowMs = START_MS) => createTokenService(key, ISSUER, () => nowMs)

describe('service-account tokens', () => {
  it('name the key, the issuer and the audience, and last 15 minutes', async () => {
    const { token, expiresAt } = await service().issue('key_1')
    expect(expiresAt.getTime()).toBe(START_MS + 900_000)
    expect(looksLikeJwt(token)).toBe(true)
    const [header, payload] = token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    expect(header).toEqual({ alg: 'EdDSA', kid: 'k1', typ: 'JWT' })
    expect(payload).toMatchObject({
      iss: ISSUER,
      aud: 'coinop',
      sub: 'key_1',
      iat: startS,
      exp: startS + JWT_LIFETIME_S,
    })
    expect(payload.jti).toMatch(/^[0-9a-f-]{36}$/)
    expect(await service().verify(token)).toEqual({ ok: true, keyId: 'key_1' })
  })

  it('are accepted by another instance that shares the key, and end on time there', async () => {
    const { token } = await service().issue('key_1')
    expect(await service(START_MS + 899_000).verify(token)).toEqual({ ok: true, keyId: 'key_1' })
    expect(await service(START_MS + 906_000).verify(token)).toEqual({
      ok: false,
      message: 'The token has expired',
    })
  })

  it('are accepted by an instance whose clock is minutes behind or ahead', async () => {
    const { token } = await service().issue('key_1')
    for (const offMs of [-300_000, 300_000]) {
      expect(await service(START_MS + offMs).verify(token)).toEqual({ ok: true, keyId: 'key_1' })
    }
  })

  it('end on time where they were accepted before', async () => {
    let nowMs = START_MS
    const instance = createTokenService(key, ISSUER, () => nowMs)
    const { token } = await instance.issue('key_1')
    expect((await instance.verify(token)).ok).toBe(true)
    nowMs += 906_000
    expect((await instance.verify(token)).ok).toBe(false)
  })

  it('publish the public part only', () => {
    const [published] = service().jwks().keys
    expect(published).toMatchObject({ kty: 'OKP', crv: 'Ed25519', kid: 'k1', use: 'sig' })
    expect(published).not.toHaveProperty('d')
  })

  it('are accepted when built by hand from the same parts', async () => {
    const token = await spoiled({}).sign(key.privateKey)
    expect(await service().verify(token)).toEqual({ ok: true, keyId: 'key_1' })
  })

  it('end 15 minutes after they were made also where they were accepted before', async () => {
    let nowMs = START_MS
    const instance = createTokenService(key, ISSUER, () => nowMs)
    const token = await spoiled({ exp: startS + 100_000 }).sign(key.privateKey)
    expect((await instance.verify(token)).ok).toBe(true)
    nowMs += 906_000
    expect((await instance.verify(token)).ok).toBe(false)
  })

  it.each([
    ['an infinite end', '"exp":1e400'],
    ['an end within a second', `"exp":${startS + 899.5}`],
    ['an end beyond whole numbers', '"exp":1e300'],
    ['an infinite start', `"exp":${startS + 900},"nbf":-1e400`],
  ])('refuse one with %s', async (_, dates) => {
    const claims = `{"iss":"${ISSUER}","aud":"coinop","sub":"key_1","jti":"x","iat":${startS},${dates}}`
    const token = await new CompactSign(new TextEncoder().encode(claims))
      .setProtectedHeader({ alg: 'EdDSA', kid: 'k1', typ: 'JWT' })
      .sign(key.privateKey)
    expect((await service().verify(token)).ok).toBe(false)
  })

  it.each<[string, () => Promise<string> | string]>([
    ['signed by another key', () => spoiled({}).sign(other.privateKey)],
    ['of an unknown kid', () => spoiled({}, { kid: 'k2' }).sign(key.privateKey)],
    ['of another type', () => spoiled({}, { typ: 'at+jwt' }).sign(key.privateKey)],
    ['of another issuer', () => spoiled({ iss: 'https://evil' }).sign(key.privateKey)],
    ['for another audience', () => spoiled({ aud: 'other' }).sign(key.privateKey)],
    ['without a subject', () => spoiled({ sub: undefined }).sign(key.privateKey)],
    ['without a jti', () => spoiled({ jti: undefined }).sign(key.privateKey)],
    ['without an end', () => spoiled({ exp: undefined }).sign(key.privateKey)],
    ['made in the future', () => spoiled({ iat: startS + 901 }).sign(key.privateKey)],
    ['that lasts longer', () => spoiled({ iat: startS - 906 }).sign(key.privateKey)],
    ['not valid yet', () => spoiled({ nbf: startS + 60 }).sign(key.privateKey)],
    ['expired', () => spoiled({ exp: startS - 6 }).sign(key.privateKey)],
    [
      'with alg none',
      () =>
        new UnsecuredJWT({ sub: 'key_1', jti: 'x' })
          .setIssuer(ISSUER)
          .setAudience('coinop')
          .setIssuedAt(startS)
          .setExpirationTime(startS + 900)
          .encode(),
    ],
    [
      'with alg HS256 and the public key as the secret',
      () =>
        new SignJWT({ sub: 'key_1', jti: 'x' })
          .setProtectedHeader({ alg: 'HS256', kid: 'k1', typ: 'JWT' })
          .setIssuer(ISSUER)
          .setAudience('coinop')
          .setIssuedAt(startS)
          .setExpirationTime(startS + 900)
          .sign(new TextEncoder().encode(JSON.stringify(key.publicJwks[0]))),
    ],
    [
      'with another subject put in',
      async () => {
        const [header, payload, signature] = (await spoiled({}).sign(key.privateKey)).split('.')
        const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString())
        const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'key_2' })).toString(
          'base64url',
        )
        return `${header}.${forged}.${signature}`
      },
    ],
    ['cut short', async () => (await spoiled({}).sign(key.privateKey)).slice(0, -2)],
    ['that is no JSON', () => 'eyJx.eyJx.eyJx'],
    ['of three thousand characters', () => `eyJ${'a'.repeat(3000)}.a.a`],
  ])('refuse one %s', async (_, make) => {
    const token = await make()
    const verified = await service().verify(token)
    expect(verified.ok).toBe(false)
    expect(verified.ok || verified.message).not.toContain(token)
  })
})
