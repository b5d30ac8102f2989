/** The contract by which other parts (the HTTP router, the MCP adapter) make metered calls. */
import type { Failure } from '../errors.ts'
import type { ServedProduct } from './product-desk.ts'
import type { Skill, SkillEnv, SkillTool } from './skill.ts'
import type { ClientView, Prompt, Resource } from './mcp-contract.ts'
import type { PriceRule } from '../pricing/rule.ts'
import type { Offer } from '../rails/offer-contract.ts'
import type { Quote, Receipt } from '../rails/contract.ts'
import type { CredentialSource, Identity } from '../auth/contract.ts'

/** The product an instance is built for. */
export interface ProductView {
  id: string
  title: string
  description: string
  basePath: string
  /** The whole parsed spec, for plugins that read more than `config`, such as the proxy. */
  spec: Readonly<Record<string, unknown>>
}

/** A skill as mounted by a product, with its price, limits, route and tools. */
export interface MountedSkill {
  skill: Skill
  /** The environment its plugin was set up with: config, log, db, fetch, jobs of its contexts. */
  env: SkillEnv
  product: ProductView
  /** Null for skills reachable as tools only. */
  route: MountedRoute | null
  tools: readonly SkillTool[]
  metered: boolean
  /** What is held for a call: the price's maximum. */
  amountAtomic: bigint
  price: PriceRule
  /** Whether the cost of a call is known only after its work. */
  isMeasured: boolean
  priceVersion: number
  rails: readonly string[]
  limits: { timeoutMs: number; bodyBytes: number; concurrency: number }
}
/** The HTTP route of a mounted skill. */
export interface MountedRoute {
  method: string
  /** Full pattern: '/v1/weather/forecast/{city}', parameters as {id}. */
  path: string
}

/** Everything mounted at one moment; immutable. `version` changes with every swap. */
export interface CatalogSnapshot {
  version: string
  priceVersion: number
  skills: readonly MountedSkill[]
  /** By id, including products without skills. */
  products?: ReadonlyMap<string, ServedProduct>
  /** What the mounted plugins offer MCP clients besides tools. */
  prompts?: readonly Prompt[]
  resources?: readonly Resource[]
  /** Tool name (dotted or underscore alias) → skill and the tool's own entry. */
  tool(name: string): { mounted: MountedSkill; tool: SkillTool } | null
}
/** The service `catalog`: everything that is mounted now. */
export interface Catalog {
  current(): CatalogSnapshot
  /** Called after each swap; returns the unsubscribe function. */
  onChange(listener: () => void): () => void
}

/** One tool call, which takes the same path as an HTTP call. */
export interface ToolCallOrder {
  mounted: MountedSkill
  tool: SkillTool
  input: unknown
  requestId?: string
  credentials: CredentialSource
  /**
   * The caller, if the plugin has identified it already; `credentials` are then used only to pay.
   * `isOwner`: the caller has authority over the key and is not bound to its networks.
   */
  as?: { keyId: string; via: Identity['via']; isOwner?: boolean }
  idempotencyKey?: string
  /** The bytes that the caller gets for the output `json`; a signed receipt covers them. */
  sentBody?(json: string): Uint8Array
  acquisition?: string
  clientAddress: string
  signal: AbortSignal
  /** The MCP client, for skills that report progress or ask questions. */
  client?: ClientView
}

/** How a metered call ended. */
export type CallOutcome =
  | {
      ok: true
      requestId: string
      /** The status that HTTP would send; from 400 on, the output says why nothing was done. */
      status: number
      /** JSON text of the skill's output, as HTTP would send it. */
      json: string
      receipt: Receipt
      replayed: boolean
    }
  | {
      ok: false
      requestId: string
      failure: Failure
      /** With the parts made for this call. */
      offers: readonly Offer[]
      /** Members of `_meta` that the offers add. */
      offerMeta?: Readonly<Record<string, unknown>>
      /** Money may have moved and the rail is finding out; false: nothing was charged. */
      pending: boolean
      /** Of money that was received before the work, which failed. */
      receipt?: Receipt
      /** The rail that was to pay, if one was chosen. */
      rail?: string
      /** The payer's balance after failed work. */
      balanceAtomic?: bigint
    }

/** The service `calls`: runs skills as metered calls over protocols other than HTTP. */
export interface Caller {
  callTool(order: ToolCallOrder): Promise<CallOutcome>
  /** The quote of a tool, for price lines and challenges. */
  quoteTool(mounted: MountedSkill, tool: SkillTool): Quote
  /** Checks the key without running anything: 401 for a wrong one, a null `keyId` for none. */
  identify(credentials: CredentialSource): Promise<{ ok: true; keyId: string | null } | Failure>
}
