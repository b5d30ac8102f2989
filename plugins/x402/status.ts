/** What /ready, /metrics and the console show of the rail. */
import type { Gauge, Health } from '#kernel'
import type { Backlog } from './claims/claim.ts'
import type { Availability } from './availability.ts'
import type { Entry } from './entries/contract.ts'
import { amountOfUnits } from './terms/prices.ts'
import type { RailParts } from './rail-parts.ts'
import type { SettlerState } from './settle/settlers.ts'

export interface X402Stats {
  available: boolean
  reason: string | null
  /** Of the main entry. */
  network: string | null
  asset: string | null
  payTo: string | null
  /** Of all entries. */
  settlers: SettlerState[]
  backlog: Backlog
}

/** The rail, as far as it is looked at here. */
interface Seen {
  readonly core: RailParts | null
  readonly isConfigured: boolean
  available(): Availability
}

const PROBE_TIMEOUT_MS = 2000
/** A settlement older than this is worth an operator's look. */
const OLD_SETTLEMENT_MS = 60_000
const NO_BACKLOG: Backlog = { claimed: 0, settling: 0, uncertain: 0, oldestMs: 0 }

export async function statsOf(rail: Seen): Promise<X402Stats> {
  const { core } = rail
  const open = rail.available()
  return {
    available: open.ok,
    reason: open.ok ? null : open.reason,
    network: core?.main?.token.network ?? null,
    asset: core?.main?.token.asset ?? null,
    payTo: core?.main?.token.payTo ?? null,
    settlers: core?.all.flatMap((entry) => entry.settlerStates()) ?? [],
    backlog: core ? await core.claims.backlog() : NO_BACKLOG,
  }
}

/**
 * Whether payments can be taken, and how many settlements wait for how long. Neither is critical. One
 * broken entry degrades the rail, and it is down when all are. A rail that nobody configured is well.
 */
export function healthOf(rail: Seen): Health[] {
  return [
    {
      name: 'x402',
      critical: false,
      timeoutMs: PROBE_TIMEOUT_MS,
      async probe() {
        const open = rail.available()
        const { entries: own = [], channels = [] } = rail.core ?? {}
        const entries = [...own, ...channels]
        if (!open.ok) {
          const detail = [open.reason, ...new Set(entries.flatMap(troublesOf))].join('; ')
          return { state: rail.isConfigured ? 'down' : 'ok', detail }
        }
        const seen = entries.map((entry) => ({ entry, trouble: troubleOf(entry) }))
        const isWell = seen.every(({ trouble }) => trouble === null)
        if (entries.length === 1) {
          const { trouble } = seen[0]!
          return isWell ? { state: 'ok' } : { state: 'degraded', detail: trouble! }
        }
        const detail = seen.map(({ entry, trouble }) => `${entry.name}: ${trouble ?? 'ok'}`)
        return { state: isWell ? 'ok' : 'degraded', detail: detail.join('; ') }
      },
    },
    {
      name: 'x402_settlements',
      critical: false,
      timeoutMs: PROBE_TIMEOUT_MS,
      async probe() {
        const { core } = rail
        if (!core) return { state: 'ok', detail: 'closed' }
        const { settling, uncertain, oldestMs } = await core.claims.backlog()
        return {
          state: oldestMs > OLD_SETTLEMENT_MS ? 'degraded' : 'ok',
          detail: `${settling} pending (${uncertain} of unknown outcome), oldest ${Math.round(oldestMs / 1000)} s`,
        }
      },
    },
  ]
}

/** What is wrong with an entry; null for one that is well. */
function troubleOf(entry: Entry): string | null {
  const open = entry.available()
  const troubles = [...(open.ok ? [] : [open.reason]), ...troublesOf(entry)]
  return troubles.length === 0 ? null : troubles.join('; ')
}

/** What is to be mended: first the settlers that are not used just now, each with its error. */
function troublesOf(entry: Entry): string[] {
  const shut = entry
    .settlerStates()
    .filter(({ breaker }) => breaker !== 'closed')
    .map(({ name, breaker, lastError }) => `${name} is ${breaker}: ${lastError}`)
  return [...shut, ...entry.troubles()]
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
      read: async () => (await backlog()).oldestMs / 1000,
    },
    {
      name: 'gateway_channels_open',
      help: 'x402 payment channels with something left or something to claim',
      read: async () => (await channelSums(rail.core)).open,
    },
    {
      name: 'gateway_channels_unclaimed_atomic',
      help: 'Charges of x402 payment channels that are not claimed on the chain yet',
      read: async () => Number((await channelSums(rail.core)).unclaimedAtomic),
    },
    {
      name: 'gateway_channels_lost_atomic',
      help: 'Charges of x402 payment channels that were withdrawn before they were claimed',
      read: async () => Number((await channelSums(rail.core)).lostAtomic),
    },
  ]
}

/** Sums over the channels of all entries, in millionths of a dollar. */
async function channelSums(
  core: RailParts | null,
): Promise<{ open: number; unclaimedAtomic: bigint; lostAtomic: bigint }> {
  const all = { open: 0, unclaimedAtomic: 0n, lostAtomic: 0n }
  for (const { store, token } of core?.channels ?? []) {
    const { open, unclaimed, lost } = await store.sums()
    all.open += open
    all.unclaimedAtomic += amountOfUnits(token.decimals, unclaimed)
    all.lostAtomic += amountOfUnits(token.decimals, lost)
  }
  return all
}
