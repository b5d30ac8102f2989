/**
 * The plugin contract: everything that is sold is a plugin, and this is all a plugin sees. A skill
 * is a plain function of validated input and a context; money, keys and HTTP stay in the kernel.
 * The phases of a metered call are fixed and no plugin can reorder them.
 */
import type { Static, TObject, TSchema } from 'typebox'
import type { SetupFinding, Variable, VariableProblem, VariableValues } from '../config/variable.ts'
import type { Failure } from '../errors.ts'
import type { DocumentPool } from '../jobs/contract.ts'
import type { Logger } from '../log/logger.ts'
import type { Gauge } from '../log/metrics.ts'
import type { Migration, PluginDb } from '../storage/contract.ts'
import type { GuardedFetch } from '../net/contract.ts'
import type { Rail } from '../rails/contract.ts'
import type { PluginCommand } from './command.ts'
import type { ClientView, ContentBlock, ProgressReport, Prompt, Resource } from './mcp-contract.ts'
import type { KernelServices, ServiceName } from './services.ts'

/** The version of this contract; a plugin's `kernel` range is checked against it at load. */
export const KERNEL_CONTRACT_VERSION = '1.1.0'

/** Who pays for a call, as far as a skill may know. */
export interface CallerView {
  rail: string
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

export interface Success<O> {
  ok: true
  output: O
  /**
   * 'capture' (default) charges the price; 'release' is a success that costs nothing;
   * `amountAtomic` charges less than the price (`billing: 'partial'`); for a skill with `billing: 'self'` it only
   * reports what the skill charged through `services.billing`, and in which (first) ledger row.
   */
  bill?: 'capture' | 'release' | { amountAtomic: bigint; ledgerId?: string }
  /**
   * HTTP status of the answer, 2xx, or an error's when `bill` is 'release'; default 200. One that is
   * not 2xx stands in the skill's `statuses`.
   */
  status?: number
}
export type Result<O> = Success<O> | Failure

/**
 * A raw answer that is streamed through; only 2xx is charged. A body that fails says that its
 * upstream broke it off, and the charge is made good; with a CallerEnded the charge stands.
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
  /** The work, between hold and capture. */
  handler(ctx: SkillContext<C>, input: Static<I>): Promise<Result<Static<O>>>
  /** How a tool result shows the output besides its JSON: images, files, text for people. */
  content?(output: Static<O>): readonly ContentBlock[]
  /** Its handler sends log messages to the client, so the adapter says that there are some. */
  logs?: boolean
  /** HTTP only, instead of `handler`: streams an upstream's answer through. */
  forward?(ctx: SkillContext<C>, request: ForwardRequest): Promise<ForwardSuccess | Failure>
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

/** An extra route: never metered. `path` is absolute ('/v1/admin/orders/{id}'). */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  auth: 'public' | 'key' | 'admin'
  summary: string
  /** Heading in OpenAPI; default: the product's title. */
  tag?: string
  /** Stands in OpenAPI also when its product is unlisted. */
  isAlwaysDocumented?: boolean
  /** For OpenAPI only; the handler validates by itself. */
  input?: TSchema
  output?: TSchema
  /** For OpenAPI only: an object schema whose members are the query parameters. */
  query?: TSchema
  /**
   * For OpenAPI only: what it may answer besides 400, 401 where it asks for a credential, 404 where
   * its path has parameters, 413 where it takes input, 429 where it counts callers or asks for the
   * admin token, and 500. A 2xx among them, which comes with `output`, stands in the place of 200.
   */
  statuses?: readonly number[]
  /** For OpenAPI only: the body of its refusals, when it is not the error body of the one table. */
  refusal?: TSchema
  /** Largest body; default 1 MiB. */
  bodyBytes?: number
  /**
   * Counts like a paid call: against the key's rate where the route asks for a key, else against the
   * caller's address. 'ends_hold' counts apart, so that a key at its limit can still end its holds.
   * A first-party upstream that bills for a key (SERVICE_TOKEN) is not counted.
   */
  rateLimited?: boolean | 'ends_hold'
  /** It is paid by this rail alone: documents show it only while the rail is mounted. */
  rail?: string
  /** It sells credits: offers of prepaid credits name it, and /llms.txt tells how to buy there. */
  sellsCredits?: {
    /** Member of `prepaid` in a 402 that holds its path. */
    name: string
    /** Sentences in Markdown. */
    howToBuy: string
  }
  /** Pages of other origins may not read its answers; those of admin routes they never may. */
  sameOrigin?: boolean
  /** A page of the operator's, or what it asks for: with ADMIN_URL it is served on that origin alone. */
  forOperators?: boolean
  /** A Failure becomes the error body of the one table, with the request id. */
  handler(request: RouteRequest): Promise<Response | Failure> | Response | Failure
}
export interface RouteRequest {
  request: Request
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  requestId: string
  clientAddress: string
  /** The caller's key when `auth` is 'key'. */
  keyId?: string
  signal: AbortSignal
  /** The body's bytes, read once under `bodyBytes`; a Failure (413/400) when over it. */
  bytes(): Promise<Uint8Array | Failure>
  /** The body parsed as JSON with a depth limit; an absent body is `undefined`. */
  json(): Promise<{ ok: true; value: unknown } | Failure>
}

