/**
 * Skills, which are what is sold: plain functions of validated input and a context, which never see
 * money, keys or HTTP.
 */
import type { Static, TSchema } from 'typebox'
import type { Failure } from '../errors.ts'
import type { DocumentPool } from '../jobs/contract.ts'
import type { Logger } from '../log/logger.ts'
import type { GuardedFetch } from '../net/contract.ts'
import type { PluginDb } from '../storage/contract.ts'
import type { ClientView, ContentBlock, ProgressReport } from './mcp-contract.ts'

/** The part of a plugin's environment that every call of a skill can use. */
export interface SkillEnv<C = unknown> {
  readonly config: Readonly<C>
  readonly log: Logger
  readonly db: PluginDb
  readonly fetch: GuardedFetch
  readonly jobs: DocumentPool
  now(): Date
}

/** Who pays for a call, as far as a skill may know. */
export interface CallerView {
  rail: string
  /**
   * Whether a rail holds the price of this call and captures or releases it by the skill's `bill`.
   * If not, a skill with billing 'self' charges for its work itself.
   */
  isHeld: boolean
  /** Id of the API key that pays or identifies; absent for payers without one. */
  keyId?: string
  /** Names the call to whoever began it before and died; absent without one. */
  idempotencyKey?: string
  mode: 'live' | 'test'
  /**
   * Identifies the caller where a scarce resource is divided fairly: the same text for the same
   * caller until the gateway restarts, which reveals nothing about the key, wallet or address.
   */
  share: string
}

/** What a skill gets besides its input. */
export interface SkillContext<C = unknown> {
  readonly config: Readonly<C>
  readonly requestId: string
  /** Aborts at the skill's deadline and when the caller disconnects. */
  readonly signal: AbortSignal
  /** What the work may take in all: `limits.timeout` of its route, in milliseconds. */
  readonly timeoutMs: number
  readonly caller: CallerView
  readonly log: Logger
  readonly fetch: GuardedFetch
  readonly jobs: DocumentPool
  readonly db: PluginDb
  /** Reports progress to a caller who asked for it; otherwise ignored. */
  progress(report: ProgressReport): void
  /** The MCP client behind the call; null on HTTP. */
  readonly client: ClientView | null
  now(): Date
}

