/** Who is signed in, and the numbers of the first page. */
import {
  atomicToCredits,
  type AccountKey,
  type AccountKeys,
  type Accounts,
  type Route,
  type Statements,
  timeOfId,
} from '#kernel'
import { cookieOf } from '../cookies.ts'
import type { Person } from '../people.ts'
import type { Sessions } from '../sessions.ts'
import { apiRoutes, onlyKeyOf, type ApiDeps } from './route.ts'
import { tomorrow } from './usage.ts'
import { isApp, spendView } from './views.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** Calls of the last hour that are counted one by one; more are told as 'at least'. */
const COUNTED_CALLS = 200
/** A budget is near its end when this share of it is spent. */
const NEAR_SHARE = 0.8
const LOOKED_AT = 200

export interface MeDeps extends ApiDeps {
  accounts: Pick<Accounts, 'get' | 'owners'>
  accountKeys: Pick<AccountKeys, 'get' | 'list'>
  statements: Pick<Statements, 'calls' | 'usage'>
  sessions: Pick<Sessions, 'end'>
  now(): Date
}

export function meRoutes(deps: MeDeps): Route[] {
  const { accounts, accountKeys, statements, sessions, site, now } = deps
  const route = apiRoutes(deps)

  async function me(person: Person) {
    const account = await accounts.get(person.accountId)
    const owners = person.role === 'owner' ? await accounts.owners(person.accountId) : []
    return {
      accountId: person.accountId,
      name: account?.name ?? null,
      /** Null for an account of before ids that tell it. */
      createdAt: timeOfId(person.accountId),
      mode: person.mode,
      role: person.role,
      keyId: person.keyId,
      way: person.way,
      balanceCredits: atomicToCredits(account?.availableAtomic ?? 0n),
      heldCredits: atomicToCredits(account?.heldAtomic ?? 0n),
      lowMarkCredits:
        account?.lowMarkAtomic == null ? null : atomicToCredits(account.lowMarkAtomic),
      isLow:
        account?.lowMarkAtomic != null &&
        account.availableAtomic + account.heldAtomic < account.lowMarkAtomic,
      signIns: owners,
    }
  }

  /** Sums of the day and the month, of the account or of the one key that the person sees. */
  async function spent(person: Person): Promise<{ today: number; month: number }> {
    const until = tomorrow(now())
    const today = new Date(until.getTime() - DAY_MS)
    const monthStart = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1))
    const only = onlyKeyOf(person)
    const days = await statements.usage(person.accountId, monthStart, until, {
      by: 'day',
      ...(only !== null && { keyId: only }),
    })
    const sum = (isIn: (day: string) => boolean): number => {
      const atomic = days
        .filter(({ day }) => isIn(day))
        .reduce((total, row) => total + row.chargedAtomic - row.refundedAtomic, 0n)
      return atomicToCredits(atomic)
    }
    const day = today.toISOString().slice(0, 10)
    return { today: sum((one) => one === day), month: sum(() => true) }
  }

  return [
    route('GET', '/me', 'Who is signed in', 'anyone', async (person) =>
      Response.json(await me(person)),
    ),
    route('GET', '/overview', 'The first page', 'anyone', async (person) => {
      const only = onlyKeyOf(person)
      const since = new Date(now().getTime() - HOUR_MS)
      const [who, sums, hour, keys] = await Promise.all([
        me(person),
        spent(person),
        statements.calls(
          person.accountId,
          { from: since, ...(only !== null && { keyId: only }) },
          { limit: COUNTED_CALLS, cursor: null },
        ),
        accountKeys.list(person.accountId, { kind: null, limit: LOOKED_AT, cursor: null }),
      ])
      const near = keys.records.filter(
        (key) =>
          (only === null || key.id === only || key.parentKeyId === only) &&
          key.revokedAt === null &&
          isNear(key),
      )
      return Response.json({
        ...who,
        spentToday: sums.today,
        spentMonth: sums.month,
        callsLastHour: hour.calls.length,
        callsAreMore: hour.nextCursor !== null && hour.calls.length === COUNTED_CALLS,
        nearOf: keys.nextCursor === null ? null : LOOKED_AT,
        near: near.map((key) => ({ ...spendView(key), isApp: isApp(key) })),
      })
    }),
    route('DELETE', '/session', 'Signs out', 'anyone', async (person) => {
      await sessions.end(person.sessionHash)
      return Response.json(
        { signedIn: false },
        { headers: { 'set-cookie': cookieOf('session', null, site) } },
      )
    }),
  ]
}

function isNear({ limits, spentTodayAtomic, spentMonthAtomic }: AccountKey): boolean {
  const near = (limit: bigint | null, spentAtomic: bigint): boolean =>
    limit !== null && limit > 0n && Number(spentAtomic) >= Number(limit) * NEAR_SHARE
  return near(limits.dayAtomic, spentTodayAtomic) || near(limits.monthAtomic, spentMonthAtomic)
}
