/**
 * Kernel services, available only to a plugin that names them in `requires`: they give access to
 * money, keys or the registry, so an operator can see in the manifest which of them a plugin has.
 */
import type { OperatorIdentity } from '../auth/operators.ts'
import type { Failure } from '../errors.ts'
import type { Vault } from '../auth/secrets.ts'
import type { Caller, Catalog, MountedSkill } from './catalog.ts'
import type { Outbound } from '../net/contract.ts'
import type { TSchema } from 'typebox'
import type { CredentialSource, Identity } from '../auth/contract.ts'
import type { Ledger, VerifyReport } from '../ledger/contract.ts'
import type { LedgerRowJson } from '../ledger/rows.ts'
import type { PriceTable } from '../pricing/table.ts'
import type { Quote, Rail } from '../rails/contract.ts'
import type { RailAnswerHeader } from '../rails/offer-contract.ts'
import type { Route, RouteRequest } from './route.ts'
import type { Result, SkillTool } from './skill.ts'
import type { AccountKeys, Accounts, Statements } from './account-services.ts'
import type { Alerts } from './alerts.ts'
import type { Administration } from './administration.ts'
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
  readonly configuration: readonly {
    name: string
    value: string
    origin: 'environment' | 'default'
  }[]
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

/** Funds that arrived for a call, as its rail knows them; amounts in atomic units. */
export interface Settlement {
  /** The key that made the call, or null. */
  keyId: string | null
  requestId: string
  skillId: string
  path: string
  amountAtomic: bigint
  priceVersion: number
  acquisition: string | null
  /** Where the funds arrived, such as a network; names the ledger account with the rail's id. */
  network: string
  transaction: string
  /** Unique per rail and network: the ledger refuses a second record with the same reference. */
  reference: string
}

/** Settlements of the plugin's own rails; they do not change any balance. */
export interface Settlements {
  /** Records a settlement in the plugin's own transaction, atomically; once per reference. */
  record(
    railId: string,
    settlement: Settlement,
    tx: PluginTx,
  ): Promise<{ ledgerId: string; duplicate: boolean }>
  /**
   * The same within a statement of the plugin: the text of a data-modifying WITH item that records
   * a settlement for every row of the WITH item `source`, whose columns are network, reference,
   * key_id, amount, request_id, skill_id, path, price_version, acquisition and transaction, and
   * returns (ledger_id text, network, reference) of those recorded. Names are plain SQL
   * identifiers.
   */
  recording(railId: string, source: string): string
  /** Whether the operator refunded this settlement as credits. */
  isRefunded(ledgerId: string): Promise<boolean>
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
  pricesSince(
    skillId: string,
    since: Date,
  ): Promise<readonly { amountAtomic: bigint; priceVersion: number }[]>
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
  /** Ids of the products that the caller may know of; null: all that ever existed. */
  visibleTo(
    asked: Pick<RouteRequest, 'request' | 'clientAddress' | 'operator'>,
  ): Promise<((productId: string) => boolean) | null>
}

/** Charges a key outside of a metered call (webhook forwards). Amounts in atomic units. */
export interface Billing {
  /** Holds `amountAtomic`; `requestId` is unique per key, and a repeat returns the same hold. */
  authorize(order: {
    keyId: string
    requestId: string
    skillId: string
    path: string
    amountAtomic: bigint
    ttlMs: number
  }): Promise<
    | { ok: true; holdId: string }
    | { ok: false; reason: 'insufficient' | 'revoked' | 'ceiling' | 'conflict' }
  >
  /** Captures within the plugin's own transaction. False if the hold had ended. */
  capture(
    tx: PluginTx,
    holdId: string,
  ): Promise<{ ok: true; ledgerId: string } | { ok: false; state: string }>
  release(holdId: string): Promise<void>
  /** Whether the key's available credits cover `amountAtomic` now; holds nothing. */
  covers(keyId: string, amountAtomic: bigint): Promise<boolean>
  /** Current price of a skill. */
  price(skillId: string): { amountAtomic: bigint; version: number } | null
  /** Calls `listener` with each key that got credits, on any instance; returns unsubscribe. */
  onFunded(listener: (keyId: string) => void): () => void
}

/** Credits keys: top-ups and refunds. */
export interface Funds {
  /**
   * Gives play money to a test key or test account, once per reference; returns the balance after
   * it. 'other_grant': the reference was used for another recipient or amount; 'unknown_key': there
   * is no such key or account.
   */
  grant(
    order: ({ keyId: string } | { accountId: string }) & {
      amountAtomic: bigint
      reference: string
      note: string
    },
  ): Promise<
    | {
        ok: true
        duplicate: boolean
        ledgerId: string
        availableAtomic: bigint
        heldAtomic: bigint
      }
    | { ok: false; reason: 'unknown_key' | 'revoked' | 'mode_mismatch' | 'other_grant' }
  >
  /**
   * Credits a key once per (source, reference): `source` is the debited system account
   * ('topup:card'). `duplicate` if that reference was credited before. With `isReturn` it is what
   * `take` had taken, and is no new money: a revoked key or a closed account gets it too.
   */
  credit(
    order: {
      keyId: string
      amountAtomic: bigint
      source: string
      reference: string
      note?: string
      isReturn?: boolean
    },
    tx?: PluginTx,
  ): Promise<
    | { ok: true; duplicate: boolean; ledgerId: string }
    | { ok: false; reason: 'unknown_key' | 'revoked' | 'mode_mismatch' }
  >
  /** Those of the references that `credit` has credited from `source`. */
  credited(source: string, references: readonly string[]): Promise<readonly string[]>
  /**
   * Takes back at most `amountAtomic` of the key's available credits, for the system account `to`;
   * returns how much was taken. Runs in the plugin's own transaction, which must record the
   * request: the reference is used up only if something was taken.
   */
  take(
    order: { keyId: string; amountAtomic: bigint; to: string; reference: string; note?: string },
    tx: PluginTx,
  ): Promise<
    | { ok: true; takenAtomic: bigint; ledgerId: string | null }
    | { ok: false; reason: 'unknown_key' }
  >
}

