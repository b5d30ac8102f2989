import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadAdminToken } from '../../../host/secrets/admin-token.ts'
import { adminGate } from '../../../kernel/auth/operators.ts'
import { bearerOf, secretTester } from '../../../kernel/auth/tokens.ts'

const TOKEN = 'operator-token-of-at-least-32-characters'
const presenting = (authorization?: string) => ({
  header: (name: string) => (name === 'authorization' ? (authorization ?? null) : null),
})

describe('admin bearer', () => {
  it('lets the right token in and nothing else', () => {
    const gate = adminGate(TOKEN).requireAdmin
    expect(gate(presenting(`Bearer ${TOKEN}`), '192.0.2.1')).toBeNull()
    expect(gate(presenting(`bearer  ${TOKEN} `), '192.0.2.1')).toBeNull()
    for (const wrong of [`Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, 'Bearer x']) {
      const refusal = gate(presenting(wrong), '192.0.2.2')
      expect(refusal).toMatchObject({ status: 401, details: { reason: 'invalid_admin_token' } })
      expect(refusal?.headers?.['www-authenticate']).toContain('error="invalid_token"')
      expect(JSON.stringify(refusal)).not.toContain(TOKEN)
    }
    for (const missing of [undefined, '', 'Bearer', 'Bearer ', `Basic ${TOKEN}`, TOKEN]) {
      const refusal = gate(presenting(missing), '192.0.2.3')
      expect(refusal).toMatchObject({ status: 401, details: { reason: 'missing_admin_token' } })
      expect(refusal?.headers?.['www-authenticate']).toBe('Bearer realm="coinop"')
    }
  })

  it.each([null, ''])('never matches when the configured token is %j', (token) => {
    const gate = adminGate(token).requireAdmin
    expect(gate(presenting('Bearer null'), '192.0.2.1')?.status).toBe(401)
    expect(gate(presenting('Bearer '), '192.0.2.1')?.status).toBe(401)
    expect(secretTester(token)('')).toBe(false)
  })

  it('accepts any of several secrets, so that one can be replaced while both are in use', () => {
    const isService = secretTester(['new-secret', 'old-secret'])
    expect(['new-secret', 'old-secret'].map(isService)).toEqual([true, true])
    expect(['', 'new-secret,old-secret', 'other'].map(isService)).toEqual([false, false, false])
    expect(secretTester([])('')).toBe(false)
  })

  it('answers 429 to wrong tokens of an address after ten of them; the right one passes', () => {
    let nowMs = 1_000_000
    const gate = adminGate(TOKEN, () => nowMs).requireAdmin
    for (let i = 0; i < 10; i++) {
      expect(gate(presenting(`Bearer guess-${i}`), '192.0.2.1')?.status).toBe(401)
    }
    const limited = gate(presenting('Bearer guess'), '192.0.2.1')
    expect(limited).toMatchObject({ code: 'RATE_LIMITED', headers: { 'retry-after': '6' } })
    expect(gate(presenting(`Bearer ${TOKEN}`), '192.0.2.1')).toBeNull()
    expect(gate(presenting('Bearer guess'), '192.0.2.1')?.code).toBe('RATE_LIMITED')
    expect(gate(presenting('Bearer guess'), '192.0.2.9')?.status).toBe(401)
    nowMs += 6000
    expect(gate(presenting('Bearer guess'), '192.0.2.1')?.status).toBe(401)
    expect(gate(presenting('Bearer guess'), '192.0.2.1')?.code).toBe('RATE_LIMITED')
  })

  it('does not count requests without a bearer as guesses', () => {
    const gate = adminGate(TOKEN, () => 1_000_000).requireAdmin
    for (let i = 0; i < 50; i++) gate(presenting(), '192.0.2.1')
    expect(gate(presenting(`Bearer ${TOKEN}`), '192.0.2.1')).toBeNull()
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
