/** The environment variables of the gateway: what each expects, an example and its default. */
import {
  bad,
  duration,
  flag,
  good,
  integer,
  isAddress,
  isHttpUrl,
  isOrigin,
  list,
  oneOf,
  optional,
  text,
  type Field,
} from './fields.ts'
import { isProxyEntry } from '../net/trusted-proxies.ts'
import { usdToAtomic } from '../money.ts'
import { isAllowEntry } from '../net/allow-list.ts'
import { isFacilitatorAuth } from '../../plugins/x402/settle/facilitator-auth.ts'

/** Every variable of the kernel's own, in the order of `coinop config`. */
export const VARIABLES = {
  HOST: text('an address to listen on', '127.0.0.1', '127.0.0.1'),
  PORT: integer(0, 65_535, 4020, '4020'),
  PUBLIC_URL: optional('an http or https URL', 'https://api.example.com', isHttpUrl),
  ADMIN_URL: optional(
    'an http or https URL of an origin: a host, perhaps a port, no path',
    'https://admin.example.com',
    isOrigin,
  ),
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
  TRUSTED_PROXIES: list(
    "addresses or CIDRs, 'loopback' or 'private', comma-separated",
    '10.0.0.5,private',
    isProxyEntry,
  ),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  LOG_FORMAT: oneOf(['pretty', 'json'], () => (process.stdout.isTTY ? 'pretty' : 'json')),
  PRODUCT_ENV: list('names of environment variables, comma-separated', 'WEATHER_TOKEN', (name) =>
    /^[A-Za-z_][A-Za-z0-9_]*$/.test(name),
  ),
  SHUTDOWN_TIMEOUT: duration(30_000, '30s'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional('an http or https URL', 'http://127.0.0.1:4318', isHttpUrl),
}

type ValueOf<F> = F extends Field<infer T> ? T : never
/** What the variables say once read. */
export type Values = { [N in keyof typeof VARIABLES]: ValueOf<(typeof VARIABLES)[N]> }

/** What the shipped product files name: every product may. */
export const SHIPPED_PRODUCT_VARIABLES = [
  'UTILS_UPSTREAM_URL',
  'UTILS_UPSTREAM_KEY',
  'UTILS_UPSTREAM_KEY_ID',
  'UTILS_UPSTREAM_SERVICE_TOKEN',
] as const

/** Names that plugins read through `env.secret`; checked and shown here like the kernel's own. */
export const PLUGIN_VARIABLES = [
  'PROVIDER_A_SECRET_KEY',
  'PROVIDER_A_URL',
  'PROVIDER_B_SECRET_KEY',
  'PROVIDER_B_WEBHOOK_HASH',
  'PROVIDER_B_URL',
  ...SHIPPED_PRODUCT_VARIABLES,
  'CHROMIUM_PATH',
  'ENRICHMENT_URL',
  'ENRICHMENT_API_KEY',
  'ENRICHMENT_MODEL',
] as const

/** Whether a variable is one of the gateway's own that hold a secret. */
export function isSecretVariable(name: string): boolean {
  const field = (VARIABLES as Readonly<Record<string, Field<unknown>>>)[name]
  if (field !== undefined) return field.secret === true
  const isOfPlugin = (PLUGIN_VARIABLES as readonly string[]).includes(name)
  return isOfPlugin && /KEY|HASH|TOKEN/.test(name)
}
