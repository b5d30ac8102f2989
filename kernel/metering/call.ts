/** What goes into and comes out of `Meter.run`, for both transports. */
import type { Failure } from '../errors.ts'
import type { ForwardRequest, HttpParts } from '../plugins/skill.ts'
import type { ClientView } from '../plugins/mcp-contract.ts'
import type { Offer } from '../rails/offer-contract.ts'
import type { Quote, Receipt, StoredAnswer } from '../rails/contract.ts'
import type { FreshPart } from '../rails/fresh.ts'
import type { CallPlace, CredentialSource, Identity } from '../auth/contract.ts'
import type { MountedSkill } from '../plugins/catalog.ts'

/** Input as read by the transport, before the schema check. */
export type ReadOutcome =
  | { ok: true; input: unknown }
  | {
      ok: true
      forward: ForwardRequest
      /** Of method, path, query and, where buffered, body. */ fingerprint: string
    }
  | Failure

export interface MeterCall {
  /** With `quote` of the list; the meter puts the account's own price here where it has one. */
  mounted: MountedSkill
  quote: Quote
  requestId: string
  source: CredentialSource
  /** Where it goes; made when it is read. */
  readonly place: CallPlace
  /** The caller, where the transport has identified it itself: `source` then only pays. */
  as?: { keyId: string; via: Identity['via']; isOwner?: boolean }
  idempotencyKey: string | null
  acquisition: string | null
  clientAddress: string
  /** Who calls and pays, as far as the meter has found out; it puts it here. */
  seen?: { readonly identity: Identity | null; readonly payer: string | null }
  /** Fires when the caller goes away. */
  signal: AbortSignal
  /** The MCP client behind the call. */
  client?: ClientView
  /** What the caller gets for the kept answer, where that is not its body: a signed receipt is of it. */
  sentBody?(answer: StoredAnswer): Uint8Array
  /** Puts `place.bodyDigest`; what is read of a body for it is still there for `read`. */
  digestBody?(): Promise<void>
  /** Hears who pays, where the rail knows it as the owner of an account; before the work begins. */
  paidBy?(owner: string): void
  /** `share` is who the memory and the time that a long body takes count for; see `shareOf`. */
  read(share: string): Promise<ReadOutcome>
  /** The raw HTTP request, for skills with their own credential; null on MCP. */
  parts(share: string): Promise<HttpParts | Failure | null>
}

export type MeterOutcome =
  | {
      kind: 'answer'
      answer: StoredAnswer
      receipt: Receipt
      rateHeaders: Record<string, string>
      replayed: boolean
    }
  | {
      kind: 'stream'
      response: Response
      receipt: Receipt
      rateHeaders: Record<string, string>
      /** The transport calls it when the stream ended as 'broken' (see StreamEnd), so that no charge stands. */
      onBroken(): Promise<void>
      /**
       * What its end charges, where that is known only then; `receipt` says what is held meanwhile.
       * Absent: `receipt` is the charge. Never rejects.
       */
      charging?: Promise<Receipt>
    }
  | {
      kind: 'failure'
      failure: Failure
      offers: readonly Offer[]
      /** What the offers add for this call alone. */
      fresh: readonly FreshPart[]
      /** Whether money may have moved; the rail finds out. */
      pending?: boolean
      /** Whether the caller presented an API key, JWT or service token. */
      bringsKey: boolean
      /** The rail that was to pay; null before one was chosen. */
      rail: string | null
      /** Length of the body that was sent, once it was. */
      sentCharacters?: number
      /** What the payer has after failed work; absent where no balance pays or nothing was held. */
      balanceAtomic?: bigint
      rateHeaders: Record<string, string>
    }
