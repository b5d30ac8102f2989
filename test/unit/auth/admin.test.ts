import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadAdminToken } from '../../../host/secrets/admin-token.ts'
import { Operators, OWNER } from '../../../kernel/auth/operators.ts'
import { bearerOf, secretTester } from '../../../kernel/auth/tokens.ts'
import { silentLog } from '../../support/log.ts'

const TOKEN = 'operator-token-of-at-least-32-characters'
const presenting = (authorization?: string) => ({
  header: (name: string) => (name === 'authorization' ? (authorization ?? null) : null),
})

/** Asks with an Authorization header; the refusal, or null for the owner. */
function gateOf(token: string | null, nowMs?: () => number) {
  const operators = new Operators(token, silentLog, nowMs)
  return async (source: ReturnType<typeof presenting>, clientAddress: string) => {
    const found = await operators.identify(source, clientAddress)
    if (!found.ok) return found
    expect(found.operator).toBe(OWNER)
    return null
  }
}

describe('admin bearer', () => {
  it('lets the right token in and nothing else', async () => {
    const gate = gateOf(TOKEN)
    expect(await gate(presenting(`Bearer ${TOKEN}`), '192.0.2.1')).toBeNull()
    expect(await gate(presenting(`bearer  ${TOKEN} `), '192.0.2.1')).toBeNull()
    for (const wrong of [`Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, 'Bearer x']) {
      const refusal = await gate(presenting(wrong), '192.0.2.2')
      expect(refusal).toMatchObject({ status: 401, details: { reason: 'invalid_admin_token' } })
      expect(refusal?.headers?.['www-authenticate']).toContain('error="invalid_token"')
      expect(JSON.stringify(refusal)).not.toContain(TOKEN)
    }
    for (const missing of [undefined, '', 'Bearer', 'Bearer ', `Basic ${TOKEN}`, TOKEN]) {
      const refusal = await gate(presenting(missing), '192.0.2.3')
      expect(refusal).toMatchObject({ status: 401, details: { reason: 'missing_admin_token' } })
      expect(refusal?.headers?.['www-authenticate']).toBe('Bearer realm="coinop"')
    }
  })

  it('counts the wrong ones of an IPv6 block together, which one caller has to itself', async () => {
    const gate = gateOf(TOKEN, () => 0)
    const codes = new Set<string | undefined>()
    for (let n = 0; n < 1000; n++)
      codes.add((await gate(presenting('Bearer x'), `2001:db8::${n.toString(16)}`))?.code)
    expect(codes).toContain('RATE_LIMITED')
    expect((await gate(presenting('Bearer x'), '2001:db8:0:1::1'))?.status).toBe(401)
  })

  it.each([null, ''])('never matches when the configured token is %j', async (token) => {
    const gate = gateOf(token)
    expect((await gate(presenting('Bearer null'), '192.0.2.1'))?.status).toBe(401)
    expect((await gate(presenting('Bearer '), '192.0.2.1'))?.status).toBe(401)
    expect(secretTester(token)('')).toBe(false)
  })

  it('accepts any of several secrets, so that one can be replaced while both are in use', () => {
    const isService = secretTester(['new-secret', 'old-secret'])
    expect(['new-secret', 'old-secret'].map(isService)).toEqual([true, true])
    expect(['', 'new-secret,old-secret', 'other'].map(isService)).toEqual([false, false, false])
    expect(secretTester([])('')).toBe(false)
  })

  it('answers 429 to wrong tokens of an address after ten of them; the right one passes', async () => {
    let nowMs = 1_000_000
    const gate = gateOf(TOKEN, () => nowMs)
    for (let i = 0; i < 10; i++) {
      expect((await gate(presenting(`Bearer guess-${i}`), '192.0.2.1'))?.status).toBe(401)
    }
    const limited = await gate(presenting('Bearer guess'), '192.0.2.1')
    expect(limited).toMatchObject({ code: 'RATE_LIMITED', headers: { 'retry-after': '6' } })
    expect(await gate(presenting(`Bearer ${TOKEN}`), '192.0.2.1')).toBeNull()
    expect((await gate(presenting('Bearer guess'), '192.0.2.1'))?.code).toBe('RATE_LIMITED')
    expect((await gate(presenting('Bearer guess'), '192.0.2.9'))?.status).toBe(401)
    nowMs += 6000
    expect((await gate(presenting('Bearer guess'), '192.0.2.1'))?.status).toBe(401)
    expect((await gate(presenting('Bearer guess'), '192.0.2.1'))?.code).toBe('RATE_LIMITED')
  })

  it('does not count requests without a bearer as guesses', async () => {
    const gate = gateOf(TOKEN, () => 1_000_000)
    for (let i = 0; i < 50; i++) await gate(presenting(), '192.0.2.1')
    expect(await gate(presenting(`Bearer ${TOKEN}`), '192.0.2.1')).toBeNull()
  })
})

describe('admin token', () => {
  it('is made once in the sandbox, kept 0600 and printed by the boot that made it', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'coinop-admin-'))
    try {
      const options = { configured: null, sandbox: true, dataDir }
      const first = loadAdminToken(options)
      expect(first.token).toMatch(/^coinop_admin_[0-9A-Za-z]{43}$/)
      expect(first.firstPrinted).toBe(true)
      expect(statSync(first.file!).mode & 0o777).toBe(0o600)
      expect(loadAdminToken(options)).toEqual({ ...first, firstPrinted: false })
      expect(loadAdminToken({ ...options, configured: TOKEN }).token).toBe(TOKEN)
      expect(loadAdminToken({ ...options, sandbox: false }).token).toBeNull()
      writeFileSync(first.file!, '\n')
      expect(() => loadAdminToken(options)).toThrow(`${first.file} is empty: delete it`)
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
})

describe('bearerOf', () => {
  it('tells no bearer from an empty one', () => {
    expect(bearerOf(null)).toBeNull()
    expect(bearerOf('Basic abc')).toBeNull()
    expect(bearerOf('Bearerabc')).toBeNull()
    expect(bearerOf('Bearer')).toBe('')
    expect(bearerOf('BEARER  abc')).toBe('abc')
  })
})
