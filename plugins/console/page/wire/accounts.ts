/** The answers of the gateway's routes, as far as the page reads them: accounts, their keys and who holds them. */
import type { KeyTerms } from '../../../shared/pages/key-terms.ts'
import type { Entry } from './calls.ts'

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

/** Of an account, or of the gateway itself. */
export interface GatewayEvent {
  id: string
  type: string
  timestamp: string
  state: 'pending' | 'delivered' | 'unsent' | 'given_up'
  attempts: number
  lastError: string | null
  endedAt: string | null
  /** Members by type. */
  data: {
    accountId?: string
    balance?: { credits: number; heldCredits: number }
    lowMarkCredits?: number
    apiKeyId?: string
    limit?: string
    product?: string | null
    capCredits?: number
    spentCredits?: number
    skill?: string
    mode?: string
    failed?: number
    calls?: number
    minutes?: number
    pending?: number
    oldestSeconds?: number
    provider?: string
    reference?: string | null
    reason?: string
    detail?: string
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
