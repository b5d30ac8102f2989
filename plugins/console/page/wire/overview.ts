/** The answers of the gateway's routes, as far as the page reads them: what the first page, figures and settings tell. */

export interface Ready {
  status: 'ready' | 'degraded' | 'unavailable' | 'stopping'
  checks: Record<
    string,
    { state: 'ok' | 'degraded' | 'down'; critical: boolean; latencyMs: number; detail?: string }
  >
}

export interface RevenueRow {
  skill: string
  rail: string
  calls: number
  usdcAtomic: string
  refundedUsdcAtomic: string
}

export interface Overview {
  at: string
  version: string
  startedAt: string
  sandbox: boolean
  rails: { id: string; open: boolean; reason: string | null }[]
  instances: { address: string | null; since: string }[]
  holds: { open: number; usdcAtomic: string; oldestAt: string | null }
  settlements: { pending: number; uncertain: number; oldestAt: string | null }
  revenue: { day: string; rows: RevenueRow[] }[] | null
  minutes: { at: string; charged: number; uncharged: number }[] | null
}

export interface Metric {
  values: { labels: Record<string, string>; value: number }[]
}

export interface FiguresSkill {
  /** '' for requests to no skill. */
  skill: string
  mode: 'live' | 'test'
  calls: number
  unpaid: number
  refused: number
  failed: number
  p50Ms: number | null
  p95Ms: number | null
  notKept: number
}

export interface FiguresEarned {
  name: string
  id: string | null
  mode: 'live' | 'test'
  calls: number
  usdcAtomic: string
  refundedUsdcAtomic: string
}

export interface Figures {
  from: string
  until: string
  stepSeconds: number
  missingHours: number
  skills: FiguresSkill[]
  earnings: { skills: FiguresEarned[]; rails: FiguresEarned[]; keys: FiguresEarned[] }
  steps: {
    at: string
    answered: number
    unpaid: number
    refused: number
    failed: number
    usdcAtomic: string
  }[]
}

export interface Setting {
  name: string
  value: string
  origin: 'environment' | 'default'
}
