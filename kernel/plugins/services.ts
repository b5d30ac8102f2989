/**
 * Kernel services that only a plugin which names them in `requires` can use: they reach money,
 * keys or the registry, so an operator sees in the manifest that a plugin has them.
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
  /** Accounts whose balance a plugin charges and fills by itself, such as for plans. */
  accounts: Accounts
  keys: KeyDirectory
  /** What the holder of an account may do with it and its keys; every call names the account. */
  accountKeys: AccountKeys
  /** What was called and bought on an account. */
  statements: Statements
  catalog: Catalog
  calls: Caller
  vault: Vault
  documents: Documents
  /** Selling something at a price that the buyer chose. */
  oneOffSales: OneOffSales
  /** @deprecated The name of `oneOffSales` before contract 1.2. */
  till: OneOffSales
  operator: Operator
  /** Streaming requests, connections and target checks, beyond `env.fetch`. */
  outbound: Outbound
  /** For rails: writing down that funds arrived. */
  settlements: Settlements
  /** Telling the other instances of the gateway. */
  signals: Signals
  /** Telling the operator what goes wrong in the gateway itself. */
  alerts: Alerts
  /** What is for sale at which price, now and lately. */
  quotes: QuoteBook
  /** For an operator's page: what was called, what came in, what is open. */
  reports: Reports
  /** The operator's hand on keys, accounts, holds and ledger rows. */
  administration: Administration
}

/**
 * What an operator's page shows of the kernel's tables, of all instances unless it says otherwise.
 * Nothing here writes. A read of many rows rejects after some seconds, but `verify` never does.
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
  /** The rails that are mounted now; one without `calls` keeps no list of them. */
  rails(): readonly Pick<Rail, 'id' | 'calls' | 'available'>[]
  openHolds(): Promise<{ open: number; amountAtomic: bigint; oldestAt: Date | null }>
  /** The gateways that run on this database, at most 200. */
  instances(): Promise<readonly { address: string | null; since: Date }[]>
  /**
   * What calls brought in by skill, rail and key, of postings with `from` <= time < `until`,
   * in steps of `stepMs` from `from` on; default: one step.
   */
  revenue(from: Date, until: Date, stepMs?: number): Promise<readonly RevenueRow[]>
  /**
   * Paid calls since `since` by the minute in which they ended (whole minutes since 1970), as far as
   * the ledger knows them; minutes without any are left out.
   */
  minutes(since: Date): Promise<readonly { minute: number; charged: number; uncharged: number }[]>
  /** Ledger rows of these ids and the refunds of the settlements among them, newest first. */
  entries(ids: readonly string[]): Promise<readonly LedgerRowJson[]>
  /** The transactions of the newest 200 settlements of a request. */
  transactions(requestId: string): Promise<readonly string[]>
  /** Checks every invariant of the ledger in one snapshot: reads all of it. */
  verify(): Promise<VerifyReport>
}

export interface RevenueRow {
  /** Start of the step. */
  at: Date
  skillId: string
  /** Of a refund: the rail that the call was paid by. */
  rail: string
  /** Who called; null where no key did. */
  keyId: string | null
  keyName: string | null
  /** Of the account that paid; null where a wallet paid by itself. */
  mode: 'live' | 'test' | null
  /** Calls that were charged. */
  calls: number
  chargedAtomic: bigint
  /** Given back in this time, whenever it had been charged. */
  refundedAtomic: bigint
}

/** What a rail knows of funds that arrived for a call; amounts in atomic units. */
export interface Settlement {
  /** The key that made the call, or null. */
  keyId: string | null
  requestId: string
  skillId: string
  path: string
  amountAtomic: bigint
  priceVersion: number
  acquisition: string | null
  /** Where the funds came in, such as a network: with the rail's id it names the ledger account. */
  network: string
  transaction: string
  /** Unique for the rail and network: a second record with the same one is refused by the ledger. */
  reference: string
}

/** Settlements of the rails that the plugin brings; none of them touches a balance. */
export interface Settlements {
  /** Records it in the plugin's own transaction, so both happen or neither; once per reference. */
  record(
    railId: string,
    settlement: Settlement,
    tx: PluginTx,
  ): Promise<{ ledgerId: string; duplicate: boolean }>
  /**
   * The same inside one statement of the plugin's own: the text of a data-modifying WITH item that
   * records a settlement for every row of the WITH item `source`, whose columns are network,
   * reference, key_id, amount, request_id, skill_id, path, price_version, acquisition and
   * transaction, and returns (ledger_id text, network, reference) of those it recorded.
   * Names are plain SQL identifiers.
   */
  recording(railId: string, source: string): string
  /** Whether the operator gave this settlement back as credits. */
  isRefunded(ledgerId: string): Promise<boolean>
}

