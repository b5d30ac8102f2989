import { afterEach, expect, it } from 'vitest'
import { allowList } from '../../../../host/outbound/allow-list.ts'
import { createOutbound } from '../../../../host/outbound/index.ts'
import { providerFixtures } from '../../../../plugins/topup/provider-fixtures.ts'
import { providerA } from '../../../../plugins/topup/providers/provider-a.ts'
import { providerB } from '../../../../plugins/topup/providers/provider-b.ts'
import { simulatedProvider } from '../../../../plugins/topup/providers/simulated.ts'

const outbound = createOutbound({ allowPrivate: allowList([]), userAgent: 'test' })
const servers: { stop(now: boolean): Promise<void> }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true)
})

function both(answer: () => Response) {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer })
  servers.push(server)
  const options = { url: `http://127.0.0.1:${server.port}//`, fetch: outbound.fetch }
  return [
    providerA({ ...options, secret: 'a' }),
    providerB({ ...options, secret: 'b', webhookHash: 'hash' }),
  ]
}

it('accepts the documented callbacks of /v1/sandbox/fixtures under their secrets only', () => {
  for (const fixture of providerFixtures()) {
    const secret = fixture.signature.exampleSecret
    const make = (text: string) =>
      fixture.provider === 'provider_a'
        ? providerA({ secret: text, url: '', fetch: outbound.fetch })
        : providerB({ secret: 's', webhookHash: text, url: '', fetch: outbound.fetch })
    const body = new TextEncoder().encode(fixture.rawBody)
    const headers = new Headers(fixture.headers)
    expect(make(secret).isSigned(body, headers)).toBe(true)
    expect(make('another').isSigned(body, headers)).toBe(false)
    const reference = expect.stringMatching(/^topup_/)
    const { event } = fixture
    const kind = event.startsWith('refund.') ? 'refund' : 'dispute'
    expect(make(secret).read(body)).toMatchObject(
      event.endsWith('.success') || event === 'charge.completed'
        ? { kind: 'charge', event, reference }
        : { kind: 'reversal', event, notice: { kind, reference } },
    )
  }
})

it.each([
  '',
  'null',
  '[]',
  '5',
  '{',
  '{"event":7}',
  '{"event":"charge.success"}',
  '['.repeat(9999),
])('reads %j as nothing to act on', (text) => {
  const body = new TextEncoder().encode(text)
  for (const provider of both(() => new Response()))
    expect(['unreadable', 'other']).toContain(provider.read(body).kind)
})

it.each([
  [() => new Response('', { status: 500 }), 'unreachable'],
  [() => Response.json({ status: false }, { status: 401 }), 'unreachable'],
  [() => Response.json({ status: false }, { status: 429 }), 'unreachable'],
  [() => Response.redirect('http://127.0.0.1:1/'), 'unreachable'],
  [() => new Response('<html>'), 'unreachable'],
  [() => Response.json({ status: false }, { status: 400 }), 'unknown'],
  [() => Response.json({ status: false }, { status: 404 }), 'unknown'],
  [() => Response.json({ status: true, data: null }), 'unknown'],
  [() => Response.json({ data: { id: 1, amount: '500', currency: 'USD' } }), 'unknown'],
  [() => Response.json({ data: { id: 1, amount: 5.005, currency: 'USD' } }), 'unknown'],
  [() => Response.json({ data: { id: 1, amount: -5, currency: 'USD' } }), 'unpaid'],
])('answer %# of the provider is %s', async (answer, expected) => {
  for (const provider of both(answer as () => Response)) {
    const found = await provider.lookUp('topup_x')
    if (expected === 'unpaid') expect(found.ok ? found.paid.status : found.reason).not.toBe('paid')
    else expect(found).toMatchObject({ ok: false, reason: expected })
  }
})

it('a provider without its secrets signs nothing', () => {
  const a = providerA({ secret: undefined, url: '', fetch: outbound.fetch })
  const b = providerB({ secret: 's', webhookHash: undefined, url: '', fetch: outbound.fetch })
  for (const provider of [a, b]) {
    expect(provider.configured).toBe(false)
    const headers = new Headers({
      'x-paystack-signature': '',
      'verif-hash': '',
      'flutterwave-signature': '',
    })
    expect(provider.isSigned(new Uint8Array(), headers)).toBe(false)
    expect(provider.isSigned(new Uint8Array(), new Headers())).toBe(false)
  }
})

it('a simulated checkout is unpaid until it is paid', async () => {
  for (const id of ['provider_a', 'provider_b'] as const) {
    const provider = simulatedProvider(id, 'http://localhost')
    const order = { amountMinor: 500n, currency: 'USD', email: 'a@b.c', callbackUrl: 'http://x' }
    await provider.initialize({ ...order, reference: 'topup_1' })
    expect(await provider.lookUp('topup_1')).toMatchObject({ paid: { status: 'unpaid' } })
    const event = provider.pay('topup_1')!
    expect(provider.isSigned(event.body, event.headers)).toBe(true)
    expect(provider.read(event.body)).toMatchObject({ kind: 'charge', reference: 'topup_1' })
    expect(await provider.lookUp('topup_1')).toMatchObject({
      paid: { status: 'paid', amountMinor: 500n, mode: 'test' },
    })
    expect(provider.pay('topup_2')).toBeNull()
  }
})
