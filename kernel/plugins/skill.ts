/**
 * What is sold: a skill is a plain function of validated input and a context. It never sees money,
 * keys or HTTP.
 */
import type { Static, TSchema } from 'typebox'
import type { Failure } from '../errors.ts'
import type { DocumentPool } from '../jobs/contract.ts'
import type { Logger } from '../log/logger.ts'
import type { GuardedFetch } from '../net/contract.ts'
import type { PluginDb } from '../storage/contract.ts'
import type { ClientView, ContentBlock, ProgressReport } from './mcp-contract.ts'

/** What its plugin was set up with that every call of a skill uses. */
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
   * Whether the rail has the price of this call in its hands, whichever rail it is, and takes it or gives
   * it back by the skill's `bill`. Where not, a skill with billing 'self' takes what its work costs.
   */
  isHeld: boolean
  /** Id of the API key that pays or identifies; absent for payers without one. */
  keyId?: string
  mode: 'live' | 'test'
  /**
   * Stands for whom the call counts where something scarce is shared fairly: the same text for the
   * same caller until the gateway restarts, which says nothing about the key, wallet or address.
   */
  share: string
}

/** What a skill gets beside its input. */
export interface SkillContext<C = unknown> {
  readonly config: Readonly<C>
  readonly requestId: string
  /** Fires at the skill's deadline and when the caller goes away. */
  readonly signal: AbortSignal
  readonly caller: CallerView
  readonly log: Logger
  readonly fetch: GuardedFetch
  readonly jobs: DocumentPool
  readonly db: PluginDb
  /** Tells a caller who asked for it how far the work is; goes nowhere otherwise. */
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

/** A skill that reads its input, reaches for nothing else and changes nothing, however often it is called. */
export const PURE: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** What the HTTP route of a skill received, for skills that map it to input themselves. */
export interface HttpParts {
  method: string
  /** Decoded path parameters of the route pattern. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Caller's headers without its credentials (keys, bearer, payment, cookies). */
  headers: Headers
  /** The body's bytes as they arrived. */
  body: Uint8Array
}

/** What a skill took itself, or wants taken. */
export interface Billed {
  amountAtomic: bigint
  ledgerId?: string
}
/** An answer as another service gave it, with its headers. */
export interface AnswerSource {
  headers: Headers
  body: Uint8Array
}
/** Units of an answer: of the price's only unit, or of several by their names. */
export type SaidUnits = number | bigint | Readonly<Record<string, number | bigint>>

export interface Success<O> {
  ok: true
  output: O
  /**
   * 'capture' (default) charges the price; 'release' is a success that costs nothing;
   * `amountAtomic` charges less than the price (`billing: 'partial'`); for a skill with `billing: 'self'` it only
   * reports what the skill charged through `services.billing`, and in which (first) ledger row.
   * `units` is what a price `per` unit counts: one number, or one for each unit by its name. A begun
   * unit counts as whole, and what is no number of units counts as a missing measure.
   */
  bill?: 'capture' | 'release' | Billed | { units: SaidUnits }
  /**
   * The answer of another service that the output was made of: prices that are read in headers, bytes
   * or JSON are read in it. Default: the output itself.
   */
  source?: AnswerSource
  /**
   * HTTP status of the answer, 2xx, or an error's when `bill` is 'release'; default 200. One that is
   * not 2xx stands in the skill's `statuses`.
   */
  status?: number
}
/** A success, which is charged unless its `bill` says otherwise, or a failure, which never is. */
export type Result<O> = Success<O> | Failure

/**
 * A raw answer that is streamed through; only 2xx is charged. A body that fails says that its
 * upstream broke it off, and the charge is made good; with a CallerEnded the charge stands. At a
 * price that counts what is streamed, the charge is made at the end, for what went out.
 */
export interface ForwardSuccess {
  ok: true
  response: Response
}

/** Identity found by a skill's own credential (a verified webhook signature, say). */
export interface SkillIdentity {
  ok: true
  /** The API key that pays. */
  keyId: string
}

/** A priced operation. The kernel authorizes its price, runs it, and charges a success alone. */
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
  /** Examples feed OpenAPI, the discovery of rails and MCP resources. */
  example?: { input: unknown; output?: unknown }
  /**
   * 'call' (default): a success costs the price or nothing. 'partial': it may cost less than the price,
   * as `bill.amountAtomic` says; a rail then offers it only where its payer agrees to a ceiling.
   * 'self': the skill bills through services.billing (per webhook forward).
   */
  billing?: 'call' | 'partial' | 'self'
  /** 'key': payers without an API key are refused (replay.webhook). Default 'any'. */
  payer?: 'any' | 'key'
  limits?: { timeoutMs?: number; bodyBytes?: number; concurrency?: number }
  /** Maps an HTTP request to input; default: JSON body (or query for GET) joined with path params. */
  fromHttp?(parts: HttpParts): unknown
  /** Another way to be identified than a key or a payment; runs in the credentials phase. */
  identify?(ctx: SkillContext<C>, parts: HttpParts): Promise<SkillIdentity | Failure | null>
  /** Cheap refusals before any hold. */
  check?(ctx: SkillContext<C>, input: Static<I>): Promise<Failure | void> | Failure | void
  /**
   * The most units, by the names of its price's `per`, that the work on this input can bill: what a
   * quote promises. Quick, and without effects. Absent: a quote says the price's maximum.
   */
  mostUnits?(input: Static<I>): Readonly<Record<string, number>>
  /** The work, between hold and capture. */
  handler(ctx: SkillContext<C>, input: Static<I>): Promise<Result<Static<O>>>
  /** How a tool result shows the output besides its JSON: images, files, text for people. */
  content?(output: Static<O>): readonly ContentBlock[]
  /** Its handler sends log messages to the client, so the adapter says that there are some. */
  logs?: boolean
  /** HTTP only, instead of `handler`: streams an upstream's answer through. */
  forward?(ctx: SkillContext<C>, request: ForwardRequest): Promise<ForwardSuccess | Failure>
  /**
   * Of `forward`: a JSON body that is read before it is forwarded (of at most 1 MiB) must fit `input`,
   * as the input of a tool does; else the call is refused before anything is held.
   */
  checksForward?: boolean
  /**
   * Of `forward`: lower-case names of headers that speak for the gateway's whole origin and pass all
   * the same ('set-cookie'). Others of that kind are left out of its answers, which run no script.
   */
  passHeaders?: readonly string[]
}

/** A tool name, with its own title, description and input when one skill has several tools. */
export interface SkillTool {
  name: string
  title?: string
  description?: string
  /** A narrower input than the skill's, which is checked as well. */
  input?: TSchema
  /** For a tool with an input of its own, whose calls the skill's example does not show. */
  example?: { input: unknown; output?: unknown }
}

/** The caller's request as `forward` sees it: the body is a stream that was not read. */
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

/** Types a skill so that handler input and output follow from its schemas. */
export function defineSkill<I extends TSchema, O extends TSchema, C = unknown>(
  skill: Skill<C, I, O>,
): Skill<C, I, O> {
  return skill
}
