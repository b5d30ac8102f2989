/**
 * Price tables by version. A version names a content: every instance that has the same prices
 * finds the same number, and going back to earlier prices goes back to their number, so that
 * `?version=N` is always the exact table that was in force. What a table holds is stored per
 * product, so a thousand versions of a large table cost little.
 */
import { PEG, type PriceRow, type PriceTable } from '#kernel'
import { fingerprintOf, type Database, type PriceList, type PriceRegistry } from '#kernel/host'

/** Serialises the numbering of new versions over all instances. */
const VERSION_LOCK = { space: 0x636f696e, id: 2 } as const

export function createPriceRegistry(db: Pick<Database, 'sql'>): PriceRegistry {
  const { sql } = db
  const stored = new Set<string>()
  let current: PriceTable | null = null

  async function versionOf(hash: string, lists: readonly PriceList[]): Promise<number> {
    const known = await sql<{ version: number }[]>`
      select version from coinop.price_table where hash = ${hash}`
    if (known[0]) return known[0].version
    await storeLists(lists)
    return sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${VERSION_LOCK.space}, ${VERSION_LOCK.id})`
      const [row] = await tx<{ version: number }[]>`
        with made as (
          insert into coinop.price_table (version, hash, lists)
          select coalesce(max(version), 0) + 1, ${hash}, ${lists.map((list) => list.hash)}::text[]
          from coinop.price_table
          on conflict (hash) do nothing
          returning version
        )
        select version from made
        union all select version from coinop.price_table where hash = ${hash}`
      return row!.version
    })
  }

  async function storeLists(lists: readonly PriceList[]): Promise<void> {
    const missing = lists.filter((list) => !stored.has(list.hash))
    if (missing.length === 0) return
    await sql`
      insert into coinop.price_list (hash, rows)
      select * from unnest(
        ${missing.map((list) => list.hash)}::text[],
        ${missing.map((list) => JSON.stringify(list.rows))}::text[]::jsonb[])
      on conflict (hash) do nothing`
    for (const list of missing) stored.add(list.hash)
  }

  /** When the version came into force; a follower records it only when nobody did. */
  async function effectiveAt(version: number, originates: boolean): Promise<string> {
    return sql.begin(async (tx) => {
      // Both the originator and a follower may be the first to say it.
      await tx`select pg_advisory_xact_lock(${VERSION_LOCK.space}, ${VERSION_LOCK.id})`
      await tx`
        insert into coinop.price_period (version)
        select ${version}
        where case when ${originates}
          then ${version} is distinct from
            (select version from coinop.price_period order by id desc limit 1)
          else not exists (select from coinop.price_period where version = ${version}) end`
      const [row] = await tx<{ at: Date }[]>`
        select max(effective_at) as at from coinop.price_period where version = ${version}`
      return row!.at.toISOString()
    })
  }

  return {
    async enforce(lists, originates) {
      const hash = tableHash(lists)
      if (current?.hash === hash) return current.version
      const version = await versionOf(hash, lists)
      current = {
        version,
        hash,
        effectiveAt: await effectiveAt(version, originates),
        peg: PEG,
        skills: lists.flatMap((list) => list.rows),
      }
      return version
    },
    current: () => current,
    async at(version) {
      if (version === current?.version) return current
      const [found] = await sql<{ hash: string; rows: PriceRow[][]; at: Date }[]>`
        select t.hash,
          (select max(effective_at) from coinop.price_period p where p.version = t.version) as at,
          (select coalesce(jsonb_agg(l.rows order by place), '[]')
             from unnest(t.lists) with ordinality as named(list, place)
             join coinop.price_list l on l.hash = named.list) as rows
        from coinop.price_table t where t.version = ${version}`
      if (!found) return null
      const { hash, rows, at } = found
      return { version, hash, effectiveAt: at.toISOString(), peg: PEG, skills: rows.flat() }
    },
  }
}

/** The hash that identifies a table, by its lists in the order of their products. */
function tableHash(lists: readonly PriceList[]): string {
  return fingerprintOf(...lists.map((list) => list.hash))
}
