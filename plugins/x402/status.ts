/** What /ready, /metrics and the console show of the rail. */
import type { Gauge, Health } from '#kernel'
import type { Backlog } from './claims/claim.ts'
import type { RailParts } from './rail-parts.ts'
import type { AvailabilityCheck } from './availability.ts'
import type { SettlerState } from './settle/settlers.ts'

export interface X402Stats {
  available: boolean
  reason: string | null
  network: string | null
  asset: string | null
  payTo: string | null
  settlers: SettlerState[]
  backlog: Backlog
}

const PROBE_TIMEOUT_MS = 2000
/** A settlement older than this is worth an operator's look. */
const OLD_SETTLEMENT_MS = 60_000
const NO_BACKLOG: Backlog = { claimed: 0, settling: 0, uncertain: 0, oldestAt: null }

export async function statsOf(core: RailParts | null, gate: AvailabilityCheck): Promise<X402Stats> {
  const open = gate.available()
  return {
    available: open.ok,
    reason: open.ok ? null : open.reason,
    network: core?.asset.network ?? null,
    asset: core?.asset.address ?? null,
    payTo: core?.payTo ?? null,
    settlers: core?.settlers.states() ?? [],
    backlog: core ? await core.claims.backlog() : NO_BACKLOG,
  }
}

/** Whether payments can be taken, and how many settlements wait for how long. Neither is critical. */
export function healthOf(coreNow: () => RailParts | null, gate: AvailabilityCheck): Health[] {
  return [
    {
      name: 'x402',
      critical: false,
      timeoutMs: PROBE_TIMEOUT_MS,
      async probe() {
        const open = gate.available()
        if (!open.ok) return { state: 'down', detail: open.reason }
        const core = coreNow()!
        const shut = core.settlers.states().filter(({ breaker }) => breaker !== 'closed')
        const detail = [
          ...shut.map(({ name, breaker, lastError }) => `${name} is ${breaker}: ${lastError}`),
          ...core.supportedKinds.troubles(),
        ]
        if (detail.length === 0) return { state: 'ok' }
        return { state: 'degraded', detail: detail.join('; ') }
      },
    },
    {
      name: 'x402_settlements',
      critical: false,
      timeoutMs: PROBE_TIMEOUT_MS,
      async probe() {
        const core = coreNow()
        if (!core) return { state: 'ok', detail: 'closed' }
        const { settling, uncertain, oldestAt } = await core.claims.backlog()
        const ageMs = ageMsOf(oldestAt)
        return {
          state: ageMs > OLD_SETTLEMENT_MS ? 'degraded' : 'ok',
          detail: `${settling} pending (${uncertain} of unknown outcome), oldest ${Math.round(ageMs / 1000)} s`,
        }
      },
    },
  ]
}

/** Milliseconds since `at`; 0 for none. */
export function ageMsOf(at: Date | null): number {
  return at === null ? 0 : Math.max(0, Date.now() - at.getTime())
}

/** Settlements whose outcome is not known yet, over all instances. */
export function gaugesOf(rail: { readonly core: RailParts | null }): Gauge[] {
  const backlog = async (): Promise<Backlog> => (await rail.core?.claims.backlog()) ?? NO_BACKLOG
  return [
    {
      name: 'gateway_settlements_pending',
      help: 'x402 settlements whose outcome is not known yet',
      read: async () => (await backlog()).settling,
    },
    {
      name: 'gateway_settlements_oldest_seconds',
      help: 'Age of the oldest pending settlement',
      read: async () => ageMsOf((await backlog()).oldestAt) / 1000,
    },
  ]
}
