/** The rails of the gateway as the endpoint shows them. */
import type { Rail } from '#kernel'

export type ShownRail = Pick<Rail, 'id' | 'title' | 'documents'>

/** Schemas of `structuredContent` of unpaid results, one for each rail that has one. */
export function unpaidSchemas(rails: readonly ShownRail[]): object[] {
  return rails.flatMap((rail) => rail.documents?.().mcpUnpaid ?? [])
}

/** What clients of each rail read in `_meta` of a tool that costs this much. */
export function railMeta(rails: readonly ShownRail[], amountAtomic: bigint): object {
  const parts = rails.map((rail) => rail.documents?.().mcpToolMeta?.(amountAtomic))
  return Object.assign({}, ...parts)
}
