/** How long the headers of answers get with everything switched on that adds to them. */
import { describe, expect, it } from 'vitest'
import { hasNginx, startNginx } from '../support/front-proxies.ts'
import type { GatewayProcess } from '../support/gateway.ts'
import { skipPart } from '../support/skips.ts'
import { withoutChain } from '../support/x402/chain.ts'
import { payOnce, x402Gateways } from '../support/x402/gateways.ts'
import { x402Ground } from '../support/x402/ground.ts'
import { decode } from '../support/x402/payments.ts'

const MAX_CHALLENGE = 4096
const MAX_HEADERS = 8192
const ORIGIN = { origin: 'https://app.example' }
const sizeOf = (headers: Headers): number =>
  [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)

/** A skill of OpenAPI that costs money. */
interface Sold {
  path: string
  method: string
}

describe.skipIf(withoutChain('the sizes of headers'))('headers', () => {
  const ground = x402Ground({ buyerAtomic: 1_000_000_000n })
  const gateways = x402Gateways(ground)
  const most = { RECEIPTS: 'offers', MPP_METHODS: 'evm/charge' }
  const combinations: readonly Record<string, string>[] = [
    {},
    { RECEIPTS: 'offers' },
    { MPP_METHODS: 'evm/charge' },
    most,
  ]
  let gateway: GatewayProcess
  const start = async (env: Record<string, string>): Promise<void> => {
    gateway = await gateways.start({ ...gateways.ownSigner(), ...env })
  }
  const sold = async (): Promise<Sold[]> => {
    const { json } = await gateway.call('GET', '/openapi.json')
    return Object.entries(json.paths as Record<string, Record<string, any>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods)
          .filter(([, { 'x-payment-info': info }]) => info)
          .map(([method]) => ({ path, method: method.toUpperCase() })),
    )
  }
  it.each(combinations)('of every 402 are short enough with %j', async (env) => {
    await start(env)
    const skills = await sold()
    expect(skills.length).toBeGreaterThan(5)
    const extensions = new Set<string>()
    let seen = 0
    let challenged = 0
    for (const { path, method } of skills) {
      const query = method === 'GET' ? `?q=${'a'.repeat(300)}` : ''
      const unpaid = await gateway.call(method, `${path}${query}`, {
        headers: ORIGIN,
        ...(method !== 'GET' && { body: {} }),
      })
      expect(unpaid.status, path).toBe(402)
      expect(sizeOf(unpaid.headers), path).toBeLessThan(MAX_HEADERS)
      const challenge = unpaid.headers.get('payment-required')
      // Some skills are sold to keys alone.
      if (challenge === null) continue
      seen++
      expect(challenge.length, path).toBeLessThan(MAX_CHALLENGE)
      const told = decode(challenge) as { extensions: Record<string, unknown>; accepts: unknown[] }
      expect(told.accepts.length, path).toBeGreaterThan(0)
      for (const name of Object.keys(told.extensions)) extensions.add(name)
      if (unpaid.headers.has('www-authenticate')) challenged++
    }
    expect(seen).toBeGreaterThan(5)
    expect(challenged > 0).toBe('MPP_METHODS' in env)
    expect(extensions.has('offer-receipt')).toBe('RECEIPTS' in env)
    expect(extensions.has('sign-in-with-x')).toBe(true)
  })

  it('of a paid answer are, with its receipts', async () => {
    await start(most)
    const payment = await gateways.signed(gateway)
    const paid = await payOnce(gateway, payment, { headers: ORIGIN })
    expect(paid.status, paid.text).toBe(200)
    expect(paid.headers.has('coinop-receipt')).toBe(true)
    expect(sizeOf(paid.headers)).toBeLessThan(MAX_HEADERS)
    if (!hasNginx()) return void skipPart('nginx', 'apt-get install nginx to try long headers')
    // More than nginx takes by default, and each of them is asked for through it.
    const nginx = await startNginx(gateway.url, false)
    try {
      for (const { path, method } of await sold()) {
        const place = `${path}?q=${'a'.repeat(300)}`
        const headers = { 'content-type': 'application/json', ...ORIGIN }
        const body = method === 'GET' ? undefined : '{}'
        const asked = { method, headers, body }
        const unpaid = await fetch(`http://127.0.0.1:${nginx.port}${place}`, asked)
        expect([path, unpaid.status]).toEqual([path, 402])
      }
    } finally {
      await nginx.stop()
    }
  })
})
