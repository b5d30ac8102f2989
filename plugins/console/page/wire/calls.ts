/** The answers of the gateway's routes, as far as the page reads them: calls, answered requests and ledger rows. */

export interface Call {
  id: string
  at: string
  rail: string
  outcome: 'open' | 'charged' | 'uncharged' | 'refunded'
  state: string
  apiKeyId: string | null
  payer: string | null
  requestId: string
  skill: string
  path: string
  amountUsdcAtomic: number
  chargedUsdcAtomic: number | null
  priceVersion: number | null
  acquisition: string | null
  expiresAt: string | null
  transaction: string | null
  reason: string | null
}

export interface CallDetail extends Call {
  /** What the rail knows of it, in its own names; `uncertain`: some attempt may have moved money. */
  settlement: Record<string, unknown> | null
  entries: Entry[]
}

/** A request that was answered. */
export interface Answered {
  id: string
  at: string
  requestId: string
  method: string
  route: string | null
  path: string
  address: string
  product: string | null
  skill: string | null
  status: number
  outcome: string | null
  code: string | null
  reason: string | null
  message: string | null
  upstreamStatus: number | null
  apiKeyId: string | null
  apiKeyName: string | null
  accountId: string | null
  mode: 'live' | 'test'
  payer: string | null
  operator: string | null
  rail: string | null
  chargedUsdcAtomic: number
  ms: number
  requestBytes: number | null
  responseBytes: number | null
}

export interface Entry {
  id: string
  at: string
  kind: string
  apiKeyId: string | null
  requestId: string | null
  rail: string
  skill: string | null
  amountUsdcAtomic: number
  debit: string
  credit: string
  priceVersion: number | null
  transaction: string | null
  note: string | null
}

/** What a ledger row can be, to filter by. */
export const ENTRY_KINDS = [
  'authorize',
  'capture',
  'release',
  'expire',
  'refund',
  'topup',
  'grant',
  'adjustment',
  'settlement',
]

export interface Verified {
  ok: boolean
  at: string
  ms: number
  checked: { accounts: number; holds: number; entries: number }
  violations: { invariant: string; subject: string; message: string }[]
}

export interface Flagged {
  at: string
  provider: string
  reference: string | null
  reason: string
  detail: string
  creditedAt: string | null
  owedCredits: number | null
}
