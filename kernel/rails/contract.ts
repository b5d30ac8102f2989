/**
 * The Rail contract: how a call is paid. The credits rail implements it, and plugins add more. A
 * rail never runs the work; metering calls it around the work.
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
  /** How a call is charged under `amountAtomic`; absent: exactly that. */
  price?: PriceRule
  /** The price is that of the account's plan: free calls and tiers are for it, whoever opened it. */
  isOfPlan?: boolean
  priceVersion: number
  /** The buyer chose the amount (a top-up): no other price of the place may be honoured for it. */
  hasOwnPrice?: boolean
  /** The price is a ceiling: a success may cost less (a price `per` unit, or `billing: 'partial'`). */
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
   * The most that this input costs, where the skill promises less than `quote.amountAtomic`: a rail
   * that holds an amount of its own choice holds this.
   */
  mostAtomic?: bigint
  /** Where its caller addressed it; made when it is read. */
  readonly place: CallPlace
  /** SHA-256 hex of method, route and canonical input: the same payment must be for the same request. */
  readonly fingerprint: string
  acquisition: string | null
  /** When the skill must be done. */
  deadline: Date
  /** UUIDv7 the hold or claim must use as its id, so that metering can name it beforehand. */
  holdId: string
}

/**
 * An answer kept so that a retry gets it again. Bodies are bytes; headers lower-case, and several
 * Set-Cookie are one value with a line feed between them, which no header can hold itself.
 */
export interface StoredAnswer {
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

/** What a charge by units was made of. */
export interface Usage {
  /** In the order of the price; null: there was no good measure. */
  units: readonly { unit: string; units: bigint | null }[]
  /** The units cost more than the price's maximum, which was taken. */
  isCapped: boolean
  /** A measure was not there or not good. */
  isMissing: boolean
}

/** How an account's earlier units decide a charge, for rails whose payers have accounts. */
export interface AccountCharge {
  units: bigint | null
  /** By tiers instead of the amount; null: the amount is the charge. */
  graduated: Graduated | null
}

/** What was taken, for headers, logs and MCP `_meta`. */
export interface Receipt {
  rail: string
  chargedAtomic: bigint
  ledgerId: string | null
  /** Of a price `per` unit. */
  usage?: Usage
  /** Nothing is charged yet: at the end of its stream, at most so much of what is held. */
  heldAtomic?: bigint
  /** Balance left (prepaid). */
  balanceAtomic?: bigint
  /** Extra answer headers, which `Rail.answerHeaders` names. */
  headers: Record<string, string>
  /** The same receipt for MCP: members of the `_meta` of a result, under the rail's own keys. */
  meta?: Record<string, unknown>
  transaction?: string
  /** What a signed receipt says of the payment; absent: prepaid credits of a key. */
  payment?: {
    scheme: string
    /** CAIP-2. */
    network: string
    asset: string
    payer: string
    /** Units of the asset. */
    amount: string
  }
}

/** A charged answer, as a receipt is made of it. */
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
  /** As the caller addressed it, or `mcp://tool/<name>`. */
  resourceUrl: string
  transport: 'http' | 'mcp'
  /** Of HTTP: the body as it is sent, before content coding. Of MCP: canonical JSON of content and structuredContent. */
  body: Uint8Array
}

/** A signed receipt, in the places where it goes out. */
export interface SignedReceipt {
  /** The receipt itself, such as a compact JWS, for `Rail.showReceipt`. */
  text: string
  /** Named by `ReceiptSigner.answerHeaders`. */
  headers: Readonly<Record<string, string>>
  /** Members of `_meta` of an MCP result. */
  meta: Readonly<Record<string, unknown>>
}

