/** What an operator looks at first: /v1/admin/overview, the effective configuration, the books' proof. */
import { Type } from 'typebox'
import type { ConfigLine } from '../../config/config.ts'
import type { VerifyReport } from '../../ledger/contract.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { Minutes } from '../activity/minutes.ts'
import { Revenue } from '../activity/revenue.ts'
import { standing } from '../activity/standing.ts'
import type { Route } from '../../plugins/contract.ts'
import type { Logger } from '../../log/logger.ts'
import type { RailRegistry } from '../../rails/registry.ts'
import type { SqlClient } from '../../storage/contract.ts'
import { nullable, privateJson } from '../json.ts'

export interface OverviewDeps {
  sql: SqlClient
  rails: Pick<RailRegistry, 'list'>
  /** The effective configuration, secrets masked. */
  configLines: readonly ConfigLine[]
  version: string
  startedAt: Date
  sandbox: boolean
  log: Logger
}

const TAG = 'Operation'
const PATIENCE_MS = 2000
const At = Type.String({ format: 'date-time' })
const Digits = Type.String({ description: 'USDC atomic units, in digits' })
const Overview = Type.Object({
  at: At,
  version: Type.String(),
  startedAt: At,
  sandbox: Type.Boolean(),
  rails: Type.Array(
    Type.Object({
      id: Type.String(),
      open: Type.Boolean(),
      reason: nullable('string'),
    }),
  ),
  instances: Type.Array(Type.Object({ address: nullable('string'), since: At })),
  holds: Type.Object({ open: Type.Integer(), usdcAtomic: Digits, oldestAt: nullable('string') }),
  settlements: Type.Object({
    pending: Type.Integer(),
    uncertain: Type.Integer(),
    oldestAt: nullable('string'),
  }),
  revenue: Type.Unsafe<unknown>({
    type: ['array', 'null'],
    description: 'Seven UTC days, today first; null while a large ledger is still being summed',
    items: Type.Object({
      day: Type.String(),
      rows: Type.Array(
        Type.Object({
          skill: Type.String(),
          rail: Type.String(),
          calls: Type.Integer(),
          usdcAtomic: Digits,
          refundedUsdcAtomic: Digits,
        }),
      ),
    }),
  }),
  minutes: Type.Unsafe<unknown>({
    type: ['array', 'null'],
    description: 'Paid calls of the last 60 minutes, the one under way last',
    items: Type.Object({ at: At, charged: Type.Integer(), uncharged: Type.Integer() }),
  }),
})
const Configuration = Type.Object({
  settings: Type.Array(
    Type.Object({
      name: Type.String(),
      value: Type.String({ description: 'Masked when it is a secret' }),
      origin: Type.Enum(['environment', 'default']),
    }),
  ),
})
const Verified = Type.Object({
  ok: Type.Boolean(),
  at: At,
  ms: Type.Integer(),
  checked: Type.Object({
    accounts: Type.Integer(),
    holds: Type.Integer(),
    entries: Type.Integer(),
  }),
  violations: Type.Array(
    Type.Object({ invariant: Type.String(), subject: Type.String(), message: Type.String() }),
  ),
})

export function adminOverviewRoutes(deps: OverviewDeps): Route[] {
  const { sql, log } = deps
  const revenue = new Revenue(sql)
  const minutes = new Minutes(sql)
  let verifying: Promise<VerifyReport & { at: Date; ms: number }> | null = null

  /** A part that takes longer does not hold up the others: it goes on, and a later look finds it. */
  const soon = <T>(part: string, work: Promise<T>): Promise<T | null> => {
    const read = work.catch((err: unknown) => {
      log.warn({ err, part }, 'a part of the overview could not be read')
      return null
    })
    return Promise.race([read, Bun.sleep(PATIENCE_MS).then(() => null)])
  }

  async function overview(): Promise<Response> {
    const now = new Date()
    const [open, days, lastHour] = await Promise.all([
      standing(sql),
      soon('revenue', revenue.days(now)),
      soon('minutes', minutes.of(now)),
    ])
    const { holds, settlements, instances } = open
    return privateJson({
      at: now,
      version: deps.version,
      startedAt: deps.startedAt,
      sandbox: deps.sandbox,
      rails: deps.rails.list().map((rail) => {
        const state = rail.available()
        return { id: rail.id, open: state.ok, reason: state.ok ? null : state.reason }
      }),
      instances,
      holds: {
        open: holds.open,
        usdcAtomic: String(holds.amountAtomic),
        oldestAt: holds.oldestAt,
      },
      settlements,
      revenue:
        days?.map(({ day, rows }) => ({
          day,
          rows: rows.map(({ skillId, rail, calls, chargedAtomic, refundedAtomic }) => ({
            skill: skillId,
            rail,
            calls,
            usdcAtomic: String(chargedAtomic),
            refundedUsdcAtomic: String(refundedAtomic),
          })),
        })) ?? null,
      minutes: lastHour,
    })
  }

  /** Who asks while it runs gets the same report: it reads the whole ledger. */
  function verify(): Promise<VerifyReport & { at: Date; ms: number }> {
    const began = performance.now()
    verifying ??= verifyLedger(sql)
      .then((report) => ({ ...report, at: new Date(), ms: Math.round(performance.now() - began) }))
      .finally(() => (verifying = null))
    return verifying
  }

  const admin = { auth: 'admin', tag: TAG } as const
  return [
    {
      ...admin,
      method: 'GET',
      path: '/v1/admin/overview',
      summary: 'Open holds and settlements, revenue, calls per minute, rails, instances',
      output: Overview,
      handler: overview,
    },
    {
      ...admin,
      method: 'GET',
      path: '/v1/admin/config',
      summary: 'The effective configuration of this instance; secrets are masked',
      output: Configuration,
      handler: () => privateJson({ settings: deps.configLines }),
    },
    {
      ...admin,
      method: 'POST',
      path: '/v1/admin/ledger/verify',
      summary: 'Checks every invariant of the books in one snapshot; changes nothing',
      output: Verified,
      handler: async () => privateJson(await verify()),
    },
  ]
}
