/** /v1/x402/wallet.js: the module by which the gateway's pages pay with a browser's wallet. */
import { join } from 'node:path'
import type { Route } from '#kernel'

let script: Promise<string> | null = null

export const WALLET_SCRIPT = '/v1/x402/wallet.js'

export function walletScriptRoute(): Route {
  return {
    method: 'GET',
    path: WALLET_SCRIPT,
    auth: 'public',
    tag: 'x402',
    summary: 'Script by which a page of this gateway pays with a browser wallet',
    sameOrigin: true,
    async handler() {
      script ??= build()
      script.catch(() => (script = null))
      return new Response(await script, {
        headers: {
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'public, max-age=300',
          'x-content-type-options': 'nosniff',
        },
      })
    },
  }
}

async function build(): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dirname, 'wallet.ts')],
    target: 'browser',
    format: 'esm',
  })
  return built.outputs[0]!.text()
}
