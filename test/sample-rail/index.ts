/** A third party's rail: calls paid by vouchers that the operator issued. See README.md. */
import {
  creditsToAtomic,
  definePlugin,
  duration,
  invalid,
  optional,
  privateJson,
  readInput,
  repeat,
  type Background,
  type PluginEnv,
  type Route,
} from '@coinop/gateway'
import { Type } from 'typebox'
import { voucherCalls } from './calls.ts'
import { Claims, migrations } from './claims.ts'
import { VoucherRail } from './rail.ts'
import { signVoucher } from './voucher.ts'

const VOUCHER_SECRET = optional('VOUCHER_SECRET', {
  expected: 'a secret of at least 32 characters',
  example: '…',
  accepts: (text) => text.length >= 32,
  isSecret: true,
})
const VOUCHER_TTL = duration('VOUCHER_TTL', '720h')
const SWEEP_MS = 15_000

export default definePlugin({
  id: 'vouchers',
  version: '1.0.0',
  kernel: '^1.1.0',
  config: Type.Object({}, { additionalProperties: false }),
  variables: [VOUCHER_SECRET, VOUCHER_TTL],
  reservedPaths: ['/v1/admin/vouchers'],
  requires: ['settlements'],
  migrations,
  setup(env) {
    const claims = new Claims(env.db, env.service('settlements'))
    const secret = env.variable(VOUCHER_SECRET)
    const rail = new VoucherRail({ secret, claims, calls: voucherCalls(env.db), log: env.log })
    let sweep: Background | null = null
    return {
      rails: [rail],
      routes: secret === null ? [] : [issueRoute(env, secret)],
      health: [
        {
          name: 'vouchers',
          critical: false,
          timeoutMs: 1000,
          async probe() {
            const open = rail.available()
            return open.ok ? { state: 'ok' } : { state: 'down', detail: open.reason }
          },
        },
      ],
      gauges: [
        {
          name: 'vouchers_claimed',
          help: 'Vouchers whose calls are under way',
          read: () => claims.open(),
        },
      ],
      async ready() {
        const options = { name: 'vouchers of dead calls', everyMs: SWEEP_MS, log: env.log }
        sweep = repeat(options, () => claims.endAbandoned())
      },
      async stop() {
        await sweep?.stop()
      },
    }
  },
})

const IssueInput = Type.Object(
  { amountCredits: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }) },
  { additionalProperties: false },
)

function issueRoute(env: PluginEnv, secret: string): Route {
  return {
    method: 'POST',
    path: '/v1/admin/vouchers',
    auth: 'admin',
    summary: 'Issues a voucher that pays one call',
    input: IssueInput,
    output: Type.Object({ voucher: Type.String(), endsAt: Type.String() }),
    async handler(request) {
      const input = await readInput(request, IssueInput)
      if (!input.ok) return input
      const amount = creditsToAtomic(input.value.amountCredits)
      if (!amount.ok) return invalid([{ path: '/amountCredits', message: amount.message }])
      const endsAt = new Date(env.now().getTime() + env.variable(VOUCHER_TTL))
      const { amountAtomic } = amount
      const voucher = signVoucher(secret, { id: crypto.randomUUID(), amountAtomic, endsAt })
      return privateJson({ voucher, endsAt })
    },
  }
}
