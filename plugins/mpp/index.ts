/**
 * Sells every paid skill by MPP, the Machine Payments Protocol, beside x402 and by its settlement.
 * It offers nothing until MPP_METHODS names a method: README.md says why.
 */
import { Type } from 'typebox'
import { definePlugin, type Health, type PluginEnv } from '#kernel'
import { PAYMENTS, type Payments } from '../shared/payments/contract.ts'
import { Challenges } from './challenges.ts'
import { methodsOf } from './charge/methods.ts'
import { MppRail } from './rail.ts'
import { idKey, type IdKey } from './wire/challenge.ts'
import { MPP_BIND_BODY, MPP_METHODS, MPP_REALM, MPP_SECRET_KEY, VARIABLES } from './variables.ts'

const SECRET_INFO = 'coinop mpp v1'
const SECRET_BYTES = 32

export default definePlugin({
  id: 'mpp',
  version: '1.0.0',
  kernel: '^1.1.0',
  config: Type.Object({}, { additionalProperties: false }),
  variables: VARIABLES,
  requires: ['vault'],
  setup(env) {
    const methods = methodsOf(env.variable(MPP_METHODS))
    if (methods.length === 0) return {}
    let made: Challenges | null = null
    const rail = new MppRail({
      methods,
      bindsBody: env.variable(MPP_BIND_BODY),
      challenges: () => (made ??= new Challenges({ realm: realmOf(env), keys: keysOf(env) })),
      payments: () => env.provided<Payments>(PAYMENTS),
    })
    return { rails: [rail], health: [healthOf(rail)] }
  },
})

/** Never the Host of a request, which its caller chooses. */
function realmOf(env: PluginEnv): string {
  return env.variable(MPP_REALM) ?? new URL(env.publicUrl).hostname
}

function keysOf(env: PluginEnv): [IdKey, ...IdKey[]] {
  const [first, ...others] = env.variable(MPP_SECRET_KEY).map((secret) => Buffer.from(secret))
  const derived = () => env.service('vault').derive(SECRET_INFO, SECRET_BYTES)
  return [idKey(first ?? derived()), ...others.map((secret) => idKey(secret))]
}

function healthOf(rail: MppRail): Health {
  return {
    name: 'mpp',
    critical: false,
    timeoutMs: 1000,
    async probe() {
      const open = rail.available()
      if (!open.ok) return { state: 'degraded', detail: open.reason }
      const closed = rail.closedMethods()
      return closed.length === 0
        ? { state: 'ok' }
        : { state: 'degraded', detail: closed.join('; ') }
    },
  }
}