/** Signs receipts of charged answers of every rail; one plugin in the gateway brings it. */
export interface ReceiptSigner {
  /** Headers that it adds: CORS exposes them and OpenAPI lists them. */
  answerHeaders: readonly RailAnswerHeader[]
  /**
   * Asked once for each charged answer, and its headers are kept with the answer for retries. When it
   * throws or takes too long, the receipt is left out, never the answer.
   */
  sign(facts: ReceiptFacts): SignedReceipt | Promise<SignedReceipt>
  /**
   * The receipt among the headers (in lower case) of an answer that was kept; null: it has none, or
   * one of another body than `sent` gives, such as a file in place of JSON for another Accept.
   */
  keptIn(headers: Readonly<Record<string, string>>, sent: () => Uint8Array): SignedReceipt | null
}

export type AuthorizeOutcome =
  | { outcome: 'authorized'; authorization: Authorization }
  /** This very payment already bought this very request: the kept answer. */
  | {
      outcome: 'replay'
      answer: StoredAnswer
      receipt: Receipt
      /**
       * What was captured for the answer, as `keepReceipt` takes it: a signed receipt is made now where
       * none was kept, because the gateway died before that or learned only later that it was paid.
       */
      bought?: Authorization
    }
  | {
      outcome: 'refused'
      failure: Failure
      /** Whether to attach a fresh 402 offer. */ offer: boolean
    }

/** Money that a rail keeps for one call until `capture` or `release`. */
export interface Authorization {
  railId: string
  amountAtomic: bigint
  /** The money is here before the work: work that fails runs again for the same payment. */
  isPaid?: boolean
  /** The rail's own state; opaque to metering. */
  state: unknown
}

/**
 * The signed receipt of a charge that was made just now; null: none is due, or it cannot be had. Never
 * rejects, and takes a quarter of a second at most.
 */
export type SignCharge = (receipt: Receipt) => Promise<SignedReceipt | null>

export type CaptureOutcome =
  | {
      outcome: 'captured'
      receipt: Receipt
      /** What `sign` gave, where the rail has asked it: the headers are kept with the answer. */
      signed?: SignedReceipt | null
    }
  /** The answer is withheld; e.g. settlement refused (402) or its outcome unknown (503). */
  | {
      outcome: 'failed'
      failure: Failure
      offer: boolean
      /** The money may have moved: the caller's idempotency claim stays until the rail knows. */
      pending?: boolean
      /**
       * The money may have moved and can be given back: metering begins it. True once no charge
       * stands; false when `isWanted`, asked before each try, said no, or it was given up.
       */
      giveBack?: (isWanted: () => Promise<boolean>) => Promise<boolean>
    }

export type InspectOutcome =
  | {
      outcome: 'ok'
      payer: string
      idempotencyKey: string | null
      /**
       * The payer as the owner of an account, as `Accounts.ofOwner` takes it, where the payment proves
       * it: the namespace of its network and its address, as the rail's plugin spells them.
       */
      owner?: string
    }
  | { outcome: 'refused'; failure: Failure; offer: boolean }

/** A metered request before its body was read. */
export type EarlyRailCall = Omit<RailCall, 'fingerprint' | 'holdId'>

export type PrecheckOutcome =
  | { outcome: 'refused'; failure: Failure; offer: boolean }
  | {
      outcome: 'ok'
      /** Who pays, where the credential proves it by itself; null while it does not. */
      payer: string | null
      /** What a database or a node has to be asked for; null when all has been said. */
      rest: (() => Promise<InspectOutcome>) | null
    }

