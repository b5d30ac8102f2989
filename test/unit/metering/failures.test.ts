import { expect, it } from 'vitest'
import { paymentRequired, tooManyCalls } from '../../../kernel/metering/failures.ts'

it('a 402 names the rails that the call is sold on, the default one first', () => {
  const text = (rails: string[]) =>
    paymentRequired(
      10_000n,
      rails.map((id) => ({ id })),
    ).message
  expect(text(['credits', 'x402'])).toBe(
    'This call costs money: pay by x402 or with a prepaid API key, then retry',
  )
  expect(text(['x402'])).toBe('This call costs money: pay by x402, then retry')
  expect(text(['credits'])).toBe('This call costs money: pay with a prepaid API key, then retry')
  expect(text(['voucher'])).toBe('This call costs money: pay by voucher, then retry')
})

it('a 429 tells whole milliseconds and whole seconds', () => {
  expect(tooManyCalls({ rpm: 60, burst: 5 }, 1997.309)).toMatchObject({
    details: { retryAfterMs: 1998 },
    headers: { 'retry-after': '2' },
  })
})
