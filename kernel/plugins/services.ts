/**
 * Kernel services, available only to a plugin that names them in `requires`: they give access to
 * money, keys or the registry, so an operator can see in the manifest which of them a plugin has.
 */
import type { OperatorIdentity } from '../auth/operators.ts'
import type { ConfigLine } from '../config/config.ts'
import type { Failure } from '../errors.ts'
import type { Vault } from '../auth/secrets.ts'
import type { Caller, Catalog, MountedSkill } from './catalog.ts'
import type { Outbound } from '../net/contract.ts'
import type { CredentialSource, Identity } from '../auth/contract.ts'
import type { Ledger, VerifyReport } from '../ledger/contract.ts'
import type { LedgerRowJson } from '../ledger/rows.ts'
import type { PastPrice } from '../pricing/registry.ts'
import type { PriceRow, PriceTable } from '../pricing/table.ts'
import type { Quote, Rail } from '../rails/contract.ts'
import type { RouteRequest } from './route.ts'
import type { SkillTool } from './skill.ts'
import type { AccountKeys, Accounts, Statements } from './account-services.ts'
import type { Alerts } from './alerts.ts'
import type { Administration } from './administration.ts'
import type { Documents } from './document-services.ts'
import type { Billing, Funds, OneOffSales, Settlements } from './money-services.ts'
import type { PluginTx } from '../storage/contract.ts'

export type ServiceName = keyof KernelServices

export interface KernelServices {
  billing: Billing
  funds: Funds
  /** Accounts whose balance a plugin charges and credits itself, such as for plans. */
  accounts: Accounts
  keys: KeyDirectory
  /** What account holders may do with their account and its keys; every call names the account. */
  accountKeys: AccountKeys
  /** The calls and purchases of an account. */
  statements: Statements
  catalog: Catalog
  calls: Caller
  vault: Vault
  documents: Documents
  /** Sells goods at a price that the buyer chose. */
  oneOffSales: OneOffSales
  /** @deprecated Name of `oneOffSales` before contract 1.2. */
  till: OneOffSales
  operator: Operator
  /** Streaming requests, connections and target checks, beyond `env.fetch`. */
  outbound: Outbound
  /** For rails: records that funds arrived. */
  settlements: Settlements
  /** Notifications to the other instances of the gateway. */
  signals: Signals
  /** Alerts the operator to faults of the gateway itself. */
  alerts: Alerts
  /** Current and recent prices of what is for sale. */
  quotes: QuoteBook
  /** For an operator's page: calls, revenue and open holds. */
  reports: Reports
  /** The operator's control of keys, accounts, holds and ledger rows. */
  administration: Administration
}

/**
 * The kernel's tables for an operator's page, covering all instances unless stated otherwise.
 * Read-only. A read of many rows rejects after some seconds, except for `verify`.
 */
export interface Reports {
  readonly version: string
  /** When this instance started. */
  readonly startedAt: Date
  /** The effective configuration of this instance as `coinop config` prints it, secrets masked. */
  readonly configuration: readonly ConfigLine[]
  /** The mounted rails; a rail without `calls` keeps no list of its calls. */
  rails(): readonly Pick<Rail, 'id' | 'calls' | 'available'>[]
  openHolds(): Promise<{ open: number; amountAtomic: bigint; oldestAt: Date | null }>
  /** The gateways that run on this database, at most 200. */
  instances(): Promise<readonly { address: string | null; since: Date }[]>
  /**
   * Revenue of calls by skill, rail and key, from postings with `from` <= time < `until`, in steps
   * of `stepMs` beginning at `from`; default: one step.
   */
  revenue(from: Date, until: Date, stepMs?: number): Promise<readonly RevenueRow[]>
  /**
   * Paid calls since `since` that the ledger knows, by the minute in which they ended (whole
   * minutes since 1970); minutes without calls are left out.
   */
  minutes(since: Date): Promise<readonly { minute: number; charged: number; uncharged: number }[]>
  /** Ledger rows with these ids, and refunds of the settlements among them, newest first. */
  entries(ids: readonly string[]): Promise<readonly LedgerRowJson[]>
  /** The on-chain transactions of a request's newest 200 settlements. */
  transactions(requestId: string): Promise<readonly string[]>
  /** Checks every invariant of the ledger in one snapshot: reads all of it. */
  verify(): Promise<VerifyReport>
}

