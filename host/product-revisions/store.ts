/**
 * Product revisions in the database. The change of the active revision and its announcement are
 * one transaction, so an instance that hears of a change finds it.
 */
import type {
  Database,
  ProductRow,
  RevisionRow,
  SqlClient,
  SqlTransaction,
  StoredProducts,
} from '#kernel/host'

export const PRODUCTS_CHANNEL = 'coinop_products'

/** Where the text of a product was found. */
export interface FileRef {
  origin: string
  name: string
  hash: string
}
export interface Activation {
  productId: string
  body: string
  hash: string
  source: 'file' | 'api'
  file?: FileRef
  /** Refused unless this is the active revision; null: unless none is; undefined: never refused. */
  ifActive?: number | null
}
export type Activated =
  | { ok: true; revision: number; change: bigint; replaced: number | null; isSame: boolean }
  | { ok: false; active: number | null }

export interface ProductStore extends StoredProducts {
  /** Rows whose active revision changed within the last `seconds`. */
  changedWithin(seconds: number): Promise<ProductRow[]>
  /** Stores a new revision (none when the active one says the same) and makes it the active one. */
  activate(activation: Activation): Promise<Activated>
  /** Where the file of a product is; null: it has none any more, and the same text in a new one counts as a change. */
  noteFile(productId: string, file: FileRef | null): Promise<void>
  /** Makes a stored revision the active one, or none (null; `revision` is 0 then). */
  point(productId: string, revision: number | null, ifActive?: number | null): Promise<Activated>
}

type RawRow = {
  product_id: string
  active: number | null
  change: bigint
  file_origin: string | null
  file_name: string | null
  file_hash: string | null
  active_hash: string | null
}
type RawRevision = {
  product_id: string
  revision: number
  source: 'file' | 'api'
  file_name: string | null
  body: string
  hash: string
  created_at: Date
}

const toRow = (raw: RawRow): ProductRow => ({
  productId: raw.product_id,
  active: raw.active,
  change: raw.change,
  fileOrigin: raw.file_origin,
  fileName: raw.file_name,
  fileHash: raw.file_hash,
  activeHash: raw.active_hash,
})
const toRevision = (raw: RawRevision): RevisionRow => ({
  productId: raw.product_id,
  revision: raw.revision,
  source: raw.source,
  fileName: raw.file_name,
  body: raw.body,
  hash: raw.hash,
  createdAt: raw.created_at,
})

export function createProductStore(db: Pick<Database, 'sql'>): ProductStore {
  const { sql } = db
  const withHash = () => sql`
    select p.*, r.hash as active_hash from coinop.product p left join coinop.product_revision r
      on r.product_id = p.product_id and r.revision = p.active`
  return {
    async rows() {
      return (await sql<RawRow[]>`${withHash()} order by p.product_id`).map(toRow)
    },
    async changedWithin(seconds) {
      const rows = await sql<RawRow[]>`
        ${withHash()} where p.changed_at > now() - make_interval(secs => ${seconds})`
      return rows.map(toRow)
    },
    async row(productId) {
      const [raw] = await sql<RawRow[]>`
        ${withHash()} where p.product_id = ${productId}`
      return raw ? toRow(raw) : null
    },
    async revision(productId, revision) {
      const [raw] = await sql<RawRevision[]>`
        select * from coinop.product_revision
        where product_id = ${productId} and revision = ${revision}`
      return raw ? toRevision(raw) : null
    },
    async revisions(productId, before, limit) {
      const rows = await sql<RawRevision[]>`
        select product_id, revision, source, file_name, hash, created_at, '' as body
        from coinop.product_revision
        where product_id = ${productId} and revision < ${before}
        order by revision desc limit ${limit}`
      return rows.map(toRevision)
    },
    activate: (activation) =>
      sql.begin(async (tx): Promise<Activated> => {
        const { productId, body, hash, source, file, ifActive } = activation
        await tx`insert into coinop.product (product_id) values (${productId})
          on conflict do nothing`
        const [row] = await tx<
          { active: number | null; change: bigint; active_hash: string | null }[]
        >`
          select p.active, p.change, (select r.hash from coinop.product_revision r
            where r.product_id = p.product_id and r.revision = p.active) as active_hash
          from coinop.product p where p.product_id = ${productId} for update of p`
        const { active, change, active_hash: activeHash } = row!
        if (ifActive !== undefined && ifActive !== active) return { ok: false, active }
        if (file) await noteFile(tx, productId, file)
        if (active !== null && activeHash === hash)
          return { ok: true, revision: active, change, replaced: active, isSame: true }
        const [made] = await tx<{ revision: number }[]>`
          insert into coinop.product_revision
            (product_id, revision, source, file_name, body, hash)
          select ${productId}, coalesce(max(revision), 0) + 1, ${source},
            ${file?.name ?? null}, ${body}, ${hash}
          from coinop.product_revision where product_id = ${productId}
          returning revision`
        const changed = await pointTo(tx, productId, made!.revision)
        return {
          ok: true,
          revision: made!.revision,
          change: changed,
          replaced: active,
          isSame: false,
        }
      }),
    noteFile: (productId, file) => noteFile(sql, productId, file),
    point: (productId, revision, ifActive) =>
      sql.begin(async (tx): Promise<Activated> => {
        const [row] = await tx<{ active: number | null }[]>`
          select active from coinop.product where product_id = ${productId} for update`
        const active = row?.active ?? null
        if (!row || (ifActive !== undefined && ifActive !== active)) return { ok: false, active }
        const change = await pointTo(tx, productId, revision)
        return { ok: true, revision: revision ?? 0, change, replaced: active, isSame: false }
      }),
  }
}

async function noteFile(
  db: SqlClient | SqlTransaction,
  productId: string,
  file: FileRef | null,
): Promise<void> {
  await db`
    update coinop.product set file_origin = ${file?.origin ?? null},
      file_name = ${file?.name ?? null}, file_hash = ${file?.hash ?? null}
    where product_id = ${productId}`
}

async function pointTo(
  tx: SqlTransaction,
  productId: string,
  revision: number | null,
): Promise<bigint> {
  const [row] = await tx<{ change: bigint }[]>`
    update coinop.product
    set active = ${revision}, change = change + 1, changed_at = clock_timestamp()
    where product_id = ${productId} returning change`
  await tx`select pg_notify(${PRODUCTS_CHANNEL}, ${productId})`
  return row!.change
}