/** MCP tool annotations (2025-03-26 and later). */
export interface Annotations {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

/** A skill that only reads its input, changes nothing and has no side effects. */
export const PURE: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** The HTTP request of a skill's route, for skills that map it to input themselves. */
export interface HttpParts {
  method: string
  /** Decoded path parameters of the route pattern. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Caller's headers without its credentials (keys, bearer, payment, cookies). */
  headers: Headers
  /** The bytes of the body, as received. */
  body: Uint8Array
}

/** What a skill charged itself, or wants charged. */
export interface Billed {
  amountAtomic: bigint
  ledgerId?: string
}
/** The answer of another service, with its headers. */
export interface AnswerSource {
  headers: Headers
  body: Uint8Array
}
/** Units of an answer: a number for the price's only unit, or numbers by unit name. */
export type SaidUnits = number | bigint | Readonly<Record<string, number | bigint>>

export interface Success<O> {
  ok: true
  output: O
  /** The JSON of `output`, if its numbers have more digits than `output` holds. */
  json?: string
  /**
   * 'capture' (default) charges the price; 'release' is a success that costs nothing;
   * `amountAtomic` charges less than the price (`billing: 'partial'`), and for a skill with
   * `billing: 'self'` only reports what the skill charged through `services.billing`, and in which
   * (first) ledger row. `units` is what a price `per` unit counts: one number, or one per unit
   * name. Units are rounded up, and an invalid number counts as a missing measure.
   */
  bill?: 'capture' | 'release' | Billed | { units: SaidUnits }
  /**
   * The answer of another service that the output was made from: prices that measure headers, bytes
   * or JSON measure this one. Default: the output itself.
   */
  source?: AnswerSource
  /**
   * HTTP status of the answer: 2xx, or an error status if `bill` is 'release'; default 200. A
   * status other than 2xx must be listed in the skill's `statuses`.
   */
  status?: number
}
/** A success, which is charged unless its `bill` says otherwise, or a failure, which is free. */
export type Result<O> = Success<O> | Failure

/**
 * A raw answer that is streamed through; only 2xx is charged. If the body errors, its upstream
 * broke it off and the charge is undone, except for a CallerEnded, where the charge stands. A price
 * that measures the stream is charged at its end, for what went out.
 */
export interface ForwardSuccess {
  ok: true
  response: Response
}

/** Identity by a skill's own credential, such as a verified webhook signature. */
export interface SkillIdentity {
  ok: true
  /** The API key that pays. */
  keyId: string
}

/** A priced operation. The kernel authorizes its price, runs it, and charges only a success. */
export interface Skill<C = unknown, I extends TSchema = TSchema, O extends TSchema = TSchema> {
  /** Price key, `<product>.<name>`: 'utils.extract'. */
  id: string
  /** MCP tool names (dotted); underscore aliases are derived. Empty: no tool. */
  tools: readonly SkillTool[]
  title: string
  description: string
  /** One schema feeds validation, OpenAPI and tools/list. Flat object at the root. */
  input: I
  output: O
  /** For OpenAPI only: statuses besides 200 that come with `output` (the 409 of a replay). */
  statuses?: readonly number[]
  annotations: Annotations
  /** Shown in OpenAPI, the discovery of rails and MCP resources. */
  example?: { input: unknown; output?: unknown }
  /**
   * 'call' (default): a success costs the price or nothing. 'partial': it may cost less than the
   * price, by `bill.amountAtomic`; a rail then offers it only if its payers can agree to a ceiling.
   * 'self': the skill bills through services.billing (per webhook forward).
   */
  billing?: 'call' | 'partial' | 'self'
  /** 'key': payers without an API key are refused (replay.webhook). Default 'any'. */
  payer?: 'any' | 'key'
  limits?: { timeoutMs?: number; bodyBytes?: number; concurrency?: number }
  /** Maps an HTTP request to input; default: JSON body (GET: query) joined with path params, each typed by `input`. */
  fromHttp?(parts: HttpParts): unknown
  /** Identifies callers other than by a key or a payment; runs in the credentials phase. */
  identify?(ctx: SkillContext<C>, parts: HttpParts): Promise<SkillIdentity | Failure | null>
  /** Cheap refusals before any hold. */
  check?(ctx: SkillContext<C>, input: Static<I>): Promise<Failure | void> | Failure | void
  /**
   * The most units, by the names of its price's `per`, that the work on this input can bill, for
   * quotes. Must be quick and without side effects. Absent: quotes state the price's maximum.
   */
  mostUnits?(input: Static<I>): Readonly<Record<string, number>>
  /** The work, which runs between hold and capture. */
  handler(ctx: SkillContext<C>, input: Static<I>): Promise<Result<Static<O>>>
  /** Content blocks of a tool result besides the JSON: images, files, text for people. */
  content?(output: Static<O>): readonly ContentBlock[]
  /** Its handler sends log messages to the client, so the adapter declares that capability. */
  logs?: boolean
  /** HTTP only, instead of `handler`: streams an upstream's answer through. */
  forward?(ctx: SkillContext<C>, request: ForwardRequest): Promise<ForwardSuccess | Failure>
  /**
   * For `forward`: a JSON body that is read before it is forwarded (up to 1 MiB) must match `input`,
   * like the input of a tool; otherwise the call is refused before anything is held. A body that
   * begins like an object is JSON whatever its Content-Type says.
   */
  checksForward?: boolean
  /**
   * For `forward`: lower-case names of headers that affect the gateway's whole origin and pass
   * nevertheless ('set-cookie'). Other such headers are removed from its answers, which run no
   * script.
   */
  passHeaders?: readonly string[]
}

/** A tool name, with its own title, description and input when one skill has several tools. */
export interface SkillTool {
  name: string
  title?: string
  description?: string
  /** A narrower input than the skill's; both are checked. */
  input?: TSchema
  /** For a tool with its own input, which the skill's example does not fit. */
  example?: { input: unknown; output?: unknown }
}

/** The caller's request as `forward` sees it; the body is an unread stream. */
export interface ForwardRequest {
  method: string
  /** Path below the product's base_path, still percent-encoded, starting with '/'. */
  path: string
  /** Raw query with '?', or ''. */
  search: string
  headers: Headers
  body: ReadableStream<Uint8Array> | null
  clientAddress: string
}

/** Infers the types of a handler's input and output from the skill's schemas. */
export function defineSkill<I extends TSchema, O extends TSchema, C = unknown>(
  skill: Skill<C, I, O>,
): Skill<C, I, O> {
  return skill
}
