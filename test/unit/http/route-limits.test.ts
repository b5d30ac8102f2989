/** Routes count a key by the limits that its calls have, those of its account's plan included. */
import { expect, test } from 'vitest'
import type { CallLimits } from '../../../kernel/auth/contract.ts'
import { serveRoute } from '../../../kernel/http/route-adapter.ts'
import { silentLog } from '../../support/log.ts'

const SETTINGS: CallLimits = { rpm: 600, burst: 100 }
const PLAN: CallLimits = { rpm: 6000, burst: 1000 }

async function limitsFor(accountId: string, rateLimited: true | 'ends_hold' = true) {
  const taken: { subject: string; limits: CallLimits }[] = []
  const identity = { keyId: 'key_1', accountId, via: 'key', rpmLimit: null, burstLimit: null }
  const deps = {
    auth: { identify: async () => ({ ok: true, identity }), presents: () => true },
    log: silentLog,
    rate: {
      limits: SETTINGS,
      terms: { limitsOf: (id: string) => (id === 'planned' ? PLAN : null) },
      limiter: {
        async take(subject: string, limits: CallLimits) {
          taken.push({ subject, limits })
          return { allowed: true, remaining: 1, retryAfterMs: 0 }
        },
      },
    },
  }
  const route = { auth: 'key', rateLimited, path: '/x', handler: () => Response.json({}) }
  const request = new Request('http://gateway.test/x')
  const call = { request, params: {}, search: '', requestId: 'r', clientAddress: '192.0.2.1' }
  const answer = await serveRoute(route as never, call, deps as never)
  expect(answer.status).toBe(200)
  return taken
}

test('an account without a plan has the settings', async () => {
  expect(await limitsFor('plain')).toEqual([{ subject: 'key:key_1', limits: SETTINGS }])
})

test('an account with a plan has those of the plan, also for ending its holds', async () => {
  expect(await limitsFor('planned')).toEqual([{ subject: 'key:key_1', limits: PLAN }])
  expect(await limitsFor('planned', 'ends_hold')).toEqual([
    { subject: 'key:key_1:ends', limits: { rpm: 12_000, burst: 7000 } },
  ])
})
