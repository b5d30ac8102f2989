/** How other parts of the gateway (the HTTP router, the MCP adapter) make a metered call. */
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
  /** The whole parsed spec, for plugins such as the proxy that read more than `config`. */
  spec: Readonly<Record<string, unknown>>
}

/** A skill as mounted by a product: its price, limits and places. */
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
  /** Whether what a call costs is known only after its work. */
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

/** The mounted world at one moment; immutable. `version` changes with every swap. */
export interface CatalogSnapshot {
  version: string
  priceVersion: number
  skills: readonly MountedSkill[]
  /** By id, those without skills too. */
  products?: ReadonlyMap<string, ServedProduct>
  /** What the mounted plugins offer to MCP clients besides tools. */
  prompts?: readonly Prompt[]
  resources?: readonly Resource[]
  /** Tool name (dotted or underscore alias) → skill and the tool's own entry. */
  tool(name: string): { mounted: MountedSkill; tool: SkillTool } | null
}
/** The service `catalog`: what is mounted now. */
export interface Catalog {
  current(): CatalogSnapshot
  /** After each swap; returns an unsubscribe. */
  onChange(listener: () => void): () => void
}

/** One tool call through the same path as HTTP. */
export interface ToolCallOrder {
  mounted: MountedSkill
  tool: SkillTool
  input: unknown
  requestId?: string
  credentials: CredentialSource
  /**
   * The caller, where the plugin has identified it itself; `credentials` are then asked for payments only.
   * `isOwner`: they stand above the key, so that its networks are not for them.
   */
  as?: { keyId: string; via: Identity['via']; isOwner?: boolean }
  idempotencyKey?: string
  /** What the caller gets for the output `json`: a signed receipt is of these bytes. */
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
      /** The status that HTTP would send: from 400 on the output says why nothing was done. */
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
      /** As they are for this call. */
      offers: readonly Offer[]
      /** Members of `_meta` that the offers add. */
      offerMeta?: Readonly<Record<string, unknown>>
      /** Money may have moved and the rail is finding out; false: nothing was taken. */
      pending: boolean
      /** The rail that was to pay, if one was chosen. */
      rail?: string
      /** What the payer has after failed work. */
      balanceAtomic?: bigint
    }

/** The service `calls`: runs skills as metered calls of other protocols than HTTP. */
export interface Caller {
  callTool(order: ToolCallOrder): Promise<CallOutcome>
  /** The quote of a tool, for price lines and challenges. */
  quoteTool(mounted: MountedSkill, tool: SkillTool): Quote
  /**
   * Checks the key credential without running anything: 401 for a wrong one. Null identity when
   * none is given.
   */
  identify(credentials: CredentialSource): Promise<{ ok: true; keyId: string | null } | Failure>
}
