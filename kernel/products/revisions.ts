/**
 * The contract for deciding which revision of each product is wanted, by the stored rows and by
 * changes over the API, in files or on other instances. Implemented by `host/product-revisions`.
 */
import type { Environment, Variable } from '../config/variable.ts'
import type { Logger } from '../log/logger.ts'
import type { ProductDesk, StoredProducts } from '../plugins/product-desk.ts'
import type { Database } from '../storage/contract.ts'
import type { Built, NotBuilt } from './build.ts'
import type { LiveProducts } from './live.ts'
import type { MountFailure, ParsedProduct, ProductReader } from './reader.ts'
import type { ProductSpec } from './spec.ts'

export interface ProductRevisions {
  /** The products in the database, for commands that mount nothing. */
  storedIn(db: Pick<Database, 'sql'>): StoredProducts
  /** Nothing is mounted before `start`. */
  open(deps: RevisionDeps): OpenRevisions
}

export interface RevisionDeps {
  db: Database
  reader: Pick<ProductReader, 'parse' | 'openFolder'>
  /** Null: products come over the API only. */
  productsDir: string | null
  env: Environment
  variables: readonly Variable[]
  /** Serves the built revisions that are handed to it. */
  live: Omit<LiveProducts, 'close'>
  /** Builds a revision; `dryRun` leaves out migrations and ready, and must be discarded. */
  build(parsed: ParsedProduct, dryRun?: boolean): Promise<Built | NotBuilt>
  /** Whether the spec sells something that only unavailable rails could take money for. */
  awaitsRail(spec: ProductSpec): boolean
  log: Logger
  /** The pause between polls of the database and the folder, which supplement notifications. */
  pollMs?: number
}

export type ProductChanging = Pick<
  ProductDesk,
  'put' | 'rollback' | 'remove' | 'parseOne' | 'validate'
>

export interface OpenRevisions {
  readonly store: StoredProducts
  readonly changes: ProductChanging
  /** Loads files and stored products, publishes the first snapshot, then follows changes. */
  start(): Promise<void>
  /** Stops following; resolves when running changes have ended. */
  stop(): Promise<void>
  /** Why products are not served as the files and the database say. */
  problems(): MountFailure[]
  /** The stored product that belongs at the path and could not start yet; it is retried. */
  waitingAt(pathname: string): { productId: string; retryAfterMs: number } | null
}
