/**
 * The plugin contract: everything that is sold is a plugin, and this is all a plugin sees. Its
 * skills are in skill.ts, its routes in route.ts, the services it may ask for in services.ts. The
 * phases of a metered call are fixed, and no plugin can reorder them.
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
import type { DocumentTexts, KernelServices, ServiceName } from './services.ts'
import type { Skill, SkillEnv } from './skill.ts'

/** The version of this contract; a plugin's `kernel` range is checked against it at load. */
export const KERNEL_CONTRACT_VERSION = '1.4.0'

/** A check shown in /ready; a critical one that is 'down' makes it 503. */
export interface Health {
  name: string
  critical: boolean
  timeoutMs: number
  probe(signal: AbortSignal): Promise<{ state: 'ok' | 'degraded' | 'down'; detail?: string }>
}

/** What `setup` returns: all that one mounted revision of a product adds to the gateway. */
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
  /** Credentials of its own, which stand for keys of the gateway, while the product is mounted. */
  identifiers?: readonly Identifier[]
  receiptSigner?: ReceiptSigner
  /**
   * What it offers other plugins while the product is mounted, by name; they get it by
   * `PluginEnv.provided`, and share no code but a contract of types.
   */
  provides?: Readonly<Record<string, object>>
  /** Prices of accounts of their own, while the product is mounted. */
  terms?: Terms
  /** A page of its own, served by one of `routes`, that the front page and the start lead people to. */
  home?: { path: string; title: string }
  /**
   * Pages of its own where the holder of an account looks after it: offers of credits and refusals
   * for want of credits or of budget lead people there.
   */
  accountPage?: AccountPage
  /** Hears of every request of this instance that was answered. */
  requests?: RequestObserver
  /** Operators beside the holder of the admin token. */
  operators?: OperatorDirectory
  /** Hears of every change that an operator made by an admin route. */
  changes?: ChangeObserver
  /** Lines for the operator's terminal, printed once after the gateway has started. */
  startNotes?(): Promise<readonly string[]>
  /** Opens browsers, sockets, workers; a throw keeps the previous revision serving. */
  ready?(): Promise<void>
  /** After the drain; must also work when ready() threw or never ran. */
  stop?(deadline: Date): Promise<void>
}

/** What `setup` gets: the product, its settings and the services of the kernel. */
export interface PluginEnv<C = unknown> extends SkillEnv<C> {
  readonly product: ProductView
  /** Value of an environment variable the plugin declared in `secrets`; undefined when unset. */
  secret(name: string): string | undefined
  /** Effective value of a variable the plugin declared in `variables`. */
  variable<T>(variable: Variable<T>): T
  /** Public base URL of the gateway, without a trailing slash. */
  readonly publicUrl: string
  readonly sandbox: boolean
  /** Only the services named in `requires`; asking for another throws. */
  service<N extends ServiceName>(name: N): KernelServices[N]
  /**
   * What a mounted product provides under this name now; null while none does. Ask each time: a
   * reload replaces it. The type is that of the contract which both plugins import.
   */
  provided<T extends object>(name: string): T | null
}

/** What a plugin adds to the gateway itself. */
export interface GatewayPart {
  /** Static as the kernel's own are: no product may take their paths while the gateway runs. */
  routes?: readonly Route[]
  gauges?: readonly Gauge[]
  /** Makes these texts of the service `documents`, in place of those of an earlier plugin. */
  documents?: DocumentTexts
  /** After the migrations and before any product is mounted. */
  ready?(): Promise<void>
  /** After the last call; must also work when ready() threw or never ran. */
  stop?(deadline: Date): Promise<void>
}

/** What `Plugin.gateway` gets: the same as `setup`, without a product and its config. */
export type GatewayEnv = Omit<PluginEnv, 'product' | 'config'>

/** The default export of a plugin's module, typed by `definePlugin`. */
export interface Plugin<S extends TObject = TObject> {
  id: string
  version: string
  /** semver range of KERNEL_CONTRACT_VERSION. */
  kernel: string
  config: S
  /**
   * What is wrong with a config that its schema lets through, by RFC 6901 pointers into it. Values
   * may come from the environment, and messages must not repeat them.
   */
  configProblems?(config: Static<S>): readonly Issue[]
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
  /**
   * Absolute paths that only its products may serve, with all below them; others may not have them.
   * They may lie below the base path of another plugin's product, which then serves all but them.
   */
  reservedPaths?: readonly string[]
  /** Kernel services it uses; shown to the operator. */
  requires?: readonly ServiceName[]
  migrations?: readonly Migration[]
  /** Keeps what an operator changed from the shell, in its own tables; see `Instance.changes`. */
  keepChange?(db: PluginDb, change: OperatorChange): Promise<void>
  /** Subcommands of `coinop`, there whether or not a product uses the plugin. */
  commands?: readonly PluginCommand[]
  /**
   * What it adds to the gateway itself, whether or not a product uses the plugin: asked for once, at
   * the start. The routes of a plugin that does not ship with the gateway lie in its `reservedPaths`.
   * No side effects: those belong in ready(). A part that fails is left out, and logged; what ships
   * with the gateway must not fail.
   */
  gateway?(env: GatewayEnv): GatewayPart | Promise<GatewayPart>
  /** No side effects: those belong in ready(). */
  setup(env: PluginEnv<Static<S>>): Instance<Static<S>> | Promise<Instance<Static<S>>>
}

/** Types a plugin without widening its config schema. */
export function definePlugin<S extends TObject>(plugin: Plugin<S>): Plugin<S> {
  return plugin
}
