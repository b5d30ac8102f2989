/** A rail's offer: its part of a 402 over HTTP and MCP, its headers, and its documentation. */
import type { Failure } from '../errors.ts'
import type { CallPlace, CredentialSource } from '../auth/contract.ts'

/**
 * An alternative form of an unpaid MCP result, for requests whose client capabilities name it.
 * Requests of revisions before 2026-07-28 carry no capabilities.
 */
export type McpUnpaidForm = {
  /** The capability that selects it, such as ['experimental', 'payment']. */
  capability: readonly [group: 'experimental' | 'extensions', name: string]
} & (
  | {
      /** A result of this type, which has the offer's challenge as a member. */
      kind: 'result'
      resultType: string
      member: string
    }
  | { kind: 'error'; code: number; message: string; data: object }
)

/** The part of an offer that is made anew for each 402. */
export interface FreshOffer {
  /** Added to the answer's headers in this order; headers of the same name are not merged. */
  headers: readonly (readonly [name: string, value: string])[]
  /** Replaces the headers of these names in `Offer.headers`. */
  replacedHeaders?: Readonly<Record<string, string>>
  body?: Readonly<Record<string, unknown>>
  /** `body` as JSON, if the rail has it: saves serialising the 402 again. */
  bodyText?: string
  /** Replaces `Offer.challenge`. */
  challenge?: object
  /** Members of `_meta` of an unpaid MCP result. */
  meta?: Readonly<Record<string, unknown>>
  /** Replaces `Offer.mcpForm`. */
  mcpForm?: McpUnpaidForm
  /** The content type of the 402, if this caller's dialect asks for another one than JSON. */
  contentType?: string
}

/** A rail's part of a 402. */
export interface Offer {
  /** Absent: the offer is the same for every caller. Must be cheap and store nothing. */
  fresh?(place: CallPlace, source: CredentialSource, refusal?: Failure): FreshOffer
  /** Headers of the 402, listed in `Rail.answerHeaders`. */
  headers: Record<string, string>
  /** Members merged into the JSON body beside `error`. */
  body: Record<string, unknown>
  /** For MCP: the members of the unpaid result's `structuredContent`; default `body`. */
  challenge?: object
  /** For MCP: its `error`, if clients decide by it; default: why the call failed, in words. */
  challengeError?: string
  /** For MCP: the member of `_meta` that repeats `structuredContent`, if clients read it there. */
  challengeKey?: string
  /** For MCP: used instead of a tool result; if a client names several forms, the first counts. */
  mcpForm?: McpUnpaidForm
  /** For MCP: one sentence that tells a model how to pay by this offer. */
  advice?: string
}

/** A header that a rail reads or sends, spelled as documents show it. */
export interface RailHeader {
  name: string
  description: string
}

/** A header of a rail's answers. */
export interface RailAnswerHeader extends RailHeader {
  /** The header comes with the 402 of an unpaid call. */
  isOffer?: boolean
}

/** How documents show a rail while it is mounted. */
export interface RailDocuments {
  /** Text that follows 'Pay each call with': 'prepaid credits (X-Api-Key)'. */
  summary: string
  /** Short text that follows 'Call a paid route;': 'send X-Api-Key'. */
  guidance: string
  /** An item of the list in /llms.txt, in Markdown: how a program pays by this rail. */
  howToPay: string
  /** Further links for programs in /llms.txt: paths of this gateway. */
  links?: readonly { title: string; path: string }[]
  /** OpenAPI security schemes, by name; any one of them pays a call. */
  securitySchemes?: Readonly<Record<string, object>>
  /** JSON Schema of the members that its offer adds to the body of a 402. */
  offerProperties?: Readonly<Record<string, object>>
  /**
   * Path of this gateway's ES module with which a page pays a 402 by the wallet in its visitor's
   * browser: `pay(unpaid, body, say)` resolves with the headers that pay.
   */
  browserModule?: string
  /** Its entry in `x-payment-info.protocols` of OpenAPI. */
  protocol?: object
  /** Its entries in `x-payment-info.offers` of OpenAPI, for a list price. */
  paymentOffers?(price: { amountAtomic: bigint; isCeiling: boolean }): readonly object[]
  /** Text that follows 'Paying:' in the instructions of the MCP server. */
  mcpInstructions?: string
  /** JSON Schema of `structuredContent` of an unpaid MCP result, if its offers have a challenge. */
  mcpUnpaid?: object
  /**
   * Members of the MCP server's capabilities. `extensions` belong to revision 2026-07-28 and appear
   * only in server/discover.
   */
  mcpCapabilities?: Readonly<
    Partial<Record<'experimental' | 'extensions', Readonly<Record<string, object>>>>
  >
  /** Members of `_meta` of an MCP tool in tools/list, by its price. */
  mcpToolMeta?(amountAtomic: bigint): Readonly<Record<string, unknown>>
}
