/** What a rail offers: its part of a 402 over HTTP and MCP, its headers, and how documents show it. */
import type { Failure } from '../errors.ts'
import type { CallPlace, CredentialSource } from '../auth/contract.ts'

/**
 * Another form of an unpaid result over MCP, for requests whose client capabilities name it. Requests
 * of revisions before 2026-07-28 carry none.
 */
export type McpUnpaidForm = {
  /** Where the capabilities name it: ['experimental', 'payment']. */
  capability: readonly [group: 'experimental' | 'extensions', name: string]
} & (
  | {
      /** A result of this type, with the challenge of the offer as its member. */
      kind: 'result'
      resultType: string
      member: string
    }
  | { kind: 'error'; code: number; message: string; data: object }
)

/** The part of an offer that is made anew for each 402. */
export interface FreshOffer {
  /** Added to the answer's headers in this order; several of one name stay several. */
  headers: readonly (readonly [name: string, value: string])[]
  /** Replaces what `Offer.headers` has under these names. */
  replacedHeaders?: Readonly<Record<string, string>>
  body?: Readonly<Record<string, unknown>>
  /** JSON of `body`, where the rail has it: a 402 is not to be written twice. */
  bodyText?: string
  /** Replaces `Offer.challenge`. */
  challenge?: object
  /** Members of `_meta` of an unpaid MCP result. */
  meta?: Readonly<Record<string, unknown>>
  /** Replaces `Offer.mcpForm`. */
  mcpForm?: McpUnpaidForm
  /** Of the 402, when this caller's dialect asks for another one than JSON. */
  contentType?: string
}

/** A rail's part of a 402. */
export interface Offer {
  /** Absent: the offer is the same for every caller. Must be cheap and keep nothing. */
  fresh?(place: CallPlace, source: CredentialSource, refusal?: Failure): FreshOffer
  /** Headers of the 402, which `Rail.answerHeaders` names. */
  headers: Record<string, string>
  /** Members merged into the JSON body beside `error`. */
  body: Record<string, unknown>
  /** For MCP: an object whose members `structuredContent` of the unpaid result has; default `body`. */
  challenge?: object
  /** For MCP: `error` of that object, where clients decide by it; default: why the call failed, in words. */
  challengeError?: string
  /** For MCP: the member of `_meta` that repeats `structuredContent`, where the rail's clients read it. */
  challengeKey?: string
  /** For MCP: used instead of a tool result; where clients name those of two rails, that of the first. */
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
  /** It comes with the 402 of an unpaid call. */
  isOffer?: boolean
}

/** How documents show a rail while it is mounted. */
export interface RailDocuments {
  /** After 'Pay each call with': 'prepaid credits (X-Api-Key)'. */
  summary: string
  /** After 'Call a paid route;', in few words: 'send X-Api-Key'. */
  guidance: string
  /** An item of the list in /llms.txt, in Markdown: how a program pays by this rail. */
  howToPay: string
  /** Further places for programs, listed in /llms.txt: paths of this gateway. */
  links?: readonly { title: string; path: string }[]
  /** OpenAPI security schemes, by name; any one of them pays a call. */
  securitySchemes?: Readonly<Record<string, object>>
  /** JSON Schema members that its offer adds to the body of a 402. */
  offerProperties?: Readonly<Record<string, object>>
  /**
   * Path of a script of this gateway (an ES module) by which a page pays a 402 with the wallet of its
   * visitor's browser: `pay(unpaid, body, say)` resolves with the headers that pay.
   */
  browserModule?: string
  /** Its entry in `x-payment-info.protocols` of OpenAPI. */
  protocol?: object
  /** Its entries in `x-payment-info.offers` of OpenAPI, for a price at the list. */
  paymentOffers?(price: { amountAtomic: bigint; isCeiling: boolean }): readonly object[]
  /** After 'Paying:' in the instructions of the MCP server. */
  mcpInstructions?: string
  /** JSON Schema of `structuredContent` of an unpaid MCP result, when its offers have a challenge. */
  mcpUnpaid?: object
  /**
   * Members of the MCP server's capabilities. `extensions` are of revision 2026-07-28 and stand in
   * server/discover alone.
   */
  mcpCapabilities?: Readonly<
    Partial<Record<'experimental' | 'extensions', Readonly<Record<string, object>>>>
  >
  /** Members of `_meta` of an MCP tool in tools/list, by its price. */
  mcpToolMeta?(amountAtomic: bigint): Readonly<Record<string, unknown>>
}
