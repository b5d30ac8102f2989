import { expect, test } from 'vitest'
import { partnerFailure } from '../../../../plugins/proxy/partner.ts'

const answer = (status: number, body: unknown) =>
  partnerFailure({
    ok: true,
    status,
    rawHeaders: [],
    body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
  })
const error = (code: string, more: object = {}) => ({ error: { code, message: 'm', ...more } })

test('what is about the work of the caller is passed on, and no more of it than is known', () => {
  const issues = [{ path: '/a', message: 'x', secret: 's' }, { path: 1 }, null]
  const details = { reason: 'ssrf', issues, balanceCredits: 7 }
  expect(answer(403, error('INVALID_INPUT', { details, retryable: true, requestId: 'r' }))).toEqual(
    {
      ok: false,
      code: 'INVALID_INPUT',
      message: 'm',
      retryable: true,
      status: 403,
      details: { upstreamStatus: 403, reason: 'ssrf', issues: [{ path: '/a', message: 'x' }] },
    },
  )
  expect(answer(503, error('PROCESSING_FAILURE'))).toEqual({
    ok: false,
    code: 'PROCESSING_FAILURE',
    message: 'm',
    retryable: false,
    details: { upstreamStatus: 503 },
  })
})

test.each([
  ['a wrong service token', 401, error('INVALID_INPUT', { details: { reason: 'invalid_key' } })],
  ['an empty account', 402, error('PAYMENT_REQUIRED')],
  ['a limit of our own key', 429, error('RATE_LIMITED')],
  ['an inner error', 500, error('INTERNAL_ERROR')],
  ['another code', 400, error('E_BAD')],
  ['another shape', 400, { error: 'bad' }],
  ['no JSON', 400, '<html>'],
])('nothing of %s', (_, status, body) => {
  expect(answer(status, body)).toBeNull()
})
