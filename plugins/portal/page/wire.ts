/** The answers of /account/api, as far as the pages read them. Amounts are credits. */

import type { KeyTerms } from '../../shared/pages/key-terms.ts'
import type { PlanFacts, SubscriptionFacts } from '../../shared/plans/contract.ts'

export type Plan = PlanFacts
export type Subscription = SubscriptionFacts

export interface Plans {
  plans: Plan[]
  subscription: Subscription | null
}

export interface SignIn {
  subject: string
  addedAt: string
  name?: string | null
}

export interface Me {
  accountId: string
  name: string | null
  createdAt: string | null
  mode: 'live' | 'test'
  role: 'owner' | 'limited'
  keyId: string | null
  way: string
  balanceCredits: number
  heldCredits: number
  lowMarkCredits: number | null
  isLow: boolean
  signIns: SignIn[]
}

export interface Spend extends KeyTerms {
  id: string
  name: string
  mode: string
  day: number | null
  month: number | null
  call: number | null
  products: string[] | null
  spentToday: number
  spentMonth: number
  createdAt: string
  lastUsedAt: string | null
  revokedAt: string | null
}

export interface Overview extends Me {
  spentToday: number
  spentMonth: number
  callsLastHour: number
  callsAreMore: boolean
  near: (Spend & { isApp: boolean })[]
  /** So many of the newest keys and apps were looked at for it; null: all of them. */
  nearOf: number | null
}

export interface Key extends Spend {
  start: string | null
  madeBy: string
}

export interface Grant extends Spend {
  clientName: string
  clientId: string | null
  documentHost: string | null
  redirectHost: string | null
  scopes: string[]
  parentKeyId: string | null
}

export interface Call {
  id: string
  at: string
  keyId: string
  skill: string
  path: string
  requestId: string
  outcome: 'open' | 'charged' | 'uncharged' | 'refunded'
  rail: string
  transaction: string | null
  amount: number
  charged: number | null
}

export interface CallDetail extends Call {
  entries: {
    id: string
    at: string
    kind: string
    amountUsdcAtomic: number
    debit: string
    credit: string
    note: string | null
  }[]
}

/** What moved the account's balance beside calls. */
export interface Receipt {
  id: string
  /** ISO 8601. */
  at: string
  kind: string
  /** The account in the ledger that the credits came from or went to. */
  source: string
  /** Negative when something was taken. */
  credits: number
  note: string | null
  transaction: string | null
}

export interface Topup {
  balanceCredits: number
  walletsOpen: boolean
  providers: string[]
  minimumUsd: number
  /** A mailbox of the account. */
  email: string | null
  begun: {
    reference: string
    amountUsd: number
    credits: number
    startedAt: string
    creditedAt: string | null
    cancelledAt: string | null
    refundedCredits: number
    disputedCredits: number
    heldBackCredits: number
  }[]
}

export interface Settings {
  keySignIn: boolean
  noticeEmail: string | null
  webhookUrl: string | null
  lowMarkCredits: number | null
  signIns: SignIn[]
  canMail: boolean
  canPasskey: boolean
  /** Told once, after a webhook was set. */
  webhookSecret?: string
}

export interface Session {
  id: string
  way: string
  keyId: string | null
  address: string
  agent: string
  createdAt: string
  usedAt: string
  isCurrent: boolean
}
