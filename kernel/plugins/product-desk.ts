/** The operator's hand on products: what is stored, what serves of it, and every change of it. */
import type { TSchema } from 'typebox'

/** One thing wrong with a product spec, at its place in the text, fit to show an operator. */
export interface SpecProblem {
  /** File name, or null for a spec that came over the API. */
  file: string | null
  /** From 1; null when it concerns no place in the text. */
  line: number | null
  column: number | null
  /** Where in the document: 'skills[0].price.credits'; '' for the whole. */
  path: string
  /** The same as an RFC 6901 pointer. */
  pointer: string
  /** What is wrong and what is expected instead. */
  message: string
  /** What the text says there, shortened; never a resolved environment value. */
  got?: string
}

/** Something that keeps a product from being what an operator wrote. */
export interface ProductProblem {
  /** Null for a file that does not say which product it is. */
  productId: string | null
  file: string | null
  stage: string
  problems: readonly SpecProblem[]
  since: Date
  /** The revision that serves meanwhile. */
  serving: number | null
}

/** What the database says of a product. */
export interface ProductRow {
  productId: string
  /** Null: removed. */
  active: number | null
  change: bigint
  fileOrigin: string | null
  fileName: string | null
  fileHash: string | null
  /** Of the document of the active revision; null when none is active. */
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

/** Refused unless this revision is active; null: unless none is; undefined: never refused. */
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
/** What became of a change. */
export type Applied =
  | {
      ok: true
      productId: string
      revision: number
      /** No product of this id was active before. */
      created: boolean
      isSame: boolean
      warnings: readonly SpecProblem[]
    }
  | InvalidSpec
  | Stale
  | UnknownProduct

/** A text that says one product: its document as written. */
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
  /** Newest first, without the texts. */
  revisions(productId: string, before: number, limit: number): Promise<Omit<RevisionRow, 'body'>[]>
}

export interface ProductDesk {
  readonly store: StoredProducts
  /** What a spec may be: the JSON Schema of one document, and the longest text that is read. */
  readonly documents: { readonly schema: TSchema; readonly maxBytes: number }
  live(productId: string): ServedProduct | null
  /** What is wrong now. */
  problems(): ProductProblem[]
  /** Validates, builds, stores and serves the spec in `text`; nothing changes when it fails. */
  put(productId: string, text: string, conditions?: Conditions): Promise<Applied>
  /** Makes a stored revision the active one again. */
  rollback(productId: string, revision: number, conditions?: Conditions): Promise<Applied>
  /** Takes a product out of service; its revisions stay. */
  remove(
    productId: string,
    conditions?: Conditions,
  ): Promise<{ ok: true; revision: number } | Stale | UnknownProduct>
  /** What `put` would say, without doing it. */
  validate(
    text: string,
  ): Promise<{ ok: true; parsed: Parsed; warnings: readonly SpecProblem[] } | InvalidSpec>
  /** The one product of a text, checked as far as no plugin is needed. */
  parseOne(text: string, productId?: string): { ok: true; parsed: Parsed } | InvalidSpec
  /** Those that are loaded, whether or not a product uses them. */
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
