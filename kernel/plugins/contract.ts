/**
 * The plugin contract: everything that is sold is a plugin, and this is all that a plugin sees.
 * Skills are defined in skill.ts, routes in route.ts, and the services that it may request in
 * services.ts. The phases of a metered call are fixed, and no plugin can reorder them.
 */
import type { Static, TObject } from 'typebox'
import type { Issue } from '../errors.ts'
import type { SetupFinding, Variable, VariableProblem, VariableValues } from '../config/variable.ts'
import type { Gauge } from '../log/metrics.ts'
import type { Migration, PluginDb } from '../storage/contract.ts'
import type { Terms } from '../pricing/terms.ts'
import type { Identifier } from '../auth/contract.ts'
import type { AccountPage } from '../rails/credits/account-pages.ts'
import type { Rail, ReceiptSigner } from '../rails/contract.ts'
import type { OperatorDirectory } from '../auth/operators.ts'
import type { ChangeObserver, OperatorChange, RequestObserver } from './observers.ts'
import type { PluginCommand } from './command.ts'
import type { Prompt, Resource } from './mcp-contract.ts'
import type { ProductView } from './catalog.ts'
import type { Route } from './route.ts'
import type { DocumentTexts } from './document-services.ts'
import type { KernelServices, ServiceName } from './services.ts'
import type { Skill, SkillEnv } from './skill.ts'

/** The version of this contract; a plugin's `kernel` range is checked against it at load. */
export const KERNEL_CONTRACT_VERSION = '1.4.0'

/** A check shown in /ready; a critical check that is 'down' makes that answer 503. */
export interface Health {
  name: string
  critical: boolean
  timeoutMs: number
  probe(signal: AbortSignal): Promise<{ state: 'ok' | 'degraded' | 'down'; detail?: string }>
}

/** The result of `setup`: everything that one mounted revision of a product adds to the gateway. */
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
  /** Recognise its own credentials, which stand for keys, while the product is mounted. */
  identifiers?: readonly Identifier[]
  receiptSigner?: ReceiptSigner
  /**
   * What it offers other plugins while the product is mounted, by name. They get it through
   * `PluginEnv.provided`, and share only a contract of types.
   */
  provides?: Readonly<Record<string, object>>
  /** Prices of single accounts, while the product is mounted. */
  terms?: Terms
  /** Its page, served by one of `routes`, to which the front page and the start-up text link. */
  home?: { path: string; title: string }
  /**
   * Its pages on which people manage their account: offers of credits, and refusals for lack of
   * credits or budget, link to them.
   */
  accountPage?: AccountPage
  /** Told of every request that this instance of the gateway answered. */
  requests?: RequestObserver
  /** Operators besides the holder of the admin token. */
  operators?: OperatorDirectory
  /** Told of every change that an operator made by an admin route. */
  changes?: ChangeObserver
  /** Lines for the operator's terminal, printed once after the gateway has started. */
  startNotes?(): Promise<readonly string[]>
  /** Opens browsers, sockets or workers; if it throws, the previous revision keeps serving. */
  ready?(): Promise<void>
  /** Called after the drain; must also work if ready() threw or never ran. */
  stop?(deadline: Date): Promise<void>
}

/** The argument of `setup`: the product, its settings and the services of the kernel. */
export interface PluginEnv<C = unknown> extends SkillEnv<C> {
  readonly product: ProductView
  /** Value of an environment variable that the plugin declared in `secrets`; undefined if unset. */
  secret(name: string): string | undefined
  /** Effective value of a variable that the plugin declared in `variables`. */
  variable<T>(variable: Variable<T>): T
  /** Public base URL of the gateway, without a trailing slash. */
  readonly publicUrl: string
  readonly sandbox: boolean
  /** A service named in `requires`; throws for any other. */
  service<N extends ServiceName>(name: N): KernelServices[N]
  /**
   * What a mounted product provides under this name now; null if none does. Ask each time, because
   * a reload replaces it. The type comes from a contract that both plugins import.
   */
  provided<T extends object>(name: string): T | null
}

/** What a plugin adds to the gateway itself. */
export interface GatewayPart {
  /** Static, like the kernel's own: no product may take their paths while the gateway runs. */
  routes?: readonly Route[]
  gauges?: readonly Gauge[]
  /** Makes the texts of the service `documents`, instead of those of an earlier plugin. */
  documents?: DocumentTexts
  /** Answers a request to a path where there is nothing, instead of an earlier plugin; null: JSON does. */
  notFound?(request: Request): Response | null
  /** Called after the migrations and before any product is mounted. */
  ready?(): Promise<void>
  /** Called after the last call; must also work if ready() threw or never ran. */
  stop?(deadline: Date): Promise<void>
}

/** The argument of `Plugin.gateway`: that of `setup` without a product and its config. */
export type GatewayEnv = Omit<PluginEnv, 'product' | 'config'>

/** The default export of a plugin's module, typed by `definePlugin`. */
export interface Plugin<S extends TObject = TObject> {
  id: string
  version: string
  /** semver range of KERNEL_CONTRACT_VERSION. */
  kernel: string
  config: S
  /**
   * Problems of a config that passed its schema, by RFC 6901 pointers into it. Values may come from
   * the environment, so messages must not repeat them.
   */
  configProblems?(config: Static<S>): readonly Issue[]
  /**
   * Environment variables that it may read through `env.secret`: masked wherever they are shown,
   * and not usable in product files.
   */
  secrets?: readonly string[]
  /**
   * Typed environment variables, read through `env.variable`. Checked at the start with the
   * gateway's own, whether or not a product uses the plugin; `coinop config` shows them.
   */
  variables?: readonly Variable[]
  /** Problems of the combination of its variables, each of which is valid on its own. */
  contradictions?(values: VariableValues): readonly VariableProblem[]
  /** What `coinop doctor` reports about its setup. Only reads the variables; starts nothing. */
  setupFindings?(values: VariableValues): readonly SetupFinding[]
  /**
   * Absolute paths that only its products may serve, with everything below them. They may lie below
   * the base path of another plugin's product, which then serves everything else there.
   */
  reservedPaths?: readonly string[]
  /** Kernel services that it uses; shown to the operator. */
  requires?: readonly ServiceName[]
  migrations?: readonly Migration[]
  /** Records an operator's change from the shell in its own tables; see `Instance.changes`. */
  keepChange?(db: PluginDb, change: OperatorChange): Promise<void>
  /** Subcommands of `coinop`, available whether or not a product uses the plugin. */
  commands?: readonly PluginCommand[]
  /**
   * What it adds to the gateway itself, whether or not a product uses the plugin; called once, at
   * the start. The routes of a plugin that does not ship with the gateway must be in its
   * `reservedPaths`. No side effects: those belong in ready(). A part that fails is logged and left
   * out, except that a failing part of a shipped plugin prevents the start.
   */
  gateway?(env: GatewayEnv): GatewayPart | Promise<GatewayPart>
  /** No side effects: those belong in ready(). */
  setup(env: PluginEnv<Static<S>>): Instance<Static<S>> | Promise<Instance<Static<S>>>
}

/** Types a plugin without widening its config schema. */
export function definePlugin<S extends TObject>(plugin: Plugin<S>): Plugin<S> {
  return plugin
}
