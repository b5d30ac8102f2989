/** The rails of the gateway as the endpoint shows them. */
import type { Rail } from '#kernel'
import type { Era, Json } from './protocol.ts'

export type ShownRail = Pick<Rail, 'id' | 'title' | 'documents'>

/** Schemas of `structuredContent` of unpaid results, one for each rail that has one. */
export function unpaidSchemas(rails: readonly ShownRail[]): object[] {
  return rails.flatMap((rail) => rail.documents?.().mcpUnpaid ?? [])
}

/** Members that the rails add to the capabilities of the server. */
export function railCapabilities(rails: readonly ShownRail[], era: Era): Json {
  const added: Json = {}
  for (const group of ['experimental', 'extensions'] as const) {
    if (group === 'extensions' && era === 'legacy') continue
    const parts = rails.flatMap((rail) => rail.documents?.().mcpCapabilities?.[group] ?? [])
    if (parts.length > 0) added[group] = Object.assign({}, ...parts)
  }
  return added
}

/** What clients of each rail read in `_meta` of a tool that costs this much. */
export function railMeta(rails: readonly ShownRail[], amountAtomic: bigint): object {
  const parts = rails.map((rail) => rail.documents?.().mcpToolMeta?.(amountAtomic))
  return Object.assign({}, ...parts)
}
