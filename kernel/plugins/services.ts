/**
 * Kernel services that only a plugin which names them in `requires` can use: they reach money,
 * keys or the registry, so an operator sees in the manifest that a plugin has them.
 */
import type { Failure } from '../errors.ts'
import type { Caller, Catalog } from '../metering/contract.ts'
import type { Outbound } from '../net/contract.ts'
import type { TSchema } from 'typebox'
import type { PluginTx, Result, RouteRequest } from './contract.ts'

export type ServiceName = keyof KernelServices

export interface KernelServices {
  billing: Billing
  funds: Funds
  keys: KeyDirectory
  catalog: Catalog
  calls: Caller
  vault: Vault
  documents: Documents
  till: Till
  operator: Operator
  /** Streaming requests, target checks and the browser's proxy, beyond `env.fetch`. */
  outbound: Outbound
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
   * Credits a key once per (source, reference): `source` is the system account debited
   * ('topup:provider_a', 'topup:x402'). `duplicate` when that reference was credited before.
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
  /** Null when unknown. */
  find(
    keyId: string,
  ): Promise<{ id: string; name: string; mode: 'live' | 'test'; revokedAt: Date | null } | null>
  /** Makes a key; the plaintext is returned once. */
  create(order: {
    name: string
    mode: 'live' | 'test'
  }): Promise<{ id: string; key: string } | Failure>
}

/** The generated documents that HTTP serves at /openapi.json, /llms.txt and /v1/prices. */
export interface Documents {
  /** JSON text. */
  openapi(): string
  /** Markdown text. */
  llms(): string
  /** JSON text. */
  prices(): string
}

/** Selling something at a price that the buyer chose (a top-up of 20 dollars), by x402. */
export interface Till {
  /**
   * Takes one payment for `work` and gives the HTTP answer: 'unsold' the 402 with its offer or a
   * failure, 'sold' the work's output of a payment that has just settled, 'again' the kept output
   * of an earlier sale for the same payment or Idempotency-Key. `work` runs before the payment
   * settles, so what it promises must be given only afterwards. The output must name the request
   * id that `work` was given, because an earlier sale had its own. Whoever sends a payment again
   * need not be the buyer: a settled payment's signature can be read on the chain.
   */
  sell(order: TillOrder): Promise<{ outcome: 'unsold' | 'sold' | 'again'; response: Response }>
  /** Whether a payment of exactly this amount settled for this sale. */
  wasPaid(sale: { requestId: string; skillId: string; amountAtomic: bigint }): Promise<boolean>
}
export interface TillOrder {
  /**
   * Names the goods in offers, receipts and the ledger: 'topup.x402'. No mounted skill may have it.
   */
  skillId: string
  title: string
  description: string
  path: string
  amountAtomic: bigint
  request: RouteRequest
  /** The buyer's, or null. */
  idempotencyKey: string | null
  /** What the buyer asked for; the same payment for another input is refused. */
  input: Record<string, unknown>
  output: TSchema
  work(requestId: string): Promise<Result<unknown>>
}

/** Secrets at rest: AES-256-GCM under the gateway's master key. */
export interface Vault {
  seal(plaintext: string): Promise<string>
  open(sealed: string): Promise<string>
}

/** The operator at a page of the gateway. A plugin with this service has every right of the admin token. */
export interface Operator {
  /** Null when `token` is the admin token; else 401, or 429 after too many wrong ones of this address. */
  refusal(token: string, clientAddress: string): Failure | null
  /** Digest of `secret` in hex that is another one as soon as the admin token is. */
  digest(secret: string): string
  /**
   * The gateway's answer to a request that the plugin made; it brings the admin token unless it
   * brings an `authorization` of its own. Never rejects.
   */
  serve(request: Request, clientAddress: string): Promise<Response>
}
