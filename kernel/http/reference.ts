/**
 * The API reference at /docs: Scalar over /openapi.json, every byte of it served from here. People
 * type API keys into it, so no other host is reached, and no other page frames it.
 */
import { createRequire } from 'node:module'
import { swagger } from '@elysiajs/swagger'
import { Elysia } from 'elysia'

/**
 * Settings that keep the page from contacting other hosts: no fonts, usage data, assistants or offers
 * to publish this API. The plugin's types are of an older Scalar than the script that is served.
 */
const SCALAR = {
  spec: { url: '/openapi.json' },
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
} as const

/** The routes of the page; it may call the gateway at `publicUrl`, wherever it is shown. */
export function apiReference(publicUrl: string) {
  const headers = {
    'content-security-policy': policy(new URL(publicUrl).origin),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  }
  return new Elysia()
    .onAfterHandle(({ set }) => {
      Object.assign(set.headers, headers)
    })
    .use(
      swagger({
        path: '/docs',
        specPath: '/docs/routes.json',
        scalarCDN: '/docs/scalar.js',
        scalarConfig: SCALAR,
        documentation: {
          info: {
            title: 'Coinop',
            version: '1',
            description: 'API reference: machine work sold one call at a time',
          },
        },
      }),
    )
    .get('/docs/scalar.js', () => scalarScript(), { detail: { hide: true } })
}

/** Hash of the script element that carries Scalar's settings as attributes; its text is white space. */
const EMPTY_SCRIPT = new Bun.CryptoHasher('sha256').update('\n    ').digest('base64')

function policy(origin: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${EMPTY_SCRIPT}'`,
    // Scalar writes its styles into the page.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self' ${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Scalar's script from the npm package, so that the page works without a network. */
function scalarScript(): Response {
  const path = createRequire(import.meta.url)
    .resolve('@scalar/api-reference/package.json')
    .replace(/package\.json$/, 'dist/browser/standalone.js')
  return new Response(Bun.file(path), {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=86400',
    },
  })
}
