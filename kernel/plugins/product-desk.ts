/** The operator's control of products: what is stored, what is served, and all changes. */
import type { TSchema } from 'typebox'

/** One problem of a product spec, with its place in the text, for the operator. */
export interface SpecProblem {
  /** File name; null for a spec that came over the API. */
  file: string | null
  /** From 1; null if the problem has no place in the text. */
  line: number | null
  column: number | null
  /** Where in the document: 'skills[0].price.credits'; '' for the whole. */
  path: string
  /** The same as an RFC 6901 pointer. */
  pointer: string
  /** What is wrong, and what is expected instead. */
  message: string
  /** What the text says there, shortened; never a resolved environment value. */
  got?: string
}

/** A reason why a product does not serve what the operator wrote. */
export interface ProductProblem {
  /** Null for a file that does not name its product. */
  productId: string | null
  file: string | null
  stage: string
  problems: readonly SpecProblem[]
  since: Date
  /** The revision that serves meanwhile. */
  serving: number | null
}

/** The database's record of a product. */
export interface ProductRow {
  productId: string
  /** Null: removed. */
  active: number | null
  change: bigint
  fileOrigin: string | null
  fileName: string | null
  fileHash: string | null
  /** Hash of the active revision's document; null if none is active. */
  activeHash: string | null
}
export interface RevisionRow {
  productId: string
  revision: number
  source: 'file' | 'api'
  fileName: string | null
  body: string
  hash: string
  createdAt: Date
}

/** Preconditions of a change: this revision is active; null: none is; undefined: no condition. */
export interface Conditions {
  ifActive?: number | null
}
export type Stale = { ok: false; reason: 'stale'; active: number | null }
export type InvalidSpec = {
  ok: false
  reason: 'invalid'
  stage: string
  problems: readonly SpecProblem[]
}
export type UnknownProduct = { ok: false; reason: 'unknown' }
/** The outcome of a change. */
export type Applied =
  | {
      ok: true
      productId: string
      revision: number
      /** No product with this id was active before. */
      created: boolean
      isSame: boolean
      warnings: readonly SpecProblem[]
    }
  | InvalidSpec
  | Stale
  | UnknownProduct

/** A parsed text with one product, and its document as written. */
type Parsed = { spec: { productId: string }; document: unknown }

/** A product as this instance serves it. */
export interface ServedProduct {
  readonly parts: {
    readonly revision: number
    readonly source: 'file' | 'api'
    readonly document: unknown
    readonly spec: {
      readonly productId: string
      readonly title: string
      readonly description: string
      readonly basePath: string
      readonly pluginId: string
      readonly metered: boolean
      readonly visibility: 'public' | 'unlisted' | 'private'
    }
    readonly skills: readonly unknown[]
  }
}

export interface StoredProducts {
  rows(): Promise<ProductRow[]>
  row(productId: string): Promise<ProductRow | null>
  revision(productId: string, revision: number): Promise<RevisionRow | null>
  /** The revisions, newest first, without their texts. */
  revisions(productId: string, before: number, limit: number): Promise<Omit<RevisionRow, 'body'>[]>
}

export interface ProductDesk {
  readonly store: StoredProducts
  /** The limits of a spec: the JSON Schema of a document, and the longest text that is read. */
  readonly documents: { readonly schema: TSchema; readonly maxBytes: number }
  live(productId: string): ServedProduct | null
  /** The current problems. */
  problems(): ProductProblem[]
  /** Validates, builds, stores and serves the spec in `text`; nothing changes if it fails. */
  put(productId: string, text: string, conditions?: Conditions): Promise<Applied>
  /** Makes a stored revision the active one again. */
  rollback(productId: string, revision: number, conditions?: Conditions): Promise<Applied>
  /** Takes a product out of service; its revisions stay. */
  remove(
    productId: string,
    conditions?: Conditions,
  ): Promise<{ ok: true; revision: number } | Stale | UnknownProduct>
  /** The result that `put` would have, without doing it. */
  validate(
    text: string,
  ): Promise<{ ok: true; parsed: Parsed; warnings: readonly SpecProblem[] } | InvalidSpec>
  /** The only product of a text, with all checks that need no plugin. */
  parseOne(text: string, productId?: string): { ok: true; parsed: Parsed } | InvalidSpec
  /** The loaded plugins, whether or not a product uses them. */
  readonly plugins: {
    readonly plugins: ReadonlyMap<
      string,
      {
        readonly origin: string
        readonly plugin: { id: string; version: string; requires?: readonly string[] }
      }
    >
  }
}
