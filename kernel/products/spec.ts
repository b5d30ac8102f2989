/** A product spec in the form in which the gateway uses it: parsed and completed. */
import type { PriceRule } from '../pricing/rule.ts'

/** The longest text of product specs that is read, in bytes. */
export const PRODUCT_BYTES_MAX = 524_288

/** A product spec with its units read, references resolved and defaults filled in. */
export interface ProductSpec {
  productId: string
  title: string
  description: string
  basePath: string
  pathRewrite: 'strip' | 'preserve'
  /** 'proxy' for a product with an upstream. */
  pluginId: string
  upstream: UpstreamSpec | null
  config: Readonly<Record<string, unknown>>
  metered: boolean
  visibility: 'public' | 'unlisted' | 'private'
  skills: readonly SkillSpec[]
}
export interface UpstreamSpec {
  url: string
  headers: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  timeoutMs: number
  circuitBreaker: { failures: number; resetMs: number }
  allowPrivate: boolean
  forwardHeaders: readonly string[]
  /** Lower-case names. */
  passHeaders: readonly string[]
  serviceToken: string | null
}
export interface SkillSpec {
  /** From the spec, or derived from the route ('weather.get_health'). */
  id: string
  route: RouteSpec | null
  /** Null: the plugin's own tool names. */
  tools: readonly string[] | null
  /** Tool name → its own input, of an upstream's skill. */
  toolInputs: Readonly<Record<string, Record<string, unknown>>>
  title: string | null
  description: string | null
  metered: boolean
  /** What is held for a call: the price's maximum; 0 when not metered. */
  amountAtomic: bigint
  /** Costs nothing when not metered. */
  price: PriceRule
  /** Null: all mounted rails. */
  rails: readonly string[] | null
  limits: { timeoutMs?: number; bodyBytes?: number; concurrency?: number }
  input: Record<string, unknown> | null
  output: Record<string, unknown> | null
  annotations: Readonly<Partial<Record<AnnotationName, boolean>>>
  example: { input: unknown; output?: unknown } | null
}
export type AnnotationName = 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint'
/** `path` is below base_path and starts with '/'; method 'ANY' answers every method. */
export interface RouteSpec {
  method: string
  path: string
}