export interface RevenueRow {
  /** Start of the step. */
  at: Date
  skillId: string
  /** The rail that paid; for a refund, the rail that paid the refunded call. */
  rail: string
  /** The key that called; null if no key did. */
  keyId: string | null
  keyName: string | null
  /** Mode of the account that paid; null if a wallet paid directly. */
  mode: 'live' | 'test' | null
  /** Calls that were charged. */
  calls: number
  chargedAtomic: bigint
  /** Refunded in this step, whenever it had been charged. */
  refundedAtomic: bigint
}

/** Notifications between instances. They are only hints: a lost connection may lose some. */
export interface Signals {
  /** Notifies every instance, this one too, at the commit of `tx` if given. `topic` is the plugin's own. */
  notify(topic: string, payload: string, tx?: PluginTx): Promise<void>
  /** Calls `listener` for every payload from now on; returns the unsubscribe function. */
  listen(topic: string, listener: (payload: string) => void): Promise<() => Promise<void>>
}

/** A skill and its quote at one price. */
export interface Offered {
  mounted: MountedSkill
  quote: Quote
}

export interface QuoteBook {
  /** The quote of the HTTP route: the same frozen object while skill and price do not change. */
  http(mounted: MountedSkill): Quote
  tool(mounted: MountedSkill, tool: SkillTool): Quote
  /** Prices that the skill had at any time since `since`, newest first. */
  pricesSince(skillId: string, since: Date): Promise<readonly PastPrice[]>
  /** The skill that a call of this path would reach; null if none. */
  at(method: string, path: string): MountedSkill | null
  /** The identity by an API key or a credential that stands for one; null if none is given. */
  identify(
    credentials: CredentialSource,
  ): Promise<{ ok: true; identity: Identity | null } | Failure>
  /** The skill at the account's own price; null if the list price applies. */
  ownPrice(accountId: string, listed: Offered): Offered | null
  /** The allowed rails that would sell at this quote now. */
  sellers(allowed: readonly string[], quote: Quote): readonly Pick<Rail, 'id' | 'title'>[]
  /** Reads what an account and its keys have left. */
  readonly left: Pick<Ledger, 'balance' | 'spend' | 'freeUsed' | 'volume'>
  /** The price table in force on this instance; null before the first. */
  priceTable(): PriceTable | null
  /** Any price table that was ever in force; null for an unknown version. */
  priceTableAt(version: number): Promise<PriceTable | null>
  /** Rows of price tables that the caller may know of; null: all that ever existed. */
  visibleTo(
    asked: Pick<RouteRequest, 'request' | 'clientAddress' | 'operator'>,
  ): Promise<((row: Pick<PriceRow, 'product' | 'skill'>) => boolean) | null>
}

export interface KeyDirectory {
  /** Null if unknown. `revokedAt` is also set for an expired key or a closed account. */
  find(
    keyId: string,
  ): Promise<{ id: string; name: string; mode: 'live' | 'test'; revokedAt: Date | null } | null>
  /**
   * Makes a key on behalf of a payer, on an account with neither free calls nor graduated prices,
   * in `tx` if given; the plaintext is returned only once.
   */
  create(
    order: { name: string; mode: 'live' | 'test' },
    tx?: PluginTx,
  ): Promise<{ id: string; key: string } | Failure>
}

/** Operators on a page of the gateway. Gives a plugin all rights of the admin token. */
export interface Operator {
  /** The operator with this `token`; else 401, or 429 after too many wrong ones of this address. */
  identify(
    token: string,
    clientAddress: string,
  ): Promise<{ ok: true; operator: OperatorIdentity } | Failure>
  /** Digest of `secret` in hex, which changes with the admin token. */
  digest(secret: string): string
  /** The same text with `[hidden]` for the tokens of the environment, put into paths by mistake. */
  withoutTokens(text: string): string
  /** The answer to a request with the rights of `as`, or of its `authorization`; never rejects. */
  serve(request: Request, clientAddress: string, as: OperatorIdentity): Promise<Response>
}