/** Notifications between instances; they are hints, and one may be lost with its connection. */
export interface Signals {
  /** Tells every instance, this one too. `topic` is the plugin's own. */
  notify(topic: string, payload: string): Promise<void>
  /** Calls `listener` for every payload from now on; returns what ends that. */
  listen(topic: string, listener: (payload: string) => void): Promise<() => Promise<void>>
}

/** A skill and its quote at one price. */
export interface Offered {
  mounted: MountedSkill
  quote: Quote
}

export interface QuoteBook {
  /** The quote of the HTTP route: the same frozen object while skill and price are the same. */
  http(mounted: MountedSkill): Quote
  tool(mounted: MountedSkill, tool: SkillTool): Quote
  /** Prices the skill had at some moment from `since` to now, newest first. */
  pricesSince(
    skillId: string,
    since: Date,
  ): Promise<readonly { amountAtomic: bigint; priceVersion: number }[]>
  /** The skill that a call of this path would reach; null: none. */
  at(method: string, path: string): MountedSkill | null
  /** Who asks by an API key or what stands for one; null identity where none is given. */
  identify(
    credentials: CredentialSource,
  ): Promise<{ ok: true; identity: Identity | null } | Failure>
  /** The skill at the account's own price; null: at that of the list. */
  ownPrice(accountId: string, listed: Offered): Offered | null
  /** Those of the allowed rails that would sell at this quote now. */
  sellers(allowed: readonly string[], quote: Quote): readonly Pick<Rail, 'id' | 'title'>[]
  /** What an account and its keys have left. */
  readonly left: Pick<Ledger, 'balance' | 'spend' | 'freeUsed' | 'volume'>
  /** The table in force on this instance; null before the first. */
  priceTable(): PriceTable | null
  /** Any table that was ever in force; null for an unknown version. */
  priceTableAt(version: number): Promise<PriceTable | null>
  /** Which products, by id, whoever asks may learn of; null: all that there ever were. */
  visibleTo(
    asked: Pick<RouteRequest, 'request' | 'clientAddress' | 'operator'>,
  ): Promise<((productId: string) => boolean) | null>
}

/** Charging a key outside a metered call (webhook forwards). Amounts in atomic units. */
export interface Billing {
  /** Holds `amountAtomic` of the key; `requestId` is unique per key, the same one returns the same hold. */
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
  /** Captures inside the plugin's own transaction, so both happen or neither. False: the hold had ended. */
  capture(
    tx: PluginTx,
    holdId: string,
  ): Promise<{ ok: true; ledgerId: string } | { ok: false; state: string }>
  release(holdId: string): Promise<void>
  /** Whether the key's available credits cover `amountAtomic` at this moment; holds nothing. */
  covers(keyId: string, amountAtomic: bigint): Promise<boolean>
  /** Current price of a skill. */
  price(skillId: string): { amountAtomic: bigint; version: number } | null
  /** Calls `listener` with the key id after credits were added to it (any instance); returns an unsubscribe. */
  onFunded(listener: (keyId: string) => void): () => void
}

/** Crediting keys: top-ups and refunds. */
export interface Funds {
  /**
   * Gives play money to a test key, or to a test account, once per reference, whatever the gateway
   * sells; the balance after it. 'other_grant': the reference gave another one or another amount;
   * 'unknown_key': there is no such key or account.
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
   * Credits a key once per (source, reference): `source` is the system account debited
   * ('topup:card'). `duplicate` when that reference was credited before.
   */
  credit(
    order: {
      keyId: string
      amountAtomic: bigint
      source: string
      reference: string
      note?: string
    },
    tx?: PluginTx,
  ): Promise<
    | { ok: true; duplicate: boolean; ledgerId: string }
    | { ok: false; reason: 'unknown_key' | 'revoked' | 'mode_mismatch' }
  >
  /**
   * Takes back at most `amountAtomic` of what the key has available, never below zero, and returns
   * how much that was. It goes to the system account `to`. In the plugin's own transaction, which
   * writes down that it was asked: once per reference only when something was there to take.
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
  /** Null when unknown. `revokedAt` is also set for a key that expired or whose account was closed. */
  find(
    keyId: string,
  ): Promise<{ id: string; name: string; mode: 'live' | 'test'; revokedAt: Date | null } | null>
  /**
   * Makes a key for whoever pays, on an account that has neither free calls nor graduated prices; the
   * plaintext is returned once.
   */
  create(order: {
    name: string
    mode: 'live' | 'test'
  }): Promise<{ id: string; key: string } | Failure>
}

