/** The 402 of a call that brings nothing names the rails that are open at that moment. */
import { expect, test } from 'vitest'
import { Meter } from '../../../kernel/metering/meter.ts'
import type { Rail } from '../../../kernel/rails/contract.ts'
import { RailRegistry } from '../../../kernel/rails/registry.ts'
import { silentLog } from '../../support/log.ts'

function railNamed(id: string, isOpen: (id: string) => boolean): Rail {
  const offer = { headers: {}, body: {}, advice: id }
  return {
    id,
    title: id,
    precedence: 1,
    available: () => (isOpen(id) ? { ok: true } : { ok: false, reason: 'closed' }),
    presented: () => false,
    offer: () => offer,
  } as unknown as Rail
}

test('also when one closes while another opens', () => {
  let open = 'ducats'
  const rails = new RailRegistry()
  for (const id of ['ducats', 'florins']) rails.add(railNamed(id, (one) => one === open))
  const auth = { presents: () => false }
  const meter = new Meter({ auth, rails, log: silentLog } as never)
  const quote = { amountAtomic: 10_000n }
  const mounted = { metered: true, skill: {}, rails: ['ducats', 'florins'] }
  const messageNow = (): string => {
    const source = { header: () => null }
    const outcome = meter.run({ mounted, quote, source, requestId: 'r' } as never)
    if (outcome instanceof Promise || outcome.kind !== 'failure') throw new Error('no 402')
    return outcome.failure.message
  }
  expect(messageNow()).toMatch(/pay by ducats,/)
  expect(messageNow()).toMatch(/pay by ducats,/)
  open = 'florins'
  expect(messageNow()).toMatch(/pay by florins,/)
})
