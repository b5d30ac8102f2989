/**
 * Reads product specs as operators write them, from a text and from a folder of files. It comes beside
 * the kernel, which knows only what is read.
 */
import type { TSchema } from 'typebox'
import type { Environment, Variable } from '../config/variable.ts'
import type { Logger } from '../log/logger.ts'
import type { SpecProblem } from '../plugins/product-desk.ts'
import type { MountFailure } from './retries.ts'
import type { ProductSpec } from './spec.ts'

export interface ProductReader {
  /** Each document of the text, parsed or refused; one BrokenProduct for a text that cannot be read. */
  parse(text: string, options: ParseOptions): (ParsedProduct | BrokenProduct)[]
  openFolder(options: FolderOptions): ProductFolder
  /** JSON Schema of one document. */
  readonly documentSchema: TSchema
  /** The longest text that is read. */
  readonly maxBytes: number
}

/** A place in a document: keys and indices from its root. */
export type SpecPath = readonly (string | number)[]
export type ReportProblem = (path: SpecPath, message: string) => void

export interface ParseOptions {
  /** Named in problems; null for texts that came over the API. */
  file: string | null
  env: Environment
  /** Variables that plugins declare: which are secrets, and which are open to products. */
  variables?: readonly Variable[]
  /** Id of a document that names none (the one of the URL). */
  productId?: string
}
export interface ParsedProduct {
  ok: true
  spec: ProductSpec
  /** As written, with references unresolved: fit to show and to store. */
  document: unknown
  text: string
  /** SHA-256 of the document's values, whatever its layout and comments. */
  hash: string
  warnings: SpecProblem[]
  /** A problem found later, at its place in the text. */
  problemAt(path: SpecPath, message: string): SpecProblem
}
export interface BrokenProduct {
  ok: false
  /** Null when the text does not even say which product it is. */
  productId: string | null
  problems: SpecProblem[]
  /** Nothing is wrong with it: the environment is not the one that it is for. */
  isElsewhere?: true
}

/** A folder of product files. */
export interface ProductFolder {
  /**
   * What the folder says now. A file that is unsettled keeps what it said before; `mustRest`: one that
   * was written just now is unsettled.
   */
  scan(mustRest: boolean): Promise<Scan>
  /** Calls `onChange` soon after something in the folder changed; one that is missed is seen by scans. */
  watch(onChange: () => void): void
  close(): void
}

/** A product document, and the file it is in as operators write it: relative to the working folder. */
export interface FileDocument {
  parsed: ParsedProduct
  file: string
}
export interface Scan {
  /** Valid documents by product; where two are of one product, the first. */
  documents: ReadonlyMap<string, FileDocument>
  /** What cannot be read, is not valid, or is in two files. */
  broken: readonly MountFailure[]
  /** Some file was still being written: scan again soon. */
  isUnsettled: boolean
  /** Whether no file holds the product any more: one that cannot be read may still hold it. */
  isGone(productId: string): boolean
}
export interface FolderOptions {
  dir: string
  env: Environment
  variables: readonly Variable[]
  log: Logger
}