/** A way to pay. The plugin guide ("Write a rail") has the order of the calls. */
export interface Rail {
  /** 'credits', or the id of a plugin's rail: one rail in the gateway has it. */
  id: string
  /** Its name for people, after 'by': 'prepaid credits'. Default: its id. */
  title?: string
  /**
   * Headers that carry its credential: CORS allows them, and no skill and no upstream sees them. A
   * rail that names some is asked about calls that bring one of them, X-Request-Id or `_meta` of MCP.
   */
  requestHeaders?: readonly RailHeader[]
  /** Headers of its offers and receipts: CORS exposes them, and OpenAPI lists those of offers. */
  answerHeaders?: readonly RailAnswerHeader[]
  documents?(): RailDocuments
  calls?: RailCalls
  /** Lower goes first when a caller presents several credentials; credits have 100. */
  precedence: number
  /**
   * Its offers are bound to the body of their call: a short one is read before a 402, and
   * `CallPlace.bodyDigest` is there then, and in `inspect` and `authorize`.
   */
  bindsBody?: boolean
  /** Whether it can take money now; a metered product with no working rail is not served. */
  available(): { ok: true } | { ok: false; reason: string }
  /**
   * True when the rail keeps the answer for the payer: the work then goes on when the caller hangs
   * up, is paid for, and waits for the same payment to come again.
   */
  keepsAnswers?: boolean
  /**
   * What is left on this rail for a key, which spends the balance of its account, for receipts of
   * replays and self-billing skills.
   */
  balanceAtomic?(keyId: string, accountId?: string): Promise<bigint | null>
  /** Whether the caller presents this rail's credential for what `quote` sells. */
  presented(source: CredentialSource, identity: Identity | null, quote: Quote): boolean
  /**
   * Judges the credential before the body is read, as far as no database and no network is needed;
   * `rest` asks them. So an untrusted caller's junk costs neither a long body nor anything of the payer it
   * names: the rate limit counts a proven payer, and until then the caller's address. A refusal is
   * answered whatever the body is. Absent: the body is read first.
   */
  precheck?(call: EarlyRailCall, source: CredentialSource): Promise<PrecheckOutcome>
  /**
   * Checks the credential without claiming anything, before the idempotency key is claimed: who
   * pays (scope of the key, subject of the rate limit) and the key the credential itself carries
   * (such as a payment id). Absent: the payer is the identity's key.
   */
  inspect?(call: RailCall, source: CredentialSource): Promise<InspectOutcome>
  /**
   * Its part of a 402, or null when it cannot sell this. Must be cheap: return the same object for
   * the same quote object, so that its JSON is made once. `refusal` is why the credential that came
   * with this call was not taken; the offer then says so.
   */
  offer(quote: Quote, refusal?: Failure): Offer | null
  authorize(call: RailCall, source: CredentialSource): Promise<AuthorizeOutcome>
  /**
   * Takes the money (at most the authorized amount; 0 where nothing was measured, or the call is
   * free). `answer` is what the caller will get, for a rail that must be able to give it again.
   * Metering sends no byte before this resolves, apart from streams whose units are known at their
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
   * `receipt` with the signed one also where clients of this rail look for it, such as its own
   * settlement header. Absent: they find it in the gateway's header alone.
   */
  showReceipt?(receipt: Receipt, signed: SignedReceipt): Receipt
  /**
   * Makes good what `capture` took, because the upstream broke a streamed answer off after its head
   * had been charged: gives it back, or lets the same credential have the same request run again
   * for nothing. Goes on by itself until it is done. Absent: the charge stands, and the operator's
   * log says so. A stream may outlive its rail: this and `delivered` also come after the plugin's
   * `stop`, when a reload has replaced the rail.
   */
  undo?(authorization: Authorization, reason: string): Promise<void>
  /** A streamed answer that was captured has gone out to its last byte, or its reader has left. */
  delivered?(authorization: Authorization): Promise<void>
  /** Gives the money back; never throws for an authorization that has already ended. */
  release(authorization: Authorization, reason: string): Promise<void>
  /**
   * How the hold or claim with this id ended, for an Idempotency-Key whose first caller crashed:
   * 'captured' = its prepared answer was paid for; 'open' = still running or unsettled; 'none' =
   * nothing was taken and nothing will be.
   */
  stateOf(holdId: string): Promise<'captured' | 'open' | 'none'>
  /**
   * Finishes what another gateway began with `giveBack` of a failed capture, and died at: resolves
   * when no charge of this hold stands. Of rails whose captures fail so.
   */
  giveBack?(holdId: string): Promise<void>
}
