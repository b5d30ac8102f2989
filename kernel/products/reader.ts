/**
 * The contract for reading product specs as operators write them, from a text or a folder of files.
 * It is implemented outside of the kernel, which only knows the parsed result.
 */
import type { TSchema } from 'typebox'
import type { Environment, Variable } from '../config/variable.ts'
import type { Logger } from '../log/logger.ts'
import type { ProductProblem, SpecProblem } from '../plugins/product-desk.ts'
import type { ProductSpec } from './spec.ts'

export interface ProductReader {
  /** Each document of the text, parsed or refused; one BrokenProduct for an unreadable text. */
  parse(text: string, options: ParseOptions): (ParsedProduct | BrokenProduct)[]
  openFolder(options: FolderOptions): ProductFolder
  /** JSON Schema of one document. */
  readonly documentSchema: TSchema
}

/** A place in a document: keys and indices from its root. */
export type SpecPath = readonly (string | number)[]
export type ReportProblem = (path: SpecPath, message: string) => void

export interface ParseOptions {
  /** Named in problems; null for texts that came over the API. */
  file: string | null
  env: Environment
  /** Variables that plugins declare, by which secrets and variables open to products are known. */
  variables?: readonly Variable[]
  /** Id for a document that names none (taken from the URL). */
  productId?: string
}
export interface ParsedProduct {
  ok: true
  spec: ProductSpec
  /** As written, with references unresolved, so that it can be shown and stored. */
  document: unknown
  text: string
  /** SHA-256 of the document's values, independent of layout and comments. */
  hash: string
  warnings: SpecProblem[]
  /** A problem found later, at its place in the text. */
  problemAt(path: SpecPath, message: string): SpecProblem
}
export interface BrokenProduct {
  ok: false
  /** Null if the text does not name its product. */
  productId: string | null
  problems: SpecProblem[]
  /** The spec is valid, but meant for a different environment. */
  isElsewhere?: true
}

/** A folder of product files. */
export interface ProductFolder {
  /**
   * Reads the folder. An unsettled file keeps its previous content; with `mustRest`, a file that
   * was just written is unsettled.
   */
  scan(mustRest: boolean): Promise<Scan>
  /** Calls `onChange` soon after a change in the folder; scans find changes that it missed. */
  watch(onChange: () => void): void
  close(): void
}

/** A product document and its file, relative to the working folder. */
export interface FileDocument {
  parsed: ParsedProduct
  file: string
}
/** Why a product or a product file is not served as written. */
export type MountFailure = Omit<ProductProblem, 'serving'>

export interface Scan {
  /** Valid documents by product; the first of several for the same product. */
  documents: ReadonlyMap<string, FileDocument>
  /** Documents that are unreadable, invalid, or in two files. */
  broken: readonly MountFailure[]
  /** Some file was still being written: scan again soon. */
  isUnsettled: boolean
  /** Whether no file contains the product any more; an unreadable file may still contain it. */
  isGone(productId: string): boolean
}
export interface FolderOptions {
  dir: string
  env: Environment
  variables: readonly Variable[]
  log: Logger
}
