/**
 * Which revision of each product is wanted: what is stored, and every change of it over the API, by a
 * file or by another instance. `host/product-revisions` decides that; the kernel mounts.
 */
import type { Environment, Variable } from '../config/variable.ts'
import type { Logger } from '../log/logger.ts'
import type { ProductDesk, StoredProducts } from '../plugins/product-desk.ts'
import type { Database } from '../storage/contract.ts'
import type { Built, NotBuilt } from './build.ts'
import type { LiveProducts } from './live.ts'
import type { ParsedProduct, ProductReader } from './reader.ts'
import type { MountFailure, Retries } from './retries.ts'
import type { ProductSpec } from './spec.ts'

export interface ProductRevisions {
  /** What the database says, for commands that mount nothing. */
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
  /** What serves here: built revisions are handed to it. */
  live: Pick<
    LiveProducts,
    | 'get'
    | 'keep'
    | 'onChange'
    | 'publish'
    | 'publishRails'
    | 'reflects'
    | 'serve'
    | 'snapshot'
    | 'withdraw'
  >
  /** Of stored revisions that cannot be mounted here. */
  retries: Retries
  /** Builds it beside the revision that serves; `dryRun` leaves out migrations and ready, and must be discarded. */
  build(parsed: ParsedProduct, dryRun?: boolean): Promise<Built | NotBuilt>
  /** Whether it sells something that only rails which are not here could take money for. */
  awaitsRail(spec: ProductSpec): boolean
  log: Logger
  /** How often the database and the folder are looked at besides their notifications. */
  pollMs?: number
}

export interface ProductChanging extends Pick<
  ProductDesk,
  'put' | 'rollback' | 'remove' | 'parseOne'
> {
  /** `productId`: of a text that may leave it out. */
  validate(text: string, productId?: string): ReturnType<ProductDesk['validate']>
}

export interface OpenRevisions {
  readonly store: StoredProducts
  readonly changes: ProductChanging
  /** Loads files and stored products, publishes the first snapshot, then follows changes. */
  start(): Promise<void>
  /** Ends following; resolves when the changes under way have ended. */
  stop(): Promise<void>
  /** What keeps products from being what files and database say. */
  problems(): MountFailure[]
}
