/** The boot report: everything that is wrong with the environment, in one list. */
import { describe, expect, it } from 'vitest'
import { loadConfig as load } from '../../cli/load-config.ts'
import { integer, optionalUrl } from '../../kernel/config/fields.ts'
import type { VariableValues } from '../../kernel/config/variable.ts'
import { SHIPPED_PLUGINS } from '../../plugins/shipped.ts'
import { X402_FACILITATOR_AUTH } from '../../plugins/x402/variables.ts'

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
    expect(loaded.ok && loaded.values.of(X402_FACILITATOR_AUTH)).toEqual(['-', secret])
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
    expect(namesOf({ SANDBOX: 'constructor' })).toEqual(['SANDBOX'])
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

  it('asks for a secret that signs events where they are sent', () => {
    const url = { EVENTS_WEBHOOK_URL: 'https://ops.example.com/events' }
    expect(namesOf(url)).toEqual(['EVENTS_WEBHOOK_SECRET'])
    expect(namesOf({ ...url, EVENTS_WEBHOOK_SECRET: 'short' })).toEqual(['EVENTS_WEBHOOK_SECRET'])
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    expect(namesOf({ ...url, EVENTS_WEBHOOK_SECRET: secret })).toEqual([])
    const loaded = loadConfig({ EVENTS_WEBHOOK_SECRET: secret })
    expect(JSON.stringify(loaded.ok && loaded.lines)).not.toContain('BwcHBw')
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

  it('shows no password or key inside of a URL', () => {
    const url = 'https://user:pass-word@a.example/x,https://:other@b.example?api_key=abc&q=1'
    const loaded = loadConfig({
      X402_FACILITATOR_URL: url,
      UTILS_UPSTREAM_URL: 'http://u:p@c.example',
    })
    const lines = loaded.ok ? loaded.lines : []
    const valueOf = (name: string) => lines.find((line) => line.name === name)?.value
    expect(valueOf('X402_FACILITATOR_URL')).toBe(
      'https://…@a.example/x,https://…@b.example?api_key=…&q=1',
    )
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

describe('variables that plugins declare', () => {
  const lucky = integer('DICE_LUCKY', { min: 1, max: 6, fallback: 3, after: 'PORT' })
  const place = optionalUrl('DICE_URL', 'https://dice.example', { endsSandbox: true })
  const dice = {
    id: 'dice',
    secrets: ['DICE_KEY', 'DICE_URL', 'PORT'],
    variables: [place, lucky],
    contradictions: (values: VariableValues) =>
      values.of(lucky) === 6 && !values.isWrong(place) && values.of(place) === null
        ? [{ name: 'DICE_URL', got: '(not set)', expected: 'a URL', example: '' }]
        : [],
  }
  const linesOf = (env: Record<string, string>) => {
    const loaded = load(env, [dice])
    return loaded.ok ? loaded.lines : []
  }

  it('shows them once, in their place, and secrets masked', () => {
    const names = linesOf({}).map(({ name }) => name)
    expect(names.slice(1, 3)).toEqual(['PORT', 'DICE_LUCKY'])
    const wanted = (name: string) => name === 'PORT' || name === 'DICE_URL'
    expect(names.filter(wanted)).toEqual(['PORT', 'DICE_URL'])
    const given = { DICE_KEY: 'a-long-dice-key', DICE_URL: 'http://d.example', PORT: '1' }
    const lines = linesOf({ ...given, SANDBOX: 'true' })
    expect(lines.slice(-2)).toEqual([
      { name: 'DICE_URL', value: 'http://d.example', origin: 'environment' },
      { name: 'DICE_KEY', value: 'a-lo…(15 characters)', origin: 'environment' },
    ])
    expect(lines.find(({ name }) => name === 'PORT')?.value).toBe('1')
  })

  it('checks them together with its own', () => {
    const problemsOf = (env: Record<string, string>) => {
      const loaded = load(env, [dice])
      return loaded.ok ? [] : loaded.problems.map(({ name }) => name)
    }
    expect(problemsOf({ DICE_LUCKY: '7', PORT: 'x' })).toEqual(['PORT', 'DICE_LUCKY'])
    expect(problemsOf({ DICE_LUCKY: '6' })).toEqual(['DICE_URL'])
    expect(problemsOf({ DICE_LUCKY: '6', DICE_URL: 'wrong', SANDBOX: 'true' })).toEqual([
      'DICE_URL',
    ])
    expect(problemsOf({ DICE_URL: 'https://d.example' })).toEqual(['ADMIN_TOKEN'])
    expect(problemsOf({ PRODUCT_ENV: 'DICE_KEY,OTHER' })).toEqual(['PRODUCT_ENV'])
  })

  it('reads their values', () => {
    const loaded = load({ DICE_LUCKY: '5' }, [dice])
    expect(loaded.ok && [loaded.values.of(lucky), loaded.values.of(place)]).toEqual([5, null])
  })
})

describe('a value that is wrong whatever it is for', () => {
  const problemsOf = (env: Record<string, string>) => {
    const loaded = loadConfig(env)
    return loaded.ok ? [] : loaded.problems
  }

  it.each([
    ['ADMIN_TOKEN', `"${'a'.repeat(32)}"`],
    ['METRICS_TOKEN', `'${'a'.repeat(32)}'`],
    ['EVENTS_WEBHOOK_SECRET', `"${'a'.repeat(32)}"`],
    ['HOST', '"127.0.0.1"'],
    ['DATA_DIR', "'data'"],
    ['PORT', '"4020"'],
  ])('%s with quotes around it, as docker --env-file keeps them', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([
      expect.objectContaining({
        name,
        expected: expect.stringMatching(/, without quotes around it$/),
      }),
    ])
  })

  it.each(['DATA_DIR', 'PROVIDER_A_SECRET_KEY', 'OPERATOR_NAME'])(
    '%s with a line end inside',
    (name) => {
      const [problem, ...others] = problemsOf({ [name]: 'one\r\ntwo' })
      expect(others).toEqual([])
      expect(problem!.got).not.toMatch(/\p{Cc}/u)
      expect(problem!.expected).toMatch(/, in one line without control characters$/)
    },
  )

  it('a whole file is shown by its beginning, in one line', () => {
    const [problem] = problemsOf({ PORT: 'a line\n'.repeat(10_000) })
    expect(problem!.got).toMatch(/^a line\\na line.{0,200}…\(\d+ characters\)$/)
  })

  it.each(['127.0.0.1:80', '999.1.1.1', 'no such host', 'http://127.0.0.1'])('HOST %s', (host) => {
    expect(namesOf({ HOST: host })).toEqual(['HOST'])
  })

  it.each(['0.0.0.0', '::', '::1', 'localhost', 'gateway_1.internal'])('takes HOST %s', (host) => {
    expect(namesOf({ HOST: host })).toEqual([])
  })

  it('takes an address of mail alone as CONTACT_EMAIL', () => {
    expect(namesOf({ CONTACT_EMAIL: 'operator@localhost' })).toEqual([])
    for (const value of ['operator', 'a b@c', '@c', 'https://example.com'])
      expect(namesOf({ CONTACT_EMAIL: value })).toEqual(['CONTACT_EMAIL'])
  })

  it('takes no PUBLIC_URL that paths cannot be added to, and shows no password of one', () => {
    expect(namesOf({ PUBLIC_URL: 'https://api.example/path/' })).toEqual([])
    for (const url of [
      'https://api.example/?a=1',
      'https://api.example/#a',
      'https://api.example?',
    ])
      expect(namesOf({ PUBLIC_URL: url })).toEqual(['PUBLIC_URL'])
    const [problem] = problemsOf({ PUBLIC_URL: 'https://user:hunter2@api.example' })
    expect(problem).toMatchObject({ name: 'PUBLIC_URL', got: 'https://…api.example' })
  })

  it('takes no duration that a timer or a timestamp cannot have', () => {
    expect(namesOf({ SHUTDOWN_TIMEOUT: '25d', HOLD_TTL: '100000000000h' })).toEqual([
      'HOLD_TTL',
      'SHUTDOWN_TIMEOUT',
    ])
    expect(namesOf({ SHUTDOWN_TIMEOUT: '24d', OAUTH_REFRESH_TTL: '3650d' })).toEqual([])
  })

  it('a DATABASE_URL of spaces is none, so the gateway stays a sandbox', () => {
    expect(loadConfig({ DATABASE_URL: '  ' })).toMatchObject({
      ok: true,
      config: { sandbox: true, databaseUrl: null },
    })
  })
})
