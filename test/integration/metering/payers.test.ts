/** Whose rate limit a call counts for: nobody's junk uses up what is another's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fail } from '../../../kernel/errors.ts'
import type { MeterOutcome } from '../../../kernel/metering/call.ts'
import type { Rail } from '../../../kernel/rails/contract.ts'
import type { CredentialSource } from '../../../kernel/auth/contract.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { meterOver, mount } from '../../support/metering.ts'

const BURST = 3

let database: TestDatabase
let world: Awaited<ReturnType<typeof meterOver>>
beforeAll(async () => {
  database = await testDatabase()
  world = await meterOver(database.db, { rpm: 1, burst: BURST })
  world.rails.add(rail)
})
afterAll(async () => {
  await world.close()
  await database.close()
})

/** Takes `good:<payer>`; names the payer of `junk:<payer>` without a proof; asks for `ask:<payer>`. */
const refusal = {
  outcome: 'refused',
  failure: fail('PAYMENT_FAILED', 'junk'),
  offer: false,
} as const
const rail: Rail = {
  id: 'coins',
  precedence: 5,
  available: () => ({ ok: true }),
  presented: (source) => source.header('x-coins') !== null,
  precheck: async (_, source) => {
    const [kind, payer = ''] = source.header('x-coins')!.split(':')
    if (kind === 'good') return { outcome: 'ok', payer, rest: null }
    if (kind === 'ask') return { outcome: 'ok', payer: null, rest: async () => refusal }
    return refusal
  },
  offer: () => null,
  authorize: async () => ({
    outcome: 'authorized',
    authorization: { railId: 'coins', amountAtomic: 10_000n, state: null },
  }),
  capture: async () => ({
    outcome: 'captured',
    receipt: { rail: 'coins', chargedAtomic: 10_000n, ledgerId: null, headers: {} },
  }),
  release: async () => {},
  stateOf: async () => 'none',
}

const sold = mount({ handler: async () => ({ ok: true, output: {} }) }, { rails: ['coins'] })

async function send(coins: string, clientAddress: string): Promise<string> {
  const source: CredentialSource = { header: (name) => (name === 'x-coins' ? coins : null) }
  const outcome: MeterOutcome = await world.meter.run(
    world.call(sold, {}, { source, clientAddress }),
  )
  return outcome.kind === 'failure' ? outcome.failure.code : outcome.kind
}

async function sendOften(count: number, coins: string, clientAddress: string): Promise<string[]> {
  const codes: string[] = []
  for (let sent = 0; sent < count; sent++) codes.push(await send(coins, clientAddress))
  return codes
}

const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value)

describe('rate limits of payers', () => {
  it('count junk for its address, not for the wallet it names nor for others there', async () => {
    const junk = await sendOften(BURST + 2, 'junk:alice', '192.0.2.1')
    expect(junk).toEqual([...times(BURST, 'PAYMENT_FAILED'), ...times(2, 'RATE_LIMITED')])
    expect(await send('good:alice', '192.0.2.1')).toBe('answer')
    expect(await send('good:bob', '192.0.2.1')).toBe('answer')
  })

  it('count what has to be asked about for its address too', async () => {
    const asked = await sendOften(BURST + 1, 'ask:alice', '192.0.2.2')
    expect(asked).toEqual([...times(BURST, 'PAYMENT_FAILED'), 'RATE_LIMITED'])
  })

  it('count a proven payer wherever it calls from', async () => {
    expect(await sendOften(BURST, 'good:carol', '192.0.2.3')).toEqual(times(BURST, 'answer'))
    expect(await send('good:carol', '192.0.2.4')).toBe('RATE_LIMITED')
    expect(await send('good:dave', '192.0.2.3')).toBe('answer')
  })

  it('end for an address that has a new wallet for every call', async () => {
    const codes: string[] = []
    for (let n = 0; n < 11 * BURST; n++) codes.push(await send(`good:wallet${n}`, '2001:db8::1'))
    expect(codes).toEqual([...times(10 * BURST, 'answer'), ...times(BURST, 'RATE_LIMITED')])
    expect(await send('good:other', '2001:db8:0:1::1')).toBe('answer')
  })

  it('count IPv6 by the block that one subscriber has', async () => {
    for (let n = 1; n <= BURST; n++) await send('junk:x', `2001:db8:0:2::${n}`)
    expect(await send('junk:x', '2001:db8:0:2::ffff')).toBe('RATE_LIMITED')
  })
})
