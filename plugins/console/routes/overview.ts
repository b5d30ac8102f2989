/** What an operator looks at first: /v1/admin/overview, the configuration, the check of the ledger. */
import {
  nullable,
  privateJson,
  within,
  type Logger,
  type Reports,
  type Route,
  type VerifyReport,
} from '#kernel'
import { Type } from 'typebox'
import { Minutes } from '../reports/minutes.ts'
import { addedUp, type Revenue } from '../reports/revenue.ts'

export interface OverviewDeps {
  reports: Reports
  revenue: Revenue
  sandbox: boolean
  log: Logger
}

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

export function overviewRoutes({
  reports,
  revenue,
  sandbox,
  log,
}: OverviewDeps): Pick<Route, 'method' | 'path' | 'summary' | 'role' | 'output' | 'handler'>[] {
  const minutes = new Minutes(reports)
  let verifying: Promise<VerifyReport & { at: Date; ms: number }> | null = null

  /** Null for a part that takes too long or fails; the work goes on, and a later look may find it. */
  const soon = <T>(part: string, work: Promise<T>): Promise<T | null> => {
    const read = work.catch((err: unknown) => {
      log.warn({ err, part }, 'a part of the overview could not be read')
      return null
    })
    return within(read, PATIENCE_MS, () => null)
  }

  async function overview(): Promise<Response> {
    const now = new Date()
    const rails = reports.rails()
    const [holds, instances, settlements, sevenDays, lastHour] = await Promise.all([
      reports.openHolds(),
      reports.instances(),
      Promise.all(
        rails.map(async ({ id, calls }) =>
          calls?.pending ? soon(`settlements of ${id}`, calls.pending()) : null,
        ),
      ),
      soon('revenue', days(revenue, now)),
      soon('minutes', minutes.of(now)),
    ])
    return privateJson({
      at: now,
      version: reports.version,
      startedAt: reports.startedAt,
      sandbox,
      rails: rails.map((rail) => {
        const state = rail.available()
        return { id: rail.id, open: state.ok, reason: state.ok ? null : state.reason }
      }),
      instances,
      holds: {
        open: holds.open,
        usdcAtomic: String(holds.amountAtomic),
        oldestAt: holds.oldestAt,
      },
      settlements: sumOf(settlements.filter((one) => one !== null)),
      revenue: sevenDays,
      minutes: lastHour,
    })
  }

  /** Who asks while it runs gets the same report: it reads the whole ledger. */
  function verify(): Promise<VerifyReport & { at: Date; ms: number }> {
    const began = performance.now()
    verifying ??= reports
      .verify()
      .then((report) => ({ ...report, at: new Date(), ms: Math.round(performance.now() - began) }))
      .finally(() => (verifying = null))
    return verifying
  }

  return [
    {
      method: 'GET',
      path: '/v1/admin/overview',
      summary: 'Open holds and settlements, revenue, calls per minute, rails, instances',
      output: Overview,
      handler: overview,
    },
    {
      method: 'GET',
      path: '/v1/admin/config',
      summary: 'The effective configuration of this instance; secrets are masked',
      output: Configuration,
      handler: () => privateJson({ settings: reports.configuration }),
    },
    {
      method: 'POST',
      path: '/v1/admin/ledger/verify',
      role: 'read',
      summary: 'Checks every invariant of the ledger in one snapshot; changes nothing',
      output: Verified,
      handler: async () => privateJson(await verify()),
    },
  ]
}

const DAY_MS = 86_400_000

/** What the last seven UTC days brought in, today first; null while a large ledger is being summed. */
async function days(revenue: Revenue, now: Date): Promise<object[] | null> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const { hours, missing } = await revenue.since(new Date(today - 6 * DAY_MS), now)
  if (missing > 0) return null
  return Array.from({ length: 7 }, (_, back) => {
    const day = new Date(today - back * DAY_MS).toISOString().slice(0, 10)
    const rows = hours.flatMap(({ at, rows }) => (at.toISOString().startsWith(day) ? rows : []))
    return {
      day,
      rows: addedUp(rows, ({ skill, rail }) => `${rail} ${skill}`).map(
        ({ row, calls, chargedAtomic, refundedAtomic }) => ({
          skill: row.skill,
          rail: row.rail,
          calls,
          usdcAtomic: String(chargedAtomic),
          refundedUsdcAtomic: String(refundedAtomic),
        }),
      ),
    }
  })
}

interface Pending {
  pending: number
  uncertain: number
  oldestAt: Date | null
}

/** The settlements of all rails together. */
function sumOf(rails: readonly Pending[]): Pending {
  const times = rails.flatMap(({ oldestAt }) => oldestAt?.getTime() ?? [])
  return {
    pending: rails.reduce((sum, { pending }) => sum + pending, 0),
    uncertain: rails.reduce((sum, { uncertain }) => sum + uncertain, 0),
    oldestAt: times.length === 0 ? null : new Date(Math.min(...times)),
  }
}
