/** The answers of the gateway's routes, as far as the page reads them. */
import type { KeyTerms } from '../../shared/pages/key-terms.ts'

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

export interface FiguresSkill {
  /** '' for what is no skill. */
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

/** What became of one value; `before` or `after` absent: it was not there. */
export interface Difference {
  path: string
  before?: unknown
  after?: unknown
}

export interface OperatorRow {
  id: string
  name: string
  role: 'read' | 'operate' | 'owner'
  madeBy: string
  createdAt: string
  revokedAt: string | null
  revokedBy: string | null
}
export interface ChangeRow {
  id: string
  at: string
  operator: string
  role: string
  requestId: string
  method: string
  path: string
  status: number
  input: unknown
  differences: Difference[]
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

/** Credits; null does not limit. */
export interface BudgetCaps {
  call: number | null
  day: number | null
  month: number | null
}
export interface ProductBudget extends BudgetCaps {
  spentTodayCredits: number
  spentMonthCredits: number
}

export interface Account {
  id: string
  name: string | null
  mode: 'live' | 'test'
  createdAt: string | null
  closedAt: string | null
  balance: { credits: number; heldCredits: number; usdcAtomic: number }
  lowMarkCredits: number | null
  low: boolean
}

export interface AccountEvent {
  id: string
  type: string
  timestamp: string
  state: 'pending' | 'delivered' | 'unsent' | 'given_up'
  attempts: number
  lastError: string | null
  endedAt: string | null
  /** Members by type. */
  data: {
    accountId: string
    balance?: { credits: number; heldCredits: number }
    lowMarkCredits?: number
    apiKeyId?: string
    limit?: string
    product?: string | null
    capCredits?: number
    spentCredits?: number
  }
}

export interface Key extends KeyTerms {
  id: string
  accountId: string
  name: string
  mode: 'live' | 'test'
  kind: 'key' | 'grant'
  /** 'operator', or the id of a plugin. */
  madeBy: string
  parentKeyId: string | null
  /** null for a grant. */
  prefix: string | null
  createdAt: string
  revokedAt: string | null
  budgets: BudgetCaps
  products: string[] | null
  productBudgets: Record<string, ProductBudget>
  rpmLimit: number | null
  burstLimit: number | null
  balance: { credits: number; heldCredits: number; usdcAtomic: number }
  spentTodayCredits: number
  spentMonthCredits: number
}

/** A key without a secret, of an app or a wallet. */
export interface Grant {
  id: string
  name: string
  madeBy: string
  parentKeyId: string | null
  createdAt: string
  revokedAt: string | null
  lastUsedAt: string | null
  products: string[] | null
  budgets: BudgetCaps
  spentTodayCredits: number
  spentMonthCredits: number
}
export interface Owner {
  subject: string
  addedAt: string
}
export interface PortalSession {
  id: string
  way: string
  apiKeyId: string | null
  address: string
  agent: string
  createdAt: string
  usedAt: string
}
export interface AccountHolders {
  grants: Grant[]
  owners: Owner[]
  /** null where no product has pages for customers. */
  sessions: PortalSession[] | null
  purchases: Entry[]
}

export interface SpecIssue {
  path: string
  message: string
  line?: number
  column?: number
  got?: string
}
export interface ProductProblem {
  product_id: string | null
  file: string | null
  stage: string
  since: string
  serving: number | null
  issues: SpecIssue[]
}
export interface Product {
  product_id: string
  version: number
  serving: number | null
  source: string | null
  file: string | null
  /** The file says other than the active revision. */
  drift: boolean
  title: string
  base_path: string | null
  plugin: string | null
  metered: boolean | null
  skills: number
}
export interface Registry {
  products: Product[]
  problems: ProductProblem[]
  plugins: { id: string; version: string; origin: string; requires: string[] }[]
}
export interface ProductDetail extends Product {
  hash: string
  createdAt: string
  text: string
  /** Without secrets and comments: the role of who asks does not see them. */
  redacted: boolean
  problems: ProductProblem[]
}
export interface ProductVersion {
  version: number
  active: boolean
  source: string
  file: string | null
  hash: string
  createdAt: string
}
export interface Prices {
  version: number
  effectiveAt: string
  skills: PriceRow[]
}
export interface PriceRow {
  skill: string
  tools: string[]
  product: string
  method: string | null
  path: string | null
  /** The most that a call costs. */
  usdcAtomic: string
  rule: {
    text: string
    per: { unit: string; from: string }[]
    free: object | null
    tiers: object[] | null
    example: { text: string } | null
  }
}

export interface Delivery {
  id: string
  endpointId: string
  deliveryId: string | null
  apiKeyId: string | null
  event: string | null
  sizeBytes: number
  sha256: string
  purged: boolean
  createdAt: string
  status: string
}
export interface DeliveryDetail extends Delivery {
  headers: Record<string, string>
  forwards: {
    id: string
    destinationId: string
    url: string
    cycle: number
    state: string
    maxAttempts: number
    apiKeyId: string | null
    rail: string | null
    authorizationId: string | null
    nextAttemptAt: string | null
    lastError: string | null
    createdAt: string
    endedAt: string | null
    attempts: {
      n: number
      at: string
      status: number | null
      error: string | null
      ms: number
      excerpt: string | null
    }[]
  }[]
}
export interface Verified {
  ok: boolean
  at: string
  ms: number
  checked: { accounts: number; holds: number; entries: number }
  violations: { invariant: string; subject: string; message: string }[]
}

export interface Setting {
  name: string
  value: string
  origin: 'environment' | 'default'
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
