/**
 * The Rail contract: how a call is paid. The credits rail implements it, and plugins add more. A
 * rail never runs the work; metering calls it before and after the work.
 */
import type { Failure } from '../errors.ts'
import type { CallPlace, CredentialSource, Identity } from '../auth/contract.ts'
import type { Graduated } from '../ledger/contract.ts'
import type { PriceRule } from '../pricing/rule.ts'
import type { RailCalls } from './calls-contract.ts'
import type { Offer, RailAnswerHeader, RailDocuments, RailHeader } from './offer-contract.ts'

/** What is for sale at this moment; prices are in atomic units. */
export interface Quote {
  skillId: string
  productId: string
  title: string
  description: string
  /** HTTP method and route pattern of the resource ('POST', '/v1/weather/forecast/{city}'). */
  method: string
  path: string
  /** Absolute URL of the resource as the caller addressed it, or `mcp://tool/<name>`. */
  resourceUrl: string
  transport: 'http' | 'mcp'
  tool?: string
  /** What a call costs at most, and what is held for it. */
  amountAtomic: bigint
  /** How the charge is computed, up to `amountAtomic`; absent: it is exactly `amountAtomic`. */
  price?: PriceRule
  /** The price is of the account's plan: free calls and tiers apply, whoever opened the account. */
  isOfPlan?: boolean
  priceVersion: number
  /** The buyer chose the amount (a top-up): no other price of the place may be honoured for it. */
  hasOwnPrice?: boolean
  /** The price is a ceiling: a success may cost less (price `per` unit or `billing: 'partial'`). */
  isCeiling?: boolean
  /** The skill's deadline: a payment must stay valid for it plus the settlement. */
  timeoutMs: number
  /** JSON Schema of the input, for discovery extensions. */
  inputSchema?: unknown
  outputSchema?: unknown
  example?: { input: unknown; output?: unknown }
}

/** One metered request as a rail sees it. */
export interface RailCall {
  requestId: string
  quote: Quote
  identity: Identity | null
  /**
   * The most that this input costs, if the skill promises less than `quote.amountAtomic`: a rail
   * that can choose how much to hold holds this.
   */
  mostAtomic?: bigint
  /** Where its caller addressed it; built on first access. */
  readonly place: CallPlace
  /** SHA-256 hex of method, route and canonical input: a payment is bound to one request. */
  readonly fingerprint: string
  acquisition: string | null
  /** When the skill must be done. */
  deadline: Date
  /** UUIDv7 that the hold or claim must have as its id, so that metering can name it beforehand. */
  holdId: string
}

/**
 * An answer kept for retries. The body is bytes; header names are lower-case, and several
 * Set-Cookie headers are joined by line feeds, which cannot occur within a header.
 */
