/** The boot report: everything that is wrong with the environment, in one list. */
import { describe, expect, it } from 'vitest'
import { loadConfig as load } from '../../kernel/config/config.ts'
import { SHIPPED_PLUGINS } from '../../plugins/shipped.ts'

const loadConfig = (env: Record<string, string>) => load(env, SHIPPED_PLUGINS)

function namesOf(env: Record<string, string>): string[] {
  const loaded = loadConfig(env)
  return loaded.ok ? [] : loaded.problems.map((problem) => problem.name).sort()
}

describe('loadConfig', () => {
  it('starts from nothing, as a sandbox', () => {
    const loaded = loadConfig({})
    expect(loaded).toMatchObject({ ok: true, config: { sandbox: true, port: 4020 } })
  })

  it('lists a missing variable beside wrong ones', () => {
    expect(namesOf({ PORT: 'abc', SANDBOX: 'false', HOLD_TTL: '5' })).toEqual([
      'ADMIN_TOKEN',
      'HOLD_TTL',
      'PORT',
    ])
    expect(namesOf({ RATE_LIMIT_RPM: '0', SETTLEMENT_ADDRESS: `0x${'1'.repeat(40)}` })).toEqual([
      'ADMIN_TOKEN',
      'RATE_LIMIT_RPM',
      'X402_FACILITATOR_URL',
    ])
  })

  it('takes a credential for each facilitator, and never prints one', () => {
    const facilitators = { X402_FACILITATOR_URL: 'https://a.example,https://b.example' }
    const secret = 'Bearer very-secret-token'
    const loaded = loadConfig({ ...facilitators, X402_FACILITATOR_AUTH: `-, ${secret}` })
    expect(loaded).toMatchObject({ ok: true, config: { x402FacilitatorAuth: ['-', secret] } })
    expect(JSON.stringify(loaded.ok && loaded.lines)).not.toContain('very-secret')
    for (const auth of ['Bearer a,-,-', 'no credential', 'cdp:key:short', 'Bad Name: x']) {
      const env = { ...facilitators, X402_FACILITATOR_AUTH: auth }
      expect(namesOf(env)).toEqual(['X402_FACILITATOR_AUTH'])
      expect(JSON.stringify(loadConfig(env))).not.toContain('short')
    }
    expect(namesOf({ X402_FACILITATOR_AUTH: 'Bearer a' })).toEqual(['X402_FACILITATOR_AUTH'])
  })

  it('does not ask for what a wrong variable may have meant', () => {
    expect(namesOf({ SANDBOX: 'maybe' })).toEqual(['SANDBOX'])
    expect(namesOf({ SANDBOX: 'false', ADMIN_TOKEN: 'short' })).toEqual(['ADMIN_TOKEN'])
    expect(
      namesOf({
        SETTLEMENT_ADDRESS: `0x${'1'.repeat(40)}`,
        ADMIN_TOKEN: 'a'.repeat(32),
        X402_FACILITATOR_URL: 'facilitator',
      }),
    ).toEqual(['X402_FACILITATOR_URL'])
  })

  it('opens no secret of the gateway itself to products', () => {
    const secrets = ['ADMIN_TOKEN', 'DATABASE_URL', 'PROVIDER_A_SECRET_KEY', 'ENRICHMENT_API_KEY']
    for (const name of secrets) {
      const loaded = loadConfig({ PRODUCT_ENV: `WEATHER_TOKEN,${name}` })
      expect(loaded).toMatchObject({ ok: false, problems: [{ name: 'PRODUCT_ENV', got: name }] })
    }
    expect(namesOf({ PRODUCT_ENV: 'WEATHER_TOKEN, UTILS_UPSTREAM_KEY' })).toEqual([])
    expect(namesOf({ PRODUCT_ENV: 'not a name' })).toEqual(['PRODUCT_ENV'])
  })

  it('checks the URLs that plugins read', () => {
    expect(
      namesOf({
        PROVIDER_A_URL: 'provider',
        PROVIDER_B_URL: 'http://127.0.0.1:9000',
        UTILS_UPSTREAM_URL: 'ftp://example.com',
        ENRICHMENT_URL: 'not a url',
      }),
    ).toEqual(['ENRICHMENT_URL', 'PROVIDER_A_URL', 'UTILS_UPSTREAM_URL'])
  })

  it('takes an origin for operators that is another one than that of callers', () => {
    for (const ADMIN_URL of ['https://admin.example.com', 'http://localhost:4021/']) {
      const loaded = loadConfig({ ADMIN_URL })
      expect(loaded).toMatchObject({
        ok: true,
        config: { adminUrl: ADMIN_URL.replace(/\/$/, '') },
      })
    }
    for (const ADMIN_URL of [
      'admin.example.com',
      'https://a.example/console',
      'https://u:p@a.example',
      'ftp://a.example',
      'http://a.example:0',
      'http://127.0.0.1:4020',
    ]) {
      expect(namesOf({ ADMIN_URL })).toEqual(['ADMIN_URL'])
    }
    const PUBLIC_URL = 'https://api.example.com'
    expect(namesOf({ PUBLIC_URL, ADMIN_URL: 'https://API.example.com:443' })).toEqual(['ADMIN_URL'])
    expect(namesOf({ PUBLIC_URL, ADMIN_URL: 'http://127.0.0.1:4020' })).toEqual([])
  })

  it('shows no secret', () => {
    const secret = `sk_live_${'s'.repeat(40)}`
    const loaded = loadConfig({
      ADMIN_TOKEN: secret,
      PROVIDER_A_SECRET_KEY: secret,
      PROVIDER_B_WEBHOOK_HASH: secret,
      X402_SIGNER_KEY: secret,
    })
    expect(JSON.stringify(loaded.ok ? loaded.lines : loaded.problems)).not.toContain(secret)
  })

  it('shows no password inside of a URL', () => {
    const url = 'https://user:pass-word@a.example/x,https://:other@b.example'
    const loaded = loadConfig({
      X402_FACILITATOR_URL: url,
      UTILS_UPSTREAM_URL: 'http://u:p@c.example',
    })
    const lines = loaded.ok ? loaded.lines : []
    const valueOf = (name: string) => lines.find((line) => line.name === name)?.value
    expect(valueOf('X402_FACILITATOR_URL')).toBe('https://…@a.example/x,https://…@b.example')
    expect(valueOf('UTILS_UPSTREAM_URL')).toBe('http://…@c.example')
  })

  it('shows defaults as an operator would write them', () => {
    const loaded = loadConfig({ PORT: '4100' })
    const shown = loaded.ok && Object.fromEntries(loaded.lines.map((one) => [one.name, one.value]))
    expect(shown).toMatchObject({
      PORT: '4100',
      PUBLIC_URL: 'http://127.0.0.1:4100',
      MIN_PREPAID_BUNDLE: '5',
      HOLD_TTL: '15m',
      SHUTDOWN_TIMEOUT: '30s',
      PLUGINS: '(not set)',
      SETTLEMENT_ADDRESS: '(not set)',
    })
  })
})
