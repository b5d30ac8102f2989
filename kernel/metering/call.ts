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
      /** Of method, path, query and, where buffered, body. */
      fingerprint: string
    }
  | Failure

export interface MeterCall {
  /** At the list price, like `quote`; the meter replaces both if the account has its own price. */
  mounted: MountedSkill
  quote: Quote
  requestId: string
  source: CredentialSource
  /** Where the call goes; built on first access. */
  readonly place: CallPlace
  /** The caller, if the transport has identified it already: then `source` is used only to pay. */
  as?: { keyId: string; via: Identity['via']; isOwner?: boolean }
  idempotencyKey: string | null
  acquisition: string | null
  clientAddress: string
  /** Who calls and who pays, as far as the meter knows; the meter sets it. */
  seen?: { readonly identity: Identity | null; readonly payer: string | null }
  /** Aborts when the caller disconnects. */
  signal: AbortSignal
  /** The MCP client behind the call. */
  client?: ClientView
  /** The bytes sent for a kept answer, if not its body: the signed receipt covers them. */
  sentBody?(answer: StoredAnswer): Uint8Array
  /** Sets `place.bodyDigest`; the part of the body that it reads is still there for `read`. */
  digestBody?(): Promise<void>
  /** Told who pays, before the work begins, if the rail knows the payer as an account's owner. */
  paidBy?(owner: string): void
  /** `share` is charged with the memory and time that a long body takes; see `shareOf`. */
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
      /** The transport calls it to undo the charge of a stream that ended as 'broken'. */
      onBroken(): Promise<void>
      /**
       * The charge made at the end of the stream; until then, `receipt` says what is held.
       * Absent: `receipt` is the charge. Never rejects.
       */
      charging?: Promise<Receipt>
    }
  | {
      kind: 'failure'
      failure: Failure
      offers: readonly Offer[]
      /** The parts of the offers that are made for this call alone. */
      fresh: readonly FreshPart[]
      /** True if money may have moved; the rail finds out whether it has. */
      pending?: boolean
      /** Of money that was received before the work, which failed. */
      receipt?: Receipt
      /** Whether the caller presented an API key, JWT or service token. */
      bringsKey: boolean
      /** The rail that was to pay; null before one was chosen. */
      rail: string | null
      /** Length of the body; set once it was sent. */
      sentCharacters?: number
      /** The payer's balance after failed work; absent if no balance pays or nothing was held. */
      balanceAtomic?: bigint
      rateHeaders: Record<string, string>
    }