export interface StoredAnswer {
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

/** The units behind a charge. */
export interface Usage {
  /** In the order of the price; null if there was no valid measure. */
  units: readonly { unit: string; units: bigint | null }[]
  /** The units cost more than the price's maximum, which was charged instead. */
  isCapped: boolean
  /** A measure was missing or invalid. */
  isMissing: boolean
}

/** How an account's earlier units decide a charge, for rails whose payers have accounts. */
export interface AccountCharge {
  units: bigint | null
  /** Computes the charge by tiers; null if the amount is the charge. */
  graduated: Graduated | null
}

/** What was taken, for headers, logs and MCP `_meta`. */
export interface Receipt {
  rail: string
  chargedAtomic: bigint
  ledgerId: string | null
  /** Of a price `per` unit. */
  usage?: Usage
  /** Nothing is charged yet: the end of the stream charges at most this much of what is held. */
  heldAtomic?: bigint
  /** Balance left (prepaid). */
  balanceAtomic?: bigint
  /** Extra answer headers, listed in `Rail.answerHeaders`. */
  headers: Record<string, string>
  /** The same receipt for MCP: members of a result's `_meta`, under the rail's own keys. */
  meta?: Record<string, unknown>
  transaction?: string
  /** The payment as a signed receipt states it; absent: prepaid credits of a key. */
  payment?: {
    scheme: string
    /** CAIP-2. */
    network: string
    asset: string
    payer: string
    /** In units of the asset. */
    amount: string
  }
}

/** The facts about a charged answer that its signed receipt states. */
export interface ReceiptFacts {
  rail: string
  chargedAtomic: bigint
  keyId: string | null
  accountId: string | null
  /** How the caller of that key was identified. */
  via: Identity['via'] | null
  payment: Receipt['payment'] | null
  transaction: string | null
  ledgerId: string | null
  requestId: string
  /** The URL as the caller addressed it, or `mcp://tool/<name>`. */
  resourceUrl: string
  transport: 'http' | 'mcp'
  /** HTTP: the body before content coding. MCP: canonical JSON of content and structuredContent. */
  body: Uint8Array
}

/** A signed receipt, in each of the forms in which it is sent. */
export interface SignedReceipt {
  /** The receipt itself, such as a compact JWS, for `Rail.showReceipt`. */
  text: string
  /** Listed in `ReceiptSigner.answerHeaders`. */
  headers: Readonly<Record<string, string>>
  /** Members of `_meta` of an MCP result. */
  meta: Readonly<Record<string, unknown>>
}

/** Signs receipts of charged answers of every rail; one plugin in the gateway provides it. */
export interface ReceiptSigner {
  /** Headers that it adds: CORS exposes them and OpenAPI lists them. */
  answerHeaders: readonly RailAnswerHeader[]
  /**
   * Called once for each charged answer; the headers are kept with the answer for retries. If it
   * throws or takes too long, the answer goes out without a receipt.
   */
  sign(facts: ReceiptFacts): SignedReceipt | Promise<SignedReceipt>
  /**
   * The receipt among the lower-case headers of a kept answer; null if it has none, or one of a
   * different body than `sent` returns, such as a file instead of JSON for a different Accept.
   */
  keptIn(headers: Readonly<Record<string, string>>, sent: () => Uint8Array): SignedReceipt | null
}

export type AuthorizeOutcome =
  | { outcome: 'authorized'; authorization: Authorization }
  /** The same payment has already bought the same request: its kept answer. */
  | {
      outcome: 'replay'
      answer: StoredAnswer
      receipt: Receipt
      /**
       * The capture of the answer, for `keepReceipt`: a signed receipt is made now if none was
       * kept, because the gateway died too early or learned only later that the answer was paid.
       */
      bought?: Authorization
    }
  /** `pending`: its money may have moved, and the rail is finding out. */
  | (RefusedCredential & { pending?: boolean })

/** A rail rejects the presented credential; `offer`: the answer is a 402 with fresh offers. */
export interface RefusedCredential {
  outcome: 'refused'
  failure: Failure
  offer: boolean
}

/** Money that a rail holds for one call until `capture` or `release`. */
export interface Authorization {
  railId: string
  amountAtomic: bigint
  /** The money was received before the work: failed work runs again for the same payment. */
  isPaid?: boolean
  /** Of that money: the answer to failed work shows it too. */
  receipt?: Receipt
  /** The rail's own state; opaque to metering. */
  state: unknown
}

/**
 * The signed receipt of a charge that was just made; null if none is due or signing failed. Never
 * rejects, and takes at most a quarter of a second.
 */
export type SignCharge = (receipt: Receipt) => Promise<SignedReceipt | null>

export type CaptureOutcome =
  | {
      outcome: 'captured'
      receipt: Receipt
      /** The result of `sign`, if the rail called it and kept the headers with the answer. */
      signed?: SignedReceipt | null
    }
  /** The answer is withheld: the settlement was refused (402) or its outcome is unknown (503). */
  | {
      outcome: 'failed'
      failure: Failure
      offer: boolean
      /** The money may have moved: the caller's idempotency claim stays until the rail knows. */
      pending?: boolean
      /**
       * The money may have moved and can be given back: metering calls this. True once the charge
       * is undone; false if `isWanted`, asked before each try, is false or the rail gave up.
       */
      giveBack?: (isWanted: () => Promise<boolean>) => Promise<boolean>
    }

export type InspectOutcome =
  | {
      outcome: 'ok'
      payer: string
      idempotencyKey: string | null
      /**
       * The payer as the owner of an account, in the form of `Accounts.ofOwner`, if the payment
       * proves it: the namespace of its network and its address, as the rail's plugin spells them.
       */
      owner?: string
    }
  | RefusedCredential

/** A metered request before its body was read. */
export type EarlyRailCall = Omit<RailCall, 'fingerprint' | 'holdId'>

export type PrecheckOutcome =
  | RefusedCredential
  | {
      outcome: 'ok'
      /** The payer, if the credential alone proves it; else null. */
      payer: string | null
      /** The checks that need a database or a node; null if none are left. */
      rest: (() => Promise<InspectOutcome>) | null
    }

/** A way to pay. The plugin guide ("Write a rail") lists the order of the calls. */
export interface Rail {
  /** 'credits', or the id of a plugin's rail; unique within the gateway. */
  id: string
  /** Its name for people, as it reads after 'by': 'prepaid credits'. Default: its id. */
  title?: string
  /**
   * Headers that carry its credential: CORS allows them, and skills and upstreams never see them. A
   * rail that lists some is asked only about calls with one of them, X-Request-Id or MCP `_meta`.
   */
  requestHeaders?: readonly RailHeader[]
  /** Headers of its offers and receipts: CORS exposes them, and OpenAPI lists those of offers. */
  answerHeaders?: readonly RailAnswerHeader[]
  documents?(): RailDocuments
  calls?: RailCalls
  /** Lower goes first when a caller presents several credentials; credits have 100. */
  precedence: number
  /**
   * Its offers are bound to the body of their call: a short body is read before a 402, so that
   * `CallPlace.bodyDigest` is set there and in `inspect` and `authorize`.
   */
  bindsBody?: boolean
  /** Whether it can take money now; a metered product with no working rail is not served. */
  available(): { ok: true } | { ok: false; reason: string }
  /**
   * True if the rail keeps the answer for the payer: after a disconnect the work runs to completion
   * and is charged, and the same payment can fetch the answer later.
   */
  keepsAnswers?: boolean
  /**
   * The balance in atomic units that a key can spend on this rail, which is its account's; for
   * receipts of replays and self-billing skills.
   */
  balanceAtomic?(keyId: string, accountId?: string): Promise<bigint | null>
  /** Whether the caller presents this rail's credential for what `quote` sells. */
  presented(source: CredentialSource, identity: Identity | null, quote: Quote): boolean
  /**
   * Judges the credential before the body is read, without database or network; `rest` does the
   * checks that need them. So an untrusted caller's junk costs neither the reading of a long body
   * nor the rate limit of the payer it names: that counts a proven payer, and before that the
   * caller's address. A refusal is answered whatever the body is. Absent: the body is read first.
   */
  precheck?(call: EarlyRailCall, source: CredentialSource): Promise<PrecheckOutcome>
  /**
   * Checks the credential without claiming anything, before the idempotency key is claimed: who
   * pays (scope of the key, subject of the rate limit) and the key the credential itself carries
   * (such as a payment id). Absent: the payer is the identity's key.
   */
  inspect?(call: RailCall, source: CredentialSource): Promise<InspectOutcome>
  /**
   * Its part of a 402, or null if it cannot sell this. Must be cheap: return the same object for
   * the same quote object, so that its JSON is serialised once. `refusal` says why this call's
   * credential was rejected; the offer then repeats it.
   */
  offer(quote: Quote, refusal?: Failure): Offer | null
  authorize(call: RailCall, source: CredentialSource): Promise<AuthorizeOutcome>
  /**
   * Takes the money (at most the authorized amount; 0 if nothing was measured or the call is free).
   * `answer` is what the caller will get, for a rail that keeps answers.
   * Metering sends no byte before this resolves, except for streams whose units are known at their
   * end: those are captured after their last byte, whoever ended them. A throw counts as `pending`,
   * and so does an answer that takes longer than 90 s.
   * `account` is for rails whose payers have accounts; others take `amountAtomic`.
   * A rail may ask `sign` once the money is here, to keep the receipt with the answer in the same
   * statement that records the charge; where it does not, `keepReceipt` comes after this.
   */
  capture(
    authorization: Authorization,
    amountAtomic: bigint,
    answer: StoredAnswer | null,
    account?: AccountCharge,
    sign?: SignCharge,
  ): Promise<CaptureOutcome>
  /**
   * Keeps the headers of a signed receipt with the answer that `capture` kept, so that a retry gets
   * the same receipt. Absent: retries by this rail get the answer without one.
   */
  keepReceipt?(
    authorization: Authorization,
    headers: Readonly<Record<string, string>>,
  ): Promise<void>
  /**
   * `receipt` with the signed one also in the place where clients of this rail look for it, such as
   * its own settlement header. Absent: it is only in the gateway's header.
   */
  showReceipt?(receipt: Receipt, signed: SignedReceipt): Receipt
  /**
   * Makes up for a charge when the upstream broke off a streamed answer after its head was charged:
   * gives the money back, or lets the same credential run the same request again for free. Retries
   * in the background until it is done. Absent: the charge stands, and the operator's log says so.
   * A stream may outlive its rail: this and `delivered` are also called after the plugin's `stop`,
   * when a reload has replaced the rail.
   */
  undo?(authorization: Authorization, reason: string): Promise<void>
  /** A streamed answer that was captured has gone out to its last byte, or its reader has left. */
  delivered?(authorization: Authorization): Promise<void>
  /** Releases the money; never throws for an authorization that has already ended. */
  release(authorization: Authorization, reason: string): Promise<void>
  /**
   * How the hold or claim with this id ended, for an Idempotency-Key whose first call did not
   * finish: 'captured' = its prepared answer was paid for; 'open' = still running or unsettled;
   * 'none' = nothing was charged and nothing will be.
   */
  stateOf(holdId: string): Promise<'captured' | 'open' | 'none'>
  /**
   * Finishes the `giveBack` of a failed capture for a gateway that died: resolves once the hold's
   * charge is undone. Only for rails whose failed captures have `giveBack`.
   */
  giveBack?(holdId: string): Promise<void>
}
