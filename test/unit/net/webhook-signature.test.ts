/** Signatures of outbound webhooks against the example of Standard Webhooks' own documentation. */
import { expect, it } from 'vitest'
import {
  signatureHeaders,
  signingKey,
  signingSecretProblem,
} from '../../../kernel/net/webhook-signature.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

it('signs id, time and body', () => {
  const body = new TextEncoder().encode('{"test": 2432232314}')
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
  expect(signatureHeaders(id, new Date(1_614_265_330_999), body, [SECRET])).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

it('signs with every secret, the newest first', () => {
  const headers = signatureHeaders('a', new Date(0), new Uint8Array(), [SECRET, 'x'.repeat(16)])
  expect(headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/)
})

it.each([
  [SECRET, null],
  ['a text of 16 byte', null],
  ['short', 'must hold 16 to 64 bytes'],
  ['whsec_AAAA', 'must hold 16 to 64 bytes'],
  ['whsec_not base64', 'must be whsec_ and base64'],
  ['x'.repeat(65), 'must hold 16 to 64 bytes'],
])('a secret %s: %s', (secret, problem) => {
  expect(signingSecretProblem(secret)).toBe(problem)
})

it('reads base64 after the prefix, and any other text as its bytes', () => {
  expect(signingKey('whsec_AAEC')).toEqual(Buffer.from([0, 1, 2]))
  expect(signingKey('AAEC')).toEqual(Buffer.from('AAEC'))
  expect(signingKey('whsec_')).toBeNull()
})