export interface KeyDirectory {
  /** Null if unknown. `revokedAt` is also set for an expired key or a closed account. */
  find(
    keyId: string,
  ): Promise<{ id: string; name: string; mode: 'live' | 'test'; revokedAt: Date | null } | null>
  /**
   * Makes a key on behalf of a payer, on an account with neither free calls nor graduated prices;
   * the plaintext is returned only once.
   */
  create(order: {
    name: string
    mode: 'live' | 'test'
  }): Promise<{ id: string; key: string } | Failure>
}

/** The gateway's operator, from the configuration; null where nothing is set. */
export interface OperatorFacts {
  name: string | null
  logoUrl: string | null
  termsUrl: string | null
  privacyUrl: string | null
  supportUrl: string | null
}

/** The public documents of the gateway, made by a plugin (`GatewayPart.documents`). */
export interface DocumentTexts {
  /** JSON text of GET /v1/prices. */
  prices(): string
  /** JSON text of /openapi.json. */
  openapi(): string
  /** Markdown text of /llms.txt. */
  llms(): string
}

/** The members of a rail that documents show. */
export type DocumentedRail = Pick<
  Rail,
  'id' | 'title' | 'precedence' | 'answerHeaders' | 'keepsAnswers' | 'documents'
>

/** The documents of the gateway, and the data for a plugin's own documents. */
export interface Documents extends DocumentTexts {
  /** For the plugin's own documents, so that all documents name the same operator. */
  readonly operator: OperatorFacts
  readonly contactEmail: string
  /** Version of the gateway. */
  readonly version: string
  /**
   * The mounted rails, prepaid credits first, for the plugin's own documents: the same array until
   * a rail comes or goes.
   */
  rails(): readonly DocumentedRail[]
  /** The routes of the gateway and of the mounted products. */
  routes(): readonly Route[]
  /** Descriptions of the groups of product routes, by tag. */
  tagDescriptions(): ReadonlyMap<string, string>
  /** Headers of every charged answer, whichever rail paid. */
  receiptHeaders(): readonly RailAnswerHeader[]
  /** Pages of mounted products that a page at `url` may link to. */
  homes(url: string): readonly { path: string; title: string }[]
  /** The public part of /ready; requests within the same half second share the checks. */
  readiness(): Promise<PublicReadiness>
}

export interface PublicReadiness {
  status: 'ready' | 'degraded' | 'unavailable'
  checks: Readonly<
    Record<string, { state: 'ok' | 'degraded' | 'down'; critical: boolean; latencyMs: number }>
  >
}

/** Sells goods at a price that the buyer chose (a top-up of 20 dollars). */
export interface OneOffSales {
  /**
   * Takes one payment for `work` and returns the HTTP answer: for 'unsold' the 402 with its offer
   * or a failure, for 'sold' the work's output after the payment settled, for 'again' the kept
   * output of an earlier sale with the same payment or Idempotency-Key. `work` runs before the
   * payment settles, so the goods must be delivered only afterwards. The output must contain the
   * request id that `work` received, because an earlier sale had its own. A repeated payment may
   * come from somebody other than the buyer: the signature of a settled payment may be public.
   */
  sell(order: OneOffSale): Promise<{ outcome: 'unsold' | 'sold' | 'again'; response: Response }>
  /** Whether a payment of exactly this amount settled for this sale. */
  wasPaid(sale: { requestId: string; skillId: string; amountAtomic: bigint }): Promise<boolean>
}
export interface OneOffSale {
  /** Names the goods in offers, receipts and ledger: 'topup.credits'. No mounted skill has it. */
  skillId: string
  title: string
  description: string
  path: string
  amountAtomic: bigint
  /** Ids of the rails that may pay; never prepaid credits. */
  rails: readonly string[]
  request: RouteRequest
  /** The buyer's key, or null. */
  idempotencyKey: string | null
  /** The buyer's request; the same payment with a different input is refused. */
  input: Record<string, unknown>
  output: TSchema
  /** `payer` is the account owner (`Accounts.ofOwner`) whose wallet pays; null if unknown. */
  work(requestId: string, payer: string | null): Promise<Result<unknown>>
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
  /**
   * The gateway's answer to a request that the plugin makes for `as`, with the rights of that
   * operator unless it has its own `authorization` header. Never rejects.
   */
  serve(request: Request, clientAddress: string, as: OperatorIdentity): Promise<Response>
}
