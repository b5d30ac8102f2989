/**
 * Configuration from environment variables only: the table of config-variables.ts read against the
 * environment, so that boot reports all problems at once and `coinop config` can print each
 * effective value with its origin.
 */
import { isHttpUrl, type Environment, type Field } from './fields.ts'
import { contradictions, type ConfigProblem } from './problems.ts'
import { isSecretVariable, PLUGIN_VARIABLES, VARIABLES, type Values } from './variables.ts'
import { localUrl } from '../net/local-url.ts'
import type { LogLevel } from '../log/logger.ts'

export interface Config {
  host: string
  port: number
  publicUrl: string
  /** Origin of the operator's pages; null: they are where everything else is. */
  adminUrl: string | null
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
  trustedProxies: string[]
  logLevel: LogLevel
  logFormat: 'pretty' | 'json'
  shutdownTimeoutMs: number
  otlpEndpoint: string | null
}

export { localUrl } from '../net/local-url.ts'

/** One line of `coinop config`. */
export interface ConfigLine {
  name: string
  value: string
  origin: 'environment' | 'default'
}

export type LoadedConfig =
  | { ok: true; config: Config; lines: ConfigLine[] }
  | { ok: false; problems: ConfigProblem[] }

const URL_EXPECTED = { expected: 'an http or https URL', example: 'https://provider.example.com' }

function mask(value: string, secret: boolean | undefined): string {
  // A URL that is no secret may still hold a password.
  if (!secret) return value.replaceAll(/:\/\/[^\s/@,]+@/g, '://…@')
  return value.length > 12 ? `${value.slice(0, 4)}…(${value.length} characters)` : '…'
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
  for (const [name, field] of Object.entries(VARIABLES) as [keyof Values, Field<unknown>][]) {
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
    lines.push({ name, value: mask(raw, isSecretVariable(name)), origin: 'environment' })
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
    adminUrl: values.ADMIN_URL === null ? null : new URL(values.ADMIN_URL).origin,
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
    trustedProxies: values.TRUSTED_PROXIES,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    shutdownTimeoutMs: values.SHUTDOWN_TIMEOUT,
    otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
  }
}