/** Whose gateway it is, from the configuration; null where nothing is set. */
export interface OperatorFacts {
  name: string | null
  logoUrl: string | null
  termsUrl: string | null
  privacyUrl: string | null
  supportUrl: string | null
}

/** What everybody may read of the gateway; a plugin makes it (`GatewayPart.documents`). */
export interface DocumentTexts {
  /** JSON text of GET /v1/prices. */
  prices(): string
  /** JSON text of /openapi.json. */
  openapi(): string
  /** Markdown text of /llms.txt. */
  llms(): string
}

/** A rail as documents show it. */
export type DocumentedRail = Pick<
  Rail,
  'id' | 'title' | 'precedence' | 'answerHeaders' | 'keepsAnswers' | 'documents'
>

/** The documents of the gateway, and what those of a plugin's own are made of. */
export interface Documents extends DocumentTexts {
  /** For documents of the plugin's own, so that every place names the same operator. */
  readonly operator: OperatorFacts
  readonly contactEmail: string
  /** Of the gateway. */
  readonly version: string
  /**
   * The rails that are mounted now, prepaid credits first, for documents of the plugin's own: the
   * same array until a rail comes or goes.
   */
  rails(): readonly DocumentedRail[]
  /** The routes of the gateway, and those of the products that are mounted now. */
  routes(): readonly Route[]
  /** What the groups of products' routes are for, by tag. */
  tagDescriptions(): ReadonlyMap<string, string>
  /** Headers of every charged answer, whichever rail was paid. */
  receiptHeaders(): readonly RailAnswerHeader[]
  /** Pages of mounted products that whoever asks at `url` may be led to. */
  homes(url: string): readonly { path: string; title: string }[]
  /** What everybody may see of /ready; those who ask in the same half second share the checks. */
  readiness(): Promise<PublicReadiness>
}

export interface PublicReadiness {
  status: 'ready' | 'degraded' | 'unavailable'
  checks: Readonly<
    Record<string, { state: 'ok' | 'degraded' | 'down'; critical: boolean; latencyMs: number }>
  >
}

/** Selling something at a price that the buyer chose (a top-up of 20 dollars). */
export interface OneOffSales {
  /**
   * Takes one payment for `work` and gives the HTTP answer: 'unsold' the 402 with its offer or a
   * failure, 'sold' the work's output of a payment that has just settled, 'again' the kept output
   * of an earlier sale for the same payment or Idempotency-Key. `work` runs before the payment
   * settles, so what it promises must be given only afterwards. The output must name the request
   * id that `work` was given, because an earlier sale had its own. Whoever sends a payment again
   * need not be the buyer: the signature of a settled payment may be public.
   */
  sell(order: OneOffSale): Promise<{ outcome: 'unsold' | 'sold' | 'again'; response: Response }>
  /** Whether a payment of exactly this amount settled for this sale. */
  wasPaid(sale: { requestId: string; skillId: string; amountAtomic: bigint }): Promise<boolean>
}
export interface OneOffSale {
  /**
   * Names the goods in offers, receipts and the ledger: 'topup.credits'. No mounted skill may have it.
   */
  skillId: string
  title: string
  description: string
  path: string
  amountAtomic: bigint
  /** Ids of the rails that may pay; never prepaid credits, which are what is sold. */
  rails: readonly string[]
  request: RouteRequest
  /** The buyer's, or null. */
  idempotencyKey: string | null
  /** What the buyer asked for; the same payment for another input is refused. */
  input: Record<string, unknown>
  output: TSchema
  /** `payer` is the owner of an account (`Accounts.ofOwner`) whose wallet pays; null: the rail knows none. */
  work(requestId: string, payer: string | null): Promise<Result<unknown>>
}

/** The operator at a page of the gateway. A plugin with this service has every right of the admin token. */
export interface Operator {
  /** Whose `token` it is; else 401, or 429 after too many wrong ones of this address. */
  identify(
    token: string,
    clientAddress: string,
  ): Promise<{ ok: true; operator: OperatorIdentity } | Failure>
  /** Digest of `secret` in hex that is another one as soon as the admin token is. */
  digest(secret: string): string
  /**
   * The gateway's answer to a request that the plugin made for `as`, with the rights of that
   * operator unless it brings an `authorization` of its own. Never rejects.
   */
  serve(request: Request, clientAddress: string, as: OperatorIdentity): Promise<Response>
}
