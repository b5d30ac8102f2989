/**
 * Configuration from environment variables only. Every variable is in one table with what it
 * expects and an example, so that boot reports all problems at once and `coinop config` can print
 * each effective value with its origin.
 */
import {
  bad,
  duration,
  flag,
  good,
  integer,
  isAddress,
  isHttpUrl,
  list,
  oneOf,
  optional,
  text,
  type Environment,
  type Field,
} from './config-fields.ts'
import { usdToAtomic } from './money.ts'
import { isAllowEntry } from './net/allow-list.ts'
import { isFacilitatorAuth } from './rails/x402/settle/facilitator-auth.ts'

export interface Config {
  host: string
  port: number
  publicUrl: string
  databaseUrl: string | null
  dataDir: string
  migrate: boolean
  productsDir: string
  pluginsDir: string | null
  plugins: string[]
  adminToken: string | null
  serviceToken: string | null
  masterKey: string | null
  sandbox: boolean
  sandboxChain: boolean
  settlementAddress: string | null
  x402Network: string
  x402Asset: string | null
  x402FacilitatorUrls: string[]
  /** Credentials of the facilitators, in the same order; '-' for none. */
  x402FacilitatorAuth: string[]
  x402RpcUrl: string | null
  x402SignerKey: string | null
  contactEmail: string
  minPrepaidBundleAtomic: bigint
  prepaidFiat: boolean
  holdTtlMs: number
  rateLimitRpm: number
  rateLimitBurst: number
  allowPrivateTargets: string[]
  logLevel: LogLevel
  logFormat: 'pretty' | 'json'
  shutdownTimeoutMs: number
  otlpEndpoint: string | null
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** One thing wrong with the environment, fit to print. */
export interface ConfigProblem {
  name: string
  got: string
  expected: string
  example: string
}

/** One line of `coinop config`. */
export interface ConfigLine {
  name: string
  value: string
  origin: 'environment' | 'default'
}

export type LoadedConfig =
  | { ok: true; config: Config; lines: ConfigLine[] }
  | { ok: false; problems: ConfigProblem[] }

const FIELDS = {
  HOST: text('an address to listen on', '127.0.0.1', '127.0.0.1'),
  PORT: integer(0, 65_535, 4020, '4020'),
  PUBLIC_URL: optional('an http or https URL', 'https://api.example.com', isHttpUrl),
  DATABASE_URL: optional(
    'a postgres:// URL',
    'postgres://coinop:secret@db.example.com/coinop',
    (value) => /^postgres(ql)?:\/\//.test(value),
    true,
  ),
  DATA_DIR: text('a folder', '.coinop', '.coinop'),
  MIGRATE: flag(true),
  PRODUCTS_DIR: text('a folder', 'products', 'products'),
  PLUGINS_DIR: optional('a folder', 'my-plugins'),
  PLUGINS: list('npm package names, comma-separated', 'coinop-plugin-weather', (v) =>
    /^[@a-z0-9][\w./@-]*$/i.test(v),
  ),
  ADMIN_TOKEN: optional(
    'at least 32 characters',
    'the output of `openssl rand -hex 32`',
    (v) => v.length >= 32,
    true,
  ),
  SERVICE_TOKEN: optional(
    'at least 32 characters',
    'the output of `openssl rand -hex 32`',
    (v) => v.length >= 32,
    true,
  ),
  COINOP_MASTER_KEY: optional(
    '32 bytes in base64',
    'the output of `openssl rand -base64 32`',
    (value) => /^[A-Za-z0-9+/]{43}=$/.test(value),
    true,
  ),
  SANDBOX_CHAIN: flag(true),
  SANDBOX: flag((env) => !env.DATABASE_URL && !env.SETTLEMENT_ADDRESS),
  SETTLEMENT_ADDRESS: optional(
    'an EVM address, 0x and 40 hex digits',
    '0x1111111111111111111111111111111111111111',
    isAddress,
  ),
  X402_NETWORK: {
    expected: 'a CAIP-2 EVM network',
    example: 'eip155:8453',
    fallback: 'eip155:8453',
    parse: (value) => (/^eip155:[1-9]\d{0,17}$/.test(value) ? good(value) : bad),
  } satisfies Field<string>,
  X402_ASSET: optional(
    'an EVM token address',
    '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    isAddress,
  ),
  X402_FACILITATOR_URL: list(
    'http(s) URLs in order of preference, comma-separated',
    'https://facilitator.example.com',
    isHttpUrl,
  ),
  X402_FACILITATOR_AUTH: {
    ...list(
      "a credential for each facilitator in the same order, comma-separated: 'Bearer …', 'Header-Name: …', 'cdp:<key id>:<secret>' or '-'",
      'Bearer abc,-',
      isFacilitatorAuth,
    ),
    secret: true,
  } satisfies Field<string[]>,
  X402_RPC_URL: optional('an http or https URL', 'https://rpc.example.com', isHttpUrl, true),
  X402_SIGNER_KEY: optional(
    'a private key, 0x and 64 hex digits',
    '0x…64 hex digits',
    (v) => /^0x[0-9a-fA-F]{64}$/.test(v),
    true,
  ),
  CONTACT_EMAIL: text('an e-mail address', 'ops@example.com', 'operator@localhost'),
  MIN_PREPAID_BUNDLE: {
    expected: 'an amount of US dollars',
    example: '5',
    fallback: 5_000_000n,
    fallbackText: '5',
    parse: (value) => {
      const parsed = /^\d+(\.\d+)?$/.test(value) ? usdToAtomic(Number(value)) : bad
      return parsed.ok ? good(parsed.amountAtomic) : bad
    },
  } satisfies Field<bigint>,
  PREPAID_FIAT: flag(false),
  HOLD_TTL: duration(15 * 60_000, '15m'),
  RATE_LIMIT_RPM: integer(1, 1_000_000, 600, '600'),
  RATE_LIMIT_BURST: integer(1, 100_000, 100, '100'),
  ALLOW_PRIVATE_TARGETS: list(
    'host:port or CIDR, comma-separated',
    '127.0.0.1:9000,10.1.0.0/16',
    isAllowEntry,
  ),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  LOG_FORMAT: oneOf(['pretty', 'json'], () => (process.stdout.isTTY ? 'pretty' : 'json')),
  SHUTDOWN_TIMEOUT: duration(30_000, '30s'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional('an http or https URL', 'http://127.0.0.1:4318', isHttpUrl),
}
type Fields = typeof FIELDS
type Name = keyof Fields
type ValueOf<F> = F extends Field<infer T> ? T : never
type Values = { [N in Name]: ValueOf<Fields[N]> }

/** Names that plugins read through `env.secret`; checked and shown here like the kernel's own. */
export const PLUGIN_VARIABLES = [
  'PROVIDER_A_SECRET_KEY',
  'PROVIDER_A_URL',
  'PROVIDER_B_SECRET_KEY',
  'PROVIDER_B_WEBHOOK_HASH',
  'PROVIDER_B_URL',
  'UTILS_UPSTREAM_URL',
  'UTILS_UPSTREAM_KEY',
  'UTILS_UPSTREAM_KEY_ID',
  'UTILS_UPSTREAM_SERVICE_TOKEN',
  'CHROMIUM_PATH',
  'ENRICHMENT_URL',
  'ENRICHMENT_API_KEY',
  'ENRICHMENT_MODEL',
] as const
const URL_EXPECTED = { expected: 'an http or https URL', example: 'https://provider.example.com' }

function mask(value: string, secret: boolean | undefined): string {
  // A URL that is no secret may still hold a password.
  if (!secret) return value.replaceAll(/:\/\/[^\s/@,]+@/g, '://…@')
  return value.length > 12 ? `${value.slice(0, 4)}…(${value.length} characters)` : '…'
}

/**
 * Combinations that are each fine alone and wrong together. A variable that is `wrong` by itself
 * counts as set: what the operator meant by it is not known.
 */
function contradictions(values: Values, wrong: ReadonlySet<string>): ConfigProblem[] {
  const problems: ConfigProblem[] = []
  const settles = values.X402_RPC_URL !== null && values.X402_SIGNER_KEY !== null
  const remote = wrong.has('X402_FACILITATOR_URL') || values.X402_FACILITATOR_URL.length > 0
  const isLive = !wrong.has('SANDBOX') && !values.SANDBOX
  if (values.SETTLEMENT_ADDRESS !== null && isLive && !settles && !remote) {
    problems.push({
      name: 'X402_FACILITATOR_URL',
      got: '(not set)',
      expected:
        'a facilitator, or X402_RPC_URL with X402_SIGNER_KEY, because SETTLEMENT_ADDRESS is set',
      example: FIELDS.X402_FACILITATOR_URL.example,
    })
  }
  const isListWrong = wrong.has('X402_FACILITATOR_URL') || wrong.has('X402_FACILITATOR_AUTH')
  const { X402_FACILITATOR_AUTH: credentials, X402_FACILITATOR_URL: facilitators } = values
  if (!isListWrong && credentials.length > facilitators.length) {
    problems.push({
      name: 'X402_FACILITATOR_AUTH',
      got: `${credentials.length} credentials`,
      expected: `at most one for each of the ${facilitators.length} in X402_FACILITATOR_URL`,
      example: FIELDS.X402_FACILITATOR_AUTH.example,
    })
  }
  if (values.X402_SIGNER_KEY !== null && values.X402_RPC_URL === null) {
    problems.push({
      name: 'X402_RPC_URL',
      got: '(not set)',
      expected: 'an RPC URL, because X402_SIGNER_KEY settles through it',
      example: FIELDS.X402_RPC_URL.example,
    })
  }
  if (isLive && values.ADMIN_TOKEN === null) {
    problems.push({
      name: 'ADMIN_TOKEN',
      got: '(not set)',
      expected: `${FIELDS.ADMIN_TOKEN.expected}, because SANDBOX is off`,
      example: FIELDS.ADMIN_TOKEN.example,
    })
  }
  return problems
}

function textOf(fallback: unknown): string {
  const isNothing = fallback === null || (Array.isArray(fallback) && fallback.length === 0)
  return isNothing ? '(not set)' : String(fallback)
}

/** The effective configuration, or every problem of the environment at once. */
export function loadConfig(env: Environment): LoadedConfig {
  const problems: ConfigProblem[] = []
  const lines: ConfigLine[] = []
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(FIELDS) as [Name, Field<unknown>][]) {
    const raw = env[name]?.trim()
    if (raw === undefined || raw === '') {
      const fallback = typeof field.fallback === 'function' ? field.fallback(env) : field.fallback
      values[name] = fallback
      lines.push({
        name,
        value: field.fallbackText ?? textOf(fallback),
        origin: 'default',
      })
      continue
    }
    const parsed = field.parse(raw)
    if (parsed.ok) values[name] = parsed.value
    else
      problems.push({
        name,
        got: mask(raw, field.secret),
        expected: field.expected,
        example: field.example,
      })
    lines.push({ name, value: mask(raw, field.secret), origin: 'environment' })
  }
  for (const name of PLUGIN_VARIABLES) {
    const raw = env[name]?.trim()
    if (!raw) continue
    lines.push({ name, value: mask(raw, /KEY|HASH|TOKEN/.test(name)), origin: 'environment' })
    if (name.endsWith('_URL') && !isHttpUrl(raw)) problems.push({ name, got: raw, ...URL_EXPECTED })
  }
  const wrong = new Set(problems.map((problem) => problem.name))
  problems.push(...contradictions(values as Values, wrong))
  if (problems.length > 0) return { ok: false, problems }
  const config = toConfig(values as Values)
  const publicUrl = lines.find(({ name }) => name === 'PUBLIC_URL')
  if (publicUrl?.origin === 'default') publicUrl.value = config.publicUrl
  return { ok: true, config, lines }
}

function toConfig(values: Values): Config {
  return {
    host: values.HOST,
    port: values.PORT,
    publicUrl: (values.PUBLIC_URL ?? localUrl(values.HOST, values.PORT)).replace(/\/+$/, ''),
    databaseUrl: values.DATABASE_URL,
    dataDir: values.DATA_DIR,
    migrate: values.MIGRATE,
    productsDir: values.PRODUCTS_DIR,
    pluginsDir: values.PLUGINS_DIR,
    plugins: values.PLUGINS,
    adminToken: values.ADMIN_TOKEN,
    serviceToken: values.SERVICE_TOKEN,
    masterKey: values.COINOP_MASTER_KEY,
    sandbox: values.SANDBOX,
    sandboxChain: values.SANDBOX_CHAIN,
    settlementAddress: values.SETTLEMENT_ADDRESS,
    x402Network: values.X402_NETWORK,
    x402Asset: values.X402_ASSET,
    x402FacilitatorUrls: values.X402_FACILITATOR_URL,
    x402FacilitatorAuth: values.X402_FACILITATOR_AUTH,
    x402RpcUrl: values.X402_RPC_URL,
    x402SignerKey: values.X402_SIGNER_KEY,
    contactEmail: values.CONTACT_EMAIL,
    minPrepaidBundleAtomic: values.MIN_PREPAID_BUNDLE,
    prepaidFiat: values.PREPAID_FIAT,
    holdTtlMs: values.HOLD_TTL,
    rateLimitRpm: values.RATE_LIMIT_RPM,
    rateLimitBurst: values.RATE_LIMIT_BURST,
    allowPrivateTargets: values.ALLOW_PRIVATE_TARGETS,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    shutdownTimeoutMs: values.SHUTDOWN_TIMEOUT,
    otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
  }
}

/** How a caller on this machine reaches a gateway that listens on `host` and `port`. */
export function localUrl(host: string, port: number): string {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`
}

/** The boot report: every problem with its name, value, expectation and an example. */
export function formatProblems(problems: readonly ConfigProblem[]): string {
  const head = `coinop cannot start: ${problems.length} problem${problems.length === 1 ? '' : 's'} in the environment`
  const blocks = problems.map(
    (p) =>
      `  ${p.name}\n    got       ${p.got}\n    expected  ${p.expected}\n    example   ${p.name}=${p.example}`,
  )
  return [head, ...blocks].join('\n')
}