/** A check shown in /ready; a critical one that is 'down' makes it 503. */
export interface Health {
  name: string
  critical: boolean
  timeoutMs: number
  probe(signal: AbortSignal): Promise<{ state: 'ok' | 'degraded' | 'down'; detail?: string }>
}

export interface Instance<C = unknown> {
  // Skills of one instance differ in input and output; the registry validates before it calls.
  // oxlint-disable-next-line typescript/no-explicit-any
  skills?: readonly Skill<C, any, any>[]
  routes?: readonly Route[]
  /** Offered to MCP clients while the product is mounted. */
  prompts?: readonly Prompt[]
  resources?: readonly Resource[]
  rails?: readonly Rail[]
  health?: readonly Health[]
  gauges?: readonly Gauge[]
  /** A page of its own, served by one of `routes`, that the front page and the start lead people to. */
  home?: { path: string; title: string }
  /** Lines for the operator's terminal, printed once after the gateway has started. */
  startNotes?(): Promise<readonly string[]>
  /** Opens browsers, sockets, workers; a throw keeps the previous revision serving. */
  ready?(): Promise<void>
  /** After the drain; must also work when ready() threw or never ran. */
  stop?(deadline: Date): Promise<void>
}

export interface PluginEnv<C = unknown> {
  readonly config: Readonly<C>
  readonly product: ProductView
  readonly log: Logger
  readonly db: PluginDb
  readonly fetch: GuardedFetch
  readonly jobs: DocumentPool
  /** Value of an environment variable the plugin declared in `secrets`; undefined when unset. */
  secret(name: string): string | undefined
  /** Effective value of a variable the plugin declared in `variables`. */
  variable<T>(variable: Variable<T>): T
  /** Public base URL of the gateway, without a trailing slash. */
  readonly publicUrl: string
  readonly sandbox: boolean
  /** Only the services named in `requires`; asking for another throws. */
  service<N extends ServiceName>(name: N): KernelServices[N]
  now(): Date
}

/** The product an instance is built for. */
export interface ProductView {
  id: string
  title: string
  description: string
  basePath: string
  /** The whole parsed spec, for plugins such as the proxy that read more than `config`. */
  spec: Readonly<Record<string, unknown>>
}

export interface Plugin<S extends TObject = TObject> {
  id: string
  version: string
  /** semver range of KERNEL_CONTRACT_VERSION. */
  kernel: string
  config: S
  /**
   * Environment variables it may read through `env.secret`: masked wherever they are shown, and
   * closed to product files.
   */
  secrets?: readonly string[]
  /**
   * Environment variables with types, read through `env.variable`. They are checked at the start
   * with the gateway's own, whether or not a product uses the plugin, and `coinop config` shows them.
   */
  variables?: readonly Variable[]
  /** What is wrong with the combination of its variables, each of which is right alone. */
  contradictions?(values: VariableValues): readonly VariableProblem[]
  /** What `coinop doctor` tells of its setup. Reads the variables alone, and starts nothing. */
  setupFindings?(values: VariableValues): readonly SetupFinding[]
  /** Absolute paths that only its products may serve, with all below them; others may not have them. */
  reservedPaths?: readonly string[]
  /** Kernel services it uses; shown to the operator. */
  requires?: readonly ServiceName[]
  migrations?: readonly Migration[]
  /** Subcommands of `coinop`, there whether or not a product uses the plugin. */
  commands?: readonly PluginCommand[]
  /** No side effects: those belong in ready(). */
  setup(env: PluginEnv<Static<S>>): Instance<Static<S>> | Promise<Instance<Static<S>>>
}

/** Types a plugin without widening its config schema. */
export function definePlugin<S extends TObject>(plugin: Plugin<S>): Plugin<S> {
  return plugin
}

/** Types a skill so that handler input and output follow from its schemas. */
export function defineSkill<I extends TSchema, O extends TSchema, C = unknown>(
  skill: Skill<C, I, O>,
): Skill<C, I, O> {
  return skill
}
