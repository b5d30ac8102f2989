/** The kernel's own environment variables, named by the member of Config that each one fills. */
import { parseOtlpHeaders } from '../log/otlp-headers.ts'
import { isAllowEntry } from '../net/allow-list.ts'
import { isProxyEntry } from '../net/trusted-proxies.ts'
import { signingSecretProblem } from '../net/webhook-signature.ts'
import {
  duration,
  flag,
  integer,
  isHttpUrl,
  isOrigin,
  list,
  oneOf,
  optional,
  optionalUrl,
  text,
} from './fields.ts'

const TOKEN = {
  expected: 'at least 32 characters',
  example: 'the output of `openssl rand -hex 32`',
  accepts: (value: string) => value.length >= 32,
  isSecret: true,
}
const TOKENS = { ...TOKEN, expected: 'tokens of at least 32 characters, comma-separated' }

/** In the order of `coinop config`, which inserts plugins' variables by `Variable.after`. */
export const VARIABLES = {
  host: text('HOST', {
    expected: 'an address to listen on',
    example: '127.0.0.1',
    fallback: '127.0.0.1',
  }),
  port: integer('PORT', { min: 0, max: 65_535, fallback: 4020 }),
  publicUrl: optionalUrl('PUBLIC_URL', 'https://api.example.com'),
  /** Origin of the operator's pages; null: the same origin as everything else. */
  adminUrl: optional('ADMIN_URL', {
    expected: 'an http or https URL of an origin: a host, perhaps a port, no path',
    example: 'https://admin.example.com',
    accepts: isOrigin,
  }),
  databaseUrl: optional('DATABASE_URL', {
    expected: 'a postgres:// URL',
    example: 'postgres://coinop:secret@db.example.com/coinop',
    accepts: (value) => /^postgres(ql)?:\/\//.test(value),
    isSecret: true,
    endsSandbox: true,
  }),
  dataDir: text('DATA_DIR', { expected: 'a folder', example: '.coinop', fallback: '.coinop' }),
  migrate: flag('MIGRATE', true),
  productsDir: text('PRODUCTS_DIR', {
    expected: 'a folder',
    example: 'products',
    fallback: 'products',
  }),
  pluginsDir: optional('PLUGINS_DIR', { expected: 'a folder', example: 'my-plugins' }),
  plugins: list('PLUGINS', {
    expected: 'npm package names, comma-separated',
    example: 'coinop-plugin-weather',
    accepts: (name) => /^[@a-z0-9][\w./@-]*$/i.test(name),
  }),
  adminToken: optional('ADMIN_TOKEN', TOKEN),
  serviceToken: list('SERVICE_TOKEN', TOKENS),
  /** Reads all of /metrics and /ready, and nothing else. */
  metricsToken: list('METRICS_TOKEN', TOKENS),
  masterKey: optional('COINOP_MASTER_KEY', {
    expected: '32 bytes in base64',
    example: 'the output of `openssl rand -base64 32`',
    accepts: (value) => /^[A-Za-z0-9+/]{43}=$/.test(value),
    isSecret: true,
  }),
  /** Its default depends on the variables that end a sandbox. */
  sandbox: flag('SANDBOX', true),
  contactEmail: text('CONTACT_EMAIL', {
    expected: 'an e-mail address',
    example: 'ops@example.com',
    fallback: 'operator@localhost',
    accepts: (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  }),
  /** The operator's name, shown on pages for people. */
  operatorName: optional('OPERATOR_NAME', {
    expected: 'a name of at most 80 characters',
    example: 'Example Ltd',
    accepts: (name) => name.length <= 80,
  }),
  operatorLogoUrl: optionalUrl('OPERATOR_LOGO_URL', 'https://example.com/logo.svg'),
  termsUrl: optionalUrl('TERMS_URL', 'https://example.com/terms'),
  privacyUrl: optionalUrl('PRIVACY_URL', 'https://example.com/privacy'),
  supportUrl: optionalUrl('SUPPORT_URL', 'https://example.com/support'),
  holdTtlMs: duration('HOLD_TTL', '15m'),
  rateLimitRpm: integer('RATE_LIMIT_RPM', { min: 1, max: 1_000_000, fallback: 600 }),
  rateLimitBurst: integer('RATE_LIMIT_BURST', { min: 1, max: 100_000, fallback: 100 }),
  allowPrivateTargets: list('ALLOW_PRIVATE_TARGETS', {
    expected: 'host:port or CIDR, comma-separated',
    example: '127.0.0.1:9000,10.1.0.0/16',
    accepts: isAllowEntry,
  }),
  trustedProxies: list('TRUSTED_PROXIES', {
    expected: "addresses or CIDRs, 'loopback' or 'private', comma-separated",
    example: '10.0.0.5,private',
    accepts: isProxyEntry,
  }),
  logLevel: oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  logFormat: oneOf('LOG_FORMAT', ['pretty', 'json'], process.stdout.isTTY ? 'pretty' : 'json'),
  productEnv: list('PRODUCT_ENV', {
    expected: 'names of environment variables, comma-separated',
    example: 'WEATHER_TOKEN',
    accepts: (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name),
  }),
  shutdownTimeoutMs: duration('SHUTDOWN_TIMEOUT', '30s', '24d'),
  /** Where events of accounts are sent; null: nowhere. */
  eventsWebhookUrl: optional('EVENTS_WEBHOOK_URL', {
    // Outbound requests carry no user name, so deliveries to such a URL would fail.
    expected: 'an http or https URL without a user name',
    example: 'https://ops.example.com/coinop-events',
    accepts: (value) => isHttpUrl(value) && !/^https?:\/\/[^/?#]*@/i.test(new URL(value).href),
    // Its path often holds the receiver's token.
    isSecret: true,
  }),
  eventsWebhookSecret: optional('EVENTS_WEBHOOK_SECRET', {
    expected: 'whsec_ and base64, or any text, of 16 to 64 bytes',
    example: 'whsec_ and the output of `openssl rand -base64 32`',
    accepts: (value) => signingSecretProblem(value) === null,
    isSecret: true,
  }),
  otlpEndpoint: optionalUrl('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318'),
  /** Mostly credentials for the collector. */
  otlpHeaders: optional('OTEL_EXPORTER_OTLP_HEADERS', {
    expected: 'name=value, comma-separated, values percent-encoded',
    example: 'authorization=Bearer%20…,x-tenant=coinop',
    accepts: (value) => parseOtlpHeaders(value) !== null,
    isSecret: true,
  }),
}
