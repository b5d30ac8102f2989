/** The answers of the gateway's routes, as far as the page reads them: products, their revisions and prices. */

export interface SpecIssue {
  path: string
  message: string
  line?: number
  column?: number
  got?: string
}

export interface ProductProblem {
  product_id: string | null
  file: string | null
  stage: string
  since: string
  serving: number | null
  issues: SpecIssue[]
}

export interface Product {
  product_id: string
  version: number
  serving: number | null
  source: string | null
  file: string | null
  /** The file says other than the active revision. */
  drift: boolean
  title: string
  base_path: string | null
  plugin: string | null
  metered: boolean | null
  skills: number
}

export interface Registry {
  products: Product[]
  /** Out of service; `file`: it has one, which says the same as when it was taken out. */
  removed: { product_id: string; file: string | null }[]
  problems: ProductProblem[]
  plugins: { id: string; version: string; origin: string; requires: string[] }[]
}

export interface ProductDetail extends Product {
  hash: string
  createdAt: string
  text: string
  /** Without secrets and comments: the role of who asks does not see them. */
  redacted: boolean
  problems: ProductProblem[]
}

/** A spec that was made of an OpenAPI document. */
export interface ImportedSpec {
  product_id: string
  yaml: string
  skills: number
  /** What it does not have of the document, one line each. */
  dropped: string[]
}

export interface ProductVersion {
  version: number
  active: boolean
  source: string
  file: string | null
  hash: string
  createdAt: string
}

export interface Prices {
  version: number
  effectiveAt: string
  skills: PriceRow[]
}

export interface PriceRow {
  skill: string
  tools: string[]
  product: string
  method: string | null
  path: string | null
  /** The most that a call costs. */
  usdcAtomic: string
  rule: {
    text: string
    per: { unit: string; from: string }[]
    free: object | null
    tiers: object[] | null
    example: { text: string } | null
  }
}
